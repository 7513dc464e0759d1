"""Answers and papers for a person at a terminal.

Whatever comes from a paper, a file name or a model is data: it is printed as plain text, without
markup, and without the control characters that could move a terminal's cursor or colour its screen.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assistant.types import (
    Answer,
    ClaimReport,
    ClaimVerdict,
    DraftGrew,
    Event,
    EvidenceFound,
    Finished,
    Status,
)
from store.labels import label
from store.plaintext import plain
from store.types import AddReport, Hit, Paper

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.text import Text

    from assistant.gold import Type
    from assistant.scoring import Score

HEADINGS = {
    Status.NOT_STATED: "These papers are about it, but their abstracts do not say.",
    Status.NOT_IN_LIBRARY: "Nothing in this library is about that.",
}
VERDICTS = {
    ClaimVerdict.SUPPORTED: "The library supports it.",
    ClaimVerdict.CONTRADICTED: "The library contradicts it.",
    ClaimVerdict.MIXED: "Some papers support it, others contradict it.",
    ClaimVerdict.NO_EVIDENCE: "No paper here decides it.",
}
_COLOURS = {ClaimVerdict.SUPPORTED: "green", ClaimVerdict.CONTRADICTED: "red"}


def safe(text: str) -> str:
    r"""A text that can do nothing to a terminal, on one line.

    >>> safe("bees\x1b[2J dance\nand\u202e sing")
    'bees[2J dance and sing'
    """
    kept = (c for c in text.replace("\n", " ") if unicodedata.category(c) not in {"Cc", "Cf"})
    return "".join(kept)


def console(*, errors: bool = False) -> Console:
    """Where to print: plain when it is no terminal, and never wrapped then."""
    from rich.console import Console

    stream = sys.stderr if errors else sys.stdout
    width = None if stream.isatty() else 10_000
    return Console(stderr=errors, highlight=False, markup=False, emoji=False, width=width)


def text(content: str, style: str = "") -> Text:
    """A text that rich takes as it is."""
    from rich.text import Text

    return Text(safe(content), style=style)


def show_hits(hits: Sequence[Hit]) -> None:
    """Ranked papers, each with its best sentence."""
    out = console()
    if not hits:
        out.print(text("The library holds no papers yet. Add some with `citewell add FILE`."))
    for hit in hits:
        line = text(f"{hit.rank:2}. ", "bold")
        line.append_text(text(label(hit.paper), "bold"))
        line.append_text(text(f"  {_record(hit.paper)}  {hit.score:.3f}", "dim"))
        out.print(line)
        if hit.sentences:
            out.print(text(f"    {plain(hit.sentences[0].text)}"))


def show_papers(papers: Iterable[Paper]) -> None:
    """A line a paper."""
    out = console()
    for paper in papers:
        note = "" if paper.abstract else "  (no abstract)"
        out.print(text(f"{paper.id}  {label(paper)}  {_record(paper)}{note}"))


def show_paper(paper: Paper) -> None:
    """All of a paper."""
    out = console()
    out.print(text(label(paper), "bold"))
    for name, value in (
        ("authors", "; ".join(paper.authors)),
        ("year", str(paper.year or "")),
        ("venue", paper.venue),
        ("url", paper.url),
        ("source", paper.source),
        ("collection", paper.collection),
        ("id", paper.id),
    ):
        if value:
            out.print(text(f"{name:10} {value}"))
    out.print()
    out.print(text(plain(paper.abstract) or "No abstract."))


def papers(count: int) -> str:
    """A number of papers in words.

    >>> papers(1), papers(1200)
    ('1 paper', '1,200 papers')
    """
    return f"{count:,} paper" + ("" if count == 1 else "s")


def show_report(report: AddReport, without_abstract: int = 0) -> None:
    """What became of an `add`, and how many of its records are titles alone."""
    out = console()
    counts = {
        "added": report.added,
        "unchanged": report.unchanged,
        "updated": report.updated,
        "merged": report.merged,
        "rejected": len(report.rejected),
    }
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    out.print(text(f"{told or 'nothing new'}; the library holds {papers(report.papers)}."))
    if without_abstract:
        out.print(text(f"  without an abstract, found by their titles: {without_abstract:,}"))
    for refused in report.rejected:
        out.print(text(f"  rejected {refused.source}: {refused.reason}"))
    for merge in report.merges:
        out.print(text(f"  {merge.source} went into {merge.into} (same {merge.why})"))
    if report.merges:
        out.print(text("  `citewell papers split ID` undoes it."))


def follow(events: Iterator[Event]) -> Answer:
    """Show an answer as it comes: sources, the draft while it grows, then the checked text."""
    from rich.live import Live

    out = console()
    if not out.is_terminal:
        return _last(events)
    with Live(text("Searching …", "dim"), console=out, transient=True) as live:
        for event in events:
            if isinstance(event, EvidenceFound):
                named = ", ".join(f"[{e.number}] {label(e.paper)}" for e in event.evidence)
                live.console.print(text(f"Reading {named}", "dim"))
                live.update(text("Reading …", "dim"))
            elif isinstance(event, DraftGrew):
                live.update(text(f"{event.text}  (draft, being checked)", "dim"))
            elif isinstance(event, Finished):
                return event.answer
    raise AssertionError("the last event is Finished")


def _last(events: Iterator[Event]) -> Answer:
    *_, last = events
    assert isinstance(last, Finished)
    return last.answer


def show_answer(answer: Answer) -> None:
    """The answer with its markers, what was done to it, and the sources of each marker."""
    out = console()
    if answer.status in HEADINGS:
        out.print(text(HEADINGS[answer.status], "bold"))
        if answer.nearest:
            out.print(text("The nearest papers:"))
        for paper in answer.nearest:
            out.print(text(f"  {label(paper)}  {_record(paper)}"))
    else:
        out.print(text(plain(answer.text), "bold"))
    for sentence in answer.sentences:
        if sentence.note:
            out.print(text(f"  note: {sentence.note}", "yellow"))
    for note in answer.notes:
        out.print(text(f"  note: {note}", "yellow"))
    out.print()
    _show_sources(answer, out)


def _show_sources(answer: Answer, out: Console) -> None:
    cited = dict.fromkeys(c for s in answer.sentences for c in s.citations)
    for item in answer.evidence:
        quotes = [c for c in cited if c.number == item.number]
        if not quotes:
            continue
        head = text(f"[{item.number}] {label(item.paper)}")
        head.append_text(text(f"  {_record(item.paper)}", "dim"))
        out.print(head)
        for citation in quotes:
            quote = item.paper.abstract[citation.start : citation.end]
            out.print(text(f"    “{plain(quote)}”", "dim"))


def show_claims(reports: Sequence[ClaimReport]) -> None:
    """Each claim, its verdict, and the papers for and against it with their own words."""
    out = console()
    for report in reports:
        out.print(text(report.claim, "bold"))
        out.print(text(VERDICTS[report.verdict], _COLOURS.get(report.verdict, "")))
        for found in report.papers:
            line = text(f"  {found.stance.value:11} {found.confidence:.2f}  {label(found.paper)}")
            line.append_text(text(f"  {_record(found.paper)}", "dim"))
            out.print(line)
            for sentence in found.rationale[:1]:
                out.print(text(f"    “{plain(sentence.text)}”", "dim"))
        for note in report.notes:
            out.print(text(f"  note: {note}", "yellow"))
        out.print()


def show_scores(
    found: Mapping[Type, Sequence[Score]], numbers: Mapping[Type, Mapping[str, int]]
) -> None:
    """A table of scores: each with its 95 % interval and the number of questions."""
    from rich.table import Table

    out = console()
    for kind, scores in found.items():
        table = Table("score", "", "95 %", "n", title=kind, title_justify="left", box=None)
        table.title_style = "bold"
        for score in scores:
            digits = 2 if score.name.startswith("seconds") else 3
            value, low, high = (f"{x:.{digits}f}" for x in (score.value, score.low, score.high))
            table.add_row(score.name, value, f"{low}–{high}", str(score.n))
        out.print(table)
        told = ", ".join(f"{count} {name}" for name, count in numbers.get(kind, {}).items())
        if told:
            out.print(text(f" {told}", "dim"))
        out.print()


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """A line on standard error that counts records, when that is a terminal."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed:,}"))
    bar = Progress(*columns, TimeElapsedColumn(), console=console(errors=True), transient=True)
    bar.disable = not bar.console.is_terminal
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error that counts steps, when that is a terminal."""
    from rich.progress import Progress

    bar = Progress(console=console(errors=True), transient=True)
    bar.disable = not bar.console.is_terminal
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.update(task, advance=1)


@contextmanager
def steps(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error that is told how many of how many are done."""
    from rich.progress import Progress

    bar = Progress(console=console(errors=True), transient=True)
    bar.disable = not bar.console.is_terminal
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def loading(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error that counts bytes, when that is a terminal."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    bar = Progress(*columns, TimeRemainingColumn(), console=console(errors=True), transient=True)
    bar.disable = not bar.console.is_terminal
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _record(paper: Paper) -> str:
    """The parts of a record that fit on a line."""
    authors = (
        paper.authors[0] + (" et al." if len(paper.authors) > 1 else "") if paper.authors else ""
    )
    known = (authors, str(paper.year or ""), paper.venue, paper.source)
    return " · ".join(part for part in known if part)
