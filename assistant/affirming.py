"""A denying claim with its denial taken away: part of ``stance``.

A small model that has read "bees dance" says Yes to "bees do not dance" too, since the rest of the
words fit. Asked of both it is surer of the one that the paper says: truth shows in the contrast of
a statement and its negation (Burns et al. 2022, arXiv:2212.03827).
"""

from __future__ import annotations

import re

_PREFACE = re.compile(
    r"^\s*(?:it is (?:not (?:true|the case)|false|untrue)|it isn['’]t true) that\s+", re.IGNORECASE
)
_KEPT = r"(?!\s+(?:only|just|merely|least)\b)"  # "not only" denies nothing
_DENIALS = (
    (re.compile(r"\b(ca)n['’]t\b|\bcan ?not\b" + _KEPT, re.IGNORECASE), "can"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will"),
    (re.compile(r"n['’]t\b", re.IGNORECASE), ""),
    (re.compile(r"\s+(?:not|never)\b" + _KEPT, re.IGNORECASE), ""),
    (re.compile(r"\bnever\s+", re.IGNORECASE), ""),
    (re.compile(r"\bwithout\b", re.IGNORECASE), "with"),
    (re.compile(r"\bno\s+(?!(?:more|less|fewer|longer|later)\b)(?=[a-z])", re.IGNORECASE), ""),
)


def affirmed(claim: str) -> str:
    """The claim without its plain negations; "" when it has none.

    >>> affirmed("Bees do not dance."), affirmed("It is not true that bees dance.")
    ('Bees do dance.', 'Bees dance.')
    >>> affirmed("AntWalk cannot work without sensors.")
    'AntWalk can work with sensors.'
    >>> affirmed("Bees dance not only at noon.")
    ''
    """
    told = _PREFACE.sub("", claim)
    for pattern, instead in _DENIALS:
        told = pattern.sub(instead, told)
    if told == claim or not told.strip():
        return ""
    return told[0].upper() + told[1:]
