"""From a path to papers: find the files, choose each one's reader by content, go on after faults.

Follows ``decoding`` and precedes the readers. A fault of the path that was asked for is an error;
a fault of one file in a folder or an archive, or of one record in a file, is a rejection among the
papers.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

from store.errors import SourceError
from store.sources import (
    anthology,
    archives,
    atom,
    bibtex,
    endnote,
    foreign,
    jsonl,
    medline,
    plain,
    pubmed,
    ris,
    tables,
    wos,
)
from store.sources.decoding import open_text
from store.sources.naming import GUESSED, Names
from store.types import Paper, Rejected

STANDARD_INPUT = Path("-")
_KINDS = "a list of abstracts, JSON, CSV, BibTeX, RIS, MEDLINE or XML"


class Reader(NamedTuple):
    """How one format is told by its first characters, and how its records are read."""

    sniff: Callable[[str], bool]
    read: Callable[[TextIO, str, Names], Iterator[Paper | Rejected]]


# The first that knows the format reads the file; a plain list has no marks and comes last. A first
# row of known columns is a sure mark, and the texts below it may hold the marks of other formats.
READERS = (
    Reader(jsonl.sniff, jsonl.read),
    Reader(tables.names_columns, tables.read),
    *(
        Reader(module.sniff, module.read)
        for module in (
            pubmed, anthology, atom, endnote, medline, ris, wos, foreign, bibtex, tables, plain,
        )
    ),
)  # fmt: skip


def read_path(path: Path, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """The papers of a file, or of all files below a folder in the order of their names.

    The path ``-`` is standard input. ``names`` says what the fields of records are called. Raises
    :class:`SourceError` when the path holds no papers; the missing path at once, the rest while
    reading.
    """
    if path == STANDARD_INPUT:
        return _read_standard_input(names)
    try:
        mode = path.stat().st_mode
    except PermissionError as fault:
        raise SourceError(f"Cannot read {path}: {_reason(fault)}.") from fault
    except (OSError, ValueError) as fault:
        raise SourceError(f"No such file or folder: {path}. Check the spelling.") from fault
    if stat.S_ISDIR(mode):
        return _read_folder(path, names)
    if stat.S_ISREG(mode):
        return _read_file(path, names)
    raise SourceError(f"Neither a file nor a folder: {path}. Give a file of abstracts.")


def _read_standard_input(names: Names) -> Iterator[Paper | Rejected]:
    """What comes in through the pipe, kept on disk until it is read: some formats need that."""
    with tempfile.TemporaryFile() as raw:
        shutil.copyfileobj(sys.stdin.buffer, raw)
        raw.seek(0)
        yield from _guarded(raw, "standard input", "stdin", names)


def _read_file(path: Path, names: Names) -> Iterator[Paper | Rejected]:
    try:
        raw = path.open("rb")
    except OSError as fault:
        raise SourceError(f"Cannot read {path}: {_reason(fault)}.") from fault
    with raw:
        yield from _guarded(raw, str(path), path.name, names)


def _guarded(raw: BinaryIO, path: str, name: str, names: Names) -> Iterator[Paper | Rejected]:
    """All records of one file; an error if it yields none at all."""
    empty = True
    try:
        for record in _read_bytes(raw, name, names):
            yield record
            empty = False
    except (SourceError, OSError, EOFError, zlib.error, *archives.FAULTS) as fault:
        if empty:
            raise SourceError(f"Cannot read {path}: {_reason(fault)}.") from fault
        yield Rejected(name, f"the rest cannot be read: {_reason(fault)}")
        return
    if empty:
        raise SourceError(f"No abstract in {path}: give {_KINDS}.")


def _read_bytes(raw: BinaryIO, name: str, names: Names) -> Iterator[Paper | Rejected]:
    """The records of a file, or of each file of an archive."""
    if archives.is_archive(raw):
        yield from _read_archive(raw, name, names)
        return
    with open_text(raw) as (stream, head):
        reader = next(reader for reader in READERS if reader.sniff(head))
        yield from reader.read(stream, name, names)


def _read_archive(raw: BinaryIO, name: str, names: Names) -> Iterator[Paper | Rejected]:
    """All records of an archive's files; one that cannot be read is one rejection."""
    faults: list[SourceError] = []
    papers = 0
    for member, content in archives.members(raw):
        inner = f"{name}/{member}"
        try:
            if archives.is_archive(content):
                raise SourceError(f"Cannot read {inner}: an archive in an archive; unpack it.")
            for record in _guarded(content, inner, inner, names):
                yield record
                papers += isinstance(record, Paper)
        except SourceError as fault:
            faults.append(fault)
            yield Rejected(inner, str(fault))
    if not papers:
        raise SourceError(f"no file in it holds papers{_first_of(faults)}")


def _reason(fault: Exception) -> str:
    if isinstance(fault, PermissionError):
        return "no permission; change its permissions or copy it elsewhere"
    if isinstance(fault, (EOFError, zlib.error)):
        return "its compressed data is damaged; fetch the file again"
    if isinstance(fault, OSError):
        return f"{fault.strerror or fault}; check the disk or fetch the file again"
    return str(fault).rstrip(".")


def _read_folder(folder: Path, names: Names) -> Iterator[Paper | Rejected]:
    """All records of a folder's files; a file that cannot be read is one rejection."""
    faults: list[SourceError] = []
    papers = 0
    for path in _files(folder, faults):
        try:
            for record in _read_file(path, names):
                yield record
                papers += isinstance(record, Paper)
        except SourceError as fault:
            faults.append(fault)
            yield Rejected(str(path.relative_to(folder)), str(fault))
    if not papers:
        raise SourceError(f"No papers in {folder}{_first_of(faults)}: put {_KINDS} there.")


def _first_of(faults: list[SourceError]) -> str:
    return f" ({str(faults[0]).rstrip('.')})" if faults else ""


def _files(folder: Path, faults: list[SourceError]) -> Iterator[Path]:
    """The files below a folder, sorted, without hidden ones and those in hidden folders."""

    def note(fault: OSError) -> None:
        faults.append(SourceError(f"Cannot read {fault.filename}: {_reason(fault)}."))

    found: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name) for name in files if not name.startswith(".")]
    return (path for path in sorted(found) if os.path.isfile(path))  # noqa: PTH113 (never raises)
