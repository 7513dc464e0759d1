"""How the test collections are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def mean(values: list[bool] | list[float]) -> float:
    """The mean, 0 for nothing."""
    return sum(values) / len(values) if values else 0.0
