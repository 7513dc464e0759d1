"""The library as the page's reader walks through it: its list, its map, papers taken out and back.

Lists and maps are made when first asked for and again when the library has changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from assistant import atlas
from assistant.atlas import Atlas
from assistant.catalog import Catalog, Entry
from store.labels import label
from store.library import Library
from store.types import Paper

_UNDO = 100  # removed papers that can be had back


class Shelf:
    """A library's list and map; safe to use from several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._catalog: tuple[tuple[int, int], Catalog] | None = None
        self._atlas: tuple[tuple[int, int], Atlas] | None = None
        self._removed: OrderedDict[str, Paper] = OrderedDict()

    def catalog(self) -> Catalog:
        """All papers as they are now."""
        with self._lock:
            state = self._state()
            if self._catalog is None or self._catalog[0] != state:
                self._catalog = (state, Catalog(self._library.papers(), label))
            return self._catalog[1]

    def atlas(self) -> Atlas:
        """The map of all papers; kept beside the library."""
        catalog = self.catalog()
        with self._lock:
            state = self._state()
            if self._atlas is None or self._atlas[0] != state:
                self._atlas = (state, self._drawn(catalog))
            return self._atlas[1]

    def similar(self, paper_id: str, count: int) -> list[Entry]:
        """The papers whose vectors are nearest to that of a paper, nearest first."""
        vector = self._library.vectors([paper_id])[0]
        near = self._library.nearest(vector, count + 1)
        found = (self.catalog().get(other) for other in near if other != paper_id)
        return [entry for entry in found if entry][:count]

    def remove(self, paper_id: str) -> bool:
        """Take a paper out; whether it was there."""
        entry = self.catalog().get(paper_id)
        if entry is None:
            return False
        self._library.remove([paper_id])
        self._removed[paper_id] = entry.paper
        while len(self._removed) > _UNDO:
            self._removed.popitem(last=False)
        return True

    def restore(self, paper_id: str) -> bool:
        """Put back a paper that was removed here; it now stands last."""
        paper = self._removed.pop(paper_id, None)
        if paper is None:
            return False
        self._library.add([paper])
        return True

    def _state(self) -> tuple[int, int]:
        return self._library.revision, len(self._library)

    def _drawn(self, catalog: Catalog) -> Atlas:
        library = self._library
        fingerprint = f"{library.fingerprint}-{library.encoder}"
        folder = library.folder / "map"
        found = atlas.kept(folder, fingerprint)
        if found is None:
            papers = [entry.paper for entry in catalog.entries]
            vectors = library.vectors([paper.id for paper in papers])
            found = atlas.draw(fingerprint, papers, vectors, library.rarity)
            atlas.keep(folder, found)
        return found
