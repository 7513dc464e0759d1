"""The reader for the XML that the ACL Anthology keeps its proceedings in.

Beside ``pubmed``. Where and when a paper appeared stands in the ``meta`` of its volume, before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO
from xml.etree.ElementTree import Element

from store.sources.xml_records import Fields, first_of, lines_of, read_records, root_of
from store.types import Paper, Rejected

_VOLUME = re.compile(r"<(?:volume|paper|meta|frontmatter)\b")


def sniff(head: str) -> bool:
    """Whether the outermost element is a collection of volumes or a volume of papers."""
    return root_of(head) in ("collection", "volume") and bool(_VOLUME.search(head))


def read(stream: TextIO, name: str) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every paper, in order."""
    return read_records(stream, name, {"meta", "paper"}, _fields)


def _fields(elements: Iterator[Element]) -> Iterator[Fields]:
    venue = year = ""
    for element in elements:
        if element.tag == "meta":
            venue, year = first_of(element, "booktitle"), first_of(element, "year")
            continue
        yield {
            "title": first_of(element, "title"),
            "abstract": first_of(element, "abstract"),
            "authors": [_name(author) for author in element.iterfind("author")],
            "year": first_of(element, "year") or year,
            "venue": first_of(element, "booktitle", "journal-title") or venue,
            "doi": first_of(element, "doi"),
            "url": _address(first_of(element, "url")),
            "keywords": lines_of(element, "keywords/keyword"),
        }


def _name(author: Element) -> str:
    return " ".join(filter(None, (first_of(author, "first"), first_of(author, "last"))))


def _address(url: str) -> str:
    """The page of the paper; the file itself has only the end of its address.

    >>> _address("2020.insects-main.1"), _address("https://hive.example/1")
    ('https://aclanthology.org/2020.insects-main.1', 'https://hive.example/1')
    """
    return f"https://aclanthology.org/{url}" if url and "://" not in url else url
