"""How good it is: a gold file through the whole assistant, question by question.

Each result (``measuring``) is kept as a line of a file as soon as it is there, so that a long run
can be stopped and goes on later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from assistant.desk import Assistant
from assistant.errors import GoldError
from assistant.gold import Gold
from assistant.measuring import Result, measure
from assistant.types import Receipt


def inputs_of(question: Gold, receipt: Receipt, *, answers: bool) -> str:
    """Sixteen hex digits that change with anything a result depends on.

    So a corrected line of the gold file, another model or a new paper is asked anew, and nothing
    else is.
    """
    made_with = json.dumps(asdict(receipt), sort_keys=True)
    parts = (question.model_dump_json(), made_with, str(answers))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def results(
    assistant: Assistant, questions: Sequence[Gold], kept: Path, *, answers: bool
) -> Iterator[Result]:
    """A result for each question: from the file ``kept``, else asked for and written there."""
    receipt = assistant.receipt(assistant.library, assistant.slot.model)
    done = read_results(kept)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8") as file:
        if kept.stat().st_size and not kept.read_bytes().endswith(b"\n"):
            file.write("\n")  # the end of a line that was cut off in writing
        for question in questions:
            inputs = inputs_of(question, receipt, answers=answers)
            if inputs not in done:
                result = measure(assistant, question, answers=answers)
                done[inputs] = result.model_copy(update={"inputs": inputs})
                file.write(done[inputs].model_dump_json() + "\n")
                file.flush()
            yield done[inputs]


def read_results(path: Path) -> dict[str, Result]:
    """The results in a file, by their inputs; a line that was cut off in writing is left out.

    Raises :class:`GoldError` for a file that holds something else: it shall not be written to.
    """
    found: dict[str, Result] = {}
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for line in text.splitlines():
        with suppress(ValidationError):
            result = Result.model_validate_json(line)
            found[result.inputs] = result
    if text.strip() and not found:
        raise GoldError(
            f"{path} holds no results of `citewell eval`. Name another file with --results."
        )
    return found
