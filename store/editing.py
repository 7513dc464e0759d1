"""Changes by hand to a paper that is here: fields set anew, merges undone.

Beside ``adding``. A paper whose wording changes gets another id, so the new record is written
before the old one goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from store.adding import Adding
from store.chroma import ChromaStore, Record
from store.embedding import Embedder
from store.errors import PaperNotFoundError, StoreError
from store.types import Paper, content_id


def split(record: Record, chroma: ChromaStore, embedder: Embedder) -> None:
    """Put the papers that went into a record in its place, each marked as not the others."""
    if not record.parts:
        raise PaperNotFoundError(
            f"No other paper was merged into {record.paper.id!r}: nothing to split."
        )
    ids = frozenset(part.id for part in record.parts)
    last = max(other.order for other in chroma.records().values())
    whole = [
        Record(part, last + number if number else record.order, (part.source,), (), (), ids)
        for number, part in enumerate(record.parts)
    ]
    Adding(chroma, embedder).write(whole)
    if record.paper.id not in ids:
        chroma.delete([record])


def edit(
    record: Record, changes: Mapping[str, Any], chroma: ChromaStore, embedder: Embedder
) -> Paper:
    """The paper with its fields changed; its text is encoded anew only where that changed."""
    paper = replace(record.paper, **changes)
    paper = replace(paper, id=content_id(paper.title, paper.abstract))
    if not paper.title and not paper.abstract:
        raise StoreError("A paper needs a title or an abstract. Give one of them a value.")
    after = replace(record, paper=paper)
    if paper.id == record.paper.id:
        chroma.update([after])
        return paper
    if chroma.records([paper.id]):
        raise StoreError(
            f"The paper {paper.id} has that title and abstract already. Remove one of the two."
        )
    Adding(chroma, embedder).write([after])
    chroma.delete([record])
    return paper
