"""Where the test collections lie, and how they are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[2] / "shared"


@dataclass(frozen=True, slots=True)
class Gold:
    """A question with its right papers; see the gold-file format in the README."""

    id: str
    type: str
    question: str
    gold: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    must_include: tuple[str, ...] = ()
    turns: tuple[str, ...] = field(default=())

    def includes(self, text: str) -> bool:
        """Whether a text holds one wording of everything that an answer must include."""
        low = text.lower()
        return all(any(way.lower() in low for way in m.split("|")) for m in self.must_include)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def gold(path: Path) -> list[Gold]:
    """The questions of a gold file."""
    return [
        Gold(
            id=item["id"],
            type=item["type"],
            question=item["question"],
            gold=tuple(item.get("gold") or ()),
            optional=tuple(item.get("optional") or ()),
            near=tuple(item.get("near") or ()),
            must_include=tuple(item.get("must_include") or ()),
            turns=tuple(item.get("turns") or ()),
        )
        for item in lines(path)
    ]


def mean(values: list[bool] | list[float]) -> float:
    """The mean, 0 for nothing."""
    return sum(values) / len(values) if values else 0.0
