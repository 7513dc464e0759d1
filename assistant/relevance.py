"""A topic to the papers that are about it: all of them, and no others.

A question wants its one paper first; a summary wants every paper, and to know where to stop. Search
ranks; but its scores depend on the words of the topic, and fall off slowly. Papers on one topic are
also like *each other*: so the surest finds speak for the rest (pseudo relevance feedback, Rocchio
1971). A paper's relevance is the mean of its nearness to the topic's words and to the centre of the
surest finds, as a share of what the best papers have. The cut is a fixed share: how many papers
that leaves, three or forty, is up to the topic and the library.

No language model takes part: asked "is it about the topic?" of the doubtful papers, the default one
changed little (figures in ``docs/design.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from store.embedding import Vectors
from store.library import Library
from store.ranking import TOPIC
from store.types import Hit, Paper

CUT = 0.7  # share of the best papers' relevance; 0.67 to 0.76 do about as well
BELOW = 0.6  # down to here papers are named as just below the cut
MOST = 60  # papers of one summary; more are named, not read

_CANDIDATES = 100
_WORDS = 0.23  # how much of what a paper got for the topic's very words counts
_SEEDS, _SEED_SHARE = 5, 0.6  # the surest: at most so many, with this share of the best score
_LEAD = 0.9  # one paper far ahead of the others sets the measure alone
_MAX_BELOW = 8

# Nearness of the best paper to the topic (cosine plus a little for its words) below which the
# library holds nothing on it. A thin margin: topics that a library lacked stayed below 0.44, the
# weakest that it held had 0.47.
_FLOOR = 0.45


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that may be about the topic. ``relevance`` is about 1 for the best."""

    hit: Hit
    relevance: float

    @property
    def paper(self) -> Paper:
        """The paper."""
        return self.hit.paper


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers of a topic, best first, and what was left: ``looked_at`` counts them all."""

    used: tuple[Candidate, ...]
    below: tuple[Candidate, ...]
    looked_at: int
    vectors: Vectors  # of the papers used, shape (used, d)


def select(topic: str, library: Library) -> Selection:
    """The papers of the library that are about ``topic``; none used when it holds none."""
    hits, vectors = _candidates(topic, library)
    if not hits:
        return Selection((), (), 0, vectors)
    vector = library.encode([topic])[0]
    near = TOPIC.whole * (vectors @ vector) + TOPIC.sentence * _best_sentences(hits)
    words = np.array([hit.score for hit in hits], np.float32) - near  # what search added for them
    alike = vectors @ _centre(hits, vectors)
    relevance = _as_share_of_best((near + alike) / 2 + _WORDS * words)
    order = [int(i) for i in np.argsort(-relevance, kind="stable")]
    ranked = {i: Candidate(hits[i], float(relevance[i])) for i in order}
    if float(max(near + _WORDS * words)) < _FLOOR:
        return Selection((), tuple(ranked.values())[:_MAX_BELOW], len(hits), vectors[:0])
    # A title alone cannot be read, and is named only.
    used = [i for i, c in ranked.items() if c.relevance >= CUT and c.hit.sentences][:MOST]
    below = [c for i, c in ranked.items() if i not in used and c.relevance >= BELOW][:_MAX_BELOW]
    return Selection(tuple(ranked[i] for i in used), tuple(below), len(hits), vectors[used])


def _candidates(topic: str, library: Library) -> tuple[list[Hit], Vectors]:
    """What search finds, and what lies near to the surest of it though in other words."""
    hits = library.search(topic, _CANDIDATES)
    vectors = library.vectors([hit.paper.id for hit in hits])
    if not hits:
        return hits, vectors
    known = {hit.paper.id for hit in hits}
    more = [i for i in library.nearest(_centre(hits, vectors), _CANDIDATES) if i not in known]
    if more:
        hits = library.search(topic, 2 * _CANDIDATES, also=more)
        vectors = library.vectors([hit.paper.id for hit in hits])
    return hits, vectors


def _best_sentences(hits: Sequence[Hit]) -> Vectors:
    best = [hit.sentences[0].score if hit.sentences else 0.0 for hit in hits]
    return np.array(best, dtype=np.float32)


def _centre(hits: Sequence[Hit], vectors: Vectors) -> Vectors:
    """The direction of the surest finds; unit length."""
    least = _SEED_SHARE * hits[0].score
    seeds = [i for i, hit in enumerate(hits[:_SEEDS]) if hit.score >= least] or [0]
    total: Vectors = vectors[seeds].sum(axis=0)
    return total / max(float(np.linalg.norm(total)), 1e-9)


def _as_share_of_best(scores: Vectors) -> Vectors:
    """Scores divided by the mean of the best three, or by the best where that leads clearly."""
    best = np.sort(scores)[::-1][:3]
    return scores / max(float(best.mean()), _LEAD * float(best[0]), 1e-9)
