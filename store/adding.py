"""Papers into the store: what ``add`` does with each batch of records.

Joins ``chunking``, ``embedding`` and ``chroma``. A text is known by its content, so what is already
here is told apart before anything is encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from store.chroma import ChromaStore, Record, merged
from store.chunking import chunks
from store.embedding import Document, Embedder
from store.types import AddReport, Chunk, Paper, Rejected

BATCH = 64  # papers encoded and written together; a stop loses one batch at most


def batches(records: Iterable[Paper | Rejected]) -> Iterator[list[Paper | Rejected]]:
    """Records in lists of :data:`BATCH`."""
    batch: list[Paper | Rejected] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class Adding:
    """One run of ``add``: sorts records into new and known, and counts them."""

    def __init__(self, chroma: ChromaStore, embedder: Embedder) -> None:
        self._chroma = chroma
        self._embedder = embedder
        self._next = max((r.order for r in chroma.records().values()), default=-1) + 1
        self._counts = dict.fromkeys(("added", "unchanged", "updated", "merged"), 0)
        self._rejected: list[Rejected] = []
        self.done = 0
        self.changed = False

    def take(self, batch: Sequence[Paper | Rejected]) -> None:
        """Bring one batch into the store."""
        papers = [record for record in batch if isinstance(record, Paper)]
        self._rejected += [record for record in batch if isinstance(record, Rejected)]
        known = self._chroma.records([paper.id for paper in papers])
        fresh: dict[str, Record] = {}
        richer: dict[str, Record] = {}
        for paper in papers:
            here = fresh.get(paper.id) or richer.get(paper.id) or known.get(paper.id)
            if here is None:
                fresh[paper.id] = Record(paper, self._next, (paper.source,), ())
                self._next += 1
                continue
            after = merged(here, paper)
            self._count(here, after)
            if after != here:
                (fresh if paper.id in fresh else richer)[paper.id] = after
        self.changed |= bool(fresh or richer)
        self.write(list(fresh.values()))
        self._chroma.update(list(richer.values()))
        self._counts["added"] += len(fresh)
        self.done += len(batch)

    def _count(self, before: Record, after: Record) -> None:
        if after == before:
            self._counts["unchanged"] += 1
        elif after.sources == before.sources:
            self._counts["updated"] += 1
        else:
            self._counts["merged"] += 1

    def write(self, records: Sequence[Record]) -> None:
        """Cut, encode and store papers."""
        if not records:
            return
        pieces = [chunks(record.paper) for record in records]
        documents = [
            _document(record.paper, own) for record, own in zip(records, pieces, strict=True)
        ]
        vectors = self._embedder.encode_documents(documents)
        with_spans = [
            replace(record, spans=tuple((c.start, c.end) for c in own))
            for record, own in zip(records, pieces, strict=True)
        ]
        self._chroma.write(with_spans, pieces, vectors)

    def report(self, papers: int) -> AddReport:
        """What was done; ``papers`` is the size of the library now."""
        return AddReport(papers=papers, rejected=tuple(self._rejected), **self._counts)


def _document(paper: Paper, own: Sequence[Chunk]) -> Document:
    """What the encoder reads: the abstract, behind its title when there is one."""
    lead = f"{paper.title}. " if paper.title else ""
    spans = tuple((chunk.start + len(lead), chunk.end + len(lead)) for chunk in own)
    return Document(lead + paper.abstract, spans)
