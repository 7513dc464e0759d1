"""Scores to an order: how a paper's three scores become one.

Dense vectors know what a text is like, keywords know what it names; neither alone ranks well. Their
weighted sum (convex combination: Bruch et al. 2023, arXiv:2210.11934) beats reciprocal rank fusion,
for it keeps *how much* nearer a paper is. The weights were chosen on four test collections
(``benchmarks/ranking.py``, figures in ``docs/measurements.md``); the order changes little around
them.
"""

from __future__ import annotations

from dataclasses import dataclass

WEIGHT_WHOLE = 0.3
WEIGHT_SENTENCE = 0.7
WEIGHT_KEYWORD = 0.6


@dataclass(frozen=True, slots=True)
class Scores:
    """What each index says of a paper: two cosines, and how well it meets the query's words."""

    whole: float
    sentence: float
    keyword: float

    @property
    def fused(self) -> float:
        """One score, comparable within a query.

        >>> Scores(whole=0.5, sentence=0.5, keyword=0.25).fused
        0.65
        """
        return (
            WEIGHT_WHOLE * self.whole
            + WEIGHT_SENTENCE * self.sentence
            + WEIGHT_KEYWORD * self.keyword
        )
