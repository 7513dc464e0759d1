"""The SHA-256 of a model file that nobody vouched for, read through once and then remembered.

A gigabyte takes seconds to read, and every answer's receipt names the hash. What was worked out is
kept in the cache folder and holds as long as the file has the same size and time of change.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from assistant.fetching import cache_dir


def sha256_of(path: Path) -> str:
    """The hash of a file, from memory where the file has not changed since."""
    state = path.stat()
    mark = [state.st_size, state.st_mtime_ns]
    memory = cache_dir() / "hashes.json"
    known = _read(memory)
    match known.get(str(path.resolve())):
        case [size, changed, str(digest)] if [size, changed] == mark:
            return digest
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    with suppress(OSError):  # a cache that can't be written to costs time, not the answer
        _write(memory, known | {str(path.resolve()): [*mark, digest]})
    return digest


def _read(memory: Path) -> dict[str, object]:
    try:
        known = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(memory: Path, known: dict[str, object]) -> None:
    memory.parent.mkdir(parents=True, exist_ok=True)
    draft = memory.with_name(memory.name + ".new")
    draft.write_text(json.dumps(known), encoding="utf-8")
    draft.replace(memory)
