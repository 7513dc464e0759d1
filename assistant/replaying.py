"""An answer that was kept, made again: is it the same, and if not, what differs?

An answer's receipt names everything that it depends on. The same question is asked after the same
ones before it, and both answers are laid side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.errors import GoldError
from assistant.types import Answer, Receipt


class _KeptReceipt(BaseModel):
    model_config = ConfigDict(extra="allow")

    library: str
    encoder: str
    model: str
    after: tuple[str, ...] = ()


class Kept(BaseModel):
    """The parts of an answer's JSON that are compared."""

    model_config = ConfigDict(extra="ignore")

    question: str
    status: str
    text: str
    receipt: _KeptReceipt


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, as it was and as it is now."""

    what: str
    before: str
    now: str


def read_kept(text: str) -> Kept:
    """An answer from its JSON; raises :class:`GoldError` for anything else."""
    try:
        return Kept.model_validate_json(text)
    except ValidationError as fault:
        raise GoldError(
            "That is not an answer of `citewell ask --json`: "
            f"{'.'.join(map(str, fault.errors()[0]['loc'])) or 'it'} is missing or of another kind."
        ) from fault


def receipt_differences(kept: Kept, receipt: Receipt) -> Iterator[Difference]:
    """Where what the answer was made with is no longer the same."""
    before, now = _flat(kept.receipt.model_dump()), _flat(asdict(receipt))
    for name in before.keys() | now.keys():
        if before.get(name) != now.get(name):
            yield Difference(name, before.get(name, ""), now.get(name, ""))


def differences(kept: Kept, answer: Answer) -> list[Difference]:
    """All that differs between the answer that was kept and the one that was made again."""
    found = [
        Difference(what, before, now)
        for what, before, now in (
            ("status", kept.status, answer.status.value),
            ("text", kept.text, answer.text),
        )
        if before != now
    ]
    return found + sorted(receipt_differences(kept, answer.receipt), key=lambda d: d.what)


def _flat(record: dict[str, object]) -> dict[str, str]:
    """A receipt with its inner parts by dotted name: ``prompts.answer``."""
    flat: dict[str, str] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": text for inner, text in _flat(value).items()}
        else:
            flat[name] = value if isinstance(value, str) else json.dumps(value)
    return flat
