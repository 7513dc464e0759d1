"""Lines with tags, cut into records: for RIS, Web of Science and MEDLINE.

Between the stream and the readers of such formats. A record begins at its first tag and lasts until
its end tag or until the next one begins, so that a lost line costs no other record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TextIO

from store.sources.characters import clean

_MOST_LINES = 100_000  # of one record; what is longer is none


class Block(NamedTuple):
    """The lines of a record; ``number`` is that of the first."""

    number: int
    lines: list[str]


def blocks(stream: TextIO, begins: re.Pattern[str], ends: re.Pattern[str]) -> Iterator[Block]:
    """The records of a stream, without what stands between them."""
    block: Block | None = None
    for number, raw in enumerate(stream, 1):
        line = clean(raw).rstrip("\n")
        if block and (ends.match(line) or begins.match(line) or len(block.lines) > _MOST_LINES):
            yield block
            block = None
        if begins.match(line):
            block = Block(number, [line])
        elif block and not ends.match(line):
            block.lines.append(line)
    if block:
        yield block
