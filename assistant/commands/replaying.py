"""`replay`: an answer that was kept, made again."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

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


def replay(
    answer: Annotated[Path, typer.Argument(help="What `ask --json` wrote (- for standard input).")],
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a kept answer's question again and say what differs; exit 1 when something does."""
    from assistant import terminal
    from assistant.replaying import differences, read_kept
    from assistant.types import Finished
    from assistant.wiring import open_assistant

    written = sys.stdin.read() if str(answer) == "-" else answer.read_text(encoding="utf-8")
    kept = read_kept(written)
    chosen = settings(library, encoder=encoder, model=model or kept.receipt.model)
    with closing(open_assistant(chosen)) as assistant:
        *_, last = assistant.ask(kept.question, after=kept.receipt.after)
        assert isinstance(last, Finished)
        found = differences(kept, last.answer)
    if as_json:
        print_json({"identical": not found, "differences": [asdict(each) for each in found]})
    elif found:
        out = terminal.console()
        for each in found:
            out.print(terminal.text(each.what, "bold"))
            out.print(terminal.text(f"  before: {each.before or '(nothing)'}"))
            out.print(terminal.text(f"  now:    {each.now or '(nothing)'}"))
    else:
        print("identical")
    if found:
        raise typer.Exit(1)
