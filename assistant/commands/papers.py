"""`papers`: list, show, remove and export."""

from __future__ import annotations

import json
import sys
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

app = typer.Typer(no_args_is_help=True, help="List, show, remove and export papers.")


@app.command("list")
def papers_list(
    library: LibraryOption = None, encoder: EncoderOption = None, as_json: JsonOption = False
) -> None:
    """List all papers."""
    from assistant import terminal
    from assistant.exporting import paper_json
    from assistant.wiring import open_library

    with closing(open_library(settings(library, encoder=encoder))) as opened:
        found = opened.papers()
    if as_json:
        print_json({"papers": [paper_json(paper) for paper in found]})
    else:
        terminal.show_papers(found)


@app.command("show")
def papers_show(
    name: Annotated[str, typer.Argument(help="Id or source of the paper.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one paper with its abstract."""
    from assistant import terminal
    from assistant.exporting import full_paper_json
    from assistant.wiring import open_library

    with closing(open_library(settings(library, encoder=encoder))) as opened:
        paper = opened.get(name)
    if as_json:
        print_json(full_paper_json(paper))
    else:
        terminal.show_paper(paper)


@app.command("remove")
def papers_remove(
    names: Annotated[list[str], typer.Argument(help="Ids or sources of papers.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove papers; none is removed when one of the names is wrong."""
    from assistant import terminal
    from assistant.wiring import open_library

    with closing(open_library(settings(library, encoder=encoder))) as opened:
        removed = opened.remove(names)
        left = len(opened)
    if as_json:
        print_json({"removed": removed, "papers": left})
    else:
        terminal.console().print(f"{removed:,} removed; the library holds {left:,} papers.")


@app.command("export")
def papers_export(
    target: Annotated[Path, typer.Argument(help="File to write; - for standard output.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
) -> None:
    """Write all papers as JSON Lines, which `citewell add` reads again."""
    from assistant.exporting import full_paper_json
    from assistant.wiring import open_library

    with closing(open_library(settings(library, encoder=encoder))) as opened:
        lines = [json.dumps(full_paper_json(p), ensure_ascii=False) for p in opened.papers()]
    content = "".join(line + "\n" for line in lines)
    if str(target) == "-":
        sys.stdout.write(content)
        return
    draft = target.with_name(target.name + ".new")
    draft.write_text(content, encoding="utf-8")
    draft.replace(target)
