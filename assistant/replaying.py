"""An answer that was kept, made again: is it the same, and if not, what differs?

An answer's receipt names everything that it depends on. The same question is asked after the same
ones before it, and both answers are laid side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant import models
from assistant.errors import GoldError, ModelNotFoundError
from assistant.exporting import answer_json
from assistant.types import Answer, Receipt
from store.filters import Filter

# Known only when the question has been asked again.
_OF_THE_ANSWER = {"after", "evidence"}


class _KeptFilter(BaseModel):
    """The fields of :class:`store.filters.Filter`."""

    model_config = ConfigDict(extra="forbid")

    collection: str = ""
    since: int | None = None
    until: int | None = None
    venue: str = ""
    author: str = ""
    keyword: str = ""


class _KeptReceipt(BaseModel):
    model_config = ConfigDict(extra="allow")

    library: str
    encoder: str
    model: str
    after: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    where: _KeptFilter = _KeptFilter()


class _KeptSentence(BaseModel):
    verdict: str
    sources: tuple[dict[str, int], ...]


class _KeptPaper(BaseModel):
    id: str


class Kept(BaseModel):
    """The parts of an answer's JSON that are compared."""

    model_config = ConfigDict(extra="ignore")

    question: str
    status: str
    text: str
    sentences: tuple[_KeptSentence, ...]
    nearest: tuple[_KeptPaper, ...]
    receipt: _KeptReceipt

    @property
    def where(self) -> Filter:
        """The papers that the question was asked of."""
        return Filter(**self.receipt.where.model_dump())


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, as it was and as it is now."""

    what: str
    before: str
    now: str


def read_kept(text: str, name: str = "That") -> Kept:
    """An answer from its JSON; raises :class:`GoldError` for anything else."""
    try:
        return Kept.model_validate_json(text)
    except ValidationError as fault:
        place = ".".join(map(str, fault.errors()[0]["loc"]))
        why = f"its {place!r} is missing or of another kind" if place else "it is not one object"
        raise GoldError(f"{name} is not an answer of `citewell ask --json`: {why}.") from fault


def model_of(kept: Kept) -> str:
    """The known model that a kept answer was made with, "" for none.

    Only by name: a path or an address in a file that somebody sent is not the reader's own choice.
    """
    name = kept.receipt.model
    try:
        return models.by_name(name).name if name else ""
    except ModelNotFoundError as fault:
        raise ModelNotFoundError(
            f"The answer was made with {name!r}, which is no model that citewell knows. "
            "Give its file or its address with --model."
        ) from fault


def changes(kept: Kept, receipt: Receipt) -> list[Difference]:
    """What is no longer the same before the question is asked again: library, model, prompts …"""
    before, now = _flat(kept.receipt.model_dump(exclude_unset=True)), _flat(asdict(receipt))
    names = sorted((before.keys() | now.keys()) - _OF_THE_ANSWER)
    return list(_differing((n, before.get(n, ""), now.get(n, "")) for n in names))


def differences(kept: Kept, answer: Answer) -> list[Difference]:
    """All that differs between the answer that was kept and the one that was made again."""
    again = Kept.model_validate(answer_json(answer))
    parts = (
        ("status", kept.status, again.status),
        ("text", kept.text, again.text),
        ("proof", _proof(kept), _proof(again)),
        ("nearest", _named(kept), _named(again)),
        ("after", " / ".join(kept.receipt.after), " / ".join(again.receipt.after)),
        ("evidence", *_apart(kept.receipt.evidence, again.receipt.evidence)),
    )
    return [*_differing(parts), *changes(kept, answer.receipt)]


def _differing(parts: Any) -> Iterator[Difference]:
    return (Difference(what, before, now) for what, before, now in parts if before != now)


def _proof(kept: Kept) -> str:
    """Verdict and source spans of every sentence; scores may differ in the last digit."""
    return "; ".join(
        " ".join([s.verdict, *(f"[{c['number']}]:{c['start']}-{c['end']}" for c in s.sources)])
        for s in kept.sentences
    )


def _named(kept: Kept) -> str:
    return " ".join(paper.id for paper in kept.nearest)


def _apart(before: Sequence[str], now: Sequence[str]) -> tuple[str, str]:
    """What only one of two lists holds; both whole when they differ in order alone.

    >>> _apart(["a", "b"], ["b", "c"])
    ('a', 'c')
    >>> _apart(["a", "b"], ["b", "a"])
    ('a b', 'b a')
    """
    gone = [item for item in before if item not in now]
    new = [item for item in now if item not in before]
    return (" ".join(gone), " ".join(new)) if gone or new else (" ".join(before), " ".join(now))


def _flat(record: dict[str, Any]) -> dict[str, str]:
    """A receipt with its inner parts by dotted name: ``prompts.answer``.

    >>> _flat({"library": "af", "settings": {"answer_tokens": 220}})
    {'library': 'af', 'settings.answer_tokens': '220'}
    """
    flat: dict[str, str] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": text for inner, text in _flat(value).items()}
        else:
            flat[name] = value if isinstance(value, str) else json.dumps(value)
    return flat
