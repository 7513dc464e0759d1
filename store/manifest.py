"""``library.json``: what makes a folder a library, and which of its parts are in force.

Replaced in one step by the operating system, so that a crash leaves the old or the new one.
"""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from store.errors import (
    LibraryError,
    LibraryFullError,
    NewerLibraryError,
    NotALibraryError,
)

FORMAT = 1
_NAME = "library.json"
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


@dataclass(frozen=True, slots=True)
class Manifest:
    """``revision`` grows with every write; ``vectors`` names the folder of the Chroma store."""

    encoder: str
    revision: int = 0
    vectors: str = "chroma-0"
    format: int = FORMAT


def exists(folder: Path) -> bool:
    """Whether there is a library in ``folder``; raises when something else is there."""
    if (folder / _NAME).is_file():
        return True
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotALibraryError(
            f"{folder} is not a citewell library but holds other files. "
            "Name an empty or new folder with --library."
        )
    return False


def read(folder: Path) -> Manifest:
    """The manifest of the library in ``folder``."""
    path = folder / _NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] > FORMAT:
            raise NewerLibraryError(
                f"The library at {folder} was written by a newer citewell "
                f"(format {data['format']}, this one reads {FORMAT}). Upgrade citewell to open it."
            )
        manifest = Manifest(**data)
        _check(manifest)
        return manifest
    except (ValueError, KeyError, TypeError) as fault:
        raise NotALibraryError(
            f"{path} is not a citewell manifest. Name another folder with --library."
        ) from fault
    except OSError as fault:
        raise LibraryError(f"{path} cannot be read ({fault.strerror}).") from fault


def _check(manifest: Manifest) -> None:
    """Raise ``ValueError`` for values that no citewell writes.

    A library may come from anybody, and the folder that ``vectors`` names is removed by `rebuild`:
    it must lie inside.
    """
    if type(manifest.revision) is not int or not isinstance(manifest.encoder, str):
        raise ValueError
    if not re.fullmatch(r"chroma-\d+", manifest.vectors):
        raise ValueError


def write(folder: Path, manifest: Manifest) -> None:
    """Put a manifest in force."""
    draft = folder / (_NAME + ".new")
    with draft.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / _NAME)
    settle(folder)


def settle(folder: Path) -> None:
    """Have the names of a folder's files on the disk; Windows sees to that itself."""
    if os.name != "nt":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def disk_faults() -> Iterator[None]:
    """Turn what the operating system says of a disk into our errors."""
    try:
        yield
    except BrokenPipeError:  # whoever read our output has gone; that is no fault of the disk
        raise
    except OSError as fault:
        where = fault.filename or "the library"
        if fault.errno in _DISK_FULL:
            raise full(where) from fault
        raise LibraryError(f"{where} cannot be written ({fault.strerror}).") from fault
    except sqlite3.OperationalError as fault:  # SQLite has its own words for it
        if "full" in str(fault):
            raise full("the library") from fault
        raise LibraryError(f"The library cannot be written ({fault}).") from fault


def full(where: str) -> LibraryFullError:
    """What is said of a full disk."""
    return LibraryFullError(
        f"The disk of {where} is full. What was added before is kept; "
        "free some space and add again."
    )
