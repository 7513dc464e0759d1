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
PER_MODEL: dict[str, Thresholds] = {}

# A best paper below this fused score is about something else altogether.
ON_TOPIC = 0.25


def thresholds(model: str) -> Thresholds:
    """The thresholds of a model, by its name."""
    return PER_MODEL.get(model, DEFAULT)
