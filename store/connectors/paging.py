"""From the pages of a service to papers, up to a limit, and on from where an earlier call ended.

Above ``polite`` and below the connectors. A paper's source is the service's own number for it, so
that a later version replaces it and another query does not double it; its collection is the query.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import NamedTuple

from store.connectors.polite import Client
from store.errors import ServiceError, SourceError
from store.sources.characters import clean, one_line
from store.sources.decoding import open_text
from store.sources.fields import Unusable, paper_from
from store.types import Paper, Rejected

Record = Paper | Rejected


class Page(NamedTuple):
    """Some records of an answer, and how many there are in all if the service says so."""

    records: list[Record]
    total: int = 0


class Service(NamedTuple):
    """A service: its name, address and manners, and how its pages are asked for from a place on."""

    name: str
    address: str
    pause: float  # seconds between calls, as its terms of use ask
    example: str
    pages: Callable[[Client, str, int], Iterator[Page]]


def papers(
    service: Service, client: Client, name: str, query: str, limit: int, skip: int
) -> Iterator[Record]:
    """The records that a query finds, from the ``skip``-th on.

    What was found stays when the service fails after that; a last rejection says how to go on.
    """
    done = total = 0
    try:
        for page in service.pages(client, query, skip):
            total = max(total, page.total)
            for record in page.records[: limit - done]:
                yield replace(record, collection=name) if isinstance(record, Paper) else record
                done += 1
            if done >= limit:
                break
    except ServiceError as fault:
        if not done:
            raise SourceError(f"Cannot fetch {name}: {fault}.") from fault
        yield Rejected(name, f"the rest was not fetched: {fault}; --skip {skip + done} goes on")
    else:
        if not done:
            raise SourceError(f"{service.name} finds no paper for {query!r}. Check the spelling.")
        if total > skip + done:
            yield Rejected(
                name, f"{total:,} match; --skip {skip + done} goes on, --limit takes more"
            )
    finally:
        client.close()


def read_page(
    client: Client, body: bytes, reader: ModuleType, source: Callable[[Paper], str]
) -> list[Record]:
    """The records of a page in a format that ``sources`` reads, each under the service's number."""
    try:
        with open_text(io.BytesIO(body)) as (stream, head):
            if not reader.sniff(head):
                raise ServiceError(f"{client.service} answers with something else; try later")
            found = list(reader.read(stream, client.service))
    except SourceError as fault:
        raise ServiceError(f"{client.service} answers with something else; try later") from fault
    return [replace(r, source=source(r)) if isinstance(r, Paper) else r for r in found]


def record_of(fields: Mapping[str, object], service: str, name: object) -> Record:
    """The paper that named fields describe, by the service's own name for it, or why they don't."""
    if not isinstance(name, str) or not name.strip():
        return Rejected(service, "a record without a name of its own")
    source = f"{service}:{one_line(clean(name))}"
    try:
        return paper_from(fields, source)
    except Unusable as fault:
        return Rejected(source, str(fault))


def mappings_in(client: Client, value: object) -> list[Mapping[str, object]]:
    """The records of a list that a service sent."""
    if not isinstance(value, list):
        raise ServiceError(f"{client.service} answers with something else; try later")
    return [item for item in value if isinstance(item, dict)]


def part(value: object, *names: str) -> object:
    """What stands in nested records under those names, or None.

    >>> part({"paper": {"id": "7"}}, "paper", "id"), part([], "paper")
    ('7', None)
    """
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def number(value: object) -> int:
    """A count as services give it, a number or its digits; 0 for anything else."""
    digits = str(value)
    return int(digits) if digits.isdecimal() and len(digits) < 16 else 0
