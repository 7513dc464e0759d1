"""Papers worth scoring exactly: the first cut of a search.

Each index names its nearest; their union is scored in ``library``. Under a filter that keeps few
papers a nearest-neighbour index finds too few of them, so the vectors of all that are kept are
compared; under a wide one the indexes are asked for more and do as well as ever.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from store.chroma import ChromaStore
from store.embedding import Vectors
from store.filters import Filter
from store.keyword import Coverage

_CANDIDATES = 100  # papers taken from each index before the exact scores are worked out
_SENTENCES = 200
_MOST_SENTENCES = 4000
_EXACT = 1000  # up to so many kept papers, all of their vectors are compared
_BEST_OF_EXACT = 200


def candidates(chroma: ChromaStore, vector: Vectors, keyword: Coverage) -> dict[str, None]:
    """The ids of papers near to a query, or that hold its words, the whole library over."""
    whole = chroma.nearest_papers(vector, _CANDIDATES)
    sentence = chroma.nearest_by_sentence(vector, _SENTENCES)
    return dict.fromkeys((*whole, *sentence, *keyword.best(_CANDIDATES)))


def candidates_within(
    chroma: ChromaStore,
    vector: Vectors,
    keyword: Coverage,
    where: Filter,
    kept: Collection[str],
) -> dict[str, None]:
    """The same among the papers that a filter keeps; ``kept`` are their ids."""
    by_words = keyword.best(_CANDIDATES, kept)
    if len(kept) <= _EXACT:
        return dict.fromkeys((*_nearest_of(chroma, vector, list(kept)), *by_words))
    whole = chroma.nearest_papers(vector, _CANDIDATES, where.where())
    more = min(_MOST_SENTENCES, _SENTENCES * chroma.count() // len(kept))
    sentence = chroma.nearest_by_sentence(vector, more)
    found = dict.fromkeys((*whole, *sentence, *by_words))
    return {name: None for name in found if name in kept}


def _nearest_of(chroma: ChromaStore, vector: Vectors, names: list[str]) -> list[str]:
    if len(names) <= _BEST_OF_EXACT:
        return names
    cosines = chroma.paper_vectors(names) @ vector
    return [names[i] for i in np.argsort(-cosines)[:_BEST_OF_EXACT]]
