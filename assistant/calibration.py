"""When to answer and when to abstain: thresholds, per model, as measured on labelled questions.

``benchmarks/calibrate.py`` finds them; ``docs/measurements.md`` has the figures. A model that
nobody measured gets the cautious default.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Logits of Yes over No to "is the answer stated in it?".

    A paper below ``answer`` is not answered from; one above ``sure`` ends the search. While none of
    the first reaches ``hope``, papers further down are read as well; of many read, one easily gets
    a stray Yes, so these must reach ``late``. A paper whose draft did not hold is quoted from when
    it reaches ``late`` too. ``shown`` is for sentences of a draft: one that leans on words of the
    question which its paper does not have fails when the model is further than that from Yes to
    "does the abstract show it?".
    """

    answer: float
    late: float
    hope: float
    sure: float
    shown: float = -math.inf

    @property
    def judges(self) -> bool:
        """Whether the model's Yes and No count at all."""
        return self.sure > -math.inf


# Nothing is known of the model: it abstains unless it leans to Yes, and reads on unless that is
# clear.
DEFAULT = Thresholds(answer=0.0, late=0.0, hope=0.0, sure=4.0, shown=-1.0)

# A model whose Yes tells nothing: the first paper is taken as it comes.
_TAKES_THE_FIRST = Thresholds(answer=-math.inf, late=-math.inf, hope=-math.inf, sure=-math.inf)

PER_MODEL = {
    "qwen2.5-coder-1.5b": Thresholds(answer=-0.68, late=-0.17, hope=0.0, sure=0.5, shown=-0.8),
    "smollm2-135m": _TAKES_THE_FIRST,
}

# The fused score of the best paper: below the first a question is about something else altogether,
# and is not even put to the model; below the second, when the model says that the answer is not
# there, it was about something else all the same.
OFF_TOPIC = 0.2
ON_TOPIC = 0.4


def thresholds(model: str) -> Thresholds:
    """The thresholds of a model, by its name."""
    return PER_MODEL.get(model, DEFAULT)
