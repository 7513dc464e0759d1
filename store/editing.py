"""Changes by hand to a paper that is here: fields set anew, merges undone.

Beside ``adding``. A paper whose wording changes gets another id, so the new record is written
before the old one goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from store.adding import encoded
from store.embedding import Embedder
from store.errors import PaperNotFoundError, StoreError
from store.journal import Change
from store.records import Record
from store.types import Paper, content_id
from store.writing import Writing


def split(record: Record, work: Writing, embedder: Embedder) -> None:
    """Put the papers that went into a record in its place, each marked as not the others."""
    if not record.parts:
        raise PaperNotFoundError(
            f"No other paper was merged into {record.paper.id!r}: nothing to split."
        )
    ids = frozenset(part.id for part in record.parts)
    last = max(other.order for other in work.chroma.records().values())
    whole = [
        Record(part, last + number if number else record.order, (part.source,), (), (), ids)
        for number, part in enumerate(record.parts)
    ]
    gone = [record] if record.paper.id not in ids else []
    work.apply(replace(encoded(whole, embedder), deleted=gone))


def edit(record: Record, changes: Mapping[str, Any], work: Writing, embedder: Embedder) -> Paper:
    """The paper with its fields changed; its text is encoded anew only where that changed."""
    paper = replace(record.paper, **changes)
    paper = replace(paper, id=content_id(paper.title, paper.abstract))
    if not paper.title and not paper.abstract:
        raise StoreError("A paper needs a title or an abstract. Give one of them a value.")
    after = replace(record, paper=paper)
    if paper.id == record.paper.id:
        work.apply(Change(updated=[after]))
        return paper
    if work.chroma.records([paper.id]):
        raise StoreError(
            f"The paper {paper.id} has that title and abstract already. Remove one of the two."
        )
    work.apply(replace(encoded([after], embedder), deleted=[record]))
    return paper
