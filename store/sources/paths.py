"""From a path to papers: find the files, choose each one's reader by content, go on after faults.

Follows ``decoding`` and precedes the readers. A fault of the path that was asked for is an error;
a fault of one file in a folder, or of one record in a file, is a rejection among the papers.
"""

from __future__ import annotations

import lzma
import os
import shutil
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO, cast

from store.errors import SourceError
from store.sources import anthology, atom, endnote, jsonl, plain, pubmed, xml_records
from store.sources.archive import is_zip, members
from store.sources.decoding import open_text
from store.types import Paper, Rejected


class Reader(NamedTuple):
    """How one format is told by its first characters, and how its records are read."""

    sniff: Callable[[str], bool]
    read: Callable[[TextIO, str], Iterator[Paper | Rejected]]


# The first that knows the format reads the file; a plain list has no marks and comes last.
READERS = (
    Reader(jsonl.sniff, jsonl.read),
    Reader(pubmed.sniff, pubmed.read),
    Reader(atom.sniff, atom.read),
    Reader(endnote.sniff, endnote.read),
    Reader(anthology.sniff, anthology.read),
    Reader(xml_records.sniff, xml_records.read),
    Reader(plain.sniff, plain.read),
)

# What reading bytes and unpacking them can raise.
_FAULTS = (SourceError, OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


def read_path(path: Path) -> Iterator[Paper | Rejected]:
    """The papers of a file, or of all files below a folder in the order of their names.

    "-" is the standard input. A ZIP archive is read like a folder, gzip like the file in it.
    Raises :class:`SourceError` when the path holds no papers; the missing path at once, the rest
    while reading.
    """
    if path == Path("-"):
        return _read_standard_input()
    try:
        mode = path.stat().st_mode
    except PermissionError as fault:
        raise SourceError(f"Cannot read {path}: {_reason(fault)}.") from fault
    except (OSError, ValueError) as fault:
        raise SourceError(f"No such file or folder: {path}. Check the spelling.") from fault
    if stat.S_ISDIR(mode):
        return _read_folder(path)
    if stat.S_ISREG(mode):
        return _read_file(path)
    raise SourceError(f"Neither a file nor a folder: {path}. Give a file of abstracts.")


def _read_file(path: Path) -> Iterator[Paper | Rejected]:
    """All records of one file; an error if it yields none at all."""
    try:
        raw = path.open("rb")
    except OSError as fault:
        raise SourceError(f"Cannot read {path}: {_reason(fault)}.") from fault
    with raw:
        yield from _read_bytes(raw, path.name, str(path))


def _read_standard_input() -> Iterator[Paper | Rejected]:
    """What another program writes, kept on disk when it is long: formats are told by its begin."""
    with tempfile.SpooledTemporaryFile(max_size=1 << 24) as raw:
        shutil.copyfileobj(sys.stdin.buffer, raw)
        raw.seek(0)
        yield from _read_bytes(cast(BinaryIO, raw), "stdin", "standard input")


def _read_bytes(raw: BinaryIO, name: str, shown: str) -> Iterator[Paper | Rejected]:
    """All records of a file or archive; ``name`` goes into their sources, ``shown`` into errors."""
    empty = True
    try:
        for record in _read_archive(raw, name) if is_zip(raw) else _read_text(raw, name):
            yield record
            empty = False
    except _FAULTS as fault:
        if empty:
            raise SourceError(f"Cannot read {shown}: {_reason(fault)}.") from fault
        yield Rejected(name, f"the rest cannot be read: {_reason(fault)}")
        return
    if empty:
        raise SourceError(f"No abstract in {shown}: give a list of abstracts or JSON lines.")


def _read_text(raw: BinaryIO, name: str) -> Iterator[Paper | Rejected]:
    with open_text(raw) as (stream, head):
        reader = next(reader for reader in READERS if reader.sniff(head))
        yield from reader.read(stream, name)


def _read_archive(raw: BinaryIO, name: str) -> Iterator[Paper | Rejected]:
    """The records of each member in turn; a member that cannot be read is one rejection."""
    for member, content in members(raw):
        place = f"{name}/{member}"
        try:
            if isinstance(content, SourceError):
                raise content
            with content:
                yield from _read_text(content, place)
        except _FAULTS as fault:
            yield Rejected(place, f"cannot be read: {_reason(fault)}")


def _reason(fault: Exception) -> str:
    if isinstance(fault, PermissionError):
        return "no permission; change its permissions or copy it elsewhere"
    if isinstance(fault, (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)):
        return "its compressed data is damaged; fetch the file again"
    if isinstance(fault, OSError):
        return f"{fault.strerror or fault}; check the disk or fetch the file again"
    return str(fault)


def _read_folder(folder: Path) -> Iterator[Paper | Rejected]:
    """All records of a folder's files; a file that cannot be read is one rejection."""
    faults: list[SourceError] = []
    papers = 0
    for path in _files(folder, faults):
        try:
            for record in _read_file(path):
                yield record
                papers += isinstance(record, Paper)
        except SourceError as fault:
            faults.append(fault)
            yield Rejected(str(path.relative_to(folder)), str(fault))
    if not papers:
        first = f" ({str(faults[0]).rstrip('.')})" if faults else ""
        raise SourceError(f"No papers in {folder}{first}: put text lists or JSON lines there.")


def _files(folder: Path, faults: list[SourceError]) -> Iterator[Path]:
    """The files below a folder, sorted, without hidden ones and those in hidden folders."""

    def note(fault: OSError) -> None:
        faults.append(SourceError(f"Cannot read {fault.filename}: {_reason(fault)}."))

    found: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name) for name in files if not name.startswith(".")]
    return (path for path in sorted(found) if os.path.isfile(path))  # noqa: PTH113 (never raises)
