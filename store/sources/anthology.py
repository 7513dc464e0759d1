"""The reader for the XML of the ACL Anthology: a volume, and then its papers.

Beside the other readers of XML; ``slicing`` cuts the records, ``fields`` makes papers of them. What
all papers of a volume share stands before them, in an element of its own.
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

_OPENING = re.compile(r"<volume[\s>].*?<(?:meta|paper)[\s>]", re.DOTALL)


def sniff(head: str) -> bool:
    """Whether the file holds a volume of the Anthology."""
    return "<volume" in head and bool(_OPENING.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every paper, in order."""
    return papers(_records(stream), name, names)


def _records(stream: TextIO) -> Iterator[tuple[str, object]]:
    venue = year = ""
    for place, element in elements(stream, ("meta", "paper")):
        if isinstance(element, Unusable):
            yield place, element
        elif element.tag == "meta":
            venue, year = first(element, "booktitle"), first(element, "year")
        else:
            yield place, _fields(element, venue, year)


def _fields(paper: Element, venue: str, year: str) -> dict[str, object]:
    address = first(paper, "url")
    if re.fullmatch(r"[\w.-]+", address):
        address = f"https://aclanthology.org/{address}/"
    authors = paper.findall("author")
    return {
        "title": first(paper, "title"),
        "abstract": first(paper, "abstract"),
        "authors": [" ".join((*texts(a, "first"), *texts(a, "last"))) for a in authors],
        "year": first(paper, "year") or year,
        "venue": first(paper, "journal-title", "booktitle") or venue,
        "url": address,
        "doi": first(paper, "doi"),
    }
