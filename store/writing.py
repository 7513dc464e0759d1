"""A writer's way from the first change to the moment when all are in force.

Joins ``journal`` and ``generations``: a change is kept in the journal, then made in a draft of the
vectors. ``commit`` puts the draft in force. Whoever is stopped in between, at any moment, leaves
the old vectors and the journal, and the next writer makes the draft of them again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import store.manifest as manifests
from store.chroma import ChromaStore
from store.errors import LibraryError, StoreError
from store.generations import InForce, copy, draft_of, settle, tidy
from store.journal import Change, Journal
from store.locking import Wait, writing

_ROOM = 8_000_000  # bytes; with less, what fails to be written fails for want of room
_FEWEST = 4096  # papers between two commits of a long run; more where the library is larger


class Writing:
    """Changes to the library in ``folder``; its lock must be held."""

    def __init__(self, folder: Path, in_force: InForce) -> None:
        self._folder = folder
        self._in_force = in_force
        self._draft: ChromaStore | None = None
        self._written = 0
        self._changed: set[str] = set()
        self.on_commit: Callable[[Collection[str]], None] | None = None
        """Told the ids of the papers that came, changed or went, when they have."""
        self._begin()
        self.recovered = bool(self._journal)
        try:
            for change in self._journal.changes():
                self._make(change)
        except BaseException:
            self.abandon()
            raise

    def _begin(self) -> None:
        self._manifest = manifests.read(self._folder)
        self._journal = _journal(self._folder)
        self._forget_old_journals()
        tidy(self._folder)

    @property
    def chroma(self) -> ChromaStore:
        """The vectors as they are with the changes made so far."""
        return self._draft or self._in_force.store()

    def apply(self, change: Change) -> None:
        """Make a change; from here on no crash undoes it."""
        if not change:
            return
        self._journal.append(change)
        try:
            self._make(change)
        except BaseException:
            self.abandon()
            raise
        if self._written >= max(_FEWEST, self._in_force.store().count()):
            self.commit()

    def commit(self) -> None:
        """Put what was changed in force; nothing to do when nothing was."""
        if self._draft is None:
            return
        name = draft_of(self._manifest)
        try:
            settle(self._folder / name)
            after = replace(self._manifest, revision=self._manifest.revision + 1, vectors=name)
            manifests.write(self._folder, after)
        except BaseException:
            self.abandon()
            raise
        self._in_force.adopt(name, self._draft)
        changed = self._changed
        self._draft, self._written, self._changed = None, 0, set()
        self._begin()
        if self.on_commit:
            self.on_commit(changed)

    def abandon(self) -> None:
        """Give up the draft, and its room on the disk; the journal has what it was made of."""
        if self._draft:
            with suppress(StoreError):
                self._draft.close()
            self._draft = None
        name = draft_of(self._manifest)
        if manifests.read(self._folder).vectors != name:  # a stop right after it was put in force
            shutil.rmtree(self._folder / name, ignore_errors=True)

    def _make(self, change: Change) -> None:
        if self._draft is None:
            name = draft_of(self._manifest)
            self._in_force.store()  # makes those of a library that is new
            copy(self._folder, self._manifest.vectors, name)
            self._draft = ChromaStore(self._folder / name)
        try:
            change.apply(self._draft)
        except LibraryError as fault:  # of a full disk Chroma may say only that something failed
            if shutil.disk_usage(self._folder).free < _ROOM:
                raise manifests.full(str(self._folder)) from fault
            raise
        self._changed.update(change.ids())
        self._written += len(change.written)

    def _forget_old_journals(self) -> None:
        """Those of vectors that are in force no more: all in them is in those that are."""
        for path in self._folder.glob("journal-*"):
            if path != _path(self._folder, self._manifest.revision):
                shutil.rmtree(path, ignore_errors=True)


def recover(folder: Path, in_force: InForce, wait: Wait | None = None) -> bool:
    """Put in force what a stopped writer had finished; whether there was anything.

    Raises :class:`LibraryBusyError` when the writer is not stopped at all.
    """
    if not pending(folder):
        return False
    with writing(folder, wait):
        work = Writing(folder, in_force)
        work.commit()
    return work.recovered


def pending(folder: Path) -> bool:
    """Whether there are finished batches that are not in force."""
    return bool(_journal(folder))


def _journal(folder: Path) -> Journal:
    return Journal(_path(folder, manifests.read(folder).revision))


def _path(folder: Path, revision: int) -> Path:
    return folder / f"journal-{revision}"
