"""`add` and `rebuild`: papers into a library."""

from __future__ import annotations

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


def add(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files and folders.")] = None,
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
    from store.sources import read_path

    wanted = [*(paths or []), *([PATH] if sample else [])]
    if not wanted:
        raise typer.BadParameter("name a file or folder, or use --sample")
    # Opened before the library is made: a path that does not exist leaves nothing behind.
    records = [read_path(path) for path in wanted]
    with (
        closing(open_library(settings(library, encoder=encoder), create=True)) as opened,
        terminal.counting("Adding papers") as progress,
    ):
        report = opened.add(chain.from_iterable(records), progress=progress)
    if as_json:
        print_json(report_json(report))
    else:
        terminal.show_report(report)


def rebuild(library: LibraryOption = None, encoder: EncoderOption = None) -> None:
    """Encode the library anew, after another encoder was chosen."""
    from assistant import terminal
    from assistant.wiring import rebuild_library

    with terminal.counting("Encoding papers") as progress:
        count = rebuild_library(settings(library, encoder=encoder), progress=progress)
    terminal.console().print(f"{count:,} papers encoded anew.")
