"""PubMed through NCBI's E-utilities: ``esearch`` keeps the hits there, ``efetch`` sends them.

Beside the other connectors; ``sources.pubmed`` reads what comes.
"""

from __future__ import annotations

from collections.abc import Iterator

from store.connectors.paging import Page, Service, number, part, read_page
from store.connectors.polite import Client
from store.errors import ServiceError
from store.sources import pubmed
from store.types import Paper

_PAGE = 200
_MOST = 9_999  # of one search, NCBI sends no more
_FETCH = "/entrez/eutils/efetch.fcgi"
_COMMON = {"db": "pubmed", "tool": "citewell"}


def _pages(client: Client, query: str, start: int) -> Iterator[Page]:
    ids = query.replace(",", " ").split()
    if all(word.isdecimal() for word in ids):
        yield from _by_number(client, ids, start)
        return
    search: dict[str, str | int] = {
        "term": query,
        "retmode": "json",
        "retmax": 0,
        "usehistory": "y",
    }
    answer = client.get_json("/entrez/eutils/esearch.fcgi", {**_COMMON, **search})
    if part(answer, "error") or part(answer, "esearchresult", "ERROR"):
        raise ServiceError("PubMed does not understand the query; check how it is written")
    total = number(part(answer, "esearchresult", "count"))
    kept: dict[str, str | int] = {
        "query_key": str(part(answer, "esearchresult", "querykey")),
        "WebEnv": str(part(answer, "esearchresult", "webenv")),
    }
    for place in range(start, min(total, _MOST), _PAGE):
        yield _page(client, {**kept, "retstart": place, "retmax": _PAGE}, total)


def _by_number(client: Client, ids: list[str], start: int) -> Iterator[Page]:
    for place in range(start, len(ids), _PAGE):
        yield _page(client, {"id": ",".join(ids[place : place + _PAGE])}, len(ids))


def _page(client: Client, wanted: dict[str, str | int], total: int) -> Page:
    body = client.get(_FETCH, {**_COMMON, **wanted, "retmode": "xml"})
    return Page(read_page(client, body, pubmed, _source), total)


def _source(paper: Paper) -> str:
    return "pubmed:" + paper.url.rstrip("/").rpartition("/")[2]


SERVICE = Service(
    "PubMed", "https://eutils.ncbi.nlm.nih.gov", 0.4, '12091962 or "bee dances"', _pages
)
