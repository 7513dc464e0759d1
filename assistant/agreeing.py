"""Whether one quantity tells the truth of another: part of ``verifying``.

Between ``quantities``, which reads them, and the checks. What is stated may be rounded, in another
unit or a bound: it has to be true of what the source holds, not the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.quantities import SHARE, TIMES, Quantity

_SCORES = frozenset("accuraci f1 bleu score map auc auroc recal precis mse error rate".split())


def agrees(stated: Quantity, held: Quantity) -> bool:
    """Whether a stated quantity tells the truth of one that the source holds.

    >>> from assistant.quantities import quantities
    >>> def judge(a, b): return agrees(quantities(a)[0], quantities(b)[0])
    >>> judge("about 35%", "34.8%"), judge("over 30,000 bees", "35,241 bees")
    (True, True)
    >>> judge("35%", "38.4%"), judge("12 hives", "12%"), judge("less than 12 hives", "12+ hives")
    (False, False, False)
    """
    if _clash(stated, held):
        return False
    return any(_values_agree(value, stated, other, held) for value, other in _pairs(stated, held))


def _clash(stated: Quantity, held: Quantity) -> bool:
    """Whether the two are of different kinds: 12 layers are not 12 per cent."""
    if {stated.bound, held.bound} == {"over", "under"}:
        return True
    if stated.kind and held.kind:
        shares = {stated.kind, held.kind} == {SHARE, TIMES} and (stated.spelled or held.spelled)
        return stated.kind != held.kind and not shares  # "twice" and "half" tell the same
    bare = stated if not stated.kind else held
    return bool(stated.kind or held.kind) and bool(bare.nouns) and not bare.nouns & _SCORES


def _pairs(stated: Quantity, held: Quantity) -> Iterator[tuple[float, float]]:
    """The values to be compared, in one unit; a bare number may be a share of one."""
    if stated.kind == held.kind:
        yield stated.value * stated.scale, held.value * held.scale
    elif {stated.kind, held.kind} == {SHARE, TIMES}:
        share, factor = sorted((stated, held), key=lambda q: q.kind)
        yield share.value * factor.value, 100.0
    else:
        yield stated.value, held.value
        if stated.kind == SHARE and held.value <= 1:
            yield stated.value, held.value * 100
        if held.kind == SHARE and stated.value <= 1:
            yield stated.value * 100, held.value


def _values_agree(value: float, stated: Quantity, other: float, held: Quantity) -> bool:
    if _near(value, other, 1e-9):
        return True
    if stated.bound == "over":
        return value < other <= value * 1.2
    if stated.bound == "under":
        return value > other >= value * 0.8
    if stated.bound == "about" and _near(value, other, 0.05):
        return True
    return _rounded(stated, held, value, other)


def _near(value: float, other: float, share: float) -> bool:
    return abs(value - other) <= share * max(abs(value), abs(other))


def _rounded(stated: Quantity, held: Quantity, value: float, other: float) -> bool:
    """Whether the stated value is the held one with fewer digits; one digit says too little."""
    figures = len(f"{stated.value:.12g}".replace(".", "").strip("0"))
    finer = len(f"{held.value:.12g}".replace(".", "").strip("0"))
    if figures >= finer or (figures < 2 and stated.bound != "about"):
        return False
    return bool(value) and _near(float(f"{other:.{figures}g}"), value, 1e-9)
