"""`search`, `ask` and `serve`: questions to a library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assistant.commands.common import (
    AuthorOption,
    BatchOption,
    CollectionOption,
    EncoderOption,
    JsonOption,
    JudgeOption,
    KeywordOption,
    LibraryOption,
    ModelOption,
    VenueOption,
    YearOption,
    chosen,
    closing,
    each,
    queries_of,
    settings,
)

if TYPE_CHECKING:
    from assistant.types import Answer


def search(
    query: Annotated[str | None, typer.Argument(help="What to look for.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many papers.")] = 10,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
    batch: BatchOption = None,
    collection: CollectionOption = "",
    year: YearOption = "",
    venue: VenueOption = "",
    author: AuthorOption = "",
    keyword: KeywordOption = "",
) -> None:
    """Find the papers nearest to a query; no language model is used."""
    from assistant import terminal
    from assistant.answering import checked_question
    from assistant.exporting import search_json
    from assistant.wiring import open_library

    queries = queries_of(query, batch)
    where = chosen(collection, year, venue, author, keyword)
    with closing(open_library(settings(library, encoder=encoder))) as whole:
        opened = whole.within(where)
        if as_json or batch:
            each(
                queries,
                lambda q: search_json(q, opened.search(checked_question(q), k)),
                "query",
                batch,
            )
        else:
            terminal.show_hits(opened.search(checked_question(queries[0]), k))


def ask(
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    after: Annotated[
        list[str] | None, typer.Option(help="A question asked before; can be given repeatedly.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="Print it as markdown, latex or bibtex.")
    ] = "",
    export: Annotated[
        Path | None,
        typer.Option(help="Write it to FILE.md, .bib, or .tex (with its .bib beside it)."),
    ] = None,
    model: ModelOption = None,
    judge: JudgeOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
    batch: BatchOption = None,
    collection: CollectionOption = "",
    year: YearOption = "",
    venue: VenueOption = "",
    author: AuthorOption = "",
    keyword: KeywordOption = "",
) -> None:
    """Answer a question from the library, with citations."""
    from assistant import terminal
    from assistant.answering import checked_question
    from assistant.exporting import answer_json
    from assistant.types import Finished
    from assistant.wiring import open_assistant

    questions = queries_of(question, batch)
    _check_writing(form, export, alone=not (as_json or batch))
    where = chosen(collection, year, venue, author, keyword)
    if not batch:
        checked_question(questions[0])  # before a model is loaded for nothing
    with closing(
        open_assistant(settings(library, encoder=encoder, model=model, judge=judge))
    ) as opened:
        assistant = opened.within(where)

        def answered(text: str) -> dict[str, Any]:
            *_, last = assistant.ask(text, after=after or ())
            assert isinstance(last, Finished)
            return answer_json(last.answer)

        if as_json or batch:
            each(questions, answered, "question", batch)
        else:
            events = assistant.ask(questions[0], after=after or ())
            found = terminal.follow(events)
            _tell(found, form)
            if export:
                _write(found, export)


def _check_writing(form: str, export: Path | None, *, alone: bool) -> None:
    """Refuse before a model is loaded what could not be written in the end."""
    from assistant.answers import FORMATS, SUFFIXES

    if (form or export) and not alone:
        raise typer.BadParameter("--format and --export take one question, without --json")
    if form and form not in FORMATS:
        raise typer.BadParameter(f"give one of {', '.join(FORMATS)}", param_hint="--format")
    if export and export.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(f"FILE ends in {', '.join(SUFFIXES)}", param_hint="--export")
    if export and not export.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {export.parent}", param_hint="--export")


def _tell(answer: Answer, form: str) -> None:
    from assistant import answers, terminal

    if form:
        typer.echo(answers.exported(answer, form), nl=False)
    else:
        terminal.show_answer(answer)


def _write(answer: Answer, path: Path) -> None:
    from assistant import answers, terminal

    form = answers.SUFFIXES[path.suffix.lower()]
    files = {path: answers.exported(answer, form)}
    if form == "latex":
        files[path.with_suffix(".bib")] = answers.references(answer)
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")
        terminal.console(errors=True).print(terminal.text(f"Written to {file}"))


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port.")] = None,
    fetch: Annotated[bool, typer.Option(help="Fetch the default model if none is here.")] = False,
    auth: Annotated[
        list[str] | None,
        typer.Option(metavar="USER:PASSWORD", help="Who may sign in; or a file, one a line."),
    ] = None,
    api: Annotated[bool, typer.Option("--api", help="Serve HTTP for programs instead.")] = False,
    api_keys: Annotated[
        Path | None, typer.Option(help="File of bearer keys for --api, one a line.")
    ] = None,
    model: ModelOption = None,
    judge: JudgeOption = None,
    library: LibraryOption = None,
    encoder: EncoderOption = None,
) -> None:
    """Open the chat page, or with --api an HTTP interface for other programs."""
    from assistant import terminal, wiring

    chosen = settings(library, encoder=encoder, model=model, judge=judge, host=host, port=port)
    if api:
        if auth:
            raise typer.BadParameter(
                "is for the page; name keys with --api-keys", param_hint="--auth"
            )
        from assistant.api.serving import serve as serve_api

        serve_api(chosen, fetch=fetch, keys=api_keys)
        return
    if api_keys:
        raise typer.BadParameter("is for --api", param_hint="--api-keys")
    address = f"http://{chosen.host}:{chosen.port}"
    terminal.console().print(f"citewell is at {address} (Ctrl-C stops it)")
    wiring.serve(chosen, host=chosen.host, port=chosen.port, fetch=fetch, auth=auth or ())
