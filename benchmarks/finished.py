"""Beside ``crash``: what was encoded, what was finished, and whether a library has all of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import store.manifest as manifests
from store.indexing import searchable
from store.journal import Journal
from store.library import Library
from store.types import Paper


class Log:
    """A file with a line for each text encoded, each batch finished and each run begun."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _write(self, lines: Iterable[str]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))

    def begins(self) -> None:
        """A run begins."""
        self._write(["run"])

    def encoded(self, texts: Iterable[str]) -> None:
        """These texts were encoded."""
        self._write(f"encoded {_key(text)}" for text in texts)

    def done(self, records: int) -> None:
        """So many records are finished."""
        self._write([f"done {records}"])

    def ends(self, library: Path, records: Sequence[Paper]) -> None:
        """A run has ended, however: tell which texts are finished, by progress and by journal."""
        told = [int(row[1]) for row in self._rows() if row[0] == "done"]
        finished = set(map(_text, records[: max(told, default=0)]))
        if manifests.exists(library):
            path = library / f"journal-{manifests.read(library).revision}"
            for change in Journal(path).changes():
                finished.update(_text(record.paper) for record in change.written)
        self._write(f"finished {_key(text)}" for text in finished)

    def _rows(self) -> list[list[str]]:
        return [line.split() for line in self._path.read_text(encoding="utf-8").splitlines()]

    def count(self) -> int:
        """How many texts were encoded, repeats counted."""
        return sum(row[0] == "encoded" for row in self._rows())

    def twice(self) -> int:
        """How many texts were encoded although they were finished."""
        finished: set[str] = set()
        found = 0
        for row in self._rows():
            if row[0] == "finished":
                finished.add(row[1])
            found += row[0] == "encoded" and row[1] in finished
        return found


def faults(library: Library, expected: set[str], log: Log) -> list[str]:
    """What is wrong with a library after all was added, a line each."""
    chroma, words = library._chroma, library._words.current()
    records = chroma.records()
    papers = {name: record.paper for name, record in records.items()}
    texts = {name: searchable(paper) for name, paper in papers.items()}
    found = {
        "papers missing": len(expected - set(records)),
        "papers too many": len(set(records) - expected),
        "papers in one index alone": len(set(records) ^ words.ids()),
        "papers with other words": len(words.outdated(texts)),
        "papers encoded twice": log.twice(),
        "folders left behind": len(list(library.folder.glob("chroma-*"))) - 1,
        "batches left behind": len(list(library.folder.glob("journal-*/*.npz"))),
    }
    told = [f"{count} {what}" for what, count in found.items() if count]
    try:
        chroma.vectors(list(records.values()))
    except KeyError as fault:
        told.append(f"vector {fault} missing")
    return told


def _text(paper: Paper) -> str:
    """What the encoder reads of a paper."""
    return f"{paper.title}. {paper.abstract}" if paper.title else paper.abstract


def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
