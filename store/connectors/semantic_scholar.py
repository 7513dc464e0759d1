"""Semantic Scholar's search by relevance, which gives the first thousand papers of a query.

Beside the other connectors. Without a key of one's own it is often busy: ``polite`` waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from store.connectors.paging import Page, Record, Service, mappings_in, number, part, record_of
from store.connectors.polite import Client

_PAGE = 100
_MOST = 1000
_FIELDS = "title,abstract,authors,year,venue,externalIds,url,fieldsOfStudy"


def _pages(client: Client, query: str, start: int) -> Iterator[Page]:
    total = start + 1
    while start < min(total, _MOST):
        size = min(_PAGE, _MOST - start)
        wanted: dict[str, str | int] = {
            "query": query,
            "offset": start,
            "limit": size,
            "fields": _FIELDS,
        }
        answer = client.get_json("/graph/v1/paper/search", wanted)
        total = number(part(answer, "total"))
        found = mappings_in(client, part(answer, "data")) if total else []
        yield Page([_record(paper) for paper in found], total)
        start += len(found)
        if not found:
            return


def _record(paper: Mapping[str, object]) -> Record:
    return record_of(
        {
            **{name: paper.get(name) for name in ("title", "abstract", "authors", "year", "venue")},
            "url": paper.get("url"),
            "doi": part(paper, "externalIds", "DOI"),
            "arxiv_id": part(paper, "externalIds", "ArXiv"),
            "keywords": paper.get("fieldsOfStudy"),
        },
        "semanticscholar",
        paper.get("paperId"),
    )


SERVICE = Service(
    "Semantic Scholar", "https://api.semanticscholar.org", 1.1, '"bee dances"', _pages
)
