"""From named fields to a paper, for the readers whose formats name their fields.

Follows the parsing of one record. The values come from strangers: whatever their type, they give a
clean string, a year, a list of names, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from store.sources.characters import clean, one_line, unwrapped
from store.types import Paper

_TITLE = ("title",)
_ABSTRACT = ("abstract", "text", "summary")
_AUTHORS = ("authors", "author")
_VENUE = ("venue", "journal", "booktitle")
_YEAR = ("year", "date", "published", "publication_date", "publishedat", "publicationdate")
_URL = ("url", "link")

_A_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_AND = re.compile(r"\s+(?:and|&)\s+")


class Unusable(Exception):  # noqa: N818  (a finding about a record, caught by its reader)
    """A record that makes no paper; the message is the reason, for the user."""


def paper_from(record: object, source: str) -> Paper:
    """The paper that a record of named fields describes.

    >>> paper = paper_from({"Title": "Bees", "abstract": ["Bees dance.", "Ants walk."]}, "hive#1")
    >>> paper.title, paper.abstract
    ('Bees', 'Bees dance. Ants walk.')
    """
    if isinstance(record, Unusable):
        raise record
    if not isinstance(record, Mapping):
        raise Unusable("not a record with named fields")
    fields = {str(key).strip().casefold(): value for key, value in record.items()}
    abstract = unwrapped(_first(fields, _ABSTRACT))
    if not abstract:
        raise Unusable("no abstract")
    return Paper.of(
        abstract,
        title=one_line(_first(fields, _TITLE)),
        authors=next((names for key in _AUTHORS if (names := authors_in(fields.get(key)))), ()),
        year=next((year for key in _YEAR if (year := year_in(fields.get(key)))), None),
        venue=one_line(_first(fields, _VENUE)),
        url=_link_in(fields),
        source=source,
    )


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> str:
    """The first of the named fields that has any text."""
    return next((text for name in names if (text := text_in(fields.get(name)))), "")


def text_in(value: object) -> str:
    """A string, or a list of them joined with spaces; "" for anything else.

    >>> text_in(["Bees dance.", " Ants walk. ", None])
    'Bees dance. Ants walk.'
    """
    if isinstance(value, str):
        return clean(value).strip()
    if isinstance(value, list):
        return " ".join(part for item in value if isinstance(item, str) and (part := text_in(item)))
    return ""


def year_in(value: object) -> int | None:
    """The year that a number, a string or a date holds.

    >>> year_in(1999), year_in("2021-03-04T00:00:00Z"), year_in("in press")
    (1999, 2021, None)
    """
    match = _A_YEAR.search(str(value)) if isinstance(value, (str, int, float)) else None
    return int(match.group()) if match else None


def authors_in(value: object) -> tuple[str, ...]:
    """The authors' names, from a list of names or of parts of names, or from one string.

    >>> authors_in([{"given": "Karl", "family": "Frisch"}, {"name": "Ada Wu"}, "B. Li"])
    ('Karl Frisch', 'Ada Wu', 'B. Li')
    >>> authors_in("Frisch, K.; Wu, A."), authors_in("Karl Frisch, Ada Wu and Bo Li")
    (('Frisch, K.', 'Wu, A.'), ('Karl Frisch', 'Ada Wu', 'Bo Li'))
    """
    names = value if isinstance(value, list) else _split_names(text_in(value))
    return tuple(text for name in names if (text := one_line(_name_in(name))))


def _name_in(value: object) -> str:
    if not isinstance(value, Mapping):
        return text_in(value)
    parts = (value.get("given") or value.get("first"), value.get("family") or value.get("last"))
    return text_in(value.get("name")) or " ".join(map(text_in, parts))


def _split_names(text: str) -> list[str]:
    if ";" in text:
        return text.split(";")
    by_and = _AND.split(text)
    if len(by_and) > 2:  # "Frisch, Karl and Wu, Ada and Li, Bo"
        return by_and
    by_comma = [name for part in by_and for name in part.split(",") if name.strip()]
    full_names = all(" " in name.strip() for name in by_comma)  # no lone family or first names
    return by_comma if full_names else by_and


def _link_in(fields: Mapping[str, object]) -> str:
    """A web address, the only kind of link that is safe to show; else the address of the DOI."""
    if match := _LINK.match(_first(fields, _URL)):
        return match.group()
    doi = _DOI.search(_first(fields, ("doi",)))
    return f"https://doi.org/{doi.group()}" if doi else ""
