r"""The reader for tables: CSV and TSV, as spreadsheets and databases export them.

Beside the other readers: the first row names the columns, ``fields`` makes papers of the others.

>>> from io import StringIO
>>> for paper in read(StringIO("Article Title;AB\nBees;\"They\n dance.\"\n"), "hive.csv"):
...     print(paper.title, "|", paper.abstract)
Bees | They dance.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import TextIO

from store.sources.characters import clean
from store.sources.fields import Unusable, papers
from store.sources.naming import GUESSED, Names, folded
from store.types import Paper, Rejected

_DELIMITERS = ",;\t|"
_TOLD = re.compile(
    r"""\s*["']?sep=([,;:|~^\t])["']?\s*$""", re.IGNORECASE
)  # Excel's own first line
_LONGEST_CELL = 1 << 22
_LONGEST_NAME = 60
_ROWS = 8  # that are looked at to tell a table from a text
_EMBASE = re.compile(r"(.{3,200}?) \(((?:1[5-9]|20)\d\d)\)")
_ESSENTIAL = frozenset((*GUESSED["title"], *GUESSED["abstract"]))
_KNOWN = frozenset(name for names in GUESSED.values() for name in names)


def sniff(head: str) -> bool:
    """Whether the first row names columns: known ones, or rows as long follow it."""
    return bool(_delimiter(head))


def names_columns(head: str) -> bool:
    """Whether the first row names columns that papers are known to have."""
    first = head.lstrip("\ufeff\n\r ").partition("\n")[0]
    return max(_known_names(first, mark) for mark in _DELIMITERS) > 1


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every row, in order."""
    return papers(_records(stream), name, names)


def _records(stream: TextIO) -> Iterator[tuple[str, object]]:
    csv.field_size_limit(_LONGEST_CELL)  # of the whole process, but nobody else reads tables
    lines = _Lines(stream)
    rows = csv.reader(lines, delimiter=_delimiter(lines.head()) or ",", skipinitialspace=True)
    columns: list[str] = []
    while True:
        start = lines.number + 1
        try:
            row = next(rows, None)
        except csv.Error as fault:
            yield f"line {start}", Unusable(f"not a row of a table: {fault}")
            continue
        if row is None:
            return
        if not any(map(str.strip, row)):
            continue
        if columns:
            yield f"line {start}", _fields(columns, row)
        else:
            columns = [cell.strip() for cell in row]


def _fields(columns: list[str], row: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for column, cell in zip(columns, row, strict=False):
        if cell.strip():
            fields.setdefault(column, cell.strip())
    source = next((value for key, value in fields.items() if folded(key) == "source"), "")
    if embase := _EMBASE.match(source):  # "Bee World (1999) 3:3 (152-160). Date of …"
        fields |= {"Source title": embase[1], "Publication year": embase[2]}
    return fields


class _Lines:
    """The lines of a stream, cleaned, without the one that only tells the delimiter."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._first: list[str] = []
        self.number = 0

    def head(self) -> str:
        """The first lines, which are read again."""
        self._first = [line for _, line in zip(range(_ROWS + 2), self._stream, strict=False)]
        head = "".join(self._first)
        while self._first and (not self._first[0].strip() or _TOLD.match(self._first[0])):
            self._first.pop(0)
            self.number += 1
        return head

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._first.pop(0) if self._first else next(self._stream)
        self.number += 1
        return clean(line)


def _delimiter(head: str) -> str:
    """What parts the cells, or "" if the text is no table."""
    head = head.lstrip("\ufeff\n\r ")
    first, _, rest = head.partition("\n")
    if told := _TOLD.match(first):
        return told[1]
    found = max(_DELIMITERS, key=lambda mark: _known_names(first, mark))
    if _known_names(first, found) > 1:
        return found
    return next((mark for mark in _DELIMITERS if _is_regular(first, rest, mark)), "")


def _cells(line: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])
    except csv.Error:
        return []


def _known_names(line: str, mark: str) -> int:
    """How many of the columns have known names; 0 if none is a title or an abstract."""
    names = {folded(cell) for cell in _cells(line, mark) if len(cell) <= _LONGEST_NAME}
    return len(names & _KNOWN) if names & _ESSENTIAL else 0


def _is_regular(first: str, rest: str, mark: str) -> bool:
    """Whether a row of short, different names stands above rows with as many cells."""
    names = _cells(first, mark)
    short = all(name.strip() and len(name) <= _LONGEST_NAME for name in names)
    if len(names) < 2 or len(set(names)) < len(names) or not short or first.rstrip()[-1] in ".:!?":
        return False
    if mark + " " in first or names != [name.strip() for name in names]:
        return False
    lines = rest.split("\n")[: _ROWS + 1][:-1]
    try:
        rows = [row for row in csv.reader(lines, delimiter=mark) if row]
    except csv.Error:
        return False
    return len(rows) > 1 and all(len(row) == len(names) for row in rows[:-1])
