"""A process of its own that adds papers: ``python -m tests.adder FOLDER COUNT [SECONDS [LOG]]``.

Each batch takes SECONDS to encode. LOG gets the title of every paper that was encoded, a line each,
as soon as its batch was.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from store.embedding import Document, DocumentVectors
from store.library import open_library
from store.types import Paper
from tests.fakes import HashEmbedder


class SlowEmbedder(HashEmbedder):
    """Takes its time, and writes down what it encoded."""

    def __init__(self, seconds: float = 0.0, log: Path | None = None) -> None:
        super().__init__(64, "hash-words/64")
        self._seconds = seconds
        self._log = log

    def encode_documents(self, documents: Sequence[Document]) -> list[DocumentVectors]:
        time.sleep(self._seconds)
        found = super().encode_documents(documents)
        if self._log:
            with self._log.open("a") as file:
                file.writelines(document.text.partition(".")[0] + "\n" for document in documents)
        return found


def many(count: int) -> list[Paper]:
    return [
        Paper.of(f"Bee {n} dances. It finds flower{n}.", title=f"Paper {n}", source=f"m#{n}")
        for n in range(count)
    ]


def main(folder: str, count: str, seconds: str = "0", log: str = "") -> None:
    embedder = SlowEmbedder(float(seconds), Path(log) if log else None)
    library = open_library(Path(folder), embedder, create=True, wait=print)
    print("begins", flush=True)
    library.add(many(int(count)), progress=lambda done: print(done, flush=True))
    library.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
