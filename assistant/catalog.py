"""Beside the flow: the list of all papers, found again while a name is being typed.

Answering goes by meaning (``retrieval``); here a reader looks for a paper he knows of. Everything
is in memory: for each paper one folded line of its label, authors, venue and source, and for each
column the order of its rows, worked out when it is first asked for.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from store.types import Paper


class Column(StrEnum):
    """What the table can be sorted by."""

    ADDED = "added"
    TITLE = "title"
    AUTHORS = "authors"
    YEAR = "year"
    VENUE = "venue"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which papers are wanted, in which order; "" and None ask for nothing.

    Every word must begin a word of the paper's line. A paper of unknown year is in no range.
    """

    words: str = ""
    collection: str = ""
    venue: str = ""
    since: int | None = None
    until: int | None = None
    order: Column = Column.ADDED
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper with the name it is shown by."""

    paper: Paper
    label: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """The library in figures, each table most frequent first, years in order."""

    papers: int
    with_year: int
    with_venue: int
    collections: tuple[tuple[str, int], ...]
    venues: tuple[tuple[str, int], ...]
    years: tuple[tuple[int, int], ...]


class Catalog:
    """All papers of a library at one moment."""

    def __init__(self, papers: Sequence[Paper], label: Callable[[Paper], str]) -> None:
        self.entries = [Entry(paper, label(paper)) for paper in papers]
        self._lines = [_line(entry) for entry in self.entries]
        self._orders: dict[Column, list[int]] = {Column.ADDED: list(range(len(papers)))}
        self._places = {paper.id: row for row, paper in enumerate(papers)}

    def get(self, paper_id: str) -> Entry | None:
        """A paper by its id."""
        row = self._places.get(paper_id)
        return None if row is None else self.entries[row]

    def find(self, wanted: Filter) -> list[Entry]:
        """The papers that a filter lets through, in its order; unknown values stand last."""
        rows = self._order(wanted.order)
        for word in folded(wanted.words).split():
            begun = f" {word}"
            rows = [row for row in rows if begun in self._lines[row]]
        kept = [self.entries[row] for row in rows]
        if wanted.collection or wanted.venue or wanted.since or wanted.until:
            kept = [entry for entry in kept if _passes(entry.paper, wanted)]
        return _reversed(kept, wanted.order) if wanted.descending else kept

    def numbers(self) -> Numbers:
        """The library in figures."""
        papers = [entry.paper for entry in self.entries]
        years = Counter(paper.year for paper in papers if paper.year)
        venues = Counter(paper.venue for paper in papers if paper.venue)
        collections = Counter(paper.collection for paper in papers if paper.collection)
        return Numbers(
            papers=len(papers),
            with_year=years.total(),
            with_venue=venues.total(),
            collections=tuple(collections.most_common()),
            venues=tuple(venues.most_common()),
            years=tuple(sorted(years.items())),
        )

    def _order(self, column: Column) -> list[int]:
        if column not in self._orders:
            keys = [_key(entry, column) for entry in self.entries]
            self._orders[column] = sorted(range(len(keys)), key=keys.__getitem__)
        return self._orders[column]


def folded(text: str) -> str:
    """A text as it is compared: lower case, without accents and punctuation.

    >>> folded("Gödel’s B-trees")
    'godel s b trees'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = (c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    return " ".join("".join(letters).split())


def _line(entry: Entry) -> str:
    paper = entry.paper
    year = str(paper.year or "")
    known = (entry.label, *paper.authors, paper.venue, year, paper.source, paper.doi)
    return " " + folded(" ".join(known))


def _passes(paper: Paper, wanted: Filter) -> bool:
    if wanted.collection and paper.collection != wanted.collection:
        return False
    if wanted.venue and paper.venue != wanted.venue:
        return False
    if wanted.since is None and wanted.until is None:
        return True
    year = paper.year
    return year is not None and (wanted.since or 0) <= year <= (wanted.until or year)


def _key(entry: Entry, column: Column) -> tuple[bool, str | int]:
    value = _value(entry, column)
    return (not value, folded(value) if isinstance(value, str) else value)


def _value(entry: Entry, column: Column) -> str | int:
    """What a row shows in a column; "" or 0 where it is unknown."""
    match column:
        case Column.TITLE:
            return entry.label
        case Column.AUTHORS:
            return " ".join(entry.paper.authors)
        case Column.VENUE:
            return entry.paper.venue
        case Column.YEAR:
            return entry.paper.year or 0
        case Column.ADDED:
            return 1


def _reversed(entries: list[Entry], column: Column) -> list[Entry]:
    """The other way round, but what is unknown still last."""
    known = [entry for entry in entries if _value(entry, column)]
    return known[::-1] + [entry for entry in entries if not _value(entry, column)]
