"""Is it said of this one? Part of ``verifying``.

A finding is only true of the system it was found of. So the cited paper has to speak of what the
sentence names, the source sentence has to be about it, and no name may have the place of another.
And it is only true under the conditions in which it was found.
"""

from __future__ import annotations

import re

from assistant.binding import displaced
from assistant.checking import Case, Check
from assistant.citing import Source, content_words
from assistant.naming import names, speaks_of, subjects
from assistant.types import Verdict
from store.chunking import sentences
from store.labels import introduced
from store.plaintext import plain

_OURS = re.compile(
    r"\b(?:we|our|ours|it|its|this|these|they|their|here|the (?:proposed|resulting|new|former"
    r"|method|model|approach|system|framework|algorithm|technique|paper|authors?))\b",
    re.IGNORECASE,
)

# "Under heavy rain", up to where the next phrase begins; phrases may lie within one another.
_LINKS = (
    "under|with|without|during|in|on|for|at|across|among|within|using|when|despite|after|against"
    "|through|via"
)
_CONDITION = re.compile(rf"(?=\b(?:{_LINKS})\s+((?:[\w'’-]+\s?){{1,6}}))", re.IGNORECASE)
_ENDS = re.compile(
    rf"\b(?:{_LINKS}|of|by|to|and|or|that|which|from|than|as|is|are|was|were|has|have|can|while|but"
    r"|we|it|the authors)\b",
    re.IGNORECASE,
)
# Words about the text itself, or of any text.
_OF_TEXTS = content_words("paper abstract study work excerpt text author source research article")


def check_names(case: Case) -> Check | None:
    """Every name stands in a cited paper; a sentence without one is about those of the question."""
    record = " ".join(case.records.values())
    asked = names(case.question)
    if missing := {name for name in names(case.sentence) if not speaks_of(record, name)}:
        known = any(speaks_of(f"{case.elsewhere} {case.question}", name) for name in missing)
        verdict = Verdict.MISATTRIBUTED if known else Verdict.UNSUPPORTED
        reason = f"the source does not speak of {_listed(missing)}"
        return Check(verdict, reason, elsewhere=bool(missing & asked))
    if asked and not names(case.sentence) and not any(speaks_of(record, n) for n in asked):
        return Check(
            Verdict.MISATTRIBUTED,
            f"the source speaks of {_topic(record)}, the question asks about {_listed(asked)}",
            elsewhere=True,
        )
    return None


def check_subject(case: Case) -> Check | None:
    """What is told stands in a paper, and in a sentence, about those it is told of."""
    told_of = subjects(case.sentence)
    if not told_of:
        return None
    home = {n for n, text in case.records.items() if any(speaks_of(text, s) for s in told_of)}
    at_home = [s for s in case.tied.sources if s.number in home]
    foreign = [s for s in case.tied.sources if s.number not in home]
    if foreign:
        held = content_words(" ".join(s.text for s in at_home) + case.question)
        only = [s for s in foreign if _tells(words_shared(case.sentence, s.text) - held)]
        if only:
            topic = _topic(case.records[only[0].number])
            return Check(Verdict.MISATTRIBUTED, f"this is said of {topic}, not {_listed(told_of)}")
    for source in at_home[:1]:
        if other := _other_subject(told_of, source, case.records[source.number]):
            return Check(Verdict.MISATTRIBUTED, f"this is said of {other}, not {_listed(told_of)}")
    return None


def check_places(case: Case) -> Check | None:
    """No name has the place of another."""
    for number, record in case.records.items():
        told = [s.text for s in case.tied.sources if s.number == number]
        if other := displaced(case.sentence, told, introduced(plain(record)), _OURS):
            return Check(Verdict.MISATTRIBUTED, f"the source says this of {other}")
    return None


def check_conditions(case: Case) -> Check | None:
    """No circumstance is put in that the papers do not have.

    One strange word may be another way of saying it. Several are not, nor is one that the question
    brought in: a model takes over what is supposed there.
    """
    record = content_words(" ".join(case.records.values())) | _OF_TEXTS
    asked = content_words(case.question) - record
    for match in _CONDITION.finditer(plain(case.sentence)):
        phrase = _ENDS.split(match.group(1))[0].strip()
        words = content_words(phrase)
        strange = words - record
        if len(words) > 1 and (
            strange == words or (strange & asked and 2 * len(strange) >= len(words))
        ):
            return Check(Verdict.UNSUPPORTED, f"the source does not speak of “{phrase}”")
    return None


def _tells(words: frozenset[str]) -> bool:
    """Whether words are a finding: several, or a number, which the question did not give."""
    return len(words) > 1 or any(letter.isdigit() for word in words for letter in word)


def words_shared(sentence: str, source: str) -> frozenset[str]:
    """Words of the sentence in a source, its names aside."""
    named = content_words(" ".join(names(sentence)))
    return (content_words(sentence) & content_words(source)) - named


def _other_subject(told_of: frozenset[str], source: Source, record: str) -> str:
    """Whom a source sentence is about, if not about any of ``told_of``; "" otherwise."""
    before = _sentence_before(record, source.text)
    if any(speaks_of(f"{before} {source.text}", name) for name in told_of):
        return ""
    own = introduced(plain(record))
    is_own = not own or any(speaks_of(own, name) or speaks_of(name, own) for name in told_of)
    if is_own:  # sentences of an abstract are about what it introduces, unless they name another
        others = subjects(source.text)
        return "" if not others or _OURS.search(source.text) else _listed(others)
    return own


def _sentence_before(record: str, sentence: str) -> str:
    """The sentence before a given one, which its "it" and "this" may point to."""
    at = record.find(sentence)
    if at <= 0:
        return ""
    spans = sentences(record[:at])
    return record[spans[-1][0] : spans[-1][1]] if spans else ""


def _topic(record: str) -> str:
    named = introduced(plain(record))
    return named or "something else"


def _listed(items: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(items))
