"""`replay`: an answer that was kept, made again."""

from __future__ import annotations

import sys
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
    from assistant.replaying import Difference, Kept


def replay(
    answer: Annotated[Path, typer.Argument(help="What `ask --json` wrote (- for standard input).")],
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a kept answer's question again and say what differs; exit 1 when something does."""
    from assistant import wiring
    from assistant.replaying import changes, differences, model_of
    from assistant.types import Finished

    kept = _read(answer)
    chosen = settings(library, encoder=encoder, model=model or model_of(kept))
    # An answer in quotes was made without a model, even if there is one by now.
    without = not (model or kept.receipt.model)
    opened = wiring.open_searcher(chosen) if without else wiring.open_assistant(chosen)
    with closing(opened):
        assistant = opened.within(kept.where)
        _tell_of(changes(kept, assistant.receipt(assistant.library, assistant.slot.model)))
        *_, last = assistant.ask(kept.question, after=kept.receipt.after)
        assert isinstance(last, Finished)
        found = differences(kept, last.answer)
    if as_json:
        print_json({"identical": not found, "differences": [asdict(each) for each in found]})
    else:
        _show(found)
    if found:
        raise typer.Exit(1)


def _read(answer: Path) -> Kept:
    from assistant.errors import GoldError
    from assistant.replaying import read_kept

    if str(answer) == "-":
        return read_kept(sys.stdin.read(), "Standard input")
    try:
        return read_kept(answer.read_text(encoding="utf-8-sig"), answer.name)
    except UnicodeDecodeError as fault:
        raise GoldError(
            f"{answer.name} is not an answer of `citewell ask --json`: it is not UTF-8 text."
        ) from fault


def _tell_of(changed: Sequence[Difference]) -> None:
    """Before the question is asked again: with other inputs the answer may well be another."""
    from assistant import terminal

    if changed:
        names = ", ".join(each.what for each in changed)
        line = f"No longer as it was: {names}. Asking all the same …"
        terminal.console(errors=True).print(terminal.text(line, "yellow"))


def _show(found: Sequence[Difference]) -> None:
    from assistant import terminal

    out = terminal.console()
    if not found:
        out.print("identical")
    for each in found:
        out.print(terminal.text(each.what, "bold"))
        out.print(terminal.text(f"  before: {each.before or '(nothing)'}"))
        out.print(terminal.text(f"  now:    {each.now or '(nothing)'}"))
