"""One model for all who ask over HTTP: in order, so many at most, and for none who has left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from fastapi import HTTPException, Request

from assistant.desk import Assistant as Desk
from assistant.jobs import Line
from assistant.programs import Assistant, AsyncAssistant
from store.filters import Filter

E = TypeVar("E")


class Gone(Exception):  # noqa: N818 - nobody is left to be told
    """The client hung up."""


@dataclass(slots=True)
class Service:
    """What all requests share; ``places`` is how many may be with the model or wait for it."""

    desk: Desk
    places: int = 16
    line: Line = field(default_factory=Line)
    taken: int = 0

    async def assistant(self, where: Filter) -> AsyncAssistant:
        """The assistant with only the papers that a filter keeps."""
        desk = await asyncio.to_thread(self.desk.within, where) if where else self.desk
        return AsyncAssistant(Assistant(desk, self.line))

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the line; refused when all are taken."""
        if self.taken >= self.places:
            raise HTTPException(
                429,
                f"{self.places} requests wait already. Try again in a while.",
                headers={"Retry-After": "5"},
            )
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


def service(request: Request) -> Service:
    """The service of an application."""
    found: Service = request.app.state.service
    return found


async def while_there(request: Request, events: AsyncIterator[E]) -> AsyncIterator[E]:
    """The events, as long as the client listens; :class:`Gone` frees the model when it does not."""
    gone = asyncio.create_task(_hung_up(request))
    step: asyncio.Future[E] | None = None
    try:
        async with aclosing(events) as opened:  # type: ignore[type-var]
            while True:
                step = asyncio.ensure_future(anext(opened))
                await asyncio.wait({step, gone}, return_when=asyncio.FIRST_COMPLETED)
                if not step.done():
                    raise Gone
                try:
                    item = step.result()
                except StopAsyncIteration:
                    return
                yield item
    finally:
        gone.cancel()
        if step is not None and not step.done():
            step.cancel()


async def last_of(request: Request, events: AsyncIterator[E]) -> E:
    """The last of the events."""
    async with aclosing(while_there(request, events)) as opened:  # type: ignore[type-var]
        found = [event async for event in opened]
    return found[-1]


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
