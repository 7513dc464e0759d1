"""`doctor`: what is installed and what to mend."""

from __future__ import annotations

import typer

from assistant.commands.common import (
    EncoderOption,
    JsonOption,
    LibraryOption,
    ModelOption,
    print_json,
    settings,
)


def doctor(
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    model: ModelOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what is installed and what to mend; exit status 1 when something is."""
    from assistant import terminal
    from assistant.doctor import examine

    result = examine(settings(library, encoder=encoder, model=model))
    if as_json:
        print_json({**result.found, "mend": result.mend})
    else:
        out = terminal.console()
        for topic, facts in result.found.items():
            out.print(terminal.text(topic, "bold"))
            for name, value in facts.items():
                shown = ", ".join(map(str, value)) if isinstance(value, list) else value
                out.print(terminal.text(f"  {name:22} {shown}"))
        for line in result.mend or ["nothing"]:
            out.print(terminal.text(f"to mend: {line}", "yellow"))
    if result.mend:
        raise typer.Exit(1)
