"""Scores to an order: how a paper's three scores become one.

Dense vectors know what a text is like, keywords know what it names; neither alone ranks well. Their
weighted sum (convex combination: Bruch et al. 2023, arXiv:2210.11934) beats reciprocal rank fusion,
for it keeps *how much* nearer a paper is. The weights were chosen on four test collections
(``benchmarks/ranking.py``, figures in ``docs/measurements.md``); the order changes little around
them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each of the three scores counts."""

    whole: float
    sentence: float
    keyword: float


# A topic is what a whole paper is about, in the papers' own words. A question is answered by a
# sentence, and asked in the reader's words: those that it shares with papers are often stray ones.
TOPIC = Weights(whole=0.7, sentence=0.3, keyword=1.3)
QUESTION = Weights(whole=0.4, sentence=0.6, keyword=0.55)


@dataclass(frozen=True, slots=True)
class Scores:
    """What each index says of a paper: two cosines, and the share of the query's words met."""

    whole: float
    sentence: float
    keyword: float

    def fused(self, weights: Weights) -> float:
        """One score, comparable within a query.

        >>> Scores(whole=0.5, sentence=0.5, keyword=0.2).fused(Weights(0.5, 0.5, 1.0))
        0.7
        """
        meaning = weights.whole * self.whole + weights.sentence * self.sentence
        return meaning + weights.keyword * self.keyword


def weights_for(query: str) -> Weights:
    """The weights that suit a query: a question ends with its mark, all else is a topic.

    >>> weights_for("Why do bees dance?") is QUESTION, weights_for("bee dances") is TOPIC
    (True, True)
    """
    return QUESTION if query.rstrip().endswith("?") else TOPIC
