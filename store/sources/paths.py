"""From a path to papers: find the files, choose each one's reader by content, go on after faults.

Follows ``decoding`` and precedes the readers. A fault of the path that was asked for is an error;
a fault of one file in a folder, or of one record in a file, is a rejection among the papers.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from store.errors import SourceError
from store.sources import jsonl, plain
from store.sources.decoding import open_text
from store.types import Paper, Rejected


class Reader(NamedTuple):
    """How one format is told by its first characters, and how its records are read."""

    sniff: Callable[[str], bool]
    read: Callable[[TextIO, str], Iterator[Paper | Rejected]]


# The first that knows the format reads the file; a plain list has no marks and comes last.
READERS = (
    Reader(jsonl.sniff, jsonl.read),
    Reader(plain.sniff, plain.read),
)


def read_path(path: Path) -> Iterator[Paper | Rejected]:
    """The papers of a file, or of all files below a folder in the order of their names.

    Raises :class:`SourceError` when the path holds no papers; the missing path at once, the rest
    while reading.
    """
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
    empty = True
    try:
        with open_text(path) as (stream, head):
            reader = next(reader for reader in READERS if reader.sniff(head))
            for record in reader.read(stream, path.name):
                yield record
                empty = False
    except (SourceError, OSError, EOFError, zlib.error) as fault:
        if empty:
            raise SourceError(f"Cannot read {path}: {_reason(fault)}.") from fault
        yield Rejected(path.name, f"the rest cannot be read: {_reason(fault)}")
        return
    if empty:
        raise SourceError(f"No abstract in {path}: give a list of abstracts or JSON lines.")


def _reason(fault: Exception) -> str:
    if isinstance(fault, PermissionError):
        return "no permission; change its permissions or copy it elsewhere"
    if isinstance(fault, (EOFError, zlib.error)):
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
