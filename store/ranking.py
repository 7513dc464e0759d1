"""Scores to an order: how a paper's three scores become one.

Dense vectors know what a text is like, keywords know what it names; neither alone ranks well. Their
weighted sum (convex combination: Bruch et al. 2023, arXiv:2210.11934) beats reciprocal rank fusion,
for it keeps *how much* nearer a paper is. The weights were chosen on four test collections
(``benchmarks/ranking.py``, figures in ``docs/measurements.md``); the order changes little around
them.
"""

from __future__ import annotations

from dataclasses import dataclass

WEIGHT_WHOLE = 0.4
WEIGHT_SENTENCE = 0.6

# A topic or a list of keywords is in the papers' own words; a question is in the reader's, and the
# words that it shares with papers are often stray ones.
WEIGHT_KEYWORD = 1.1
WEIGHT_KEYWORD_OF_QUESTION = 0.55


@dataclass(frozen=True, slots=True)
class Scores:
    """What each index says of a paper: two cosines, and the share of the query's words met."""

    whole: float
    sentence: float
    keyword: float

    def fused(self, keyword_weight: float) -> float:
        """One score, comparable within a query.

        >>> Scores(whole=0.5, sentence=0.5, keyword=0.2).fused(keyword_weight=1.0)
        0.7
        """
        meaning = WEIGHT_WHOLE * self.whole + WEIGHT_SENTENCE * self.sentence
        return meaning + keyword_weight * self.keyword


def keyword_weight(query: str) -> float:
    """How much the words of a query count beside its meaning.

    >>> keyword_weight("bee dances") > keyword_weight("Why do bees dance?")
    True
    """
    asked = query.rstrip().endswith("?")
    return WEIGHT_KEYWORD_OF_QUESTION if asked else WEIGHT_KEYWORD
