"""`summarize`: a topic to what the papers say about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assistant.commands.common import (
    AuthorOption,
    BatchOption,
    CollectionOption,
    EncoderOption,
    JsonOption,
    KeywordOption,
    LibraryOption,
    ModelOption,
    VenueOption,
    YearOption,
    chosen,
    closing,
    each,
    queries_of,
    settings,
)

if TYPE_CHECKING:
    from assistant.summary import Summary


def summarize(
    topic: Annotated[str | None, typer.Argument(help="The topic.")] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="File to write the summary to as well: .md, .bib, .tex or .json."),
    ] = None,
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
    batch: BatchOption = None,
    collection: CollectionOption = "",
    year: YearOption = "",
    venue: VenueOption = "",
    author: AuthorOption = "",
    keyword: KeywordOption = "",
) -> None:
    """Summarize what the papers say on a topic, theme by theme, with citations."""
    from assistant import terminal_summary
    from assistant.answering import checked_question
    from assistant.summaries import summary_json
    from assistant.summary import SummaryFinished
    from assistant.wiring import open_assistant

    topics = queries_of(topic, batch)
    where = chosen(collection, year, venue, author, keyword)
    if export and batch:
        raise typer.BadParameter("--export takes one topic, not a batch")
    if export:
        _check(export)
    if not batch:
        checked_question(topics[0])  # before a model is loaded for nothing
    with closing(open_assistant(settings(library, encoder=encoder, model=model))) as opened:
        assistant = opened.within(where)

        def summarized(text: str) -> dict[str, Any]:
            *_, last = assistant.summarize(text)
            assert isinstance(last, SummaryFinished)
            if export:
                _write(last.summary, export)
            return summary_json(last.summary)

        if as_json or batch:
            each(topics, summarized, "topic", batch)
        else:
            summary = terminal_summary.follow(assistant.summarize(topics[0]))
            terminal_summary.show_summary(summary)
            if export:
                _write(summary, export)


def _check(path: Path) -> None:
    """Raise before anything is loaded where the file cannot be written in the end."""
    from assistant.errors import ExportError
    from assistant.summaries import SUFFIXES

    if path.suffix.lower() not in SUFFIXES:
        raise ExportError(
            f"{path.name}: a summary is written as {', '.join(SUFFIXES)}. Choose one of these."
        )
    if not path.parent.is_dir():
        raise ExportError(f"There is no folder {path.parent}. Make it, or name another.")


def _write(summary: Summary, path: Path) -> None:
    from assistant import terminal
    from assistant.summaries import exported

    path.write_text(exported(summary, path.suffix.lower()), encoding="utf-8", newline="\n")
    terminal.console(errors=True).print(terminal.text(f"Written to {path}"))
