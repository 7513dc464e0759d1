"""Small tables of numbers that were learned from labelled claims, and their loader.

``stance.npz`` is made by ``benchmarks/stance.py`` from one half of the training claims of SciFact
(Wadden et al. 2020, arXiv:2004.14974; claims CC BY 4.0, abstracts ODC-By). It holds no text of
either, only weights.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray


@cache
def _tables() -> dict[str, NDArray[np.float64]]:
    with as_file(files(__package__).joinpath("stance.npz")) as path, np.load(path) as archive:
        return {name: archive[name].astype(np.float64) for name in archive.files}


@cache
def fingerprint() -> str:
    """Twelve hex digits that change with the tables; they stand in every receipt."""
    return hashlib.sha256(files(__package__).joinpath("stance.npz").read_bytes()).hexdigest()[:12]


def trained(name: str) -> NDArray[np.float64]:
    """The table of that name: rows are inputs (the last one the constant), columns outputs."""
    return _tables()[name]


def is_trained(name: str) -> bool:
    """Whether there is such a table."""
    return name in _tables()
