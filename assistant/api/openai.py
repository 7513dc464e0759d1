"""`/v1`: the library as a model behind OpenAI's protocol, for programs that speak it already.

The last message is the question, the reader's messages before it are what it follows up on; system
texts and the model's own words are not read, for an answer rests on the abstracts alone. What is
sent as `content` has been checked: a stream tells it sentence by sentence at the end, and the
unchecked draft before that as `reasoning_content`, which programs show as thoughts.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Literal

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from assistant import exporting
from assistant.answering import checked_question
from assistant.api.door import BROKEN, error_body
from assistant.api.library import Json, Shared
from assistant.api.service import Gone, Service, last_of, while_there
from assistant.errors import AssistantError
from assistant.telling import named
from assistant.terminal import HEADINGS
from assistant.types import Answer, DraftGrew, Event, Finished, Status
from store.errors import StoreError
from store.filters import Filter
from store.labels import label

MODEL = "citewell"
_log = logging.getLogger(__name__)
router = APIRouter(prefix="/v1")


class Part(BaseModel):
    """A part of a message."""

    type: Literal["text"]
    text: str


class Message(BaseModel):
    """A message of a conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[Part] | None = None

    def text(self) -> str:
        """All of it as one text."""
        parts = self.content or ""
        return parts if isinstance(parts, str) else "\n".join(part.text for part in parts)


class Chat(BaseModel):
    """A request for an answer; further fields of OpenAI's are taken and make no difference."""

    model: str = MODEL
    messages: list[Message] = Field(min_length=1)
    stream: bool = False
    n: Literal[1] | None = 1


class Embed(BaseModel):
    """Texts to be encoded by the library's encoder."""

    model: str
    input: str | list[str] = Field(min_length=1)
    encoding_format: Literal["float", "base64"] = "float"


@router.get("/models")
async def models(shared: Shared) -> Json:
    """The library as a model, and its encoder."""
    names = (MODEL, shared.desk.library.encoder)
    return {"object": "list", "data": [_model(name) for name in names]}


@router.post("/chat/completions", response_model=None)
async def chat(request: Request, shared: Shared, body: Chat) -> Json | Response:
    """Answer the last message from the abstracts."""
    if body.model != MODEL:
        raise HTTPException(404, f"There is no model {body.model!r} here. Ask for {MODEL!r}.")
    if body.messages[-1].role != "user":
        raise HTTPException(400, "The last message must be the user's: it is the question.")
    *after, question = [m.text() for m in body.messages if m.role == "user"]
    checked_question(question)
    after = [text for text in after if text.strip()]
    if body.stream:
        chunks = _chunks(request, shared, question, after)
        first = await anext(chunks)  # who is refused a place gets a status, not a broken stream
        return StreamingResponse(_resumed(first, chunks), media_type="text/event-stream")
    with shared.place():
        assistant = await shared.assistant(Filter())
        last = await last_of(request, assistant.ask_stream(question, after=after))
    assert isinstance(last, Finished)
    text = told(last.answer)
    message = {
        "role": "assistant",
        "content": text,
        "refusal": None,
        "annotations": url_citations(last.answer, text),
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return _envelope("chat.completion") | {
        "choices": [choice],
        "usage": _usage(last.answer),
        "citewell": exporting.answer_json(last.answer),
    }


@router.post("/embeddings")
async def embeddings(shared: Shared, body: Embed) -> Json:
    """Unit vectors of texts, comparable with those of the library."""
    if body.model not in {"encoder", shared.desk.library.encoder}:
        raise HTTPException(
            404, f"The encoder here is {shared.desk.library.encoder!r}, not {body.model!r}."
        )
    texts = [body.input] if isinstance(body.input, str) else body.input
    if len(texts) > 256:
        raise HTTPException(400, f"{len(texts)} texts at once; at most 256 are encoded.")
    clean = [text.encode("utf-8", "replace").decode() for text in texts]
    vectors = await asyncio.to_thread(shared.desk.library.encode, clean)
    data = [
        {"object": "embedding", "index": i, "embedding": _coded(row, body.encoding_format)}
        for i, row in enumerate(vectors)
    ]
    words = sum(len(text.split()) for text in clean)
    usage = {"prompt_tokens": words, "total_tokens": words}
    return {"object": "list", "data": data, "model": body.model, "usage": usage}


def told(answer: Answer) -> str:
    """An answer for a chat: the text with its markers, then what they stand for."""
    if answer.status is not Status.ANSWERED:
        nearest = [f"- {named(paper)}" for paper in answer.nearest]
        body = [HEADINGS[answer.status], *(["", "Nearest papers:", *nearest] if nearest else [])]
    else:
        cited = {number for sentence in answer.sentences for number in sentence.numbers}
        sources = [f"[{e.number}] {named(e.paper)}" for e in answer.evidence if e.number in cited]
        body = [answer.text, *(["", "Sources:", *sources] if sources else [])]
    return "\n".join([*body, *answer.notes])


def url_citations(answer: Answer, text: str) -> list[Json]:
    """Each marker of the text as OpenAI's `url_citation`; offsets in characters."""
    papers = {item.number: item.paper for item in answer.evidence}
    found = []
    for marker in re.finditer(r"\[(\d+)\]", text[: len(answer.text)]):
        if paper := papers.get(int(marker[1])):
            where = {"start_index": marker.start(), "end_index": marker.end()}
            cited = {"title": label(paper), "url": paper.url or f"/papers/{paper.id}"}
            found.append({"type": "url_citation", "url_citation": where | cited})
    return found


async def _resumed(first: str, rest: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    async with aclosing(rest):
        yield first
        try:
            async for piece in rest:
                yield piece
        except Gone:
            return
        except (AssistantError, StoreError) as fault:
            yield _event(error_body(503, str(fault)))
        except Exception:  # noqa: BLE001 - the stream has begun: no other way to tell
            _log.exception("a stream failed")
            yield _event(error_body(500, BROKEN))


async def _chunks(
    request: Request, shared: Service, question: str, after: list[str]
) -> AsyncGenerator[str, None]:
    head = _envelope("chat.completion.chunk")

    def chunk(delta: Json, finish: str | None = None, **extra: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _event(head | {"choices": [choice]} | extra)

    draft = ""
    with shared.place():
        assistant = await shared.assistant(Filter())
        yield chunk({"role": "assistant", "content": ""})
        stream: AsyncIterator[Event] = assistant.ask_stream(question, after=after)
        async with aclosing(while_there(request, stream)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, DraftGrew):
                    yield chunk({"reasoning_content": event.text.removeprefix(draft)})
                    draft = event.text
    assert isinstance(event, Finished)
    text = told(event.answer)
    for piece in re.findall(r"[^\n.!?]*[\n.!?]*\s*", text):
        if piece:
            yield chunk({"content": piece})
    extra = {"usage": _usage(event.answer), "citewell": exporting.answer_json(event.answer)}
    yield chunk({"annotations": url_citations(event.answer, text)}, "stop", **extra)
    yield "data: [DONE]\n\n"


def _event(value: Json) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"


def _coded(row: Any, form: str) -> list[float] | str:
    import base64

    return (
        base64.b64encode(row.astype("<f4").tobytes()).decode() if form != "float" else row.tolist()
    )


def _envelope(kind: str) -> Json:
    name = f"chatcmpl-{uuid.uuid4().hex}"
    return {"id": name, "object": kind, "created": int(time.time()), "model": MODEL}


def _model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 0, "owned_by": "citewell"}


def _usage(answer: Answer) -> Json:
    read, written = answer.timings.prompt_tokens, answer.timings.answer_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
