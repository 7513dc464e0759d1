"""`eval`: a gold file to scores."""

from __future__ import annotations

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
    from assistant.gold import Gold
    from assistant.measuring import Result

_NAMED = 3  # unknown papers that a warning names


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
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many questions.")] = None,
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score search and answers on questions whose right papers are known."""
    from assistant import terminal
    from assistant.fetching import cache_dir
    from assistant.gold import by_id
    from assistant.scoring import counts, scores
    from assistant.wiring import open_assistant, open_searcher

    questions = _chosen(gold, types)[:limit]
    kept = results or cache_dir() / "evals" / f"{gold.stem}.jsonl"
    chosen = settings(library, encoder=encoder, model=model)
    opened = open_searcher(chosen) if retrieval_only else open_assistant(chosen, note=_warn)
    with closing(opened) as assistant:
        questions, missing = by_id(questions, assistant.library)
        if missing:
            _warn(_not_here(missing))
        measured = _measure(assistant, questions, kept, answers=not retrieval_only)
        receipt = assistant.receipt(assistant.library, assistant.slot.model)
    found, numbers = scores(measured), counts(measured)
    if as_json:
        print_json(
            {
                "questions": len(measured),
                "scores": {kind: [asdict(score) for score in own] for kind, own in found.items()},
                "counts": numbers,
                "missing_papers": missing,
                "receipt": asdict(receipt),
                "results": str(kept),
            }
        )
    else:
        terminal.show_scores(found, numbers)
        terminal.console(errors=True).print(terminal.text(f"Question by question: {kept}"))


def _chosen(gold: Path, types: str) -> list[Gold]:
    """The questions of the types that are wanted, before anything heavy is loaded."""
    from assistant.errors import GoldError
    from assistant.gold import TYPES, read_gold

    wanted = [name.strip() for name in types.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in TYPES]:
        raise typer.BadParameter(
            f"there is no type {unknown[0]!r}; there are {', '.join(TYPES)}", param_hint="--types"
        )
    questions = [q for q in read_gold(gold) if not wanted or q.type in wanted]
    if not questions:
        raise GoldError(f"{gold.name} holds no question of the type {' or '.join(wanted)}.")
    return questions


def _measure(
    assistant: Assistant, questions: Sequence[Gold], kept: Path, *, answers: bool
) -> list[Result]:
    """All results, with a bar; what is done when it is stopped stays done."""
    from assistant import terminal
    from assistant.errors import StoppedError
    from assistant.evaluating import results

    done: list[Result] = []
    try:
        with terminal.progress("Asking", len(questions)) as advance:
            for result in results(assistant, questions, kept, answers=answers):
                done.append(result)
                advance()
    except KeyboardInterrupt:
        raise StoppedError(
            f"Stopped after {len(done)} of {len(questions)} questions, which are kept in {kept}. "
            "The same command goes on from there."
        ) from None
    return done


def _not_here(missing: Sequence[str]) -> str:
    named = ", ".join(missing[:_NAMED]) + (" …" if len(missing) > _NAMED else "")
    return (
        f"Not in this library, though the gold file names them: {len(missing)} ({named}). "
        "`citewell papers list` shows ids and sources."
    )


def _warn(line: str) -> None:
    from assistant import terminal

    terminal.console(errors=True).print(terminal.text(line, "yellow"))
