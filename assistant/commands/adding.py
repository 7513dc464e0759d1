"""`add` and `rebuild`: papers into a library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from assistant.commands.common import (
    EncoderOption,
    JsonOption,
    LibraryOption,
    NoWaitOption,
    closing,
    patience,
    print_json,
    settings,
)
from store.types import Paper, Rejected


class _Titles:
    """Counts the records that pass without an abstract."""

    def __init__(self) -> None:
        self.count = 0

    def of(self, records: Iterable[Paper | Rejected]) -> Iterator[Paper | Rejected]:
        """The same records."""
        for record in records:
            self.count += isinstance(record, Paper) and not record.abstract
            yield record


def add(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCES]...",
            help="Files, folders, - for standard input, or SERVICE:QUERY with arxiv, hf-daily, "
            "openreview, pubmed or semanticscholar.",
        ),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(help="What a field is called in the files: abstract=COLUMN."),
    ] = None,
    sample: Annotated[bool, typer.Option(help="Add the sample library.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="Papers fetched of a query at most.")] = 1000,
    skip: Annotated[int, typer.Option(min=0, help="Papers of a query that are here.")] = 0,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    no_wait: NoWaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Add the papers of files, folders and services; what is there is not added again."""
    from itertools import chain

    from assistant import terminal
    from assistant.exporting import report_json
    from assistant.wiring import open_library
    from store.connectors import read_source
    from store.sample import PATH
    from store.sources import field_names

    wanted = [*(names or []), *([str(PATH)] if sample else [])]
    if not wanted:
        raise typer.BadParameter("name a file or folder, or use --sample")
    chosen = settings(library, encoder=encoder)
    pairs = [name.partition("=") for name in field or ()]
    if not all(column for _, _, column in pairs):
        raise typer.BadParameter("give FIELD=NAME, as in abstract=Notes", param_hint="--field")
    fields = field_names({own.strip(): column for own, _, column in pairs})
    # Opened before the library is made: a path that does not exist leaves nothing behind.
    records = [
        read_source(name, chosen.services, limit=limit, skip=skip, fields=fields) for name in wanted
    ]
    titles = _Titles()
    with (
        closing(open_library(chosen, create=True, wait=patience(no_wait))) as opened,
        terminal.counting("Adding papers") as progress,
    ):
        report = opened.add(titles.of(chain.from_iterable(records)), progress=progress)
    if as_json:
        print_json(report_json(report) | {"without_abstract": titles.count})
    else:
        terminal.show_report(report, titles.count)


def rebuild(
    library: LibraryOption = None, encoder: EncoderOption = None, no_wait: NoWaitOption = False
) -> None:
    """Encode the library anew, after another encoder was chosen."""
    from assistant import terminal
    from assistant.wiring import rebuild_library

    with terminal.counting("Encoding papers") as progress:
        count = rebuild_library(
            settings(library, encoder=encoder), progress=progress, wait=patience(no_wait)
        )
    terminal.console().print(f"{terminal.papers(count)} encoded anew.")
