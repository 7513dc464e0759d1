"""The reader for the tagged text of Web of Science (``.ciw``, "plain text").

Beside ``ris``, whose way it goes: ``tagged`` cuts the records, rispy names their tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, TextIO

from store.sources.fields import papers
from store.sources.naming import GUESSED, Names
from store.sources.tagged import blocks
from store.types import Paper, Rejected

if TYPE_CHECKING:
    from rispy import WokParser

_FIRST = re.compile(r"^PT [A-Z]\w{0,20}\s*$", re.MULTILINE)
_LAST = re.compile(r"E[RF]\s*$")
_OWN = re.compile(r"^(?:AU|TI|SO|UT|AF) \S", re.MULTILINE)
_KEYWORDS = ("author_keywords", "keywords_plus")


def sniff(head: str) -> bool:
    """Whether a record of Web of Science begins somewhere in the first lines."""
    return bool(_FIRST.search(head) and _OWN.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every record, in order."""
    return papers(_records(stream), name, names)


def _records(stream: TextIO) -> Iterator[tuple[str, object]]:
    parser = _parser()
    for number, lines in blocks(stream, _FIRST, _LAST):
        for record in parser.parse_lines(iter([*filter(str.strip, lines), "ER"])):
            for key in _KEYWORDS:  # wrapped like any text, though a list
                record[key] = " ".join(record.get(key, ()))
            yield f"line {number}", record


@cache
def _parser() -> WokParser:
    """Takes every tag as a list: of names, or of the wrapped lines of a text."""
    from rispy import WokParser

    mapping = {**WokParser.DEFAULT_MAPPING, "UK": "unknown_tag"}
    return WokParser(mapping=mapping, list_tags=[tag for tag in mapping if tag != "PT"])
