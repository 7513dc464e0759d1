"""The command line: reads words, calls the assistant, shows what comes back.

Thin on purpose, and everything heavy is imported inside the commands: `citewell --help` answers at
once. Exit status: 0 done, 1 could not be done (one line on standard error says why), 2 wrong usage.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from assistant.settings import Settings

app = typer.Typer(
    name="citewell",
    help="Ask a library of paper abstracts; every sentence of an answer proves itself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
papers_app = typer.Typer(no_args_is_help=True, help="List, show, remove and export papers.")
models_app = typer.Typer(no_args_is_help=True, help="List and fetch models.")
app.add_typer(papers_app, name="papers")
app.add_typer(models_app, name="models")

LibraryOption = Annotated[
    Path | None,
    typer.Option("--library", envvar="CITEWELL_LIBRARY", help="Folder of the library."),
]
EncoderOption = Annotated[
    str | None, typer.Option("--encoder", help="Encoder: a known name or a folder.")
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="Answer model: a known name, a GGUF file or an address (…/v1)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BatchOption = Annotated[
    Path | None,
    typer.Option("--batch", help="File of queries, one a line (- for standard input)."),
]


class BatchError(Exception):
    """Some lines of a batch could not be done; each has said so in its place."""


# -- papers in


@app.command()
def add(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files and folders.")] = None,
    sample: Annotated[bool, typer.Option(help="Add the sample library.")] = False,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the papers of files and folders; what is already there is not added again."""
    from itertools import chain

    from assistant import terminal
    from assistant.exporting import report_json
    from assistant.wiring import open_library
    from store.sample import PATH
    from store.sources import read_path

    wanted = [*(paths or []), *([PATH] if sample else [])]
    if not wanted:
        raise typer.BadParameter("name a file or folder, or use --sample")
    # Opened before the library is made: a path that does not exist leaves nothing behind.
    records = [read_path(path) for path in wanted]
    with (
        closing(open_library(_settings(library, encoder=encoder), create=True)) as opened,
        terminal.counting("Adding papers") as progress,
    ):
        report = opened.add(chain.from_iterable(records), progress=progress)
    if as_json:
        _print_json(report_json(report))
    else:
        terminal.show_report(report)


@app.command()
def rebuild(library: LibraryOption = None, encoder: EncoderOption = None) -> None:
    """Encode the library anew, after another encoder was chosen."""
    from assistant import terminal
    from assistant.wiring import rebuild_library

    with terminal.counting("Encoding papers") as progress:
        count = rebuild_library(_settings(library, encoder=encoder), progress=progress)
    terminal.console().print(f"{count:,} papers encoded anew.")


# -- questions


@app.command()
def search(
    query: Annotated[str | None, typer.Argument(help="What to look for.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many papers.")] = 10,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
    batch: BatchOption = None,
) -> None:
    """Find the papers nearest to a query; no language model is used."""
    from assistant import terminal
    from assistant.answering import checked_question
    from assistant.exporting import search_json
    from assistant.wiring import open_library

    queries = _queries(query, batch)
    with closing(open_library(_settings(library, encoder=encoder))) as opened:
        if as_json or batch:
            _each(
                queries,
                lambda q: search_json(q, opened.search(checked_question(q), k)),
                "query",
                batch,
            )
        else:
            terminal.show_hits(opened.search(checked_question(queries[0]), k))


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    after: Annotated[
        list[str] | None, typer.Option(help="A question asked before; can be given repeatedly.")
    ] = None,
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
    batch: BatchOption = None,
) -> None:
    """Answer a question from the library, with citations."""
    from assistant import terminal
    from assistant.answering import checked_question
    from assistant.exporting import answer_json
    from assistant.types import Finished
    from assistant.wiring import open_assistant

    questions = _queries(question, batch)
    if not batch:
        checked_question(questions[0])  # before a model is loaded for nothing
    with closing(open_assistant(_settings(library, encoder=encoder, model=model))) as assistant:

        def answered(text: str) -> dict[str, Any]:
            *_, last = assistant.ask(text, after=after or ())
            assert isinstance(last, Finished)
            return answer_json(last.answer)

        if as_json or batch:
            _each(questions, answered, "question", batch)
        else:
            events = assistant.ask(questions[0], after=after or ())
            terminal.show_answer(terminal.follow(events))


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port.")] = None,
    fetch: Annotated[bool, typer.Option(help="Fetch the default model if none is here.")] = False,
    model: ModelOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
) -> None:
    """Open the chat page."""
    from assistant import terminal, wiring

    settings = _settings(library, encoder=encoder, model=model, host=host, port=port)
    address = f"http://{settings.host}:{settings.port}"
    terminal.console().print(f"citewell is at {address} (Ctrl-C stops it)")
    wiring.serve(settings, host=settings.host, port=settings.port, fetch=fetch)


# -- papers


@papers_app.command("list")
def papers_list(
    library: LibraryOption = None, encoder: EncoderOption = None, as_json: JsonOption = False
) -> None:
    """List all papers."""
    from assistant import terminal
    from assistant.exporting import paper_json
    from assistant.wiring import open_library

    with closing(open_library(_settings(library, encoder=encoder))) as opened:
        found = opened.papers()
    if as_json:
        _print_json({"papers": [paper_json(paper) for paper in found]})
    else:
        terminal.show_papers(found)


@papers_app.command("show")
def papers_show(
    name: Annotated[str, typer.Argument(help="Id or source of the paper.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one paper with its abstract."""
    from assistant import terminal
    from assistant.exporting import full_paper_json
    from assistant.wiring import open_library

    with closing(open_library(_settings(library, encoder=encoder))) as opened:
        paper = opened.get(name)
    if as_json:
        _print_json(full_paper_json(paper))
    else:
        terminal.show_paper(paper)


@papers_app.command("remove")
def papers_remove(
    names: Annotated[list[str], typer.Argument(help="Ids or sources of papers.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove papers; none is removed when one of the names is wrong."""
    from assistant import terminal
    from assistant.wiring import open_library

    with closing(open_library(_settings(library, encoder=encoder))) as opened:
        removed = opened.remove(names)
        left = len(opened)
    if as_json:
        _print_json({"removed": removed, "papers": left})
    else:
        terminal.console().print(f"{removed:,} removed; the library holds {left:,} papers.")


@papers_app.command("export")
def papers_export(
    target: Annotated[Path, typer.Argument(help="File to write; - for standard output.")],
    library: LibraryOption = None,
    encoder: EncoderOption = None,
) -> None:
    """Write all papers as JSON Lines, which `citewell add` reads again."""
    from assistant.exporting import full_paper_json
    from assistant.wiring import open_library

    with closing(open_library(_settings(library, encoder=encoder))) as opened:
        lines = [json.dumps(full_paper_json(p), ensure_ascii=False) for p in opened.papers()]
    content = "".join(line + "\n" for line in lines)
    if str(target) == "-":
        sys.stdout.write(content)
        return
    draft = target.with_name(target.name + ".new")
    draft.write_text(content, encoding="utf-8")
    draft.replace(target)


# -- models


@models_app.command("list")
def models_list(as_json: JsonOption = False) -> None:
    """List the known models, and which are here."""
    from assistant import terminal
    from assistant.fetching import installed
    from assistant.models import KNOWN

    here = {model.name: installed(model) is not None for model in KNOWN}
    if as_json:
        _print_json(
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


@models_app.command("fetch")
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


@app.command()
def doctor(
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    model: ModelOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what is installed and what to mend; exit status 1 when something is."""
    from assistant import terminal
    from assistant.doctor import examine

    result = examine(_settings(library, encoder=encoder, model=model))
    if as_json:
        _print_json({**result.found, "mend": result.mend})
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


# -- what the commands share


def _settings(library: Path | None, **chosen: Any) -> Settings:
    from assistant.settings import load

    return load(library=library, **chosen)


def _queries(query: str | None, batch: Path | None) -> list[str]:
    """The queries of a call: the one that was given, or the lines of a file."""
    if (query is None) == (batch is None):
        raise typer.BadParameter("give a query or --batch FILE, one of the two")
    if batch is None:
        return [query or ""]
    if str(batch) == "-":
        lines = sys.stdin.read().splitlines()
    else:
        lines = batch.read_text(encoding="utf-8-sig").splitlines()
    return [line.strip() for line in lines if line.strip()]


def _each(
    queries: Sequence[str],
    result: Callable[[str], dict[str, Any]],
    name: str,
    batch: Path | None,
) -> None:
    """Print one JSON object a query; in a batch one that fails says so in its place."""
    from assistant.errors import AssistantError
    from store.errors import StoreError

    failed = 0
    for query in queries:
        try:
            found = result(query)
        except (AssistantError, StoreError) as fault:
            if not batch:
                raise
            found = {name: query, "error": str(fault)}
            failed += 1
        _print_json(found)
    if failed:
        raise BatchError(f"{failed} of {len(queries)} queries could not be done.")


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)


@contextmanager
def closing(opened: Any) -> Iterator[Any]:
    """Close a library or assistant at the end, whatever happens."""
    try:
        yield opened
    finally:
        opened.close()


def main() -> None:
    """Run the command; every fault is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app()
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
