"""A question to its evidence: which sentences of which papers the model gets to see.

Reading is what takes the time on a small machine, so the evidence has a budget of tokens. It is
spent sentence by sentence on what is nearest to the question, a paper's own score counting as much
as the sentence's: that gives the best paper nearly whole and the telling sentences of others, and
loses less than five whole abstracts cost (the curve is in ``docs/measurements.md``).

Where one paper leads clearly, it is the right one, and what others say only misleads a small model:
then the evidence is that paper alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.types import Evidence
from store.types import Hit, ScoredSentence

# A paper this far behind the best one has no part in the answer: on labelled questions the right
# paper was the first whenever it led by more than 0.12.
LEAD = 0.15

MAX_PAPERS = 8  # looked at; the budget usually holds sentences of three


_COMPARING = re.compile(
    r"\b(?:differ\w*|compar\w+|versus|vs|contrast\w*|across|both|papers|(?:each|which) of"
    r"|the two|in common|unlike|respectively)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Choice:
    hit: Hit
    sentence: ScoredSentence

    @property
    def worth(self) -> float:
        return self.hit.score + self.sentence.score


def choose_evidence(
    question: str, hits: Sequence[Hit], *, budget: int, count_tokens: Callable[[str], int]
) -> tuple[Evidence, ...]:
    """Spend ``budget`` tokens on the sentences of the first papers; at least one is always taken.

    Papers are numbered from 1 in the order of their rank; the sentences of each stand in reading
    order, so that "it" and "this" keep their meaning.
    """
    lead = math.inf if compares(question) else LEAD
    near = [hit for hit in hits[:MAX_PAPERS] if hit.score > hits[0].score - lead]
    pool = [_Choice(hit, sentence) for hit in near for sentence in hit.sentences]
    pool.sort(key=lambda choice: -choice.worth)
    taken: dict[str, list[ScoredSentence]] = {}
    left = budget
    for choice in pool:
        cost = count_tokens(choice.sentence.text)
        if cost > left and taken:
            continue
        taken.setdefault(choice.hit.paper.id, []).append(choice.sentence)
        left -= cost
    chosen = [hit for hit in near if hit.paper.id in taken]
    return tuple(
        Evidence(
            number,
            hit.paper,
            tuple(sorted(taken[hit.paper.id], key=lambda sentence: sentence.start)),
            hit.score,
        )
        for number, hit in enumerate(chosen, start=1)
    )


def compares(question: str) -> bool:
    """Whether a question is about several papers, so that none can be the only right one.

    >>> compares("How do BeeNet and AntWalk differ?"), compares("How fast is BeeNet?")
    (True, False)
    """
    return bool(_COMPARING.search(question))
