"""Papers to the files of other programs: the way out of the store, as ``sources`` is the way in.

Each format is written so that ``sources`` reads the same papers again. What a format has no place
for is left out (none but CSV and JSON Lines has one for collections), and line breaks within a text
are spaces wherever the format is one of lines.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from store.errors import StoreError
from store.exporting.bibtex import bibtex, keys
from store.exporting.csl import csl_json
from store.exporting.lists import joined
from store.exporting.ris import ris
from store.labels import label
from store.types import Paper

COLUMNS = (
    "id", "title", "authors", "year", "venue", "doi", "arxiv_id", "url", "keywords", "collection",
    "source", "abstract",
)  # fmt: skip


class FormatError(StoreError):
    """No such format to write papers in."""


def json_lines(papers: Iterable[Paper]) -> str:
    """One object a line, with every field."""
    return "".join(json.dumps(record(paper), ensure_ascii=False) + "\n" for paper in papers)


def record(paper: Paper) -> dict[str, Any]:
    """A paper as named fields; ``label`` is what a person calls it."""
    return {
        "id": paper.id,
        "title": paper.title,
        "label": label(paper),
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "url": paper.url,
        "source": paper.source,
        "collection": paper.collection,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "keywords": list(paper.keywords),
        "abstract": paper.abstract,
    }


def csv_table(papers: Iterable[Paper]) -> str:
    """A table with a row a paper; names and keywords stand in one cell, parted by semicolons."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for paper in papers:
        fields = record(paper)
        writer.writerow([_cell(fields[column]) for column in COLUMNS])
    return table.getvalue()


def _cell(value: str | int | Sequence[str] | None) -> str:
    """The text of a cell; one that a spreadsheet would run as a formula begins with a space.

    >>> _cell("=1+1"), _cell(["Ada Ant", "Bo; Beetle"]), _cell(None)
    (' =1+1', 'Ada Ant; Bo, Beetle', '')
    """
    if isinstance(value, list):
        value = joined(value)
    text = "" if value is None else str(value)
    return " " + text if text.startswith(("=", "+", "-", "@")) else text


def _whole_bibtex(papers: Iterable[Paper]) -> str:
    return bibtex(papers, exact=True)


FORMATS: Mapping[str, Callable[[Iterable[Paper]], str]] = {
    "bibtex": _whole_bibtex,
    "ris": ris,
    "csl": csl_json,
    "csv": csv_table,
    "jsonl": json_lines,
}
_SUFFIXES = {
    ".bib": "bibtex", ".ris": "ris", ".json": "csl", ".csv": "csv", ".jsonl": "jsonl",
}  # fmt: skip


def format_of(target: Path, wanted: str | None = None) -> str:
    """The format to write: the one that is ``wanted``, else the one that the name ends in."""
    found = wanted or _SUFFIXES.get(target.suffix.lower())
    if found is None and str(target) == "-":
        return "jsonl"
    if found is None or found not in FORMATS:
        raise FormatError(
            f"Papers are written as {', '.join(FORMATS)}: give one of them with --format, or a "
            f"file that ends in {', '.join(_SUFFIXES)}."
        )
    return found


def exported(papers: Iterable[Paper], form: str) -> str:
    """Papers as the text of a file."""
    return FORMATS[form](papers)


__all__ = ["COLUMNS", "FORMATS", "FormatError", "bibtex", "exported", "format_of", "keys", "record"]
