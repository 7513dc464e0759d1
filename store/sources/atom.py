"""The reader for Atom feeds, in which arXiv answers a search.

Beside the other readers of XML; ``slicing`` cuts the entries, ``fields`` makes papers of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from store.sources.fields import Unusable, papers
from store.sources.naming import GUESSED, Names
from store.sources.slicing import elements, first, texts
from store.types import Paper, Rejected

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TAGS = ("entry",)
_FEED = re.compile(r"<(?:\w+:)?feed[\s>]|www\.w3\.org/2005/Atom")


def sniff(head: str) -> bool:
    """Whether the file is a feed; a search that found nothing is one without entries."""
    return bool(_FEED.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every entry, in order."""
    found = elements(stream, _TAGS)
    return papers(((place, _fields(entry)) for place, entry in found), name, names)


def _fields(entry: Element | Unusable) -> object:
    if isinstance(entry, Unusable):
        return entry
    if "arxiv.org/api/errors" in first(entry, "id"):
        return Unusable(f"arXiv answers: {_summary(entry).strip()}")
    links = [link.get("href", "") for link in entry.findall("link")]
    # The number that arXiv gives is an old address, which only leads to the present one.
    address = first(entry, "id").replace("http://arxiv.org/", "https://arxiv.org/", 1)
    return {
        "title": first(entry, "title"),
        "abstract": _summary(entry),
        "authors": texts(entry, "author/name"),
        "year": first(entry, "published", "updated"),
        "venue": first(entry, "journal_ref"),
        "url": address if address.startswith("http") else next(iter(links), ""),
        "arxiv": address,
        "doi": first(entry, "doi"),
        "keywords": [category.get("term", "") for category in entry.findall("category")],
    }


def _summary(entry: Element) -> str:
    """The summary with its paragraphs: ``fields`` joins the wrapped lines."""
    element = entry.find("summary")
    return "" if element is None else "".join(element.itertext())
