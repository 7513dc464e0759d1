"""The reader for EndNote's XML export, where every text is cut into pieces by its type face.

Beside ``pubmed``; Zotero and Rayyan write the same format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO
from xml.etree.ElementTree import Element

from store.sources.xml_records import Fields, first_of, lines_of, read_records, root_of, text_of
from store.types import Paper, Rejected

_RECORD = re.compile(r"<record\b")


def sniff(head: str) -> bool:
    """Whether the file opens as ``<xml><records><record>``, or with the inner two."""
    return root_of(head) in ("xml", "records") and bool(_RECORD.search(head))


def read(stream: TextIO, name: str) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every record, in order."""
    return read_records(stream, name, {"record"}, _fields)


def _fields(records: Iterator[Element]) -> Iterator[Fields]:
    for record in records:
        yield {
            "title": first_of(record, "titles/title"),
            "abstract": text_of(record.find("abstract")),
            "authors": lines_of(record, "contributors/authors/author"),
            "year": first_of(record, "dates/year", "dates/pub-dates/date"),
            "venue": first_of(
                record, "periodical/full-title", "titles/secondary-title", "publisher"
            ),
            "doi": first_of(record, "electronic-resource-num"),
            "url": first_of(record, "urls/related-urls/url", "urls/web-urls/url"),
            "keywords": lines_of(record, "keywords/keyword"),
        }
