"""`mcp`: the library as tools for other assistants."""

from __future__ import annotations

import sys

from assistant.commands.common import (
    EncoderOption,
    JudgeOption,
    LibraryOption,
    ModelOption,
    settings,
)


def mcp(
    model: ModelOption = None,
    judge: JudgeOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
) -> None:
    """Give the library to another assistant (Model Context Protocol)."""
    chosen = settings(library, encoder=encoder, model=model, judge=judge)
    if sys.stdin.isatty():
        hint = "citewell mcp is started by another assistant; docs/mcp.md shows how. Ctrl-C ends it"
        print(hint, file=sys.stderr)

    from assistant.mcp_server import server
    from assistant.programs import opened

    server(lambda: opened(chosen)).run("stdio")
