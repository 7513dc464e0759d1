r"""What has been said so far: events in, turns out; ``markup`` shows them.

A turn walks through its phases as the events come in::

    waiting -> searching -> reading -> drafting -> answered
                                             \-> stopped, failed (from any of them)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from assistant.types import Answer, DraftGrew, Event, Evidence, EvidenceFound, Finished
from store.types import Paper

Span = tuple[int, int]
News = int | Event  # how many are before this question, or what came of it


class Phase(StrEnum):
    """How far a question has come."""

    WAITING = "waiting"
    SEARCHING = "searching"
    READING = "reading"
    DRAFTING = "drafting"
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will come."""
        return self in {Phase.ANSWERED, Phase.STOPPED, Phase.FAILED}


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and what came of it. ``number`` counts the turns of a conversation from 1."""

    number: int
    question: str
    phase: Phase = Phase.SEARCHING
    ahead: int = 0
    standalone: str = ""
    evidence: tuple[Evidence, ...] = ()
    draft: str = ""
    answer: Answer | None = None
    trouble: str = ""

    def after(self, news: News) -> Turn:
        """The turn with one more thing known."""
        match news:
            case int():
                phase = Phase.WAITING if news else Phase.SEARCHING
                return replace(self, phase=phase, ahead=news)
            case EvidenceFound():
                return replace(
                    self,
                    phase=Phase.READING,
                    standalone=news.standalone_question,
                    evidence=news.evidence,
                )
            case DraftGrew():
                return replace(self, phase=Phase.DRAFTING, draft=news.text)
            case Finished():
                return replace(
                    self,
                    phase=Phase.ANSWERED,
                    standalone=news.answer.standalone_question,
                    evidence=news.answer.evidence,
                    answer=news.answer,
                )

    def stopped(self) -> Turn:
        """The turn as the reader's stop leaves it: an unchecked draft, never an answer."""
        return replace(self, phase=Phase.STOPPED)

    def failed(self, why: str) -> Turn:
        """The turn when it could not be answered, and why, in one line for the reader."""
        return replace(self, phase=Phase.FAILED, trouble=why)

    @property
    def cited(self) -> frozenset[int]:
        """The numbers of the sources that the checked answer rests on."""
        sentences = self.answer.sentences if self.answer else ()
        return frozenset(number for sentence in sentences for number in sentence.numbers)


@dataclass(frozen=True, slots=True)
class Reference:
    """A place a click can lead to: a source or a near paper of a turn, for one of its sentences.

    >>> Reference.parse("2.e3.0")
    Reference(turn=2, near=False, number=3, sentence=0)
    >>> str(Reference(2, near=True, number=1))
    '2.n1'
    """

    turn: int
    near: bool
    number: int
    sentence: int | None = None

    def __str__(self) -> str:
        tail = "" if self.sentence is None else f".{self.sentence}"
        return f"{self.turn}.{'n' if self.near else 'e'}{self.number}{tail}"

    @classmethod
    def parse(cls, text: str) -> Reference | None:
        """Read what :meth:`__str__` wrote; None for anything else (it comes from a browser)."""
        match = re.fullmatch(r"(\d{1,6})\.([en])(\d{1,6})(?:\.(\d{1,6}))?", text, re.ASCII)
        if match is None:
            return None
        sentence = None if match[4] is None else int(match[4])
        return cls(int(match[1]), match[2] == "n", int(match[3]), sentence)


@dataclass(frozen=True, slots=True)
class OpenedPaper:
    """A paper to show whole, with the stretches of its abstract that matter here."""

    paper: Paper
    number: int | None
    marks: tuple[Span, ...]
    why: str


def opened(turns: Sequence[Turn], reference: Reference) -> OpenedPaper | None:
    """The paper that a reference of this conversation names, or None when there is no such."""
    turn = next((turn for turn in turns if turn.number == reference.turn), None)
    if turn is None:
        return None
    if reference.near:
        nearest = turn.answer.nearest if turn.answer else ()
        paper = dict(enumerate(nearest, start=1)).get(reference.number)
        return OpenedPaper(paper, None, (), "Among the nearest papers") if paper else None
    source = next((item for item in turn.evidence if item.number == reference.number), None)
    if source is None:
        return None
    cited = _cited_spans(turn, reference)
    if cited:
        return OpenedPaper(source.paper, source.number, cited, "Marked: what the sentence rests on")
    shown = tuple((sentence.start, sentence.end) for sentence in source.nearest())
    why = "Marked: the sentences nearest to the question" if shown else ""
    return OpenedPaper(source.paper, source.number, shown, why)


def _cited_spans(turn: Turn, reference: Reference) -> tuple[Span, ...]:
    sentences = turn.answer.sentences if turn.answer else ()
    if reference.sentence is None or reference.sentence >= len(sentences):
        return ()
    citations = sentences[reference.sentence].citations
    return tuple((c.start, c.end) for c in citations if c.number == reference.number)
