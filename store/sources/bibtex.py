r"""The reader for BibTeX and BibLaTeX, entry by entry.

Beside the other readers: bibtexparser takes each entry apart, ``latex`` makes its fields text,
``fields`` makes papers of them. An entry ends where the next one begins, so that a lost brace costs
its own entry alone, and the memory needed doesn't grow with the file.

>>> from io import StringIO
>>> text = "@string{h = {Hive}}\n@article{a, title={{Bee}s}, journal=h # { Letters}}"
>>> for paper in read(StringIO(text), "hive.bib"): print(paper.title, "|", paper.venue)
Bees | Hive Letters
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from store.sources.characters import clean, one_line
from store.sources.fields import Unusable, papers
from store.sources.latex import text_of, unescaped
from store.sources.naming import GUESSED, Names
from store.types import Paper, Rejected

if TYPE_CHECKING:
    from bibtexparser.model import Block, Entry

_BEGIN = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*[{(]", re.MULTILINE)
_ENTRY = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]\s*[^\s,={}]*\s*,", re.MULTILINE)
_NO_PAPERS = frozenset({"comment", "preamble"})
_MARK = re.compile(r'(?<!\\)[{}"#]')
_LONGEST = 1 << 21  # characters; a longer entry is none
_EMPTY_KEY = re.compile(r"(@\s*[A-Za-z]+\s*[{(])\s*,")


def sniff(head: str) -> bool:
    """Whether an entry begins on some line."""
    return bool(_ENTRY.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every entry, in order."""
    return papers(_records(stream), name, names)


def _records(stream: TextIO) -> Iterator[tuple[str, object]]:
    strings: dict[str, str] = {}
    for number, kind, text in _blocks(stream):
        if kind not in _NO_PAPERS:
            for record in _parsed(kind, text, strings):
                yield f"line {number}", record


def _blocks(stream: TextIO) -> Iterator[tuple[int, str, str]]:
    """The line, the kind and the text of each stretch from one "@kind{" to the next."""
    lines: list[str] = []
    start, kind, length = 0, "", 0
    for number, raw in enumerate(stream, 1):
        line = clean(raw)
        match = _BEGIN.match(line)
        if match and lines:
            yield start, kind, "".join(lines)
            lines = []
        if match:
            start, kind, length = number, match[1].casefold(), 0
        length += len(line)
        if kind and length <= _LONGEST:
            lines.append(line)
    if lines:
        yield start, kind, "".join(lines)


def _parsed(kind: str, text: str, strings: dict[str, str]) -> Iterator[object]:
    """The entries of a stretch as records; abbreviations that it declares join ``strings``."""
    from bibtexparser.entrypoint import parse_string

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it finds is reported here
    try:
        found = parse_string(_EMPTY_KEY.sub(r"\1nokey,", text, count=1), parse_stack=())
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        yield Unusable("not BibTeX: the entry cannot be taken apart")
        return
    for string in found.strings:
        strings[string.key.casefold()] = _value(string.value, strings)
    entries: list[Entry] = found.entries
    yield from (_fields(entry, strings) for entry in entries)
    if kind != "string" and not entries:
        yield _rescued(found.failed_blocks, strings)


def _rescued(failed: Sequence[Block], strings: Mapping[str, str]) -> object:
    """What can be had of an entry that names a field twice; else why there is nothing."""
    from bibtexparser.model import Entry

    for block in failed:
        inner = getattr(block, "ignore_error_block", None)
        if isinstance(inner, Entry):
            return _fields(inner, strings)
    return Unusable("not BibTeX: its braces or quotation marks do not match")


def _fields(entry: Entry, strings: Mapping[str, str]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for field in entry.fields:
        key, value = field.key.casefold(), _value(field.value, strings)
        if key == "booktitle":  # never an entry's own title, as it is in other formats
            key = "venue"
        if key == "author":
            fields.setdefault(key, _people(value))
        elif key in {"abstract", "url", "doi", "eprint"}:
            fields.setdefault(key, unescaped(value))
        else:
            fields.setdefault(key, text_of(one_line(value)))
    return fields


def _value(written: object, strings: Mapping[str, str]) -> str:
    """What stands in braces or quotation marks, abbreviations and "#" resolved.

    >>> _value('"The " # h # { Letters}', {"h": "Hive"}), _value("{{B}ees}", {}), _value(7, {})
    ('The Hive Letters', '{B}ees', '7')
    """
    text = str(written).strip()
    parts: list[str] = []
    depth, quoted, begin = 0, False, 0
    for mark in _MARK.finditer(text):
        sign = mark.group()
        depth += (sign == "{") - (sign == "}")
        quoted ^= sign == '"' and not depth
        if sign == "#" and not depth and not quoted:
            parts.append(text[begin : mark.start()])
            begin = mark.end()
    return "".join(_part(part.strip(), strings) for part in (*parts, text[begin:]))


def _part(text: str, strings: Mapping[str, str]) -> str:
    if len(text) > 1 and text[0] + text[-1] in ("{}", '""'):
        return text[1:-1]
    return strings.get(text.casefold(), text)


def _people(text: str) -> list[str]:
    """The names between the "and"s that no brace encloses."""
    from bibtexparser.middlewares.names import split_multiple_persons_names

    names = (text_of(one_line(name)) for name in split_multiple_persons_names(text))
    return [name for name in names if name != "others"]
