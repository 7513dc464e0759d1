"""Hugging Face's daily papers: those of a day, or of every day from one to another.

Beside the other connectors. What it lists are preprints of arXiv.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from store.connectors.paging import Page, Record, Service, mappings_in, part, record_of
from store.connectors.polite import Client
from store.errors import ServiceError

_RANGE = re.compile(r"(\d{4}-\d\d-\d\d)(?:(?:\.\.|/|\s+to\s+)(\d{4}-\d\d-\d\d))?")
_MOST_DAYS = 366


def _pages(client: Client, query: str, start: int) -> Iterator[Page]:
    """A page a day; an earlier call's part is fetched again, for days have no numbers of papers."""
    for day in _days(query):
        answer = client.get_json("/api/daily_papers", {"date": day, "limit": 100})
        records = [_record(entry) for entry in mappings_in(client, answer)]
        yield Page(records[start:])
        start = max(0, start - len(records))


def _days(query: str) -> list[str]:
    """The days that a query names.

    >>> _days("2024-02-28..2024-03-01")
    ['2024-02-28', '2024-02-29', '2024-03-01']
    """
    match = _RANGE.fullmatch(query)
    try:
        first, last = map(date.fromisoformat, (match[1], match[2] or match[1]) if match else ())
    except ValueError as fault:
        raise ServiceError("write a day as 2024-02-28, some as 2024-02-28..2024-03-01") from fault
    count = (last - first).days + 1
    if not 1 <= count <= _MOST_DAYS:
        raise ServiceError(f"write the first day first, and at most {_MOST_DAYS} days")
    return [(first + timedelta(days)).isoformat() for days in range(count)]


def _record(entry: Mapping[str, object]) -> Record:
    name = part(entry, "paper", "id")
    return record_of(
        {
            "title": part(entry, "paper", "title") or entry.get("title"),
            "abstract": part(entry, "paper", "summary") or entry.get("summary"),
            "authors": part(entry, "paper", "authors"),
            "year": part(entry, "paper", "publishedAt") or entry.get("publishedAt"),
            "keywords": part(entry, "paper", "ai_keywords"),
            "arxiv_id": name,
            "url": f"https://arxiv.org/abs/{name}",
        },
        "hf-daily",
        name,
    )


SERVICE = Service("Hugging Face", "https://huggingface.co", 0.5, "2024-02-28..2024-03-01", _pages)
