"""The values that flow from a question to its answer; interfaces see only these.

``retrieval`` numbers papers into :class:`Evidence`; ``citing`` ties each :class:`Sentence` of a
draft to :class:`Citation` s; ``answering`` puts them together into an :class:`Answer`, telling
of its progress in :data:`Event` s.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from enum import StrEnum

from store.types import Paper, ScoredSentence

_MARKER = re.compile(r"\[(\d[\d\s,;–-]*)\]")


class Status(StrEnum):
    """What the library has to say to a question."""

    ANSWERED = "answered"
    NOT_STATED = "not_stated"  # papers are about it, but do not say
    NOT_IN_LIBRARY = "not_in_library"  # nothing here is about it


class Verdict(StrEnum):
    """Whether a sentence holds what its source holds."""

    SUPPORTED = "supported"
    MISATTRIBUTED = "misattributed"  # true of another paper or system
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered paper and those of its sentences that the model reads, in reading order."""

    number: int
    paper: Paper
    sentences: tuple[ScoredSentence, ...]
    score: float

    def nearest(self, count: int = 3) -> tuple[ScoredSentence, ...]:
        """The sentences nearest to the question, in reading order."""
        best = sorted(self.sentences, key=lambda sentence: -sentence.score)[:count]
        return tuple(sorted(best, key=lambda sentence: sentence.start))


@dataclass(frozen=True, slots=True)
class Citation:
    """One source sentence that an answer sentence rests on: ``abstract[start:end]`` of a paper."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer. ``note`` says, in words for the reader, what was done to it."""

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict
    score: float
    note: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the cited papers, each once, in order of strength."""
        return tuple(dict.fromkeys(citation.number for citation in self.citations))


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds since the question was asked, and the tokens read and written.

    ``proof_s`` is how much of the total went into checking what was written.
    """

    evidence_s: float = 0.0
    first_token_s: float = 0.0
    proof_s: float = 0.0
    total_s: float = 0.0
    prompt_tokens: int = 0
    answer_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an answer was made with: enough to make it again, to the letter.

    ``model`` and its ``model_sha256`` are "" when no model took part (the hash also for one behind
    an address). ``evidence`` names what was read: ``PAPER ID:START-END`` of each sentence.
    ``where`` is the filter that the papers had to pass, by its fields; empty for all papers.
    """

    library: str
    encoder: str
    model: str
    model_sha256: str = ""
    after: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    where: dict[str, int | str] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    settings: dict[str, int | float | str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that proves itself sentence by sentence.

    ``notes`` are lines for the reader about the whole ("no model is here: …", "two papers were
    left out …"). ``nearest`` names the nearest papers when there is no answer.
    """

    question: str
    standalone_question: str
    status: Status
    sentences: tuple[Sentence, ...]
    evidence: tuple[Evidence, ...]
    nearest: tuple[Paper, ...]
    receipt: Receipt
    timings: Timings
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The answer as one text with its markers: ``Bees dance [2]. They also sing [1][3].``"""
        return " ".join(with_markers(s.text, s.numbers) for s in self.sentences)


def with_markers(text: str, numbers: tuple[int, ...]) -> str:
    """Put citation markers before the closing stop.

    >>> with_markers("Bees dance.", (2, 1))
    'Bees dance [2][1].'
    >>> with_markers("Bees dance", (2,))
    'Bees dance [2]'

    A paper may have markers of its own, which mean something else:

    >>> with_markers("Bees dance [3].", (1,))
    'Bees dance (3) [1].'
    """
    text = _MARKER.sub(r"(\1)", text)
    if not numbers:
        return text
    markers = "".join(f"[{n}]" for n in numbers)
    body, stop = (text[:-1], text[-1]) if text[-1:] in {".", "!", "?"} else (text, "")
    return f"{body} {markers}{stop}"


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """The sources are known; the model has not said a word yet."""

    standalone_question: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class DraftGrew:
    """The model wrote a few more characters; ``text`` is the whole draft so far, unchecked."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is complete and checked."""

    answer: Answer


Event = EvidenceFound | DraftGrew | Finished


class Cancelled(Exception):  # noqa: N818 - a reader's wish, not an error
    """Raised inside a job when its :class:`Cancellation` was set."""


class Cancellation:
    """A flag the reader sets to stop a job; looked at for every token.

    >>> flag = Cancellation(); flag.cancel(); flag.is_set
    True
    """

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the job to stop."""
        self._event.set()

    @property
    def is_set(self) -> bool:
        """Whether the job was asked to stop."""
        return self._event.is_set()

    def wait(self, seconds: float) -> None:
        """Come back after so long, or as soon as the job is asked to stop."""
        self._event.wait(seconds)


# -- what the papers say to a claim


class Stance(StrEnum):
    """What one paper says to a claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    RELATED = "related"  # about the same, but it decides nothing


class ClaimVerdict(StrEnum):
    """What the library says to a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    MIXED = "mixed"
    NO_EVIDENCE = "no_evidence"


@dataclass(frozen=True, slots=True)
class Weighed:
    """A paper's stance to a claim.

    ``confidence`` is the probability of that stance, 0 to 1. ``rationale`` holds the sentences of
    the abstract that speak to the claim, the most telling first.
    """

    paper: Paper
    stance: Stance
    confidence: float
    rationale: tuple[ScoredSentence, ...]


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A claim, the verdict, and the papers, the telling ones first."""

    claim: str
    verdict: ClaimVerdict
    papers: tuple[Weighed, ...]
    receipt: Receipt
    timings: Timings
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperWeighed:
    """One more paper was held against the claim; ``of`` is how many there will be at most."""

    found: Weighed
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class ClaimFinished:
    """All papers were held against the claim."""

    report: ClaimReport


ClaimEvent = PaperWeighed | ClaimFinished
