"""From named fields to a paper, for the readers whose formats name their fields.

Follows the parsing of one record. The values come from strangers: whatever their type, they give a
clean string, a year, a list of names, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from store.sources.characters import clean, one_line, unwrapped
from store.sources.identifiers import arxiv_in, doi_in, link_in
from store.sources.naming import GUESSED, Names, folded
from store.sources.people import authors_in, listed
from store.types import Paper, Rejected

_A_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_VOLUME = re.compile(r"\s*\((?:1[5-9]|20)\d\d\)")  # where Embase's "Source" goes on after the name
_BETWEEN = re.compile(r"[,\n|](?![^()]{0,80}\))")  # not in "cyst (diagnosis, surgery)"
_IN_LINKS = "/:;()._-"  # of the signs in a DOI, those that a web address may hold
_LONGEST = 1_000_000  # characters; a longer abstract is none
# What databases write where they have no abstract.
_PLACEHOLDER = re.compile(
    r"""\W*(?:(?:there\ is\ )?no\ abstract(?:\ (?:is\ )?(?:available|provided|given))?
        |abstract\ (?:is\ )?(?:not|un)\ ?(?:available|provided)
        |abstract|n\W?a|none|null|nan|nil)\W*""",
    re.IGNORECASE | re.VERBOSE,
)


class Unusable(Exception):  # noqa: N818  (a finding about a record, caught by its reader)
    """A record that makes no paper; the message is the reason, for the user."""


def papers(
    records: Iterable[tuple[str, object]], name: str, names: Names = GUESSED
) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for each record and its place in the file, in order."""
    count = 0
    for place, record in records:
        try:
            paper = paper_from(record, f"{name}#{count + 1}", names)
        except Unusable as fault:
            yield Rejected(f"{name}, {place}", str(fault))
        else:
            count += 1
            yield paper


def paper_from(record: object, source: str, names: Names = GUESSED) -> Paper:
    """The paper that a record of named fields describes; one without an abstract has a title.

    >>> paper = paper_from({"Title": "Bees", "abstract": ["Bees dance.", "Ants walk."]}, "hive#1")
    >>> paper.title, paper.abstract
    ('Bees', 'Bees dance. Ants walk.')
    """
    if isinstance(record, Unusable):
        raise record
    if not isinstance(record, Mapping):
        raise Unusable("not a record with named fields")
    fields = _Fields(record, names)
    title, abstract = one_line(fields.text("title")), _abstract(fields)
    if len(abstract) + len(title) > _LONGEST:
        raise Unusable(f"longer than {_LONGEST:,} characters, which no abstract is")
    if not title and not abstract:
        raise Unusable(_nothing_in(record))
    arxiv_id = next((found for v in fields.all("arxiv_id") if (found := arxiv_in(v))), "")
    dois = [doi for value in fields.all("doi") if (doi := doi_in(value))]
    url = link_in(fields.text("url"))
    doi = next(iter(dois), "") or doi_in(url)
    if not url and (doi or arxiv_id):
        url = (
            f"https://doi.org/{quote(doi, safe=_IN_LINKS)}"
            if doi
            else f"https://arxiv.org/abs/{arxiv_id}"
        )
    return Paper.of(
        abstract,
        title=title,
        authors=next((who for v in fields.all("authors") if (who := authors_in(v))), ()),
        year=next((year for v in fields.all("year") if (year := year_in(v))), None),
        venue=_VOLUME.split(one_line(fields.text("venue")), maxsplit=1)[0],
        url=url,
        source=source,
        collection=one_line(fields.text("collection")),
        doi=doi,
        arxiv_id=arxiv_id or arxiv_in(url) or arxiv_in(doi),
        keywords=next((words for v in fields.all("keywords") if (words := keywords_in(v))), ()),
    )


class _Fields:
    """The values of a record by the fields of a paper."""

    def __init__(self, record: Mapping[Any, Any], names: Names) -> None:
        self._names = names
        self._values: dict[str, object] = {}
        for key, value in record.items():
            if value:
                self._values.setdefault(folded(str(key)), value)

    def all(self, field: str) -> Iterator[object]:
        """What stands under the names of a field, the best name first."""
        return (self._values[name] for name in self._names[field] if name in self._values)

    def text(self, field: str) -> str:
        """The first of these that has any text."""
        return next((text for value in self.all(field) if (text := text_in(value))), "")


def _abstract(fields: _Fields) -> str:
    texts = (unwrapped(text_in(value)) for value in fields.all("abstract"))
    return next((text for text in texts if text and not _PLACEHOLDER.fullmatch(text[:60])), "")


def _nothing_in(record: Mapping[Any, Any]) -> str:
    """Why a record makes no paper: it is empty, or its fields go by other names."""
    filled = [one_line(clean(str(key)))[:30] for key, value in record.items() if value]
    if not filled:
        return "neither title nor abstract"
    more = ", …" if len(filled) > 6 else ""
    return f"neither title nor abstract among its fields: {', '.join(filled[:6])}{more}"


def text_in(value: object) -> str:
    """A string, a list of them joined with spaces, or the named one of an object; "" for others.

    >>> text_in(["Bees dance.", " Ants walk. ", None]), text_in({"value": "Bees"})
    ('Bees dance. Ants walk.', 'Bees')
    """
    if isinstance(value, str):
        return clean(value).strip()
    if isinstance(value, list):
        return " ".join(part for item in value if isinstance(item, str) and (part := text_in(item)))
    if isinstance(value, Mapping):
        inner = (value.get(key) for key in ("value", "name", "url"))
        return next((text_in(text) for text in inner if text and isinstance(text, str)), "")
    return ""


def year_in(value: object) -> int | None:
    """The year that a number, a string or a date holds.

    >>> year_in(1999), year_in("2021-03-04T00:00:00Z"), year_in("in press")
    (1999, 2021, None)
    >>> year_in({"date-parts": [[2001, 5]]})
    2001
    """
    if isinstance(value, Mapping):
        value = value.get("date-parts") or value.get("raw") or value.get("year")
    while isinstance(value, list) and value:
        value = value[0]
    match = _A_YEAR.search(str(value)[:200]) if isinstance(value, (str, int, float)) else None
    return int(match.group()) if match else None


def keywords_in(value: object) -> tuple[str, ...]:
    """Keywords, from a list of them or from one string in which semicolons or commas part them.

    >>> keywords_in("Bees; honey, wax"), keywords_in("bees, ants"), keywords_in(["one, two"])
    (('Bees', 'honey, wax'), ('bees', 'ants'), ('one, two',))
    """
    if isinstance(value, list):
        items = [text_in(item) for item in value]
    else:
        items = _split(listed(text_in(value)))
    words = (one_line(item).strip("; *") for item in items)
    return tuple(dict.fromkeys(word for word in words if word))


def _split(words: str | list[str]) -> list[str]:
    if isinstance(words, list):
        return words
    return words.split(";") if ";" in words else _BETWEEN.split(words)
