"""`papers`: list, show, edit, split, remove and export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.common import (
    AuthorOption,
    CollectionOption,
    EncoderOption,
    JsonOption,
    KeywordOption,
    LibraryOption,
    NoWaitOption,
    VenueOption,
    YearOption,
    chosen,
    closing,
    patience,
    print_json,
    settings,
)

app = typer.Typer(no_args_is_help=True, help="List, show, edit, remove and export papers.")


@app.command("list")
def papers_list(
    sort: Annotated[str, typer.Option(help="By title, year, venue or author.")] = "",
    descending: Annotated[bool, typer.Option("--desc", help="The last one first.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many first.")] = 0,
    collection: CollectionOption = "",
    year: YearOption = "",
    venue: VenueOption = "",
    author: AuthorOption = "",
    keyword: KeywordOption = "",
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """List papers."""
    from assistant import terminal
    from assistant.exporting import paper_json
    from assistant.wiring import open_library
    from store.selecting import ORDERS, Page

    if sort and sort not in ORDERS:
        raise typer.BadParameter(f"give one of {', '.join(ORDERS)}", param_hint="--sort")
    where = chosen(collection, year, venue, author, keyword)
    with closing(open_library(settings(library, encoder=encoder))) as opened:
        found = Page(sort, descending, limit, offset).of(opened.within(where).papers())
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


@app.command("split")
def papers_split(
    name: Annotated[str, typer.Argument(help="Id or source of the paper.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    no_wait: NoWaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Undo merges into a paper: what went into it stands by itself again."""
    from assistant import terminal
    from assistant.exporting import paper_json
    from assistant.wiring import open_library

    with closing(
        open_library(settings(library, encoder=encoder), wait=patience(no_wait))
    ) as opened:
        parts = opened.split(name)
    if as_json:
        print_json({"papers": [paper_json(paper) for paper in parts]})
    else:
        terminal.show_papers(parts)


@app.command("edit")
def papers_edit(
    name: Annotated[str, typer.Argument(help="Id or source of the paper.")],
    changes: Annotated[list[str], typer.Argument(help="field=value; lists are parted by ;")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    no_wait: NoWaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Change fields of a paper: title, abstract, authors, year, venue, url, doi and so on."""
    from assistant import terminal
    from assistant.exporting import full_paper_json
    from assistant.wiring import open_library

    values = dict(map(_change, changes))
    with closing(
        open_library(settings(library, encoder=encoder), wait=patience(no_wait))
    ) as opened:
        paper = opened.edit(name, **values)
    if as_json:
        print_json(full_paper_json(paper))
    else:
        terminal.show_paper(paper)


_TEXTS = ("title", "abstract", "venue", "url", "collection", "doi", "arxiv_id")


def _change(text: str) -> tuple[str, str | int | tuple[str, ...] | None]:
    """A field and its new value, from ``field=value``; an empty value takes the old one away.

    >>> _change("authors=Ada Ant; Bo Beetle"), _change("year=")
    (('authors', ('Ada Ant', 'Bo Beetle')), ('year', None))
    """
    field, sign, value = text.partition("=")
    field, value = field.strip().casefold(), value.strip()
    if field in ("authors", "keywords") and sign:
        return field, tuple(part for item in value.split(";") if (part := item.strip()))
    if field == "year" and sign and (not value or (value.isdecimal() and len(value) == 4)):
        return field, int(value) if value else None
    if field in _TEXTS and sign:
        return field, value
    raise typer.BadParameter(
        f"{text!r}: give field=value, the field one of authors, keywords, year (four digits), "
        + ", ".join(_TEXTS)
    )


@app.command("remove")
def papers_remove(
    names: Annotated[list[str] | None, typer.Argument(help="Ids or sources of papers.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a filter removes.")] = False,
    collection: CollectionOption = "",
    year: YearOption = "",
    venue: VenueOption = "",
    author: AuthorOption = "",
    keyword: KeywordOption = "",
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    no_wait: NoWaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Remove papers by name, or all that a filter keeps; none when one of the names is wrong."""
    from assistant import terminal
    from assistant.wiring import open_library

    where = chosen(collection, year, venue, author, keyword)
    if bool(names) == bool(where):
        raise typer.BadParameter("name papers or give a filter, one of the two")
    with closing(
        open_library(settings(library, encoder=encoder), wait=patience(no_wait))
    ) as opened:
        wanted = names or [paper.id for paper in opened.within(where).papers()]
        if where and not yes:
            typer.confirm(
                f"Remove {terminal.papers(len(wanted))} with {where}?", abort=True, err=True
            )
        removed = opened.remove(wanted)
        left = len(opened)
    if as_json:
        print_json({"removed": removed, "papers": left})
    else:
        terminal.console().print(f"{removed:,} removed; the library holds {terminal.papers(left)}.")


@app.command("export")
def papers_export(
    target: Annotated[Path, typer.Argument(help="File to write; - for standard output.")],
    names: Annotated[list[str] | None, typer.Argument(help="Only these: ids or sources.")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="bibtex, ris, csl, csv or jsonl; else by the file's ending."),
    ] = None,
    collection: CollectionOption = "",
    year: YearOption = "",
    venue: VenueOption = "",
    author: AuthorOption = "",
    keyword: KeywordOption = "",
    library: LibraryOption = None,
    encoder: EncoderOption = None,
) -> None:
    """Write papers for other programs; `citewell add` reads them again."""
    from assistant.wiring import open_library
    from store.exporting import exported, format_of

    written = format_of(target, form)  # before anything is opened for nothing
    where = chosen(collection, year, venue, author, keyword)
    with closing(open_library(settings(library, encoder=encoder))) as opened:
        view = opened.within(where)
        named = map(view.get, names or ())
        found = list(filter(where.keeps, named)) if names else view.papers()
    content = exported(found, written).encode("utf-8", "replace")
    if str(target) == "-":
        sys.stdout.buffer.write(content)
        return
    draft = target.with_name(target.name + ".new")
    draft.write_bytes(content)
    draft.replace(target)
