"""A question to its candidates: the papers that may answer it, each with what is read of it.

Search sees likeness; whether a paper *answers* is seen by reading it (``reading``). Reading is what
takes the time on a small machine, so there are few candidates, and each has a budget of tokens,
spent on the sentences that are nearest to the question. Most abstracts fit whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from operator import itemgetter

from assistant.framing import gives_orders
from assistant.types import Evidence
from store.types import Hit, ScoredSentence

# A paper this far behind the best one has no part in the answer: on labelled questions the right
# paper was the first whenever it led by more than 0.12.
LEAD = 0.15
_SHARE = 0.75  # nor has one whose score is less than this share of the best

MAX_PAPERS = 8

_SEVERAL = re.compile(
    r"""\b(?:differ(?!ently)\w*|compar(?!ed)\w+|versus|vs|contrast\w*|across|both|papers|the\ two
        |(?:each|which)\ of|one\ (?:paper|method|approach|work|study)|in\ common|unlike
        |respectively)\b""",
    re.IGNORECASE | re.VERBOSE,
)
# "Our code is at https://…" is no finding, and small models like to answer with it.
_LINK = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_CODE = re.compile(
    r"\b(?:code|github|implement\w*|available|released?|repository|links?|url|website)\b", re.I
)
_NUMBERS = {"two": 2, "both": 2, "another": 2, "four": 4, "five": 5}
_MANY = 3  # papers that a question about several gets, unless it says how many


def candidates(
    question: str, hits: Sequence[Hit], *, budget: int, count_tokens: Callable[[str], int]
) -> tuple[Evidence, ...]:
    """The papers worth reading, numbered from 1 in the order of their rank.

    ``budget`` is the tokens that a paper may take; half of it when the question is about several,
    for then they are all read. The best sentence is always taken; the sentences stand in reading
    order, so that "it" and "this" keep their meaning.
    """
    several = asked_of(question) > 1
    hits = [hit for hit in hits if hit.sentences]  # of a title alone there is nothing to read
    best = hits[0].score if hits else 0.0
    least, share = (-math.inf, budget // 2) if several else (_least(best), budget)
    near = [hit for hit in hits[:MAX_PAPERS] if hit.score >= least]
    read = [(hit, _within(share, hit, question, count_tokens)) for hit in near]
    return tuple(
        Evidence(number, hit.paper, sentences, hit.score)
        for number, (hit, sentences) in enumerate(filter(itemgetter(1), read), start=1)
    )


def _least(best: float) -> float:
    return max(best - LEAD, _SHARE * best)


def _within(
    budget: int, hit: Hit, question: str, count_tokens: Callable[[str], int]
) -> tuple[ScoredSentence, ...]:
    taken: list[ScoredSentence] = []
    wants_code = _CODE.search(question)
    for sentence in hit.sentences:  # the best ones first
        if gives_orders(sentence.text):
            continue
        cost = count_tokens(sentence.text)
        if taken and (cost > budget or (_LINK.search(sentence.text) and not wants_code)):
            continue
        taken.append(sentence)
        budget -= cost
    return tuple(sorted(taken, key=lambda sentence: sentence.start))


def asked_of(question: str) -> int:
    """Of how many papers an answer should speak: 1, or more when a question is about several.

    >>> asked_of("How fast is BeeNet?"), asked_of("How do the two dances differ?")
    (1, 2)
    >>> asked_of("Which papers study dances?")
    3
    """
    if not _SEVERAL.search(question):
        return 1
    words = re.findall(r"[a-z]+", question.lower())
    return next((_NUMBERS[word] for word in words if word in _NUMBERS), _MANY)
