"""Beside ``library``: its vectors made anew, after another encoder was chosen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import store.manifest as manifests
from store.adding import BATCH, encoded
from store.chroma import ChromaStore
from store.embedding import Embedder
from store.generations import InForce, draft_of, settle, tidy
from store.locking import Wait, writing
from store.writing import Writing

Progress = Callable[[int], None]


def rebuild(
    folder: Path, embedder: Embedder, *, progress: Progress | None = None, wait: Wait | None = None
) -> int:
    """Encode a library anew with another encoder; returns the number of papers.

    The new vectors are made beside the old ones and put in force in one step at the end, so that
    a library whose rebuilding was stopped is what it was before.
    """
    with writing(folder, wait):
        manifest = _recovered(folder)
        after = replace(
            manifest,
            encoder=embedder.fingerprint,
            revision=manifest.revision + 1,
            vectors=draft_of(manifest),
        )
        shutil.rmtree(folder / after.vectors, ignore_errors=True)
        old, new = ChromaStore(folder / manifest.vectors), ChromaStore(folder / after.vectors)
        records = sorted(old.records().values(), key=lambda record: record.order)
        for at in range(0, len(records), BATCH):
            encoded(records[at : at + BATCH], embedder).apply(new)
            if progress:
                progress(min(at + BATCH, len(records)))
        new.close()
        old.close()
        settle(folder / after.vectors)
        manifests.write(folder, after)
        tidy(folder)
    return len(records)


def _recovered(folder: Path) -> manifests.Manifest:
    """The manifest, with all in force that a stopped writer had finished."""
    in_force = InForce(folder, manifests.read(folder).encoder)
    try:
        Writing(folder, in_force).commit()
    finally:
        in_force.close()
    return manifests.read(folder)
