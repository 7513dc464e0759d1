"""Vectors on disk. The only module that imports ``chromadb``.

Two collections: ``papers`` holds each abstract with its record, ``sentences`` holds its sentences.
A paper is written last, after its sentences: what has a paper entry is complete, and a sentence
whose paper is missing (a crash came between) is overlooked and overwritten by the next ``add``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from store.embedding import DocumentVectors, Vectors
from store.errors import LibraryError, LibraryFullError
from store.filters import Filter
from store.records import Record, metadata, parsed
from store.types import Chunk

_PAGE = 1000  # records read from Chroma at a time
_ID_PAGE = 50_000
_Result = TypeVar("_Result")


class ChromaStore:
    """The two collections of a library."""

    def __init__(self, folder: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        self._client: Any = _guarded(
            lambda: chromadb.PersistentClient(path=str(folder), settings=settings)
        )
        self._papers = self._collection("papers")
        self._sentences = self._collection("sentences")

    def _collection(self, name: str) -> Any:
        return _guarded(
            lambda: self._client.get_or_create_collection(
                name, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
            )
        )

    def count(self) -> int:
        """How many papers there are."""
        return int(_guarded(self._papers.count))

    def write(
        self,
        records: Sequence[Record],
        chunks: Sequence[Sequence[Chunk]],
        vectors: Sequence[DocumentVectors],
    ) -> None:
        """Store papers with their sentences; what was there under the same ids is replaced."""
        rows = [
            (chunk, number, vector)
            for own, found in zip(chunks, vectors, strict=True)
            for number, (chunk, vector) in enumerate(zip(own, found.passages, strict=True))
        ]
        for page in _pages(rows, self._client.get_max_batch_size()):
            _guarded(
                self._sentences.upsert,
                ids=[_sentence_id(chunk.paper_id, number) for chunk, number, _ in page],
                embeddings=np.stack([vector for _, _, vector in page]),
                documents=[chunk.text for chunk, _, _ in page],
                metadatas=[{"paper": chunk.paper_id} for chunk, _, _ in page],
            )
        _guarded(
            self._papers.upsert,
            ids=[record.paper.id for record in records],
            embeddings=np.stack([found.whole for found in vectors]),
            documents=[record.paper.abstract for record in records],
            metadatas=[metadata(record) for record in records],
        )

    def update(self, records: Sequence[Record]) -> None:
        """Change what is known of papers whose text stays as it is."""
        if records:
            _guarded(
                self._papers.update,
                ids=[record.paper.id for record in records],
                metadatas=[metadata(record) for record in records],
            )

    def delete(self, records: Sequence[Record]) -> None:
        """Remove papers, the paper first: it is what makes its sentences count."""
        for page in _pages(records, _PAGE):
            _guarded(self._papers.delete, ids=[record.paper.id for record in page])
            ids = [name for record in page for name in _sentence_ids(record)]
            if ids:
                _guarded(self._sentences.delete, ids=ids)

    def records(self, ids: Iterable[str] | None = None) -> dict[str, Record]:
        """Records by id: those asked for that exist, or all."""
        if ids is None:
            return {record.paper.id: record for record in self.each()}
        wanted = list(dict.fromkeys(ids))
        pages = (self._records(ids=list(page)) for page in _pages(wanted, _PAGE))
        return {record.paper.id: record for page in pages for record in page}

    def each(self) -> Iterator[Record]:
        """All records, some at a time, so that memory does not grow with the library."""
        for at in range(0, self.count(), _PAGE):
            yield from self._records(limit=_PAGE, offset=at)

    def _records(self, **which: Any) -> list[Record]:
        page = _guarded(self._papers.get, include=["documents", "metadatas"], **which)
        rows = zip(page["ids"], page["documents"], page["metadatas"], strict=True)
        return [parsed(*row) for row in rows]

    def ids(self) -> set[str]:
        """The ids of all papers."""
        found = (
            _guarded(self._papers.get, include=[], limit=_ID_PAGE, offset=at)["ids"]
            for at in range(0, self.count(), _ID_PAGE)
        )
        return {str(name) for page in found for name in page}

    def matching(self, where: Filter) -> list[str]:
        """The ids of the papers that a filter keeps."""
        wanted = where.where()
        found = _guarded(self._papers.get, where=wanted, include=["metadatas"])
        return [
            name
            for name, data in zip(found["ids"], found["metadatas"], strict=True)
            if where.keeps(parsed(name, "", data).paper)
        ]

    def nearest_papers(
        self, query: Vectors, count: int, where: dict[str, Any] | None = None
    ) -> dict[str, float]:
        """The papers whose abstract is nearest to ``query`` (shape ``(d,)``), by cosine."""
        found = self._query(self._papers, query, count, ["distances"], where)
        return {
            name: 1.0 - distance
            for name, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        }

    def nearest_by_sentence(self, query: Vectors, count: int) -> dict[str, float]:
        """The papers of the nearest ``count`` sentences, each with its best sentence's cosine."""
        found = self._query(self._sentences, query, count, ["distances", "metadatas"])
        best: dict[str, float] = {}
        for data, distance in zip(found["metadatas"][0], found["distances"][0], strict=True):
            best.setdefault(str(data["paper"]), 1.0 - distance)
        return best

    def _query(
        self,
        collection: Any,
        query: Vectors,
        count: int,
        include: list[str],
        where: dict[str, Any] | None = None,
    ) -> Any:
        size = int(_guarded(collection.count))
        if not size:
            return {"ids": [[]], "distances": [[]], "metadatas": [[]]}
        return _guarded(
            collection.query,
            query_embeddings=query[None],
            n_results=min(count, size),
            include=include,
            where=where,
        )

    def vectors(self, records: Sequence[Record]) -> dict[str, DocumentVectors]:
        """The stored vectors of papers and of their sentences in reading order, by paper id."""
        if not records:
            return {}
        names = [record.paper.id for record in records]
        whole = self._embeddings(self._papers, names)
        parts = self._embeddings(
            self._sentences, [name for record in records for name in _sentence_ids(record)]
        )
        width = len(next(iter(whole.values())))
        return {
            record.paper.id: DocumentVectors(
                whole[record.paper.id],
                np.array([parts[name] for name in _sentence_ids(record)], np.float32).reshape(
                    -1, width
                ),
            )
            for record in records
        }

    def paper_vectors(self, ids: Sequence[str]) -> Vectors:
        """The vectors of whole papers in the order of ``ids``, shape ``(len(ids), d)``."""
        if not ids:
            return np.zeros((0, 0), np.float32)
        found = self._embeddings(self._papers, list(ids))
        return np.stack([found[name] for name in ids])

    def _embeddings(self, collection: Any, ids: list[str]) -> Mapping[str, Vectors]:
        found: dict[str, Vectors] = {}
        for page in _pages(ids, _PAGE):  # SQLite takes only so many ids in one question
            rows = _guarded(collection.get, ids=page, include=["embeddings"])
            vectors = np.asarray(rows["embeddings"], np.float32)
            found.update(zip(rows["ids"], vectors, strict=True))
        return found

    def close(self) -> None:
        """Let go of the files."""
        self._client.close()


def _sentence_id(paper_id: str, number: int) -> str:
    return f"{paper_id}:{number}"


def _sentence_ids(record: Record) -> list[str]:
    return [_sentence_id(record.paper.id, number) for number in range(len(record.spans))]


def _pages(rows: Sequence[_Result], size: int) -> Iterable[Sequence[_Result]]:
    return (rows[at : at + size] for at in range(0, len(rows), size))


def _guarded(call: Callable[..., _Result], *args: object, **kwargs: object) -> _Result:
    """Run a call of Chroma; its faults become ours, in one line."""
    from chromadb.errors import ChromaError

    try:
        return call(*args, **kwargs)
    except (ChromaError, RuntimeError) as fault:
        reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        if "readonly" in reason or "read-only" in reason:
            raise LibraryError(
                "The library lies where nothing can be written, which its vector store needs even "
                "to read. Copy the folder, and name the copy with --library."
            ) from fault
        if "disk is full" in reason or "No space left" in reason:
            raise LibraryFullError(
                "The disk is full. What was added before is kept; free some space and add again."
            ) from fault
        raise LibraryError(
            f"The vector store cannot be used ({reason}). `citewell doctor` tells more."
        ) from fault
