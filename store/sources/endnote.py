"""The reader for EndNote's XML.

Beside the other readers of XML; ``slicing`` cuts the records, ``fields`` makes papers of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from store.sources.fields import Unusable, papers
from store.sources.naming import GUESSED, Names
from store.sources.slicing import elements, first, pattern_of, texts
from store.types import Paper, Rejected

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TAGS = ("record",)
_OPENING = pattern_of(_TAGS)
_OWN = re.compile(r"<(?:ref-type|contributors|titles|electronic-resource-num|source-app)[\s>]")


def sniff(head: str) -> bool:
    """Whether the file holds records of EndNote."""
    return bool(_OPENING.search(head) and _OWN.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every record, in order."""
    found = elements(stream, _TAGS)
    return papers(((place, _fields(record)) for place, record in found), name, names)


def _fields(record: Element | Unusable) -> object:
    if isinstance(record, Unusable):
        return record
    return {
        "title": first(record, "titles/title"),
        "abstract": first(record, "abstract"),
        "authors": texts(record, "contributors/authors/author"),
        "year": first(record, "dates/year", "dates/pub-dates/date"),
        "venue": first(
            record, "periodical/full-title", "titles/secondary-title", "periodical/abbr-1"
        ),
        "url": first(record, "urls/related-urls/url", "urls/pdf-urls/url", "urls/web-urls/url"),
        "doi": first(record, "electronic-resource-num"),
        "arxiv": first(record, "accession-num"),
        "keywords": texts(record, "keywords/keyword"),
    }
