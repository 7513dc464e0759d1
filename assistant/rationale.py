"""The sentences of an abstract that speak to a claim: part of ``stance``.

Likeness alone picks the sentence that sets the stage as often as the one that reports the finding.
So a sentence is scored by a line through what tells them apart: how near it is in meaning and in
words, alone and beside the others of its abstract, where it stands (findings come late) and how
much it says. ``benchmarks/stance.py`` fits the line to rationales that people marked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistant.citing import content_words, weight
from assistant.trained import trained
from store.types import Hit, ScoredSentence

MOST = 3  # sentences of one rationale
_LEAST = 0.2  # a second sentence is taken when it is this likely part of it


def rationale(claim: str, hit: Hit) -> tuple[ScoredSentence, ...]:
    """The sentences that speak to ``claim``, the likeliest first; at least one where there is any.

    The ``score`` of each is the probability that a person would mark it.
    """
    if not hit.sentences:
        return ()
    line = trained("rationale")[:, 0]
    table = sentence_features(claim, hit)
    likely = 1 / (1 + np.exp(-(table @ line[:-1] + line[-1])))
    ranked = sorted(zip(hit.sentences, likely, strict=True), key=lambda pair: -pair[1])
    return tuple(
        ScoredSentence(sentence.text, sentence.start, sentence.end, float(probability))
        for place, (sentence, probability) in enumerate(ranked[:MOST])
        if place == 0 or probability >= _LEAST
    )


def sentence_features(claim: str, hit: Hit) -> NDArray[np.float64]:
    """What the line is drawn through: shape ``(sentences, 9)``, in the order of ``hit``."""
    near = np.array([sentence.score for sentence in hit.sentences])
    words = np.array([covered(claim, sentence.text) for sentence in hit.sentences])
    starts = np.array([sentence.start for sentence in hit.sentences])
    places = np.argsort(np.argsort(starts))
    count = len(hit.sentences)
    rank = np.argsort(np.argsort(-near, kind="stable"), kind="stable")
    length = np.array([len(sentence.text) for sentence in hit.sentences]) / 200
    return np.column_stack(
        [
            near,
            near - near.max(),
            near - near.mean(),
            words,
            words - words.max(),
            places / count,
            rank == 0,
            rank == 1,
            length,
        ]
    )


def covered(claim: str, text: str) -> float:
    """The share of a claim's words that a text holds, each by what it tells."""
    words = content_words(claim)
    total = sum(map(weight, words))
    return sum(map(weight, words & content_words(text))) / total if total else 0.0
