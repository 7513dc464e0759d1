"""`models`: list and fetch."""

from __future__ import annotations

from typing import Annotated

import typer

from assistant.commands.common import (
    JsonOption,
    print_json,
)

app = typer.Typer(no_args_is_help=True, help="List and fetch models.")


@app.command("list")
def models_list(as_json: JsonOption = False) -> None:
    """List the known models, and which are here."""
    from assistant import terminal
    from assistant.fetching import installed
    from assistant.models import KNOWN

    here = {model.name: installed(model) is not None for model in KNOWN}
    if as_json:
        print_json(
            {
                "models": [
                    {
                        "name": model.name,
                        "role": model.role.value,
                        "licence": model.licence,
                        "bytes": model.bytes,
                        "here": here[model.name],
                        "measured": model.measured,
                    }
                    for model in KNOWN
                ]
            }
        )
        return
    out = terminal.console()
    for model in KNOWN:
        place = "here" if here[model.name] else "-"
        size = f"{model.bytes / 1e9:.2f} GB"
        out.print(
            f"{model.name:26}{model.role.value:9}{size:>8}  {model.licence:12}{place:6}"
            f"{model.measured}"
        )


@app.command("fetch")
def models_fetch(
    names: Annotated[list[str] | None, typer.Argument(help="Names; else the default.")] = None,
) -> None:
    """Bring models to this machine."""
    from assistant import terminal
    from assistant.fetching import fetch, installed
    from assistant.models import DEFAULT, by_name

    out = terminal.console()
    for model in [by_name(name) for name in names or [DEFAULT.name]]:
        if installed(model):
            out.print(f"{model.name} is here.")
            continue
        with terminal.loading(model.name) as progress:
            path = fetch(model, progress=progress)
        out.print(f"{model.name} is here now: {path}")
