"""Finished work, kept until it is in force: one file a batch.

What was encoded is written here first, and counts from that moment on: after a crash it is read
from here again, not encoded again. A file appears whole or not at all, since it is renamed into
place when it is on the disk.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from store.chroma import ChromaStore
from store.embedding import DocumentVectors
from store.manifest import settle
from store.records import Record
from store.types import Chunk, Paper


@dataclass(frozen=True, slots=True)
class Change:
    """Papers to write with their vectors, to change but for their text, and to take away."""

    written: Sequence[Record] = ()
    vectors: Sequence[DocumentVectors] = ()
    updated: Sequence[Record] = ()
    deleted: Sequence[Record] = ()

    def __bool__(self) -> bool:
        return bool(self.written or self.updated or self.deleted)

    def ids(self) -> Iterator[str]:
        """The ids of all papers that it is about."""
        return (r.paper.id for r in (*self.written, *self.updated, *self.deleted))

    def apply(self, chroma: ChromaStore) -> None:
        """Bring it into the vectors; doing so twice is the same as doing so once.

        What goes, goes last: a stop in between leaves a double, and no gap.
        """
        if self.written:
            chroma.write(self.written, [_chunks(record) for record in self.written], self.vectors)
        chroma.update(self.updated)
        chroma.delete(self.deleted)


class Journal:
    """The batches that are finished and not yet in the vectors in force."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, change: Change) -> None:
        """Keep a batch; it is on the disk when this returns."""
        self._folder.mkdir(exist_ok=True)
        path = self._folder / f"{len(self._files()) + 1:08}.npz"
        draft = path.with_suffix(".new")
        try:
            with draft.open("wb") as file:
                np.savez(file, allow_pickle=False, **_packed(change))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        draft.replace(path)
        settle(self._folder)

    def changes(self) -> Iterator[Change]:
        """The batches in their order, up to one that a power cut has damaged."""
        for path in self._files():
            try:
                yield _unpacked(path)
            except (OSError, ValueError, LookupError, TypeError, zipfile.BadZipFile):
                self._forget_from(path)
                return

    def __bool__(self) -> bool:
        return bool(self._files())

    def clear(self) -> None:
        """Forget all of it: it is in force."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.npz"))

    def _forget_from(self, path: Path) -> None:
        for later in self._files():
            if later >= path:
                later.unlink()


def _chunks(record: Record) -> list[Chunk]:
    paper = record.paper
    return [Chunk(paper.id, paper.abstract[start:end], start, end) for start, end in record.spans]


def _packed(change: Change) -> dict[str, np.ndarray[Any, Any]]:
    """The records as JSON; the vectors of all papers, and of all their sentences, in two arrays."""
    names = ("written", "updated", "deleted")
    records = {name: [_row(record) for record in getattr(change, name)] for name in names}
    data = {"records": np.frombuffer(json.dumps(records).encode(), np.uint8)}
    if change.written:
        data["whole"] = np.stack([found.whole for found in change.vectors])
        data["passages"] = np.concatenate([found.passages for found in change.vectors])
    return data


def _unpacked(path: Path) -> Change:
    with np.load(path, allow_pickle=False) as data:
        records = json.loads(data["records"].tobytes())
        written, updated, deleted = (
            [_record(row) for row in records[name]] for name in ("written", "updated", "deleted")
        )
        vectors: list[DocumentVectors] = []
        if written:
            passages, at = data["passages"], 0
            for record, whole in zip(written, data["whole"], strict=True):
                vectors.append(DocumentVectors(whole, passages[at : at + len(record.spans)]))
                at += len(record.spans)
    return Change(written, vectors, updated, deleted)


def _row(record: Record) -> dict[str, Any]:
    return asdict(record) | {"apart": sorted(record.apart)}


def _record(row: Mapping[str, Any]) -> Record:
    return Record(
        _paper(row["paper"]),
        row["order"],
        tuple(row["sources"]),
        tuple((start, end) for start, end in row["spans"]),
        tuple(map(_paper, row["parts"])),
        frozenset(row["apart"]),
    )


def _paper(row: Mapping[str, Any]) -> Paper:
    return Paper(**{**row, "authors": tuple(row["authors"]), "keywords": tuple(row["keywords"])})
