"""A library of papers: the end of the store's way, and all that others see of it.

Joins ``chunking``, ``embedding``, ``chroma`` and ``keyword``. The folder of a library holds::

    library.json    format, encoder, revision, and which vectors are in force
    chroma-N/       papers, sentences and their vectors
    journal-N/      batches that are finished and not yet in force: what a crash leaves
    keyword/        the BM25 index; a copy, mended when it is missing or of an old revision
    library.lock    held by the one process that writes, which library.owner names
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import store.editing as editing
import store.manifest as manifests
from store.adding import Adding, batches
from store.candidates import candidates, candidates_within
from store.chroma import ChromaStore
from store.embedding import Embedder, Vectors
from store.errors import (
    EncoderMismatchError,
    LibraryError,
    NothingKeptError,
    PaperNotFoundError,
)
from store.filters import Filter
from store.generations import InForce, tidy
from store.indexing import Indexing
from store.journal import Change
from store.locking import Wait, writing
from store.manifest import Manifest
from store.ranking import Scores, weights_for
from store.records import Record
from store.types import AddReport, Hit, Paper, Rejected, ScoredSentence
from store.writing import Writing, recover

Progress = Callable[[int], None]


class Library:
    """Papers that can be added, removed and searched. Use :func:`open_library` to get one."""

    def __init__(self, folder: Path, embedder: Embedder, wait: Wait | None = None) -> None:
        self.folder = folder
        self._embedder = embedder
        self._wait = wait
        self._in_force = InForce(folder, embedder.fingerprint)
        self._words = Indexing(folder, self._in_force.store)
        self._where = Filter()
        self._kept: dict[tuple[int, int, Filter], dict[str, None]] = {}  # of the last filter

    # -- what is in it

    @property
    def _chroma(self) -> ChromaStore:
        """The vectors in force now; look once where several things must be of one state."""
        return self._in_force.store()

    def __len__(self) -> int:
        return self._chroma.count()

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made the vectors."""
        return self._embedder.fingerprint

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        return manifests.read(self.folder).revision

    @property
    def fingerprint(self) -> str:
        """A hash over the ids of all papers: equal for equal content, whatever the order."""
        ids = "\n".join(sorted(self._chroma.records()))
        return hashlib.sha256(ids.encode()).hexdigest()[:16]

    def papers(self) -> list[Paper]:
        """All papers that are kept, in the order in which they were added."""
        return [r.paper for r in self._in_order() if self._where.keeps(r.paper)]

    def get(self, name: str) -> Paper:
        """The paper with that id or source; raises :class:`PaperNotFoundError`."""
        return self._find(name).paper

    def _in_order(self) -> list[Record]:
        return sorted(self._chroma.records().values(), key=lambda record: record.order)

    def _find(self, name: str) -> Record:
        if record := self._chroma.records([name]).get(name):
            return record
        for record in self._in_order():
            if name in record.sources:
                return record
        raise PaperNotFoundError(
            f"No paper {name!r} in this library. `citewell papers list` shows ids and sources."
        )

    # -- adding and removing

    def add(
        self, records: Iterable[Paper | Rejected], *, progress: Progress | None = None
    ) -> AddReport:
        """Add papers batch by batch; text that is already here is not encoded again.

        ``progress`` is told how many records are done; whatever it raises stops the work, and the
        finished batches stay.
        """
        with self._writing() as work:
            adding = Adding(work, self._embedder)
            for batch in batches(records):
                adding.take(batch)
                if progress:
                    progress(adding.done)
        return adding.report(len(self))

    def remove(self, names: Sequence[str]) -> int:
        """Remove papers by id or source; all of them must exist. Returns how many there were."""
        with self._writing() as work:
            found = {record.paper.id: record for record in map(self._find, names)}
            work.apply(Change(deleted=list(found.values())))
        return len(found)

    def split(self, name: str) -> list[Paper]:
        """Undo merges: the papers that went into one stand as they came, and stay apart."""
        with self._writing() as work:
            record = self._find(name)
            editing.split(record, work, self._embedder)
        return list(record.parts)

    def edit(self, name: str, **changes: Any) -> Paper:
        """Change fields of a paper; one whose title or abstract changes gets another id."""
        with self._writing() as work:
            return editing.edit(self._find(name), changes, work, self._embedder)

    @contextmanager
    def _writing(self) -> Iterator[Writing]:
        """Hold the lock; what was changed is in force at the end, however that is reached."""
        with writing(self.folder, self._wait):
            work = Writing(self.folder, self._in_force)
            work.commit()  # what a stopped writer had finished
            self._words.ready()
            work.on_commit = self._words.refresh
            try:
                yield work
            finally:
                work.commit()

    # -- searching

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of texts, comparable with those of the library's sentences."""
        return self._embedder.encode(texts)

    def within(self, where: Filter) -> Library:
        """The same library, in which only the papers that ``where`` keeps are found.

        Raises :class:`NothingKeptError` when there are none.
        """
        if where and not self._chroma.matching(where):
            raise NothingKeptError(
                f"No paper of this library has {where}. `citewell papers list` shows what there is."
            )
        view = copy.copy(self)
        view._where = where
        return view

    def search(
        self, query: str, k: int = 10, *, also: Sequence[str] = (), where: Filter | None = None
    ) -> list[Hit]:
        """The ``k`` best papers for a query, best first, each with its sentences scored.

        Papers whose ids are in ``also`` are looked at too, wherever the indexes rank them; those
        that ``where`` does not keep never are.
        """
        vector = self._embedder.encode([query])[0]
        chroma = self._chroma
        keyword = self._words.current().coverage(query)
        if where := where or self._where:
            kept = self._matching(where)
            found = candidates_within(chroma, vector, keyword, where, kept)
            found.update((name, None) for name in also if name in kept)
        else:
            found = candidates(chroma, vector, keyword) | dict.fromkeys(also)
        records = chroma.records(found)
        vectors = chroma.vectors(list(records.values()))
        weights = weights_for(query)
        scored: list[tuple[float, Record, Vectors]] = []
        for name, record in records.items():
            sentences = vectors[name].passages @ vector
            whole = float(vectors[name].whole @ vector)
            best = float(sentences.max()) if len(sentences) else whole  # a title alone
            scores = Scores(whole, best, keyword.get(name, 0.0))
            scored.append((scores.fused(weights), record, sentences))
        scored.sort(key=lambda row: (-row[0], row[1].order))
        return [
            Hit(rank, record.paper, score, _scored_sentences(record, sentences))
            for rank, (score, record, sentences) in enumerate(scored[:k], start=1)
        ]

    def _matching(self, where: Filter) -> dict[str, None]:
        """The ids that a filter keeps, looked up once for many searches."""
        state = (manifests.read(self.folder).revision, len(self), where)
        if state not in self._kept:
            self._kept = {state: dict.fromkeys(self._chroma.matching(where))}
        return self._kept[state]

    def similarity(self, text: str, others: Sequence[str]) -> list[float]:
        """The cosine of a text with each of the others, -1 to 1, by the library's encoder."""
        own, *vectors = self._embedder.encode([text, *others])
        return [float(own @ vector) for vector in vectors]

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """The unit vectors of papers, shape ``(len(ids), d)``; every id must exist."""
        return self._chroma.paper_vectors(ids)

    def nearest(self, vector: Vectors, count: int) -> list[str]:
        """The ids of the papers nearest to a vector of shape ``(d,)``, nearest first."""
        where = self._where.where() if self._where else None
        found = self._chroma.nearest_papers(vector, count, where)
        return [name for name in found if not where or name in self._matching(self._where)]

    def rarity(self, words: Sequence[str]) -> list[float]:
        """How rare each word is here, by its stem: 0 where every paper holds it (BM25's idf)."""
        return self._words.current().rarity(words)

    def close(self) -> None:
        """Let go of the files."""
        self._in_force.close()
        with suppress(LibraryError), writing(self.folder):
            tidy(self.folder)


def open_library(
    folder: Path, embedder: Embedder, *, create: bool = False, wait: Wait | None = None
) -> Library:
    """The library in ``folder``; made there first when ``create`` is set.

    Who wants to write while another process does gets a :class:`LibraryBusyError`, or waits where
    ``wait`` is given, which is told for whom. What a killed writer had finished is put in force.

    Raises a :class:`LibraryError` when the folder holds something else, a newer library, or vectors
    of another encoder.
    """
    if not manifests.exists(folder):
        if not create:
            raise LibraryError(
                f"There is no library at {folder} yet. Add papers with `citewell add FILE`."
            )
        with manifests.disk_faults():
            folder.mkdir(parents=True, exist_ok=True)
            manifests.write(folder, Manifest(embedder.fingerprint))
    manifest = manifests.read(folder)
    if manifest.revision and not (folder / manifest.vectors).is_dir():
        raise LibraryError(
            f"The library at {folder} has lost its vectors: {manifest.vectors} is missing. "
            "Restore that folder, or name an empty one with --library and add the papers again."
        )
    if manifest.encoder != embedder.fingerprint:
        raise EncoderMismatchError(
            f"The library at {folder} was made with the encoder {manifest.encoder}, "
            f"but {embedder.fingerprint} is in use. Encode it anew with `citewell rebuild`, "
            "or name its encoder with --encoder."
        )
    library = Library(folder, embedder, wait)
    with suppress(LibraryError):  # it is being written, or cannot be; it can be read
        recover(folder, library._in_force)
    return library


def _scored_sentences(record: Record, scores: Vectors) -> tuple[ScoredSentence, ...]:
    """The sentences of a paper, the nearest to the query first."""
    abstract = record.paper.abstract
    found = [
        ScoredSentence(abstract[start:end], start, end, float(score))
        for (start, end), score in zip(record.spans, scores, strict=True)
    ]
    return tuple(sorted(found, key=lambda sentence: -sentence.score))
