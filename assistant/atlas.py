"""Beside the flow: the whole library as a map, each paper a point.

A paper's place is its vector on the two directions in which the library is widest (principal
component analysis, Pearson 1901). Papers near each other in more of those directions are one
region (k-means, Lloyd 1982), called by the terms of its own papers (``themes``). The map depends on
the papers and their vectors alone, so it is kept under the library's fingerprint.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from assistant import themes
from assistant.themes import Rarity
from store.embedding import Vectors
from store.types import Paper

_MOST_REGIONS = 12
_PER_REGION = 25  # papers that make a region worth a name, at least
_DEPTH = 24  # directions in which regions are told apart
_SAMPLE = 10_000  # papers from which the directions and the middles are learnt
_NAMED_BY = 60  # papers of a region, nearest to its middle, that name it
_ROUNDS = 25
_GRID = 65_535  # places along an axis

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Atlas:
    """``x`` and ``y`` run from 0 to 65,535; ``region`` is a place in ``names``."""

    fingerprint: str
    ids: tuple[str, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]
    region: tuple[int, ...]
    names: tuple[str, ...]


_KIND = TypeAdapter(Atlas)


def draw(fingerprint: str, papers: Sequence[Paper], vectors: Vectors, rarity: Rarity) -> Atlas:
    """The map of papers, whose vectors have the shape ``(papers, d)``."""
    if not papers:
        return Atlas(fingerprint, (), (), (), (), ())
    deep = _principal(np.asarray(vectors, dtype=np.float32))
    region, middles = _regions(deep)
    names = _names(papers, deep, region, middles, rarity)
    x, y = (_on_grid(deep[:, axis]) for axis in (0, 1))
    ids = tuple(paper.id for paper in papers)
    return Atlas(fingerprint, ids, x, y, tuple(map(int, region)), names)


def keep(folder: Path, atlas: Atlas) -> None:
    """Write a map, in one step, in the place of an older one."""
    folder.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=folder, suffix=".part")
    with os.fdopen(number, "wb") as file:
        file.write(_KIND.dump_json(atlas))
    Path(name).replace(folder / "map.json")


def kept(folder: Path, fingerprint: str) -> Atlas | None:
    """The map that was kept, if it is of this state of the library."""
    try:
        atlas = _KIND.validate_json((folder / "map.json").read_bytes())
    except (OSError, ValidationError):
        return None
    return atlas if atlas.fingerprint == fingerprint else None


def years_of_regions(atlas: Atlas, years: Sequence[int | None]) -> str:
    """How many papers of each region there are a year, as JSON: topics over time."""
    known = [(year, at) for year, at in zip(years, atlas.region, strict=True) if year]
    span = sorted({year for year, _ in known})
    rows = [[sum(1 for k in known if k == (year, at)) for year in span] for at in _at(atlas)]
    return json.dumps({"years": span, "regions": rows})


def _at(atlas: Atlas) -> range:
    return range(len(atlas.names))


def _sampled(rows: int) -> NDArray[np.int64]:
    """Rows to learn from: all, or a sample that is the same each time."""
    if rows <= _SAMPLE:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, _SAMPLE, replace=False))


def _principal(vectors: Floats) -> Floats:
    """The vectors in their widest directions, widest first; at least two of them."""
    own = vectors - vectors.mean(axis=0)
    learnt = own[_sampled(len(own))].astype(np.float64)
    widths, directions = np.linalg.eigh(learnt.T @ learnt)
    widest = directions[:, np.argsort(-widths)[:_DEPTH]]
    # An eigenvector may point either way; its largest part is positive here, so the map stays put.
    largest = np.abs(widest).argmax(axis=0)
    widest = widest * np.sign(widest[largest, range(widest.shape[1])])
    deep: Floats = (own @ widest).astype(np.float32)
    return deep if deep.shape[1] > 1 else np.pad(deep, ((0, 0), (0, 1)))


def _regions(deep: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The region of each row, and the middles of the regions."""
    count = int(np.clip(len(deep) // _PER_REGION, 1, _MOST_REGIONS))
    learnt = deep[_sampled(len(deep))]
    middles = _spread(learnt, count)
    for _ in range(_ROUNDS):
        nearest = _nearest(learnt, middles)
        members = [learnt[nearest == at] for at in range(count)]
        moved = np.stack(
            [own.mean(axis=0) if len(own) else middles[at] for at, own in enumerate(members)]
        )
        if np.allclose(moved, middles):
            break
        middles = moved
    return _nearest(deep, middles), middles


def _spread(rows: Floats, count: int) -> Floats:
    """Rows far from each other to begin with (k-means++, Arthur and Vassilvitskii 2007)."""
    chance = np.random.default_rng(0)
    chosen = [rows[0]]
    for _ in range(count - 1):
        away = np.min([((rows - one) ** 2).sum(axis=1) for one in chosen], axis=0).astype(float)
        total = away.sum()
        chosen.append(rows[chance.choice(len(rows), p=away / total) if total else 0])
    return np.stack(chosen)


def _nearest(rows: Floats, middles: Floats) -> NDArray[np.int64]:
    near: NDArray[np.int64] = ((middles**2).sum(axis=1) - 2 * rows @ middles.T).argmin(axis=1)
    return near


def _names(
    papers: Sequence[Paper],
    deep: Floats,
    region: NDArray[np.int64],
    middles: Floats,
    rarity: Rarity,
) -> tuple[str, ...]:
    """Each region called by its most typical papers; an empty one has no name."""
    groups: dict[int, list[Paper]] = {}
    for at, middle in enumerate(middles):
        rows = np.flatnonzero(region == at)
        order = np.argsort(((deep[rows] - middle) ** 2).sum(axis=1), kind="stable")
        if len(rows):
            groups[at] = [papers[row] for row in rows[order[:_NAMED_BY]]]
    found = dict(
        zip(groups, themes.titles(list(groups.values()), "all papers", rarity), strict=True)
    )
    return tuple(found.get(at, "") for at in range(len(middles)))


def _on_grid(values: Floats) -> tuple[int, ...]:
    """Places on the grid; the few farthest ones stand at its edge, so that most have room."""
    low, high = np.percentile(values, [0.2, 99.8])
    share = (np.clip(values, low, high) - low) / max(float(high - low), 1e-9)
    return tuple(int(place) for place in np.rint(share * _GRID))
