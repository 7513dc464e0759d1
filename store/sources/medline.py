r"""The reader for MEDLINE's tagged text, which PubMed saves as ``.nbib``.

Beside ``ris``: ``tagged`` cuts the records; a value goes on in the indented lines below it.

>>> from io import StringIO
>>> text = "PMID- 7\nTI  - Bees\n      dance.\nAB  - We film\n      them.\n"
>>> for paper in read(StringIO(text), "hive.nbib"): print(paper.title, paper.abstract)
Bees dance. We film them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from store.sources.fields import papers
from store.sources.naming import GUESSED, Names
from store.sources.tagged import blocks
from store.types import Paper, Rejected

_FIRST = re.compile(r"^PMID ?- ?(?=\d)", re.MULTILINE)
_NEVER = re.compile(r"(?!)")
_TAG = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)")
_DOI = re.compile(r"(\S+) \[doi\]")


def sniff(head: str) -> bool:
    """Whether a record of MEDLINE begins somewhere in the first lines."""
    return bool(_FIRST.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every record, in order."""
    records = ((f"line {b.number}", _fields(b.lines)) for b in blocks(stream, _FIRST, _NEVER))
    return papers(records, name, names)


def _fields(lines: list[str]) -> dict[str, object]:
    tags = _tags(lines)

    def of(*names: str) -> list[str]:
        return next((tags[name] for name in names if tags.get(name)), [])

    pmid = "".join(of("PMID")).strip()
    return {
        "title": of("TI", "BTI", "TT"),
        "abstract": of("AB", "OAB"),
        "authors": of("FAU", "AU", "CN"),
        "year": of("DP", "DEP", "EDAT"),
        "venue": of("JT", "TA", "CTI"),
        "doi": [doi[1] for text in (*of("LID"), *of("AID")) if (doi := _DOI.search(text))],
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdecimal() else "",
        "keywords": [word.replace("*", "") for word in (*tags.get("OT", ()), *tags.get("MH", ()))],
    }


def _tags(lines: list[str]) -> dict[str, list[str]]:
    """The values of each tag."""
    found: dict[str, list[str]] = {}
    values: list[str] = []
    for line in lines:
        if match := _TAG.match(line):
            values = found.setdefault(match[1], [])
            values.append(match[2].strip())
        elif values and line.startswith(" ") and line.strip():
            values[-1] += " " + line.strip()
    return found
