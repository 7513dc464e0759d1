r"""The reader for JSON: one record a line, one array of records, or records one after another.

Beside ``plain``, and simpler: every field has a name, ``shapes`` flattens what well-known services
nest, and ``fields`` makes papers of them. Records are read one by one, so that the memory needed
doesn't grow with the file, and a bad record costs that record alone.

>>> from io import StringIO
>>> lines = '{"title": "Bees", "text": "Bees dance.", "year": 1946}\n{"title": \n'
>>> for record in read(StringIO(lines), "hive.jsonl"): print(record.source)
hive.jsonl#1
hive.jsonl, line 2
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TextIO

from store.sources.fields import Unusable, papers
from store.sources.naming import GUESSED, Names
from store.sources.shapes import flat
from store.types import Paper, Rejected

_OPENING = re.compile(r'\s*(?:\[\s*[{\]]|\{\s*["}])')
_DECODER = json.JSONDecoder(strict=False)  # a raw tab or line break in a string does no harm
_BLOCK = 1 << 16


def sniff(head: str) -> bool:
    """Whether a file opens like JSON, or at least most of its lines look like records."""
    if _OPENING.match(head):
        return True
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    return sum(line.startswith('{"') for line in lines) * 2 > len(lines)


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every record, in order."""
    records = ((place, flat(r)) for place, value in _values(stream) for r in _unwrapped(value))
    return papers(records, name, names)


def _unwrapped(value: object) -> list[object]:
    """The records of an object that only wraps a list of them, as ``{"papers": [...]}`` does."""
    if isinstance(value, dict):
        message = value.get("message")  # Crossref puts one more object around
        inner = message if isinstance(message, dict) and "items" in message else value
        lists = [v for v in inner.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        named = any(isinstance(inner.get(key), str) for key in ("title", "abstract", "text", "id"))
        if len(lists) == 1 and not named and not isinstance(value.get("content"), dict):
            return lists[0]
    return [value]


def _values(stream: TextIO) -> Iterator[tuple[str, object]]:
    """The place and value of each record, whichever way the file is laid out."""
    for number, line in enumerate(stream, 1):
        text = line.lstrip()
        if text.startswith("["):
            yield from _run(_Window(stream, text[1:]))
        elif text.rstrip() == "{":
            yield from _run(_Window(stream, text))
        elif text:
            yield f"line {number}", _parsed(text)


def _parsed(line: str) -> object:
    try:
        return _DECODER.decode(line.strip())
    except json.JSONDecodeError as fault:
        return Unusable(f"not JSON: {fault.msg} at character {fault.colno}")
    except (ValueError, RecursionError):
        return Unusable("not usable: a number too long or a nesting too deep")


def _run(window: _Window) -> Iterator[tuple[str, object]]:
    number = 0
    while window.has_more():
        number += 1
        yield f"record {number}", window.take()


class _Window:
    """A sliding part of a file whose values stand one after another, over any number of lines."""

    _separators = re.compile(r"[\s,]*")
    _next_record = re.compile(r"\}\s*,?\s*(?=\{)")

    def __init__(self, stream: TextIO, text: str) -> None:
        self._stream, self._text, self._at, self._ended = stream, text, 0, False

    def has_more(self) -> bool:
        """Move to the next value; false at the end of the list or file."""
        while True:
            match = self._separators.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at] != "]"
            if self._ended:
                return False
            self._grow()

    def take(self) -> object:
        """The next value; if it is broken, an :class:`Unusable` and on to the record after it."""
        while True:
            try:
                value, self._at = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as fault:
                if self._ended or self._is_broken(fault):
                    return self._skip(fault.pos, f"not JSON: {fault.msg}")
            except (ValueError, RecursionError):
                return self._skip(self._at, "not usable: a number too long or a nesting too deep")
            else:
                return value
            self._grow()

    def _is_broken(self, fault: json.JSONDecodeError) -> bool:
        """Whether the fault is in the text itself, and not only that the window ends within it."""
        return "Unterminated" not in fault.msg and fault.pos < len(self._text) - 16

    def _skip(self, position: int, reason: str) -> Unusable:
        self._at = position
        while not (match := self._next_record.search(self._text, self._at)) and not self._ended:
            self._at = max(self._at, len(self._text) - 64)
            self._grow()
        self._at = match.end() if match else len(self._text)
        return Unusable(reason)

    def _grow(self) -> None:
        """Let go of what was read; read as much again, so that a long value costs linear time."""
        rest = self._text[self._at :]
        block = self._stream.read(max(_BLOCK, len(rest)))
        self._text, self._at, self._ended = rest + block, 0, not block
