"""`/search`, `/ask`, `/summarize`, `/support`, `/papers`: the command line's JSON over HTTP."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from assistant import exporting, summaries
from assistant.answering import MAX_QUESTION, checked_question
from assistant.api.service import Service, last_of, service
from assistant.summary import SummaryFinished
from assistant.supporting import MAX_CLAIM
from assistant.types import ClaimFinished, Finished
from store.filters import Filter
from store.selecting import Page

Json = dict[str, Any]
Shared = Annotated[Service, Depends(service)]
router = APIRouter()


def _text(longest: int) -> Any:
    # For the description alone: the assistant itself checks it, and says it in better words.
    return Field(json_schema_extra={"pattern": r"\S", "minLength": 1, "maxLength": longest})


Question = Annotated[str, _text(MAX_QUESTION)]
Claim = Annotated[str, _text(MAX_CLAIM)]


class Wanted(BaseModel):
    """Which papers are asked; what is left out asks for nothing."""

    collection: str = ""
    since: int | None = Field(None, ge=0, le=9999)
    until: int | None = Field(None, ge=0, le=9999)
    venue: str = ""
    author: str = ""
    keyword: str = ""

    def filter(self) -> Filter:
        """The same as the library's own value."""
        return Filter(**{name: getattr(self, name) for name in Wanted.model_fields})


class Search(Wanted):
    """A search."""

    query: Question
    k: int = Field(10, ge=1, le=100)


class Ask(Wanted):
    """A question; ``after`` holds those asked before it."""

    question: Question
    after: list[str] = []


class Summarize(Wanted):
    """A topic."""

    topic: Question


class Support(Wanted):
    """A claim."""

    claim: Claim


@router.post("/search")
async def search(shared: Shared, body: Search) -> Json:
    """Rank papers by nearness to a query; no language model is used."""
    query = checked_question(body.query)
    assistant = await shared.assistant(body.filter())
    return exporting.search_json(query, await assistant.search(query, body.k))


@router.post("/ask")
async def ask(request: Request, shared: Shared, body: Ask) -> Json:
    """Answer a question, each sentence cited and checked."""
    with shared.place():
        assistant = await shared.assistant(body.filter())
        last = await last_of(request, assistant.ask_stream(body.question, after=body.after))
    assert isinstance(last, Finished)
    return exporting.answer_json(last.answer)


@router.post("/summarize")
async def summarize(request: Request, shared: Shared, body: Summarize) -> Json:
    """Summarize what the papers say on a topic."""
    with shared.place():
        assistant = await shared.assistant(body.filter())
        last = await last_of(request, assistant.summarize_stream(body.topic))
    assert isinstance(last, SummaryFinished)
    return summaries.summary_json(last.summary)


@router.post("/support")
async def support(request: Request, shared: Shared, body: Support) -> Json:
    """Find the papers for and against a claim."""
    with shared.place():
        assistant = await shared.assistant(body.filter())
        last = await last_of(request, assistant.support_stream(body.claim))
    assert isinstance(last, ClaimFinished)
    return exporting.claim_json(last.report)


@router.get("/papers")
async def papers(
    shared: Shared,
    sort: Literal["", "title", "year", "venue", "author"] = "",
    descending: bool = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Json:
    """List papers, without their abstracts."""
    everything = await asyncio.to_thread(shared.desk.library.papers)
    found = Page(sort, descending, limit, offset).of(everything)
    return {"papers": [exporting.paper_json(paper) for paper in found]}


@router.get("/papers/{name:path}")
async def paper(shared: Shared, name: str) -> Json:
    """One paper with its abstract, by id or source (`FILE NAME#N`)."""
    return exporting.full_paper_json(await asyncio.to_thread(shared.desk.library.get, name))
