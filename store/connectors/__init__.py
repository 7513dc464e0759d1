"""Where papers come in from afar: a service's name and a query become a stream of papers.

Beside ``sources``, whose readers and fields it uses; nothing is fetched unless somebody names a
service. A connector is a module with one :class:`Service`, which asks for one page after another;
``polite`` sees to pauses and second tries for all of them, ``paging`` to how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from store.connectors import arxiv, hf_daily, openreview, pubmed, semantic_scholar
from store.connectors.paging import Service, papers
from store.connectors.polite import Client
from store.errors import SourceError
from store.sources import read_path
from store.sources.naming import GUESSED, Names
from store.types import Paper, Rejected

SERVICES: Mapping[str, Service] = {
    "arxiv": arxiv.SERVICE,
    "hf-daily": hf_daily.SERVICE,
    "openreview": openreview.SERVICE,
    "pubmed": pubmed.SERVICE,
    "semanticscholar": semantic_scholar.SERVICE,
}
LIMIT = 1000  # what one query fetches unless more is asked for


def read_source(
    name: str,
    addresses: str = "",
    *,
    limit: int = LIMIT,
    skip: int = 0,
    fields: Names = GUESSED,
) -> Iterator[Paper | Rejected]:
    """The papers of ``SERVICE:QUERY``, else those of the file or folder of that name.

    ``addresses`` names other places of the services, as ``SERVICE=ADDRESS`` parted by spaces;
    ``fields`` says what the fields of a file's records are called.
    """
    key, colon, query = name.partition(":")
    if not colon or key not in SERVICES or Path(name).exists():
        return read_path(Path(name), fields)
    if not query.strip():
        raise SourceError(f"{name} names no papers: write {key}:{SERVICES[key].example}.")
    service = SERVICES[key]
    client = Client(service.name, addresses_in(addresses).get(key, service.address), service.pause)
    return papers(service, client, name, query.strip(), limit, skip)


def addresses_in(text: str) -> dict[str, str]:
    """Addresses by service.

    >>> addresses_in("arxiv=http://127.0.0.1:80/ pubmed=http://127.0.0.1:81")["pubmed"]
    'http://127.0.0.1:81'
    """
    pairs = [pair.partition("=") for pair in text.split()]
    for key, _, address in pairs:
        if key not in SERVICES or not address.startswith(("http://", "https://")):
            known = ", ".join(SERVICES)
            raise SourceError(
                f"{key}={address} is no address of a service: write SERVICE=http://… for {known}."
            )
    return {key: address for key, _, address in pairs}
