"""The command line: reads words, calls the assistant, shows what comes back.

Thin on purpose, and everything heavy is imported inside the commands: `citewell --help` answers at
once. Exit status: 0 done, 1 could not be done (one line on standard error says why), 2 wrong usage.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from assistant.commands import (
    adding,
    asking,
    checking,
    evaluating,
    mcp,
    models,
    papers,
    replaying,
    summarizing,
    supporting,
)
from assistant.commands.common import BatchError

_INTERRUPTED = 130  # what typer makes of Ctrl-C

app = typer.Typer(
    name="citewell",
    help="Ask a library of paper abstracts; every sentence of an answer proves itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    adding.add,
    asking.search,
    asking.ask,
    summarizing.summarize,
    supporting.support,
    asking.serve,
    mcp.mcp,
    checking.doctor,
    adding.rebuild,
):
    app.command()(command)
app.command("eval")(evaluating.evaluate)
app.command()(replaying.replay)
app.add_typer(papers.app, name="papers")
app.add_typer(models.app, name="models")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"citewell {version('citewell')}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the command itself."""


def main() -> None:
    """Run the command; every fault is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app()
    except SystemExit as ended:
        if ended.code == _INTERRUPTED:
            _fail("Stopped. What was finished is kept.")
        raise
    except KeyboardInterrupt:
        _fail("Stopped. What was finished is kept.")
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; nobody is left to be told.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except UnicodeDecodeError:
        _fail("That file is not UTF-8 text. Save it as UTF-8 and try again.")
    except OSError as fault:
        _fail(f"{fault.filename or 'A file'}: {fault.strerror or fault}.")
    except Exception as fault:  # noqa: BLE001 - the last net: no traceback ever meets a user
        _explain(fault)


def _explain(fault: Exception) -> None:
    """Our own errors speak for themselves; any other is a bug, and says how to report it."""
    from assistant.errors import AssistantError
    from store.errors import StoreError

    if isinstance(fault, AssistantError | StoreError | BatchError):
        _fail(str(fault))
    if os.environ.get("CITEWELL_DEBUG"):
        raise fault
    _fail(
        f"A fault in citewell itself: {type(fault).__name__}: {fault}. "
        "Please report it, with what CITEWELL_DEBUG=1 shows."
    )


def _fail(line: str) -> None:
    from assistant.terminal import safe

    print(f"citewell: {safe(line)}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    main()
