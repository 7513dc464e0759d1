"""A draft to proven sentences: what holds is kept, what does not is quoted or left out.

The draft is split, each sentence is tied to its sources (``citing``) and held against them
(``verifying``). A sentence that fails is not shown as fact: its source speaks instead, or nothing
does, and the reader is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from assistant.citing import Source, Tie, content_words, draft_sentences, sources_of, tie
from assistant.types import Citation, Evidence, Sentence, Verdict
from assistant.verifying import Check, Entails, Similarity, verify

Judge = Callable[[str], bool]
"""Whether the paper shows a sentence, as the model sees it."""

_REASON = re.compile(r"\s+(?:by|because|since|through|via|due to|thanks to|as)\s|[:;,]\s")
_QUOTES = 2
_RELATED = 0.3  # a source that holds this much of a failed sentence is about the same


class Outcome(Enum):
    """What came of a draft as a whole. A model that has no answer makes one up, or echoes."""

    HOLDS = "some of it is supported and new"
    FAILED = "nothing of it is supported"
    INVENTED = "nothing is, and it gives a number where the source has none"
    ELSEWHERE = "nothing is, and its paper does not speak of what the question names"
    ECHOED = "it only says the question over again"


@dataclass(frozen=True, slots=True)
class Proof:
    """The sentences that may be shown, and why others may not."""

    sentences: tuple[Sentence, ...]
    outcome: Outcome
    left_out: tuple[str, ...] = ()


def prove(
    draft: str,
    item: Evidence,
    question: str,
    similarity: Similarity | None = None,
    *,
    shown: Judge | None = None,
    entails: Entails | None = None,
    beside: int = 0,
) -> Proof:
    """Check a draft that was written from one paper in answer to ``question``.

    ``shown`` is asked of sentences that take over what the question supposes, ``entails`` of those
    that are told in other words than their source.

    Where nothing of it holds, the paper's own best sentences stand in: a proof is never empty.
    ``beside`` is how many of these are given in any case, for a model that says too little itself.
    """
    sources = sources_of([item])
    known = content_words(question)
    kept: list[Sentence] = []
    left_out: list[str] = []
    outcome = Outcome.ECHOED
    for sentence in draft_sentences(draft):
        if content_words(sentence) <= known:
            continue  # the question over again
        tied = tie(sentence, sources, known)
        check = verify(sentence, tied, [item], question, similarity, entails)
        if check.verdict is Verdict.SUPPORTED and shown:
            check = _not_supposed(sentence, item, known, shown) or check
        outcome = _together(outcome, check)
        if check.verdict is Verdict.SUPPORTED:
            kept.append(Sentence(sentence, tied.citations, check.verdict, round(tied.coverage, 3)))
        elif (stand_in := _instead(tied, check.reason)) and not _said(stand_in.text, kept):
            kept.append(stand_in)
        else:
            left_out.append(check.reason)
    best = quotes([item], beside if kept else max(beside, _QUOTES))
    if beside or not kept:
        kept += [sentence for sentence in best if not _said(sentence.text, kept)]
    return Proof(tuple(kept), outcome, tuple(left_out))


def _not_supposed(
    sentence: str, item: Evidence, known: frozenset[str], shown: Judge
) -> Check | None:
    """A failed check if a sentence only supposes what the question does.

    "Why does X amplify noise?" has a model begin with "X amplifies noise by", whatever the paper
    says. Words of the question that the paper does not have may be another way of saying what it
    says, or such a premise: the model that has just read it is asked.
    """
    record = content_words(f"{item.paper.title} {item.paper.abstract}")
    supposed = (content_words(sentence) & known) - record
    if not supposed or shown(_premise(sentence, supposed)):
        return None
    return Check(Verdict.UNSUPPORTED, "the question supposes it, the abstract does not show it")


def _premise(sentence: str, supposed: frozenset[str]) -> str:
    """The clause that holds the supposed words, where they stand before a reason or a means.

    >>> _premise("BeeNet slows dances by singing.", frozenset({"slow"}))
    'BeeNet slows dances.'
    """
    head = _REASON.split(sentence, maxsplit=1)[0]
    whole = head == sentence or not supposed <= content_words(head)
    return sentence if whole else head + "."


def _together(outcome: Outcome, check: Check) -> Outcome:
    """The outcome with one more sentence: the best, and rather invented than failed."""
    if Outcome.HOLDS is outcome or check.verdict is Verdict.SUPPORTED:
        return Outcome.HOLDS
    if Outcome.INVENTED is outcome or check.invented:
        return Outcome.INVENTED
    if Outcome.ELSEWHERE is outcome or check.elsewhere:
        return Outcome.ELSEWHERE
    return Outcome.FAILED


def _instead(tied: Tie, reason: str) -> Sentence | None:
    """The source's own words in place of a sentence that failed, if they are about the same."""
    if not tied.sources or tied.coverage < _RELATED:
        return None
    return quote(tied.sources[0], f"Quoted from the abstract instead of the draft: {reason}.")


def _said(text: str, sentences: Iterable[Sentence]) -> bool:
    return any(text == sentence.text for sentence in sentences)


def quotes(evidence: Sequence[Evidence], count: int) -> tuple[Sentence, ...]:
    """The sentences nearest to the question, in the order in which they were written."""
    scored = [
        (
            item.score + sentence.score,
            Source(item.number, sentence.text, sentence.start, sentence.end),
        )
        for item in evidence
        for sentence in item.sentences
    ]
    scored.sort(key=lambda pair: -pair[0])
    best = sorted((source for _, source in scored[:count]), key=lambda s: (s.number, s.start))
    return tuple(map(quote, best))


def quote(source: Source, note: str = "") -> Sentence:
    """A source sentence as a sentence of the answer."""
    citation = Citation(source.number, source.start, source.end)
    return Sentence(source.text, (citation,), Verdict.SUPPORTED, 1.0, note)
