"""Summaries for a person at a terminal; beside ``terminal``, whose rules hold here too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.summaries import NOTHING, cell_text, coverage_line
from assistant.summary import (
    PapersChosen,
    Passed,
    Row,
    Summary,
    SummaryEvent,
    SummaryFinished,
    Theme,
    ThemeFinished,
    ThemeGrew,
    quoted,
)
from assistant.terminal import console, text
from assistant.types import Evidence, Sentence, Status, with_markers
from store.labels import label
from store.plaintext import plain

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN_BELOW = 5


def follow(events: Iterator[SummaryEvent]) -> Summary:
    """Show a summary as it comes: its papers, then each theme when it is checked.

    What was shown so stays; :func:`show_summary` adds the rest where this is no terminal.
    """
    from rich.live import Live

    out = console()
    if not out.is_terminal:
        *_, last = events
        assert isinstance(last, SummaryFinished)
        return last.summary
    with Live(text("Searching …", "dim"), console=out, transient=True) as live:
        for event in events:
            if isinstance(event, PapersChosen):
                found = f"{len(event.evidence)} papers in {len(event.themes)} themes"
                live.console.print(text(found, "dim"))
                for title, numbers in event.themes:
                    live.console.print(text(f"  {title} ({len(numbers)})", "dim"))
            elif isinstance(event, ThemeGrew):
                line = f"{event.done + 1} of {event.total}: {event.text}  (draft, being checked)"
                live.update(text(line, "dim"))
            elif isinstance(event, ThemeFinished):
                live.update(text(f"Checked: {event.theme.title}", "dim"))
            else:
                return event.summary
    raise AssertionError("the last event is SummaryFinished")


def show_summary(summary: Summary) -> None:
    """The themes with their markers, what was left out, and the papers behind the markers."""
    out = console()
    evidence = {item.number: item for item in summary.evidence}
    if summary.status is Status.NOT_IN_LIBRARY:
        out.print(text(NOTHING, "bold"))
        _show_below(out, "The nearest papers:", summary.coverage.below)
        return
    out.print(text(coverage_line(summary), "dim"))
    for theme in summary.themes:
        _show_theme(out, theme, evidence)
    if summary.open_questions:
        _show_theme(out, Theme("Open questions", summary.open_questions, ()), evidence)
    for note in summary.notes:
        out.print(text(f"note: {note}", "yellow"))
    out.print()
    for row in summary.table:
        _show_row(out, row, evidence)
    for year, numbers in summary.timeline:
        out.print(text(f"{year}  " + "".join(f"[{n}]" for n in numbers), "dim"))
    _show_below(out, "Just below the cut:", summary.coverage.below)


def _show_theme(out: Console, theme: Theme, evidence: dict[int, Evidence]) -> None:
    out.print()
    out.print(text(plain(theme.title), "bold"))
    for sentence in theme.sentences:
        out.print(text(f"  {_told(sentence, evidence)}"))
        if sentence.note:
            out.print(text(f"    note: {sentence.note}", "yellow"))


def _told(sentence: Sentence, evidence: dict[int, Evidence]) -> str:
    if quoted(sentence, evidence):
        return f"“{plain(sentence.text)}” " + "".join(f"[{n}]" for n in sentence.numbers)
    return with_markers(plain(sentence.text), sentence.numbers)


def _show_row(out: Console, row: Row, evidence: dict[int, Evidence]) -> None:
    paper = evidence[row.number].paper
    out.print(text(f"[{row.number}] {label(paper)}  {paper.source}"))
    for name, cell in (("proposes", row.proposes), ("on", row.on), ("result", row.result)):
        if cell:
            out.print(text(f"      {name}: “{plain(cell_text(cell, evidence))}”", "dim"))


def _show_below(out: Console, head: str, below: tuple[Passed, ...]) -> None:
    if below:
        out.print(text(head, "dim"))
    for passed in below[:_SHOWN_BELOW]:
        out.print(text(f"  {label(passed.paper)}  {passed.paper.source}", "dim"))
