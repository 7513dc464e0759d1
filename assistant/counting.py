"""Do the numbers and formulas stand there, for the same things? Part of ``verifying``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from assistant.agreeing import agrees
from assistant.attributing import words_shared
from assistant.binding import misplaced
from assistant.checking import Case, Check
from assistant.quantities import Quantity, quantities
from assistant.types import Verdict
from store.chunking import sentences
from store.plaintext import plain

# A bound or a root: "O(√(T log T))".
_FORMULA = re.compile(r"\b[OΘΩ]\s?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|√\(?\w+")


def check_numbers(case: Case) -> Check | None:
    """Every number stands in a source sentence, or in the record or the question."""
    held = quantities(case.source)
    asked, heads = quantities(case.question), quantities(case.heads)
    for stated in quantities(case.sentence):
        if any(agrees(stated, other) for other in asked):
            continue
        if any(agrees(stated, other) for other in (*held, *heads)):
            if reason := _counts_other(stated, held):
                return Check(Verdict.UNSUPPORTED, reason)
            continue
        if not _may_be_counted(stated, held) and not any(
            agrees(stated, other) for other in _related(case)
        ):
            return Check(
                Verdict.UNSUPPORTED,
                f"the number {stated.shown} is not in the source",
                invented=not held,
            )
    told = [r[a:b] for r in case.records.values() for a, b in sentences(r)]
    if reason := misplaced(case.sentence, told):
        return Check(Verdict.UNSUPPORTED, reason)
    record = " ".join(case.records.values()) + case.question
    for formula in _FORMULA.findall(plain(case.sentence)):
        if _symbols(formula) not in _symbols(record):
            reason = f"the formula {formula} is not in the source"
            return Check(Verdict.UNSUPPORTED, reason, invented=not _FORMULA.search(plain(record)))
    return None


def _symbols(text: str) -> str:
    """Letters and digits alone, the Greek ones by name: T^α is T^alpha."""
    letters = (c for c in plain(text) if c.isalnum())
    return "".join(
        unicodedata.name(c).split()[-1] if "α" <= c <= "ω" else c for c in letters
    ).lower()


def _counts_other(stated: Quantity, held: Sequence[Quantity]) -> str:
    """Whether the number is there, but of other things, whose own number is another."""
    if not stated.nouns or any(agrees(stated, o) and not _apart(stated, o) for o in held):
        return ""
    for other in held:
        if other.nouns & stated.nouns and not agrees(stated, other) and other.kind == stated.kind:
            noun = min(other.nouns & stated.nouns)
            return f"the source has {other.shown} for “{noun}…”, not {stated.shown}"
    return ""


def _apart(stated: Quantity, other: Quantity) -> bool:
    return bool(other.nouns) and not (stated.nouns & other.nouns)


def _may_be_counted(stated: Quantity, held: Sequence[Quantity]) -> bool:
    """Whether a small number in words is the writer's own count: "one", "two ways: a and b"."""
    if not stated.spelled or stated.kind or stated.value > 4:
        return False
    return stated.value <= 1 or not any(
        other.nouns & stated.nouns and other.spelled for other in held
    )


def _related(case: Case) -> Iterator[Quantity]:
    """Numbers of those sentences of the cited papers that share words with this one."""
    for record in case.records.values():
        for start, end in sentences(record):
            if len(words_shared(case.sentence, record[start:end])) > 1:
                yield from quantities(record[start:end])
