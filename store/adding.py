"""Papers into the store: what ``add`` does with each batch of records.

Joins ``chunking``, ``embedding`` and ``writing``. A text is known by its content, so what is
already here is told apart before anything is encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from store.chunking import chunks
from store.duplicates import Known, joined, reason
from store.embedding import Document, Embedder
from store.journal import Change
from store.records import Record, merged
from store.types import AddReport, Chunk, Merge, Paper, Rejected
from store.writing import Writing

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

    def __init__(self, work: Writing, embedder: Embedder) -> None:
        self._work = work
        self._embedder = embedder
        self._next = 0  # place in the order of adding; set right by `_known_papers`
        self._counts = dict.fromkeys(("added", "unchanged", "updated", "merged"), 0)
        self._rejected: list[Rejected] = []
        self._merges: list[Merge] = []
        self.done = 0

    def take(self, batch: Sequence[Paper | Rejected]) -> None:
        """Bring one batch into the store."""
        papers = [record for record in batch if isinstance(record, Paper)]
        self._rejected += [record for record in batch if isinstance(record, Rejected)]
        known = self._work.chroma.records([paper.id for paper in papers])
        fresh: dict[str, Record] = {}
        richer: dict[str, Record] = {}
        gone: dict[str, Record] = {}  # whose text is replaced, under its old id
        for paper in papers:
            here = fresh.get(paper.id) or richer.get(paper.id) or known.get(paper.id)
            why = ""
            if here is None:
                here, why = self._double(paper, {**fresh, **richer}, gone)
            if here is None:
                fresh[paper.id] = Record(paper, self._next, (paper.source,), ())
                self._known_papers.learn(fresh[paper.id])
                self._next += 1
                self._counts["added"] += 1
                continue
            after = joined(here, paper, why) if why else merged(here, paper)
            self._count(here, after)
            if after == here:
                continue
            if why:
                self._known_papers.learn(after)
            if why not in ("", "known"):
                self._merges.append(Merge(paper.source, after.paper.id, why))
            renamed = after.paper.id != here.paper.id
            if renamed and fresh.pop(here.paper.id, None) is None:
                richer.pop(here.paper.id, None)
                gone[here.paper.id] = here
            (fresh if renamed or here.paper.id in fresh else richer)[after.paper.id] = after
        self._work.apply(
            replace(
                encoded(list(fresh.values()), self._embedder),
                updated=list(richer.values()),
                deleted=[record for name, record in gone.items() if name not in fresh],
            )
        )
        self.done += len(batch)

    @cached_property
    def _known_papers(self) -> Known:
        """What is here, by its doubles' keys; made when the first text that is new asks for it."""
        known = Known()
        for record in self._work.chroma.each():
            known.learn(record)
            self._next = max(self._next, record.order + 1)
        return known

    def _double(
        self, paper: Paper, changed: Mapping[str, Record], gone: Mapping[str, Record]
    ) -> tuple[Record | None, str]:
        """The record that is the same work as a paper whose text is new, and what tells so."""
        names = [name for name in self._known_papers.candidates(paper) if name not in gone]
        stored = self._work.chroma.records([name for name in names if name not in changed])
        for name in names:
            record = changed.get(name) or stored.get(name)
            if record and (why := reason(record, paper)):
                return record, why
        return None, ""

    def _count(self, before: Record, after: Record) -> None:
        if after == before:
            self._counts["unchanged"] += 1
        elif after.sources == before.sources or after.paper.abstract != before.paper.abstract:
            self._counts["updated"] += 1
        else:
            self._counts["merged"] += 1

    def report(self, papers: int) -> AddReport:
        """What was done; ``papers`` is the size of the library now."""
        return AddReport(
            papers=papers,
            rejected=tuple(self._rejected),
            merges=tuple(self._merges),
            **self._counts,
        )


def encoded(records: Sequence[Record], embedder: Embedder) -> Change:
    """Papers cut into sentences and encoded, to be written."""
    if not records:
        return Change()
    pieces = [chunks(record.paper) for record in records]
    documents = [_document(record.paper, own) for record, own in zip(records, pieces, strict=True)]
    with_spans = [
        replace(record, spans=tuple((c.start, c.end) for c in own))
        for record, own in zip(records, pieces, strict=True)
    ]
    return Change(with_spans, embedder.encode_documents(documents))


def _document(paper: Paper, own: Sequence[Chunk]) -> Document:
    """What the encoder reads: the abstract, behind its title when there is one."""
    lead = f"{paper.title}. " if paper.title else ""
    spans = tuple((chunk.start + len(lead), chunk.end + len(lead)) for chunk in own)
    return Document(lead + paper.abstract, spans)
