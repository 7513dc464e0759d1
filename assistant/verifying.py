"""Cited sentences to proven ones: does the source hold what the sentence says?

Three cheap checks, each with a reason that a person understands: every number of the sentence
stands in its sources; every name does too, or at least in the cited paper; and most of its words
do. A sentence that fails is not shown as fact (see ``answering``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.citing import Source, Tie, content_words, tie
from assistant.types import Evidence, Verdict
from store.plaintext import plain

MIN_COVERAGE = 0.55  # below it a sentence says more than its sources

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
_NAME = re.compile(r"\b(?:[A-Z]+[a-z]*[A-Z0-9][\w-]*|[A-Z]{2,}[\w-]*|[A-Z][a-z]+\d[\w-]*)\b")
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_WORDS_FOR_NUMBERS = {word: str(number) for number, word in enumerate(_SMALL)}


@dataclass(frozen=True, slots=True)
class Check:
    """A verdict and, unless it is ``supported``, the reason."""

    verdict: Verdict
    reason: str = ""


def verify(sentence: str, tied: Tie, evidence: Sequence[Evidence], question: str) -> Check:
    """Hold a sentence against the sources that it was tied to."""
    if not tied.sources:
        return Check(Verdict.UNSUPPORTED, "no source sentence speaks of this")
    cited = {source.number for source in tied.sources}
    records = {item.number: _record(item) for item in evidence}
    own = {number: text for number, text in records.items() if number in cited}
    others = " ".join(text for number, text in records.items() if number not in cited)
    return (
        _check_names(sentence, own, others + " " + question)
        or _check_numbers(sentence, tied, own, question)
        or _check_coverage(sentence, tied, evidence, question)
        or Check(Verdict.SUPPORTED)
    )


def _check_numbers(sentence: str, tied: Tie, own: dict[int, str], question: str) -> Check | None:
    """Every number stands in a source, and in a paper that knows a system the sentence names."""
    held = numbers(" ".join(source.text for source in tied.sources))
    # A year or count from the record or from the question itself is as good.
    given = numbers(question).union(*(numbers(text) for text in own.values()))
    stated = numbers(sentence)
    if missing := stated - held - given:
        return Check(Verdict.UNSUPPORTED, f"the number {_listed(missing)} is not in the source")
    named = names(sentence)
    for number in stated & held:
        papers = {s.number for s in tied.sources if number in numbers(s.text)}
        if named and not any(_holds(own[paper], name) for paper in papers for name in named):
            reason = f"the number {number} belongs to a paper that does not speak of "
            return Check(Verdict.MISATTRIBUTED, reason + _listed(named))
    return None


def _check_names(sentence: str, own: dict[int, str], elsewhere: str) -> Check | None:
    """Every name stands somewhere in the cited papers."""
    cited = " ".join(own.values())
    if missing := {name for name in names(sentence) if not _holds(cited, name)}:
        known = any(_holds(elsewhere, name) for name in missing)
        verdict = Verdict.MISATTRIBUTED if known else Verdict.UNSUPPORTED
        return Check(verdict, f"the source does not speak of {_listed(missing)}")
    return None


def _check_coverage(
    sentence: str, tied: Tie, evidence: Sequence[Evidence], question: str
) -> Check | None:
    """Most of the words stand in the sources, or in what is known of the cited papers."""
    cited = {source.number for source in tied.sources}
    heads = " ".join(_head(item) for item in evidence if item.number in cited)
    with_heads = Source(0, heads + " " + " ".join(s.text for s in tied.sources), 0, 0)
    if tie(sentence, [with_heads], content_words(question)).coverage < MIN_COVERAGE:
        return Check(Verdict.UNSUPPORTED, "the source says less than this")
    return None


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text in one form: no separators, no trailing zeros, small words as digits.

    >>> sorted(numbers("From 1,000 to 2.50 in three steps"))
    ['1000', '2.5', '3']
    """
    found = {_plain_number(match) for match in _NUMBER.findall(plain(text))}
    words = re.findall(r"[a-z]+", text.lower())
    return frozenset(found | {_WORDS_FOR_NUMBERS[w] for w in words if w in _WORDS_FOR_NUMBERS})


def _plain_number(text: str) -> str:
    text = re.sub(r",(?=\d{3}\b)", "", text).replace(",", ".")
    if text.count(".") == 1 and "e" not in text.lower():
        text = text.rstrip("0").rstrip(".")
    return text


def names(text: str) -> frozenset[str]:
    """Acronyms and names in mixed case, which point to one system: "RAM", "DeFlow", "GPT-4".

    >>> sorted(names("We show that DeFlow beats GPT-4 and SGD."))
    ['DeFlow', 'GPT-4', 'SGD']
    """
    return frozenset(_NAME.findall(plain(text)))


def _holds(text: str, name: str) -> bool:
    """Whether a text names it, in whatever case, or holds all its parts."""
    letters = re.sub(r"\W", "", name).lower()
    return letters in re.sub(r"\W", "", text).lower() or content_words(name) <= content_words(text)


def _head(item: Evidence) -> str:
    """What is known of a paper beside its abstract."""
    paper = item.paper
    return plain(" ".join((paper.title, *paper.authors, str(paper.year or ""), paper.venue)))


def _record(item: Evidence) -> str:
    """All that is known of a paper, as one text."""
    return f"{_head(item)} {plain(item.paper.abstract)}"


def _listed(items: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(items))
