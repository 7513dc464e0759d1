"""When to answer and when to abstain: thresholds, per model, as measured on labelled questions.

``benchmarks/gate.py`` finds them; ``docs/measurements.md`` has the figures. A model that nobody
measured gets the cautious default.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """``answer``: the least logit of Yes over No to "do the excerpts contain the answer?"."""

    answer: float


DEFAULT = Thresholds(answer=0.0)
PER_MODEL = {
    "qwen2.5-coder-1.5b": Thresholds(answer=-0.2),
}

# The fused score of the best paper: below the first a question is about something else altogether,
# and is not even put to the model; below the second, when the model says that the answer is not
# there, it was about something else all the same.
OFF_TOPIC = 0.2
ON_TOPIC = 0.4


def thresholds(model: str) -> Thresholds:
    """The thresholds of a model, by its name."""
    return PER_MODEL.get(model, DEFAULT)
