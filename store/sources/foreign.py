"""The reader for what only looks like a list: XML and HTML of kinds that hold no records we know.

Asked after the other readers, so that markup is never taken for abstracts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

from store.errors import SourceError
from store.sources.naming import GUESSED, Names
from store.types import Paper, Rejected

_MARKUP = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b|html\b|[A-Za-z][\w:.-]*(?:\s[^<>]*)?>\s*<)", re.I)


def sniff(head: str) -> bool:
    """Whether the file opens like XML or HTML."""
    return bool(_MARKUP.match(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """Refuse the file with what can be done about it."""
    raise SourceError(
        "it is XML or HTML without records of PubMed, arXiv, EndNote or the ACL Anthology; "
        "export its papers as RIS, BibTeX or CSV"
    )
