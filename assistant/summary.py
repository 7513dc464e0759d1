"""The values of a summary, beside those of ``types``; interfaces see only these.

``relevance`` chooses the papers, ``themes`` groups them, ``summarizing`` puts a :class:`Summary`
together and tells of its progress in :data:`SummaryEvent` s, theme by theme.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.types import Citation, Evidence, Receipt, Sentence, Status, Timings
from store.types import Paper


@dataclass(frozen=True, slots=True)
class Theme:
    """Papers that belong together, and what they say; ``papers`` are numbers of the evidence."""

    title: str
    sentences: tuple[Sentence, ...]
    papers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: each cell is a span of the paper's abstract, or None."""

    number: int
    proposes: Citation | None = None
    on: Citation | None = None
    result: Citation | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """A paper that was not used, and how near it came: the best papers have about 1."""

    paper: Paper
    relevance: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the library the summary rests on, and how much of it a model wrote.

    ``library``, ``candidates`` and ``used`` count papers: all, looked at, used. ``drafted`` and
    ``quoted`` count sentences by who wrote them: the model, or an abstract.
    """

    library: int
    candidates: int
    used: int
    below: tuple[Passed, ...]
    model_calls: int = 0
    drafted: int = 0
    quoted: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """What the library says on a topic. ``subject`` is the topic without the words of a request.

    ``open_questions`` are quotes of what abstracts themselves call open. ``timeline`` holds years,
    ascending, with the numbers of their papers.
    """

    topic: str
    subject: str
    status: Status
    themes: tuple[Theme, ...]
    evidence: tuple[Evidence, ...]
    coverage: Coverage
    receipt: Receipt
    timings: Timings
    table: tuple[Row, ...] = ()
    timeline: tuple[tuple[int, tuple[int, ...]], ...] = ()
    open_questions: tuple[Sentence, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def cited(self) -> tuple[int, ...]:
        """The numbers of all papers that a sentence cites, ascending."""
        told = (s for theme in self.themes for s in theme.sentences)
        return tuple(sorted({n for s in (*told, *self.open_questions) for n in s.numbers}))


@dataclass(frozen=True, slots=True)
class PapersChosen:
    """The papers and their themes are known (titles with paper numbers); nothing is written yet."""

    subject: str
    evidence: tuple[Evidence, ...]
    themes: tuple[tuple[str, tuple[int, ...]], ...]
    below: tuple[Passed, ...]
    table: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class ThemeGrew:
    """The model wrote on; ``text`` is its unchecked draft on one paper or two.

    ``position`` counts themes from 0; ``done`` of ``total`` drafts are written.
    """

    position: int
    text: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ThemeFinished:
    """A theme is complete and checked."""

    position: int
    theme: Theme
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SummaryFinished:
    """The summary is complete and checked."""

    summary: Summary


SummaryEvent = PapersChosen | ThemeGrew | ThemeFinished | SummaryFinished


def quoted(sentence: Sentence, evidence: dict[int, Evidence]) -> bool:
    """Whether a sentence is, word for word, one of an abstract."""
    if len(sentence.citations) != 1:
        return False
    (source,) = sentence.citations
    abstract = evidence[source.number].paper.abstract
    return abstract[source.start : source.end] == sentence.text
