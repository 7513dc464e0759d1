"""Some of the papers, in an order: what a listing or an export shows. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.filters import folded
from store.labels import label
from store.types import Paper

ORDERS: Mapping[str, Callable[[Paper], Any]] = {
    "title": lambda paper: folded(label(paper)),
    "year": lambda paper: paper.year,
    "venue": lambda paper: folded(paper.venue),
    "author": lambda paper: folded(paper.authors[0]) if paper.authors else [],
}


@dataclass(frozen=True, slots=True)
class Page:
    """``sort`` is one of :data:`ORDERS`, or "" for the order of adding."""

    sort: str = ""
    descending: bool = False
    limit: int | None = None
    offset: int = 0

    def of(self, papers: Sequence[Paper]) -> list[Paper]:
        """The papers of this page; those without a value come last either way.

        >>> papers = [Paper.of(text, year=year) for text, year in (("A", 1), ("B", None), ("C", 2))]
        >>> [paper.year for paper in Page("year", descending=True).of(papers)]
        [2, 1, None]
        """
        rows = list(papers)
        if self.sort:
            key = ORDERS[self.sort]
            known = [paper for paper in rows if key(paper) not in (None, [])]
            known.sort(key=key, reverse=self.descending)
            rows = known + [paper for paper in rows if key(paper) in (None, [])]
        elif self.descending:
            rows.reverse()
        return rows[self.offset :][: self.limit]
