"""Options and habits that the commands share."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from assistant.settings import Settings
    from store.filters import Filter

LibraryOption = Annotated[
    Path | None,
    typer.Option("--library", envvar="CITEWELL_LIBRARY", help="Folder of the library."),
]
EncoderOption = Annotated[
    str | None, typer.Option("--encoder", help="Encoder: a known name or a folder.")
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="Answer model: a known name, a GGUF file or an address (…/v1)."),
]
JudgeOption = Annotated[
    str | None,
    typer.Option("--judge", help="Cross-encoder (three labels of inference): a name or a folder."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BatchOption = Annotated[
    Path | None,
    typer.Option("--batch", help="File of queries, one a line (- for standard input)."),
]

NoWaitOption = Annotated[
    bool, typer.Option("--no-wait", help="Do not wait while another process writes the library.")
]

CollectionOption = Annotated[str, typer.Option("--collection", help="Only this collection.")]
YearOption = Annotated[str, typer.Option("--year", help="Only these years: 2021, 2020-2024, 2020-")]
VenueOption = Annotated[str, typer.Option("--venue", help="Only this venue.")]
AuthorOption = Annotated[str, typer.Option("--author", help="Only papers of this author.")]
KeywordOption = Annotated[str, typer.Option("--keyword", help="Only papers with this keyword.")]


class BatchError(Exception):
    """Some lines of a batch could not be done; each has said so in its place."""


def settings(library: Path | None, **chosen: Any) -> Settings:
    """The settings of a call: its options before the environment."""
    from assistant.settings import load

    return load(library=library, **chosen)


def chosen(collection: str, year: str, venue: str, author: str, keyword: str) -> Filter:
    """The filter of a call, from its options."""
    from store.filters import Filter

    bounds = re.fullmatch(r"\s*(\d{4})?\s*(-)?\s*(\d{4})?\s*", year)
    if bounds is None or (bounds[1] and bounds[3] and not bounds[2]):
        raise typer.BadParameter("give 2021, 2020-2024, 2020- or -2024", param_hint="--year")
    since, until = (int(part) if part else None for part in bounds.group(1, 3))
    if not bounds[2]:
        until = since
    return Filter(collection, since, until, venue, author, keyword)


def patience(no_wait: bool) -> Callable[[str], None] | None:
    """What a command does while another process writes: says so and waits, or gives up (None)."""

    def told(who: str) -> None:
        from assistant.terminal import safe

        print(f"citewell: {safe(who)} Waiting for it.", file=sys.stderr, flush=True)

    return None if no_wait else told


def queries_of(query: str | None, batch: Path | None) -> list[str]:
    """The queries of a call: the one that was given, or the lines of a file."""
    if (query is None) == (batch is None):
        raise typer.BadParameter("give a query or --batch FILE, one of the two")
    if batch is None:
        return [query or ""]
    if str(batch) == "-":
        lines = sys.stdin.read().splitlines()
    else:
        lines = batch.read_text(encoding="utf-8-sig").splitlines()
    return [line.strip() for line in lines if line.strip()]


def each(
    queries: Sequence[str],
    result: Callable[[str], dict[str, Any]],
    name: str,
    batch: Path | None,
) -> None:
    """Print one JSON object a query; in a batch one that fails says so in its place."""
    from assistant.errors import AssistantError
    from store.errors import StoreError

    failed = 0
    for query in queries:
        try:
            found = result(query)
        except (AssistantError, StoreError) as fault:
            if not batch:
                raise
            found = {name: query, "error": str(fault)}
            failed += 1
        print_json(found)
    if failed:
        raise BatchError(f"{failed} of {len(queries)} queries could not be done.")


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on one line."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


@contextmanager
def closing(opened: Any) -> Iterator[Any]:
    """Close a library or assistant at the end, whatever happens."""
    try:
        yield opened
    finally:
        opened.close()
