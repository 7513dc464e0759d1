"""`eval`: a gold file to scores."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.commands.common import (
    EncoderOption,
    JsonOption,
    LibraryOption,
    ModelOption,
    closing,
    print_json,
    settings,
)

if TYPE_CHECKING:
    from assistant.desk import Assistant
    from assistant.evaluating import Gold, Result, Score


def evaluate(
    gold: Annotated[Path, typer.Argument(help="Gold file: one question a line, as JSON.")],
    types: Annotated[
        str, typer.Option(help="Types of question, comma between; else all in the file.")
    ] = "",
    retrieval_only: Annotated[
        bool, typer.Option("--retrieval-only", help="Score the search alone; no model is loaded.")
    ] = False,
    results: Annotated[
        Path | None, typer.Option(help="File of results; what stands there is not asked again.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many questions; 0 is all.")] = 0,
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score search and answers on questions whose right papers are known."""
    from assistant import terminal
    from assistant.evaluating import read_gold, scores
    from assistant.wiring import open_assistant, open_searcher

    wanted = {name.strip() for name in types.split(",") if name.strip()}
    questions = [q for q in read_gold(gold) if not wanted or q.type in wanted]
    questions = questions[: limit or None]
    chosen = settings(library, encoder=encoder, model=model)
    opened = open_searcher(chosen) if retrieval_only else open_assistant(chosen)
    with closing(opened) as assistant:
        _warn_of_unknown(assistant, questions)
        kept = results or _place(gold, assistant, answers=not retrieval_only)
        measured = _measure_all(assistant, questions, kept, answers=not retrieval_only)
    found = {kind: own for kind, own in scores(measured).items() if own}
    if as_json:
        print_json(_as_json(measured, found, kept))
    else:
        terminal.show_scores(found)
        terminal.console(errors=True).print(terminal.text(f"Question by question: {kept}"))


def _measure_all(
    assistant: Assistant, questions: Sequence[Gold], kept: Path, *, answers: bool
) -> list[Result]:
    """Ask what is not in the file yet; each result is written as soon as it is there."""
    from assistant import terminal
    from assistant.evaluating import measure, read_results

    done = read_results(kept)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with terminal.progress("Asking", len(questions)) as advance, kept.open("a") as file:
        for question in questions:
            if question.id not in done:
                done[question.id] = measure(assistant, question, answers=answers)
                file.write(done[question.id].model_dump_json() + "\n")
                file.flush()
            advance()
    return [done[question.id] for question in questions]


def _place(gold: Path, assistant: Assistant, *, answers: bool) -> Path:
    """A file in the cache that another library, model, prompt or gold file does not share."""
    from assistant.fetching import cache_dir

    receipt = assistant.receipt(assistant.library, assistant.slot.model)
    parts = (gold.read_bytes(), repr(asdict(receipt)).encode(), str(answers).encode())
    name = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    return cache_dir() / "evals" / f"{gold.stem}-{name}.jsonl"


def _warn_of_unknown(assistant: Assistant, questions: Sequence[Gold]) -> None:
    from assistant import terminal

    papers = assistant.library.papers()
    known = {paper.id for paper in papers} | {paper.source for paper in papers}
    named = {name for question in questions for name in question.gold}
    if missing := sorted(named - known):
        line = f"{len(missing)} right papers are not in this library, among them {missing[0]}."
        terminal.console(errors=True).print(terminal.text(line, "yellow"))


def _as_json(
    measured: Sequence[Result], found: dict[str, list[Score]], kept: Path
) -> dict[str, object]:
    return {
        "questions": len(measured),
        "scores": {kind: [asdict(score) for score in own] for kind, own in found.items()},
        "results": str(kept),
    }
