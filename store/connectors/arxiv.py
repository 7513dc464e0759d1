"""arXiv's own interface: a search, or papers by their numbers; it answers with an Atom feed.

Beside the other connectors; ``sources.atom`` reads the feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.connectors.paging import Page, Service, number, read_page
from store.connectors.polite import Client
from store.errors import ServiceError
from store.sources import atom
from store.types import Paper

_PAGE = 100
_NUMBER = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")
_FIELD = re.compile(r"\b(?:ti|au|abs|co|jr|cat|rn|id|all):")
_TOTAL = re.compile(rb"totalResults[^<>]*>\s*(\d{1,12})\s*<")
_FAULT = re.compile(rb"arxiv\.org/api/errors")
_VERSION = re.compile(r"v\d+$")


def _pages(client: Client, query: str, start: int) -> Iterator[Page]:
    wanted = _wanted(query)
    while True:
        body = client.get("/api/query", {**wanted, "start": start, "max_results": _PAGE})
        if _FAULT.search(body[:4096]):
            raise ServiceError("arXiv does not understand the query; check how it is written")
        match = _TOTAL.search(body)
        total = number(match.group(1).decode()) if match else 0
        page = Page(read_page(client, body, atom, _source), total)
        yield page
        start += len(page.records)
        if start >= total:
            return
        if not page.records:  # it happens in the midst of a long search
            raise ServiceError("arXiv sent an empty page; try later")


def _wanted(query: str) -> dict[str, str]:
    """Numbers as they are, arXiv's own query language as it is, words as all of them.

    >>> _wanted("2401.01234v2, hep-th/9901001"), _wanted("bee dances")
    ({'id_list': '2401.01234v2,hep-th/9901001'}, {'search_query': 'all:bee AND all:dances'})
    """
    words = query.replace(",", " ").split()
    if all(_NUMBER.fullmatch(word) for word in words):
        return {"id_list": ",".join(words)}
    if _FIELD.search(query):
        return {"search_query": query}
    return {"search_query": " AND ".join(f"all:{word}" for word in query.split())}


def _source(paper: Paper) -> str:
    """``arxiv:`` and the number without its version: a later version is the same paper."""
    return "arxiv:" + _VERSION.sub("", paper.arxiv_id)


SERVICE = Service("arXiv", "https://export.arxiv.org", 3.0, '2401.01234 or "bee dances"', _pages)
