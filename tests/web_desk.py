"""A desk that says what it was told to say, at the pace it was told, for the tests of the page."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from assistant.answering import checked_question
from assistant.errors import QuestionError
from assistant.summary import (
    Coverage,
    PapersChosen,
    Summary,
    SummaryEvent,
    SummaryFinished,
    ThemeFinished,
    ThemeGrew,
)
from assistant.supporting import checked_claim, verdict_of
from assistant.types import (
    Answer,
    Cancellation,
    Cancelled,
    Citation,
    ClaimEvent,
    ClaimFinished,
    ClaimReport,
    DraftGrew,
    Event,
    Evidence,
    EvidenceFound,
    Finished,
    PaperWeighed,
    Receipt,
    Sentence,
    Stance,
    Status,
    Timings,
    Verdict,
    Weighed,
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


def weighed(paper: Paper, stance: Stance, confidence: float, quote: str) -> Weighed:
    """A paper whose rationale is found in its abstract."""
    start = paper.abstract.index(quote)
    rationale = (ScoredSentence(quote, start, start + len(quote), 0.5),)
    return Weighed(paper, stance, confidence, rationale)


def nothing_on(topic: str) -> Summary:
    """What a summary of a topic is that no paper is about."""
    receipt = Receipt("library", "encoder", "scripted")
    coverage = Coverage(3, 0, 0, ())
    return Summary(topic, topic, Status.NOT_IN_LIBRARY, (), (), coverage, receipt, Timings())


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
    claims: dict[str, list[Weighed]] = field(default_factory=dict)
    hold: threading.Event | None = None  # waited for after the first paper of a claim, or draft
    summaries: dict[str, Summary] = field(default_factory=dict)

    def summarize(
        self, topic: str, *, cancel: Cancellation | None = None
    ) -> Iterator[SummaryEvent]:
        topic = checked_question(topic)
        told = self.summaries.get(topic) or nothing_on(topic)
        self.active += 1
        try:
            outline = tuple((theme.title, theme.papers) for theme in told.themes)
            yield PapersChosen(topic, told.evidence, outline, told.coverage.below, told.table)
            total = len(told.themes)
            for at, theme in enumerate(told.themes):
                if told.coverage.model_calls:
                    yield ThemeGrew(at, theme.sentences[0].text[:20], at, total)
                while at and self.hold and not self.hold.wait(0.02):
                    if cancel and cancel.is_set:
                        raise Cancelled
                yield ThemeFinished(at, theme, at + 1, total)
            yield SummaryFinished(told)
        finally:
            self.active -= 1

    def support(self, claim: str, *, cancel: Cancellation | None = None) -> Iterator[ClaimEvent]:
        claim = checked_claim(claim)
        found = self.claims.get(claim, [])
        self.active += 1
        try:
            for number, one in enumerate(found, start=1):
                yield PaperWeighed(one, number, len(found))
                while self.hold and not self.hold.wait(0.02):
                    if cancel and cancel.is_set:
                        raise Cancelled
            receipt = Receipt("library", "encoder", "scripted")
            report = ClaimReport(claim, verdict_of(found), tuple(found), receipt, Timings())
            yield ClaimFinished(report)
        finally:
            self.active -= 1

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


@contextmanager
def served_at(desk: ScriptedDesk) -> Iterator[str]:
    """The page over a desk, at an address of its own."""
    from assistant.web.app import launch

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    blocks = launch(desk, port=port, wait=False)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        blocks.close(verbose=False)
