"""Reading: which of the papers found answers the question.

Search sees likeness: the paper that answers is among its first, but not always the first. So the
model reads the candidates one after another, each alone, and is asked after each whether the answer
is in it: the logit of "Yes" over "No", which takes no more time than reading (pointwise relevance,
Liang et al. 2022, arXiv:2211.09110, there as a share of probability). A paper that surely answers
ends the search, so that an easy question costs one abstract.

Read alone, a paper cannot lend its numbers to another; and the answer is written while its text is
still in the model's memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant import prompting
from assistant.calibration import Thresholds
from assistant.llm import ChatModel
from assistant.types import Cancellation, Evidence

_JUDGEMENT = 0.3  # the scales of logits and search scores differ: chosen with the thresholds
FIRST = 4  # papers beyond these are read only if none of these may answer
_MANY = 5  # papers that are read for a question about several


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that was read, and the logit of Yes over No to "is the answer stated in it?"."""

    item: Evidence
    yes: float

    @property
    def worth(self) -> float:
        """How likely this paper is the right one: what the model and the search say of it."""
        return _JUDGEMENT * self.yes + self.item.score


def read(
    question: str,
    evidence: Sequence[Evidence],
    model: ChatModel,
    thresholds: Thresholds,
    *,
    several: bool,
    cancel: Cancellation,
) -> Iterator[Reading]:
    """Read papers in the order of their rank, till one surely answers.

    For a question about ``several`` the first few are all read. A model that cannot judge (no
    logits to be had, or not trusted with it) takes the first.
    """
    hope = False
    for item in evidence[: _MANY if several else None]:
        if item.number > FIRST and hope and not several:
            return
        yes = model.prefers_yes(prompting.build("judge", question, [item]), cancel=cancel)
        yes = thresholds.sure if yes is None else yes
        yield Reading(item, yes)
        if yes >= thresholds.sure and not several:
            return
        hope |= yes >= thresholds.hope


def choose(readings: Sequence[Reading], thresholds: Thresholds, *, most: int) -> list[Evidence]:
    """The ``most`` likeliest of the papers that may answer, in the order of their rank."""
    able = [
        reading
        for reading in readings
        if reading.yes >= (thresholds.late if reading.item.number > FIRST else thresholds.answer)
    ]
    best = sorted(able, key=lambda reading: -reading.worth)[:most]
    return sorted((reading.item for reading in best), key=lambda item: item.number)
