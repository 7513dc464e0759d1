"""`add` and `rebuild`: papers into a library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.common import (
    EncoderOption,
    JsonOption,
    LibraryOption,
    closing,
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
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files and folders, - for standard input.")
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(help="What a field is called in the files: abstract=COLUMN."),
    ] = None,
    sample: Annotated[bool, typer.Option(help="Add the sample library.")] = False,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the papers of files and folders; what is already there is not added again."""
    from itertools import chain

    from assistant import terminal
    from assistant.exporting import report_json
    from assistant.wiring import open_library
    from store.sample import PATH
    from store.sources import field_names, read_path

    wanted = [*(paths or []), *([PATH] if sample else [])]
    if not wanted:
        raise typer.BadParameter("name a file or folder, or use --sample")
    pairs = [name.partition("=") for name in field or ()]
    if not all(column for _, _, column in pairs):
        raise typer.BadParameter("give FIELD=NAME, as in abstract=Notes", param_hint="--field")
    names = field_names({own.strip(): column for own, _, column in pairs})
    # Opened before the library is made: a path that does not exist leaves nothing behind.
    records = [read_path(path, names) for path in wanted]
    titles = _Titles()
    with (
        closing(open_library(settings(library, encoder=encoder), create=True)) as opened,
        terminal.counting("Adding papers") as progress,
    ):
        report = opened.add(titles.of(chain.from_iterable(records)), progress=progress)
    if as_json:
        print_json(report_json(report) | {"without_abstract": titles.count})
    else:
        terminal.show_report(report, titles.count)


def rebuild(library: LibraryOption = None, encoder: EncoderOption = None) -> None:
    """Encode the library anew, after another encoder was chosen."""
    from assistant import terminal
    from assistant.wiring import rebuild_library

    with terminal.counting("Encoding papers") as progress:
        count = rebuild_library(settings(library, encoder=encoder), progress=progress)
    terminal.console().print(f"{count:,} papers encoded anew.")
