r"""The reader for RIS, in the dialects of reference managers and databases.

Beside the other readers; ``tagged`` cuts the records, rispy names their tags, ``fields`` makes
papers of them.

>>> from io import StringIO
>>> for paper in read(StringIO("TY  - JOUR\nT1  - Bees\nN2  - Bees dance.\nER  - \n"), "hive.ris"):
...     print(paper.source, paper.title, paper.abstract)
hive.ris#1 Bees Bees dance.
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
    from rispy import RisParser

_FIRST = re.compile(r"^\s{0,3}TY {1,2}- ?", re.MULTILINE)
_LAST = re.compile(r"ER {1,2}-\s*$")


def sniff(head: str) -> bool:
    """Whether a record of RIS begins somewhere in the first lines."""
    return bool(_FIRST.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every record, in order."""
    return papers(_records(stream), name, names)


def _records(stream: TextIO) -> Iterator[tuple[str, object]]:
    parser = _parser()
    for number, lines in blocks(stream, _FIRST, _LAST):
        lines[0] = "TY  - " + _FIRST.sub("", lines[0], count=1)
        for record in parser.parse_lines(iter([*lines, "ER  - "])):
            yield f"line {number}", {**record.pop("unknown_tag", {}), **record}


@cache
def _parser() -> RisParser:
    """Takes every tag as a list: a tag may be repeated, and go on in the lines below it."""
    from rispy import RisParser

    every = [tag for tag in RisParser.DEFAULT_MAPPING if tag != "TY"]
    return RisParser(list_tags=every, delimiter_tags_mapping={})
