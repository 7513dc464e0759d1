"""Beside ``library``: its vectors made anew, after another encoder was chosen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import store.manifest as manifests
from store.adding import BATCH, Adding
from store.chroma import ChromaStore
from store.embedding import Embedder

Progress = Callable[[int], None]


def rebuild(folder: Path, embedder: Embedder, *, progress: Progress | None = None) -> int:
    """Encode a library anew with another encoder; returns the number of papers.

    The new vectors are made beside the old ones and put in force in one step at the end, so that
    a library whose rebuilding was stopped is what it was before.
    """
    with manifests.writing(folder):
        manifest = manifests.read(folder)
        after = replace(
            manifest,
            encoder=embedder.fingerprint,
            revision=manifest.revision + 1,
            vectors=f"chroma-{manifest.revision + 1}",
        )
        shutil.rmtree(folder / after.vectors, ignore_errors=True)
        old, new = ChromaStore(folder / manifest.vectors), ChromaStore(folder / after.vectors)
        records = sorted(old.records().values(), key=lambda record: record.order)
        adding = Adding(new, embedder)
        for at in range(0, len(records), BATCH):
            adding.write(records[at : at + BATCH])
            if progress:
                progress(min(at + BATCH, len(records)))
        new.close()
        old.close()
        manifests.write(folder, after)
        shutil.rmtree(folder / manifest.vectors, ignore_errors=True)
    return len(records)
