"""A paper as it is kept: what stands in the library beside its text, and its form in Chroma."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from store.filters import facets
from store.types import Paper


@dataclass(frozen=True, slots=True)
class Record:
    """A paper as it is kept: with its place in the order of adding, and all its sources."""

    paper: Paper
    order: int
    sources: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    parts: tuple[Paper, ...] = ()  # the papers that were made one, as they came
    apart: frozenset[str] = frozenset()  # ids of papers that are not this one, though they look it


def metadata(record: Record) -> dict[str, str | int | list[str]]:
    """What Chroma keeps beside the text; ``year`` is left out when unknown, for its filters."""
    paper = record.paper
    data: dict[str, str | int | list[str]] = {
        "title": paper.title,
        "authors": json.dumps(paper.authors, ensure_ascii=False),
        "venue": paper.venue,
        "url": paper.url,
        "source": paper.source,
        "collection": paper.collection,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "keywords": json.dumps(paper.keywords, ensure_ascii=False),
        "order": record.order,
        "sources": json.dumps(record.sources, ensure_ascii=False),
        "spans": json.dumps(record.spans),
        "facets": facets(paper),
        "parts": json.dumps([asdict(part) for part in record.parts], ensure_ascii=False),
        "apart": json.dumps(sorted(record.apart)),
    }
    if paper.year is not None:
        data["year"] = paper.year
    return data


def parsed(name: str, text: str, data: Mapping[str, Any]) -> Record:
    """The record of what Chroma holds; an older library lacks some of it."""
    paper = Paper(
        id=name,
        title=data["title"],
        abstract=text,
        authors=tuple(json.loads(data["authors"])),
        year=data.get("year"),
        venue=data["venue"],
        url=data["url"],
        source=data["source"],
        collection=data["collection"],
        doi=data.get("doi", ""),
        arxiv_id=data.get("arxiv_id", ""),
        keywords=tuple(json.loads(data.get("keywords", "[]"))),
    )
    spans = tuple((int(start), int(end)) for start, end in json.loads(data["spans"]))
    return Record(
        paper,
        int(data["order"]),
        tuple(json.loads(data["sources"])),
        spans,
        tuple(map(_part, json.loads(data.get("parts", "[]")))),
        frozenset(json.loads(data.get("apart", "[]"))),
    )


def _part(data: Mapping[str, Any]) -> Paper:
    """A paper that was kept whole, beside the one that it was merged into."""
    lists = {name: tuple(data[name]) for name in ("authors", "keywords")}
    return Paper(**{**data, **lists})


def merged(record: Record, paper: Paper) -> Record:
    """The record with what ``paper``, the same text from elsewhere, knows beside."""
    old = record.paper
    sources = tuple(dict.fromkeys((*record.sources, paper.source)))
    richer = replace(
        old,
        authors=old.authors or paper.authors,
        year=old.year if old.year is not None else paper.year,
        venue=old.venue or paper.venue,
        url=old.url or paper.url,
        collection=old.collection or paper.collection,
        doi=old.doi or paper.doi,
        arxiv_id=old.arxiv_id or paper.arxiv_id,
        keywords=old.keywords or paper.keywords,
    )
    return replace(record, paper=richer, sources=sources)
