"""The JSON of well-known services to flat records of named fields.

Between ``jsonl`` and ``fields``: OpenReview nests its fields, arXiv's snapshot writes LaTeX in
names and titles, CSL-JSON keeps arXiv ids apart. A record of no such shape passes as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from store.sources.latex import text_of

_MILLISECONDS = 1000
_LATEST = 4_102_444_800_000  # the year 2100


def flat(record: object) -> object:
    """The record with the fields of a paper at its top, under names that ``naming`` knows."""
    if not isinstance(record, Mapping):
        return record
    if isinstance(record.get("content"), Mapping) and not record.get("title"):
        return _openreview(record)
    if "authors_parsed" in record or ("categories" in record and "update_date" in record):
        return _arxiv(record)
    if str(record.get("archive")).casefold() != "arxiv" and "archive_location" in record:
        return {key: value for key, value in record.items() if key != "archive_location"}
    return record


def _openreview(record: Mapping[str, Any]) -> dict[str, Any]:
    """A note: its fields stand in ``content``, each as a value or as ``{"value": …}``.

    >>> note = {"forum": "b1", "pdate": 1700000000000, "content": {"title": {"value": "Bees"}}}
    >>> _openreview(note)
    {'title': 'Bees', 'url': 'https://openreview.net/forum?id=b1', 'year': 2023}
    """
    fields = {
        key: value.get("value") if isinstance(value, Mapping) and "value" in value else value
        for key, value in record["content"].items()
    }
    forum = record.get("forum") or record.get("id")
    if isinstance(forum, str):
        fields.setdefault("url", f"https://openreview.net/forum?id={forum}")
    moments = (record.get(key) for key in ("pdate", "odate", "cdate", "tcdate"))
    year = next((year for moment in moments if (year := _year_of(moment))), None)
    return {**fields, "year": fields.get("year") or year or fields.get("venue")}


def _year_of(moment: object) -> int | None:
    """The year of a moment in milliseconds since 1970."""
    if not isinstance(moment, int) or not 0 < moment < _LATEST:
        return None
    return datetime.fromtimestamp(moment / _MILLISECONDS, UTC).year


def _arxiv(record: Mapping[str, Any]) -> dict[str, Any]:
    """A line of arXiv's metadata snapshot: wrapped lines, LaTeX accents, categories in one string.

    >>> line = {"id": "0704.1", "authors_parsed": [["Li", "B.", ""]], "categories": "cs.CL cs.AI"}
    >>> _arxiv(line)["authors"], _arxiv(line)["keywords"]
    (['B. Li'], ['cs.CL', 'cs.AI'])
    """
    fields = dict(record)
    fields["arxiv_id"] = record.get("id")
    for key in ("title", "journal-ref", "authors"):
        if isinstance(fields.get(key), str):
            fields[key] = text_of(fields[key])
    if names := _parsed_names(record.get("authors_parsed")):
        fields["authors"] = names
    if isinstance(record.get("categories"), str):
        fields["keywords"] = record["categories"].split()
    fields["year"] = _first_version(record.get("versions")) or record.get("update_date")
    return fields


def _parsed_names(value: object) -> list[str]:
    """Names out of family, given and suffix: ``[["Balázs", "C.", ""]]``."""
    rows = value if isinstance(value, list) else []
    parts = (
        [part for part in row if isinstance(part, str)] for row in rows if isinstance(row, list)
    )
    return [
        " ".join(text_of(part) for part in (*row[1:2], *row[:1], *row[2:3]) if part.strip())
        for row in parts
    ]


def _first_version(value: object) -> object:
    first = value[0] if isinstance(value, list) and value else None
    return first.get("created") if isinstance(first, Mapping) else None
