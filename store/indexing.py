"""Keeps the keyword index in step with what Chroma holds.

Chroma is the truth, the index a copy that says which state of the library it is of: the revision,
and how many papers. A writer hands in the ids that it changed. A reader that meets an index of
another state makes up for the difference: on disk when nobody is writing (a crash was here), else
in memory alone, since the writer will save a better one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import store.manifest as manifests
from store.chroma import ChromaStore
from store.errors import LibraryError
from store.keyword import KeywordIndex
from store.locking import writing
from store.types import Paper

_AT_ONCE = 8192  # papers whose texts are in memory while they are indexed


class Indexing:
    """The keyword index of the library in ``folder``."""

    def __init__(self, folder: Path, in_force: Callable[[], ChromaStore]) -> None:
        self._folder = folder
        self._in_force = in_force
        self._index = KeywordIndex()
        self._state = (-1, 0)

    def current(self) -> KeywordIndex:
        """The index of the present state: from memory, from disk, or brought up to date."""
        if not self._loaded():
            try:
                with writing(self._folder):
                    self.ready()
            except LibraryError:  # somebody writes, or nobody can
                self._catch_up()
        return self._index

    def ready(self) -> None:
        """Bring the index on disk up to date, whatever it is now; the lock must be held."""
        if self._loaded():
            return
        self._index = KeywordIndex.latest(self._folder / "keyword")[0]
        seen: set[str] = set()
        texts: dict[str, str] = {}
        for record in self._in_force().each():
            seen.add(record.paper.id)
            texts[record.paper.id] = searchable(record.paper)
            if len(texts) == _AT_ONCE:
                self._index = self._index.put(self._index.outdated(texts))
                texts = {}
        gone = self._index.ids() - seen
        self._index = self._index.put(self._index.outdated(texts), gone)
        self._save(self._now())

    def refresh(self, ids: Collection[str]) -> None:
        """Take in the papers that came, changed or went with the last commit; with the lock."""
        self._put(ids)
        self._save(self._now())

    def _catch_up(self) -> None:
        """In memory alone: papers that came and went since the index was made."""
        saved, revision, _ = KeywordIndex.latest(self._folder / "keyword")
        if revision > self._state[0] or len(saved) > len(self._index):
            self._index = saved
        state, held = self._now(), self._in_force().ids()
        self._put(held ^ self._index.ids())
        self._state = state

    def _put(self, ids: Collection[str]) -> None:
        wanted = list(ids)
        for at in range(0, len(wanted), _AT_ONCE):
            page = wanted[at : at + _AT_ONCE]
            found = self._in_force().records(page)
            texts = {name: searchable(record.paper) for name, record in found.items()}
            gone = _missing(page, found)
            self._index = self._index.put(self._index.outdated(texts), gone)

    def _loaded(self) -> bool:
        """Whether the index in memory is of the present state, after a look at the disk."""
        now = self._now()
        if self._state != now:
            index, *saved = KeywordIndex.latest(self._folder / "keyword")
            if tuple(saved) == now:
                self._index, self._state = index, now
        return self._state == now

    def _save(self, state: tuple[int, int]) -> None:
        self._index.save(self._folder / "keyword", *state)
        self._state = state

    def _now(self) -> tuple[int, int]:
        return manifests.read(self._folder).revision, self._in_force().count()


def _missing(names: Iterable[str], found: Collection[str]) -> list[str]:
    return [name for name in names if name not in found]


def searchable(paper: Paper) -> str:
    """What can be found by its words: the record as well as the abstract."""
    return " ".join((paper.title, paper.abstract, *paper.authors, paper.venue))
