"""The reader for what arXiv's interface answers: an Atom feed whose entries are preprints.

Beside ``pubmed``. The identifier keeps its version; arXiv's own DOI is not given in a feed, so a
``doi`` there is that of the published paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO
from xml.etree.ElementTree import Element

from store.sources.xml_records import Fields, first_of, lines_of, read_records, root_of
from store.types import Paper, Rejected

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_ADDRESS = re.compile(r"https?://(?:[\w-]+\.)?arxiv\.org/abs/(\S+)")


def sniff(head: str) -> bool:
    """Whether it is an Atom feed that speaks of arXiv; other feeds hold no papers."""
    return root_of(head).rpartition(":")[2] in ("feed", "entry") and "arxiv.org" in head


def read(stream: TextIO, name: str) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every entry, in order."""
    return read_records(stream, name, {f"{_ATOM}entry"}, _fields)


def _fields(entries: Iterator[Element]) -> Iterator[Fields]:
    for entry in entries:
        found = _ADDRESS.match(first_of(entry, f"{_ATOM}id"))
        if not found:  # arXiv tells of a bad query in an entry that looks like a paper
            yield {"title": "", "abstract": ""}
            continue
        yield {
            "title": first_of(entry, f"{_ATOM}title"),
            "abstract": first_of(entry, f"{_ATOM}summary"),
            "authors": lines_of(entry, f"{_ATOM}author/{_ATOM}name"),
            "year": first_of(entry, f"{_ATOM}published"),
            "venue": first_of(entry, f"{_ARXIV}journal_ref"),
            "doi": first_of(entry, f"{_ARXIV}doi"),
            "arxiv_id": found.group(1),
            "url": f"https://arxiv.org/abs/{found.group(1)}",
            "keywords": [term.get("term", "") for term in entry.iterfind(f"{_ATOM}category")],
        }
