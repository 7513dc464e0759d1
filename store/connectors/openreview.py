"""OpenReview: the accepted papers of a venue, named as in its address.

Beside the other connectors. Every field of a note is a record of its own with a ``value``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from store.connectors.paging import Page, Record, Service, mappings_in, number, part, record_of
from store.connectors.polite import Client

_PAGE = 1000
_FIELDS = ("title", "abstract", "authors", "keywords", "venue")


def _pages(client: Client, query: str, start: int) -> Iterator[Page]:
    while True:
        wanted: dict[str, str | int] = {"content.venueid": query, "limit": _PAGE, "offset": start}
        answer = client.get_json("/notes", wanted)
        notes = mappings_in(client, part(answer, "notes"))
        start += len(notes)
        total = number(part(answer, "count"))
        yield Page([_record(note) for note in notes], total)
        if not notes or (len(notes) < _PAGE and start >= total):
            return


def _record(note: Mapping[str, object]) -> Record:
    name = note.get("forum") or note.get("id")
    fields = {field: part(note, "content", field, "value") for field in _FIELDS}
    dates = (str(fields["venue"]), _date(note.get("pdate")), _date(note.get("cdate")))
    return record_of(
        {
            **fields,
            "year": next((date for date in dates if "20" in date), ""),
            "url": f"https://openreview.net/forum?id={name}",
        },
        "openreview",
        name,
    )


def _date(milliseconds: object) -> str:
    """The year of a moment, near enough for the year of a paper.

    >>> _date(1_704_300_000_000), _date("soon")
    ('2024', '')
    """
    since = number(milliseconds)
    return str(1970 + int(since / 31_556_952_000)) if since else ""


SERVICE = Service(
    "OpenReview", "https://api2.openreview.net", 1.0, "ICLR.cc/2024/Conference", _pages
)
