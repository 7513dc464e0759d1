"""A follow-up to a question that stands alone.

"And how many people was that?" finds nothing by itself. A question that points back is put behind
the last one that did not; others, and changes of topic, are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.citing import content_words
from assistant.naming import names

_GOES_ON = re.compile(r"^\s*(?:and|but|so|also|then)\b|\bthat\s*\?*\s*$", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|she|his|her|this|these|those|the same)\b",
    re.IGNORECASE,
)
_AFTER_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should)\s+$",
    re.IGNORECASE,
)


def standalone(question: str, after: Sequence[str]) -> str:
    """The question with what it points back to.

    >>> standalone("How fast is it?", ["What is BeeNet?"])
    'What is BeeNet? How fast is it?'
    >>> standalone("What is AntWalk?", ["What is BeeNet?"])
    'What is AntWalk?'

    A question that a reader took as it was understood, and changed, is left alone as well.
    """
    told = any(question.startswith(before.strip()) for before in after if before.strip())
    if not after or told or not points_back(question):
        return question
    start = next((q for q in reversed(after) if not points_back(q)), after[-1])
    return f"{start.strip()} {question.strip()}"


def points_back(question: str) -> bool:
    """Whether a question needs the ones before it to be understood.

    A pronoun does not when the question itself has said enough before it for it to stand for ("a
    gradient and its square"), unless it is the subject ("is it", "do they"); a name before it is
    what it stands for.
    """
    if _GOES_ON.search(question):
        return not names(question) or len(content_words(question)) < 2
    return any(_has_no_antecedent(question[: m.start()]) for m in _PRONOUN.finditer(question))


def _has_no_antecedent(before: str) -> bool:
    if names(before):
        return False
    return bool(_AFTER_AUXILIARY.search(before)) or len(content_words(before)) < 2
