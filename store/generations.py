"""The vectors in force, and the drafts that will be: ``chroma-1``, ``chroma-2``, …

Chroma writes its files in place and is not made for several processes: one that is killed while it
writes can leave an index that is half old and half new, and one that reads meanwhile sees that. So
vectors in force are never written to. A writer works on a copy, which a new ``library.json`` puts
in force in one step; whoever reads goes on with what was there until it looks again. What is no
longer in force is removed when its last reader has gone: each holds a shared lock on it
(``lease``), which the operating system takes back from the dead.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import threading
import weakref
from contextlib import closing, suppress
from pathlib import Path

import store.manifest as manifests
from store.chroma import ChromaStore
from store.errors import EncoderMismatchError, LibraryError
from store.manifest import Manifest

try:
    import fcntl
except ImportError:  # Windows keeps files that are in use from being removed by itself
    fcntl = None  # type: ignore[assignment]

_LEASE = "lease"
_DATABASE = "chroma.sqlite3"
_TRIES = 20


def draft_of(manifest: Manifest) -> str:
    """The name of the folder that comes after the one in force."""
    return f"chroma-{manifest.revision + 1}"


def copy(folder: Path, old: str, new: str) -> None:
    """Make ``new`` the same as ``old``, which others may be reading."""
    source, target = folder / old, folder / new
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for path in source.iterdir():
        if path.is_dir():
            shutil.copytree(path, target / path.name)
    if (source / _DATABASE).is_file():
        # By SQLite itself: a reader that has just opened it may be tidying up in it.
        with (
            closing(sqlite3.connect(source / _DATABASE)) as one,
            closing(sqlite3.connect(target / _DATABASE)) as other,
        ):
            one.backup(other)


def settle(folder: Path) -> None:
    """Have all files of a folder on the disk, as the power may go."""
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            manifests.settle(path)
        else:
            with path.open("rb+") as file:
                os.fsync(file.fileno())


def tidy(folder: Path) -> None:
    """Remove drafts and old vectors that nobody reads; the lock must be held."""
    manifest = manifests.read(folder)
    for path in folder.iterdir():
        if re.fullmatch(r"chroma-\d+", path.name) and path.name != manifest.vectors and _free(path):
            shutil.rmtree(path, ignore_errors=True)


def _lease(folder: Path) -> int | None:
    """A shared lock on vectors, as an open file; None when they have just been removed."""
    try:
        file = os.open(folder / _LEASE, os.O_RDWR | os.O_CREAT, 0o666)
    except FileNotFoundError:
        return None
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_SH)
        if not os.fstat(file).st_nlink:
            os.close(file)
            return None
    return file


def _free(folder: Path) -> bool:
    """Whether nobody reads these vectors."""
    if fcntl is None:
        return True
    try:
        with (folder / _LEASE).open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


class Held:
    """Vectors that are being read, and the lease on them."""

    def __init__(self, name: str, store: ChromaStore, lease: int | None) -> None:
        self.name = name
        self.store = store
        self._let_go = None if lease is None else weakref.finalize(self, os.close, lease)

    def close(self) -> None:
        """Let go of them."""
        self.store.close()
        if self._let_go:
            self._let_go()


class InForce:
    """The vectors in force of the library in ``folder``; others when a writer has put them there.

    Safe to use from several threads. The vectors before those in force stay open a while longer,
    for threads that are still reading them.
    """

    def __init__(self, folder: Path, encoder: str) -> None:
        self._folder = folder
        self._encoder = encoder
        self._lock = threading.Lock()
        self._now: Held | None = None
        self._before: Held | None = None

    def store(self) -> ChromaStore:
        """The vectors in force at this moment."""
        with self._lock:
            manifest = manifests.read(self._folder)
            if self._now is None or self._now.name != manifest.vectors:
                self._turn(self._hold())
            assert self._now
            return self._now.store

    def adopt(self, name: str, store: ChromaStore) -> None:
        """Take over vectors that this process has made and put in force."""
        with self._lock:
            self._turn(Held(name, store, _lease(self._folder / name)))

    def close(self) -> None:
        """Let go of all files."""
        with self._lock:
            for held in (self._now, self._before):
                if held:
                    held.close()
            self._now = self._before = None

    def _turn(self, new: Held) -> None:
        if self._before:
            self._before.close()
        self._before, self._now = self._now, new

    def _hold(self) -> Held:
        """Open what is in force; it may be replaced and removed between two steps of ours."""
        for _ in range(_TRIES):
            manifest = manifests.read(self._folder)
            if manifest.encoder != self._encoder:
                raise EncoderMismatchError(
                    f"The library at {self._folder} was encoded anew with {manifest.encoder} while "
                    "it was open. Open it again."
                )
            folder = self._folder / manifest.vectors
            if not manifest.revision:
                with suppress(OSError):
                    folder.mkdir(exist_ok=True)
            if folder.is_dir() and (lease := _lease(folder)) is not None:
                return Held(manifest.vectors, ChromaStore(folder), lease)
        raise LibraryError(
            f"The library at {self._folder} has lost its vectors: {manifest.vectors} is missing. "
            "Restore that folder, or name an empty one with --library and add the papers again."
        )
