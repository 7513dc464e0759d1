"""Which papers hold which words, and how often: one immutable piece of the keyword index.

``keyword`` makes scores of it. All of it is numpy arrays, so a piece on disk is memory-mapped: a
query reads the entries of its own words and nothing else, and opening costs no time whatever the
size. A word is known by a 64-bit hash, and papers stand in the order of their ids, so that both are
found by bisection, without a dictionary in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Postings:
    """``n`` papers, ``w`` words, ``p`` pairs of a word and a paper that holds it."""

    ids: NDArray[np.bytes_]  # (n,) sorted
    checks: NDArray[np.uint64]  # (n,) hash of the text that was indexed
    lengths: NDArray[np.int32]  # (n,) words of each paper, with repeats
    words: NDArray[np.uint64]  # (w,) sorted hashes
    starts: NDArray[np.int64]  # (w + 1,) where each word's pairs begin
    papers: NDArray[np.int32]  # (p,) rows of ``ids``
    counts: NDArray[np.uint16]  # (p,) how often the paper holds the word

    def __len__(self) -> int:
        return len(self.ids)

    def holding(self, word: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """The rows of the papers that hold a word, and how often each does."""
        at = int(np.searchsorted(self.words, np.uint64(word)))
        if at == len(self.words) or int(self.words[at]) != word:
            return self.papers[:0], self.counts[:0]
        begin, end = int(self.starts[at]), int(self.starts[at + 1])
        return self.papers[begin:end], self.counts[begin:end]

    def row(self, name: str) -> int | None:
        """Where a paper stands, None where it is not here."""
        wanted = name.encode()
        at = int(np.searchsorted(self.ids, wanted))
        return at if at < len(self.ids) and self.ids[at] == wanted else None

    def without(self, names: Sequence[str]) -> Postings:
        """The same, less some papers."""
        gone = np.isin(self.ids, np.array([name.encode() for name in names], dtype=np.bytes_))
        if not gone.any():
            return self
        kept = ~gone
        pairs = kept[self.papers]
        starts = np.append(0, np.cumsum(pairs))[self.starts]
        used = np.diff(starts) > 0
        renumbered = (np.cumsum(kept) - 1).astype(np.int32)
        return Postings(
            self.ids[kept],
            self.checks[kept],
            self.lengths[kept],
            self.words[used],
            np.append(starts[:-1][used], starts[-1]),
            renumbered[self.papers[pairs]],
            self.counts[pairs],
        )

    def save(self, folder: Path) -> None:
        """Write one file an array."""
        folder.mkdir(parents=True)
        for field in fields(self):
            np.save(folder / f"{field.name}.npy", getattr(self, field.name))

    @classmethod
    def load(cls, folder: Path) -> Postings:
        """The arrays of a folder, memory-mapped; raises ``OSError`` or ``ValueError``."""
        arrays: dict[str, Any] = {
            # As plain arrays on the mapped bytes: numpy's memmap is slow to slice.
            field.name: np.asarray(np.load(folder / f"{field.name}.npy", mmap_mode="r"))
            for field in fields(cls)
        }
        found = cls(**arrays)
        sizes = {len(found.ids), len(found.checks), len(found.lengths)}
        pairs = {len(found.papers), len(found.counts), int(found.starts[-1])}
        if len(sizes) != 1 or len(pairs) != 1 or len(found.words) + 1 != len(found.starts):
            raise ValueError(folder)
        return found


def hashed(text: str) -> int:
    """64 bits that stand for a word or a text."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def build(
    ids: Sequence[str],
    checks: Sequence[int],
    tokens: Sequence[Sequence[int]],
    vocabulary: Sequence[int],
) -> Postings:
    """Papers by id; ``tokens`` are positions in ``vocabulary``, a list of hashes."""
    lengths = np.fromiter(map(len, tokens), np.int32, len(tokens))
    flat = np.fromiter((t for own in tokens for t in own), np.int64, int(lengths.sum()))
    words = np.array(vocabulary, dtype=np.uint64)[flat] if len(flat) else np.zeros(0, np.uint64)
    rows = np.repeat(np.arange(len(tokens)), lengths)
    return _assembled(
        np.array([name.encode() for name in ids], dtype=np.bytes_),
        np.array(checks, dtype=np.uint64),
        lengths,
        (words, rows, np.ones(len(rows), dtype=np.uint16)),
    )


def merge(pieces: Sequence[Postings]) -> Postings:
    """Several pieces as one; no paper may be in two of them."""
    before = np.cumsum([0, *map(len, pieces)])
    return _assembled(
        np.concatenate([piece.ids for piece in pieces]),
        np.concatenate([piece.checks for piece in pieces]),
        np.concatenate([piece.lengths for piece in pieces]),
        (
            np.concatenate([np.repeat(piece.words, np.diff(piece.starts)) for piece in pieces]),
            np.concatenate(
                [piece.papers + at for piece, at in zip(pieces, before, strict=False)]
            ).astype(np.int64),
            np.concatenate([piece.counts for piece in pieces]),
        ),
    )


def _assembled(
    ids: NDArray[np.bytes_],
    checks: NDArray[np.uint64],
    lengths: NDArray[np.int32],
    pairs: tuple[NDArray[np.uint64], Rows, NDArray[np.uint16]],
) -> Postings:
    """Papers and pairs in any order to sorted ones; a pair that is there twice is counted twice."""
    by_id = np.argsort(ids, kind="stable")
    row_of = np.empty(len(ids), dtype=np.int32)
    row_of[by_id] = np.arange(len(ids), dtype=np.int32)
    words, rows, counts = pairs
    papers = row_of[rows]
    order = np.lexsort((papers, words))
    words, papers, counts = words[order], papers[order], counts[order]
    first = _changes(words) | _changes(papers)
    summed = np.add.reduceat(counts, np.flatnonzero(first)) if len(counts) else counts
    words, papers = words[first], papers[first]
    begins = np.flatnonzero(_changes(words))
    return Postings(
        ids[by_id],
        checks[by_id],
        lengths[by_id],
        words[begins],
        np.append(begins, len(words)).astype(np.int64),
        papers,
        summed.astype(np.uint16),
    )


def _changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a value differs from the one before it; the first always does."""
    changed = np.ones(len(values), dtype=np.bool_)
    changed[1:] = values[1:] != values[:-1]
    return changed
