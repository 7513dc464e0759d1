"""A claim to the papers that bear it out or contradict it.

``library`` finds the papers that speak of it, ``stance`` holds each against the claim, and the
verdict is what the surest of them say. A paragraph is taken sentence by sentence, so that a text
that is being written gets its citations, and its warnings, where they belong.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant import calibration
from assistant.errors import QuestionError
from assistant.llm import ChatModel
from assistant.stance import weigh
from assistant.types import (
    Cancellation,
    Cancelled,
    ClaimEvent,
    ClaimFinished,
    ClaimReport,
    ClaimVerdict,
    PaperWeighed,
    Receipt,
    Stance,
    Timings,
    Weighed,
)
from assistant.verifying import Entails
from store.chunking import sentences
from store.library import Library
from store.types import Hit

MAX_CLAIM = 2000  # characters
MOST_PAPERS = 5  # held against a claim: what decides is among the first
_MIXED = 0.15  # sides whose confidence differs by less are both shown
_SHARE = 0.6  # a paper whose score is less than this share of the best is about something else
NO_MODEL = (
    "No answer model is on this machine: these papers are related, what they say to the claim was "
    "not judged."
)


def checked_claim(claim: str) -> str:
    """The claim on one line; raises :class:`QuestionError` when it is empty or too long."""
    text = " ".join(claim.encode("utf-8", "replace").decode().split())
    if not text:
        raise QuestionError("The claim is empty. Give a statement, for example in one sentence.")
    if len(text) > MAX_CLAIM:
        raise QuestionError(
            f"The claim has {len(text):,} characters; at most {MAX_CLAIM:,} can be read. "
            "Give one statement, or a paragraph with --paragraph."
        )
    return text


def claims_of(paragraph: str) -> list[str]:
    """The sentences of a paragraph, each a claim of its own.

    >>> claims_of("Bees dance. Ants, e.g. red ones, walk.")
    ['Bees dance.', 'Ants, e.g. red ones, walk.']
    """
    text = " ".join(paragraph.split())
    return [text[start:end] for start, end in sentences(text)]


def support_claim(
    claim: str,
    *,
    library: Library,
    model: ChatModel | None,
    receipt: Receipt,
    cancel: Cancellation,
    judge: Entails | None = None,
) -> Iterator[ClaimEvent]:
    """Hold the nearest papers against ``claim``; the last event is :class:`ClaimFinished`.

    Raises :class:`QuestionError` for a claim that cannot be read and ``Cancelled`` when ``cancel``
    is set.
    """
    start = time.perf_counter()
    claim = checked_claim(claim)
    hits = relevant(library.search(claim, MOST_PAPERS))
    timings = Timings(evidence_s=_since(start))
    found: list[Weighed] = []
    for number, hit in enumerate(hits, start=1):
        if cancel.is_set:
            raise Cancelled
        found.append(weigh(claim, hit, model, cancel, judge))
        if number == 1:
            timings = replace(timings, first_token_s=_since(start))
        yield PaperWeighed(found[-1], number, len(hits))
    verdict = verdict_of(found)
    yield ClaimFinished(
        ClaimReport(
            claim,
            verdict,
            tuple(sorted(found, key=_order)),
            receipt,
            replace(timings, total_s=_since(start)),
            () if model or judge else (NO_MODEL,),
        )
    )


def relevant(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that may be about a claim: none where even the best is about something else."""
    if not hits or hits[0].score < calibration.OFF_TOPIC:
        return []
    return [hit for hit in hits if hit.score >= _SHARE * hits[0].score]


def verdict_of(found: Sequence[Weighed]) -> ClaimVerdict:
    """What the papers say together: the surer side, or both where they are about as sure."""
    sure = {
        stance: max((w.confidence for w in found if w.stance is stance), default=0.0)
        for stance in (Stance.SUPPORTS, Stance.CONTRADICTS)
    }
    pro, contra = sure[Stance.SUPPORTS], sure[Stance.CONTRADICTS]
    if not pro and not contra:
        return ClaimVerdict.NO_EVIDENCE
    if pro and contra and abs(pro - contra) < _MIXED:
        return ClaimVerdict.MIXED
    return ClaimVerdict.SUPPORTED if pro > contra else ClaimVerdict.CONTRADICTED


def _order(weighed: Weighed) -> tuple[bool, float]:
    """Those that decide first, the surest of them at the top."""
    decides = weighed.stance is not Stance.RELATED
    return (not decides, -weighed.confidence if decides else 0.0)


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 3)
