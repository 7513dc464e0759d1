"""A desk that says what it was told to say, at the pace it was told, for the tests of the page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assistant.errors import QuestionError
from assistant.types import (
    Answer,
    Cancellation,
    Cancelled,
    Citation,
    DraftGrew,
    Event,
    Evidence,
    EvidenceFound,
    Finished,
    Receipt,
    Sentence,
    Status,
    Timings,
    Verdict,
)
from store.errors import SourceError
from store.types import AddReport, Paper, Rejected, ScoredSentence


def evidence(number: int, paper: Paper, *sentences: str) -> Evidence:
    """A source whose chosen sentences are found in its abstract."""
    chosen = []
    for text in sentences:
        start = paper.abstract.index(text)
        chosen.append(ScoredSentence(text, start, start + len(text), 0.5))
    return Evidence(number, paper, tuple(chosen), 0.5)


def cite(source: Evidence, sentence: int = 0) -> Citation:
    chosen = source.sentences[sentence]
    return Citation(source.number, chosen.start, chosen.end)


def answer(
    question: str,
    *sentences: Sentence,
    sources: Sequence[Evidence] = (),
    status: Status = Status.ANSWERED,
    nearest: Sequence[Paper] = (),
    notes: Sequence[str] = (),
    standalone: str = "",
) -> Answer:
    return Answer(
        question,
        standalone or question,
        status,
        tuple(sentences),
        tuple(sources),
        tuple(nearest),
        Receipt("library", "encoder", "scripted"),
        Timings(),
        tuple(notes),
    )


def supported(text: str, *citations: Citation) -> Sentence:
    return Sentence(text, citations, Verdict.SUPPORTED, 0.9)


@dataclass
class Script:
    """How a question is answered. ``hold_sources`` and ``hold_draft`` wait to be set by a test."""

    answer: Answer
    draft: str = ""
    token_s: float = 0.0
    hold_draft: threading.Event | None = None


@dataclass
class ScriptedDesk:
    """Counts the tokens it generates, and how many questions are with the model at once."""

    scripts: dict[str, Script]
    questions: Sequence[str] = ()
    state: str = ""
    papers: int = 0
    tokens: int = 0
    active: int = 0
    most_active: int = 0
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    added: list[str] = field(default_factory=list)

    def ask(
        self, question: str, *, after: Sequence[str] = (), cancel: Cancellation | None = None
    ) -> Iterator[Event]:
        cancel = cancel or Cancellation()
        self.asked.append((question, tuple(after)))
        if not question.strip():
            raise QuestionError("The question is empty. Type one.")
        script = self.scripts[question]
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        try:
            yield EvidenceFound(script.answer.standalone_question, script.answer.evidence)
            if script.hold_draft:
                assert script.hold_draft.wait(30)
            yield from self._draft(script, cancel)
            yield Finished(script.answer)
        finally:
            self.active -= 1

    def _draft(self, script: Script, cancel: Cancellation) -> Iterator[Event]:
        text = ""
        pace = threading.Event()
        for word in script.draft.split():
            if cancel.is_set:
                raise Cancelled
            self.tokens += 1
            text += f" {word}"
            yield DraftGrew(text.strip())
            pace.wait(script.token_s)

    def add(
        self,
        path: Path,
        *,
        progress: Callable[[int, int | None], None],
        cancel: Cancellation | None = None,
    ) -> AddReport:
        text = path.read_text(encoding="utf-8")
        if not text.strip():
            raise SourceError(f"{path.name} holds no papers. Choose a list of abstracts.")
        progress(1, 2)
        self.added.append(path.name)
        records = text.split("\n\n")
        self.papers += len(records)
        bad = (Rejected(f"{path.name}#9", "no abstract <i>here</i>"),)
        return AddReport(self.papers, added=len(records), merged=1, rejected=bad)

    def examples(self, count: int) -> list[str]:
        return list(self.questions)[:count]

    def paper_count(self) -> int:
        return self.papers

    def label(self, paper: Paper) -> str:
        return paper.title or paper.abstract[:40]

    def model_state(self) -> str:
        return self.state
