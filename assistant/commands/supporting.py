"""`support`: a claim, or a paragraph of them, to the papers for and against it."""

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
    from assistant.desk import Assistant
    from assistant.types import ClaimReport


def support(
    claim: Annotated[str | None, typer.Argument(help="The claim, or a paragraph.")] = None,
    paragraph: Annotated[
        bool, typer.Option("--paragraph", help="Take the text sentence by sentence.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write it with citations to FILE.md, .tex or .bib.")
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
    """Find the papers that support a claim, and those that contradict it."""
    from assistant import terminal
    from assistant.marking import SUFFIXES
    from assistant.supporting import checked_claim, claims_of
    from assistant.wiring import open_assistant

    texts = queries_of(claim, batch)
    where = chosen(collection, year, venue, author, keyword)
    if export and batch:
        raise typer.BadParameter("takes one text, not a batch", param_hint="--export")
    if export and export.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(f"FILE ends in {', '.join(SUFFIXES)}", param_hint="--export")
    if not batch and not paragraph:
        checked_claim(texts[0])  # before a model is loaded for nothing
    with closing(
        open_assistant(settings(library, encoder=encoder, model=model, judge=judge))
    ) as opened:
        assistant = opened.within(where)

        def reports(text: str) -> list[ClaimReport]:
            claims = claims_of(text) if paragraph else [text]
            return [_judged(assistant, claim) for claim in claims]

        if as_json or batch:
            each(
                texts, lambda text: _json(text, reports(text), paragraph=paragraph), "claim", batch
            )
        else:
            found = reports(texts[0])
            terminal.show_claims(found)
            if export:
                _write(export, found)


def _judged(assistant: Assistant, claim: str) -> ClaimReport:
    from assistant import terminal
    from assistant.types import ClaimFinished, PaperWeighed

    with terminal.steps("Weighing papers") as told:
        for event in assistant.support(claim):
            if isinstance(event, PaperWeighed):
                told(event.number, event.of)
            elif isinstance(event, ClaimFinished):
                return event.report
    raise AssertionError("the last event is ClaimFinished")


def _json(text: str, reports: list[ClaimReport], *, paragraph: bool) -> dict[str, Any]:
    from assistant.exporting import claim_json, paragraph_json

    return paragraph_json(text, reports) if paragraph else claim_json(reports[0])


def _write(path: Path, reports: list[ClaimReport]) -> None:
    from assistant import terminal
    from assistant.marking import written

    path.write_text(written(reports, path.suffix), encoding="utf-8")
    terminal.console(errors=True).print(terminal.text(f"Written to {path}"))
