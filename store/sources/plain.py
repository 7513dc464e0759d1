r"""The reader for plain lists: abstracts separated by blank lines, perhaps under a heading.

Beside ``jsonl``, and harder: nothing says what a line is, so its length, its end and its
neighbours have to. The rules are cautious: text is never lost, and a short abstract is a paper.

>>> from io import StringIO
>>> text = "Daily Papers\n\nWe show that bees\ndance when they come home.\n\nAnts walk. So they do."
>>> for paper in read(StringIO(text), "list.txt"):
...     print(paper.collection, "|", paper.source, "|", paper.abstract)
Daily Papers | list.txt#1 | We show that bees dance when they come home.
Daily Papers | list.txt#2 | Ants walk. So they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TextIO

from store.sources.characters import clean, joined, one_line
from store.sources.naming import GUESSED, Names
from store.types import Paper, Rejected

_HEADING_LENGTH = 120
_TITLE_LENGTH = 250
_ABSTRACT_LENGTH = 40  # what is shorter and no sentence is a fragment
_LONG_LINE = 200  # nobody wraps at this width: such a line is a paragraph of its own

_STOP = re.compile(r"[.!?…。！？][\"'”’»)\]}*_`$]*$")
_FULL_STOP = re.compile(r"[.…。][\"'”’»)\]}*_`$]*$|\.\s+[A-Z]")
_DECORATION = re.compile(r"\W*$")
_BULLET = re.compile(r"\A(?:[-*•‣–]|\(?\d{1,4}[.)]|\[\d{1,4}\])\s+(?=\S)")
_HEADING_WORD = re.compile(
    r"\b(?:papers|abstracts|proceedings|session|track|workshop|conference|accepted|posters?"
    r"|orals?|spotlights?|section|part|week|day|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


class _Role(Enum):
    HEADING = auto()
    TITLE = auto()
    ABSTRACT = auto()
    FRAGMENT = auto()


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines between two blank lines, stripped; ``number`` is that of the first."""

    number: int
    lines: tuple[str, ...]

    @property
    def is_short(self) -> bool:
        """One line that could be a heading or a title: no sentence, and not long."""
        line = _unmarked(self.lines[0])
        return len(self.lines) == 1 and len(line) <= _TITLE_LENGTH and not _FULL_STOP.search(line)


def sniff(head: str) -> bool:
    """Any text can be a plain list."""
    return True


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper for every abstract of the list, a rejection for every fragment, in order.

    A list names no fields: ``names`` is there for the other readers.
    """
    collection = title = ""
    unused = False  # of two headings in a row, the second is within the first
    count = 0
    parts = [part for paragraph in _blocks(stream) for part in _parts(paragraph)]
    for block, role in _with_roles(parts):
        if role is _Role.HEADING:
            heading = _unmarked(block.lines[0]).rstrip(":")
            collection = f"{collection} / {heading}" if unused else heading
            unused = True
        elif role is _Role.TITLE:
            title = _unmarked(block.lines[0])
        elif role is _Role.FRAGMENT:
            text = joined(block.lines)
            yield Rejected(f"{name}, line {block.number}", f"too short for an abstract: {text!r}")
        else:
            count += 1
            yield _paper(block, title, collection, f"{name}#{count}")
            title, unused = "", False


def _blocks(stream: TextIO) -> Iterator[_Block]:
    """The stretches of lines between blank lines."""
    lines: list[str] = []
    start = 0
    for number, raw in enumerate(stream, 1):
        for line in map(str.strip, clean(raw).removesuffix("\n").split("\n")):
            if line:
                start = start if lines else number
                lines.append(line)
            elif lines:
                yield _Block(start, tuple(lines))
                lines = []
    if lines:
        yield _Block(start, tuple(lines))


def _parts(block: _Block) -> Iterator[_Block]:
    """The block cut where, without a blank line, something new begins."""
    lines = block.lines
    bulleted = [bool(_BULLET.match(line)) for line in lines]
    is_list = bulleted[0] and sum(bulleted) > 1
    long_lines = [len(line) > _LONG_LINE and bool(_STOP.search(line)) for line in lines]
    each_alone = sum(long_lines) > 1 and all(long_lines[1:])
    begin = 0
    for index, line in enumerate(lines):
        ruled = bool(_DECORATION.match(line))
        if ruled or line.startswith("#") or each_alone or (is_list and bulleted[index]):
            if begin < index:
                yield _Block(block.number + begin, lines[begin:index])
            begin = index + ruled  # a ruled line parts its neighbours and is itself nothing
    if begin < len(lines):
        yield _Block(block.number + begin, lines[begin:])


def _with_roles(blocks: list[_Block]) -> Iterator[tuple[_Block, _Role]]:
    short = [block.is_short for block in blocks] + [True]
    abstracts = [index for index in range(len(blocks)) if not short[index]]
    preceded = sum(short[index - 1] for index in abstracts if index)
    titled = preceded > 1 and preceded >= 0.8 * len(abstracts)
    for index, block in enumerate(blocks):
        if not short[index]:
            yield block, _Role.ABSTRACT
        elif titled and not short[index + 1]:
            yield block, _Role.TITLE
        else:
            last = index == len(blocks) - 1
            yield block, _role_of_short(block, not short[index + 1], first=index == 0, last=last)


def _role_of_short(block: _Block, before_abstract: bool, *, first: bool, last: bool) -> _Role:
    """What a lone short line is, in a list whose abstracts have no titles as a rule."""
    line = block.lines[0]
    if not last and len(line) <= _HEADING_LENGTH and (first or _is_evident_heading(line)):
        return _Role.HEADING
    if before_abstract:
        return _Role.TITLE
    is_sentence = bool(_STOP.search(line)) and " " in line
    return _Role.ABSTRACT if is_sentence or len(line) >= _ABSTRACT_LENGTH else _Role.FRAGMENT


def _is_evident_heading(line: str) -> bool:
    words = line.split()
    return (
        line.startswith("#")
        or line.endswith(":")
        or line.isupper()
        or len(words) <= 3
        or (len(words) <= 8 and bool(_HEADING_WORD.search(line)))
    )


def _paper(block: _Block, title: str, collection: str, source: str) -> Paper:
    lines = (_BULLET.sub("", block.lines[0], count=1), *block.lines[1:])
    if not title and _has_title_above(lines):
        title, lines = _unmarked(lines[0]), lines[1:]
    return Paper.of(joined(lines), title=one_line(title), source=source, collection=collection)


def _has_title_above(lines: tuple[str, ...]) -> bool:
    """Whether the first line ends early though the next word would have fitted, like a title."""
    if len(lines) < 2:
        return False
    first, second = lines[:2]
    if first.startswith("#"):
        return True
    room = max(map(len, lines[1:])) - len(first) - 1
    return (
        room >= len(second.split()[0])
        and len(first.split()) > 1
        and len(first) <= _TITLE_LENGTH
        and not _FULL_STOP.search(first)
        and not second[0].islower()
        and bool(_STOP.search(lines[-1]))
        and len(joined(lines[1:])) > max(_ABSTRACT_LENGTH, len(first))
    )


def _unmarked(line: str) -> str:
    """The line without the marks of a Markdown heading, of emphasis or of a list."""
    return _BULLET.sub("", line.strip("#* \t"), count=1)
