"""The assistant for other programs: open a library, ask, and get typed results.

Each question is a :class:`assistant.jobs.Job`: threads may share an assistant, and whoever stops
reading a stream (or is cancelled) stops the model too.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TypeVar

from assistant import wiring
from assistant.desk import Assistant as Desk
from assistant.jobs import Job, Line
from assistant.settings import Settings, load
from assistant.summary import Summary, SummaryEvent, SummaryFinished
from assistant.types import (
    Answer,
    Cancellation,
    ClaimEvent,
    ClaimFinished,
    ClaimReport,
    Event,
    Finished,
)
from store.types import AddReport, Hit, Paper

E = TypeVar("E")
_Events = Callable[[Cancellation], Iterator[E]]


def open_library(
    folder: str | Path | None = None, *, model: str = "", encoder: str = "", judge: str = ""
) -> Assistant:
    """Open a library and load its model; what is not given is as for the command line.

    Raises :class:`store.errors.StoreError` or :class:`assistant.errors.AssistantError`, each with
    one line that names the cure. Without a model on this machine, answers are quotes.
    """
    return opened(load(library=folder, model=model, encoder=encoder, judge=judge))


def opened(settings: Settings) -> Assistant:
    """The library and the model that settings name; raises as :func:`open_library` does."""
    return Assistant(wiring.open_assistant(settings))


class Assistant:
    """A library and its model; a context manager. Threads may share it: one question at a time."""

    def __init__(self, desk: Desk, line: Line | None = None) -> None:
        self._desk = desk
        self._line = line or Line()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._desk.paper_count()

    def close(self) -> None:
        """Let go of the library."""
        self._desk.close()

    def papers(self) -> list[Paper]:
        """All papers, in the order in which they were added."""
        return self._desk.library.papers()

    def paper(self, name: str) -> Paper:
        """The paper with that id or source; raises :class:`store.errors.PaperNotFoundError`."""
        return self._desk.library.get(name)

    def add(self, path: str | Path) -> AddReport:
        """Add the papers of a file or folder."""
        return self._desk.add(Path(path), progress=lambda done, total: None)

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The ``k`` papers nearest to a query, best first; no language model is used."""
        return self._desk.search(query, k)

    def ask(self, question: str, *, after: Sequence[str] = ()) -> Answer:
        """Answer a question; ``after`` holds the questions asked before it."""
        *_, last = self.ask_stream(question, after=after)
        assert isinstance(last, Finished)
        return last.answer

    def summarize(self, topic: str) -> Summary:
        """Summarize what the papers say on a topic."""
        *_, last = self.summarize_stream(topic)
        assert isinstance(last, SummaryFinished)
        return last.summary

    def support(self, claim: str) -> ClaimReport:
        """Hold the papers against a claim."""
        *_, last = self.support_stream(claim)
        assert isinstance(last, ClaimFinished)
        return last.report

    def ask_stream(self, question: str, *, after: Sequence[str] = ()) -> Iterator[Event]:
        """The sources, then a growing draft, then ``Finished`` with the checked answer."""
        return self._read(lambda cancel: self._desk.ask(question, after=after, cancel=cancel))

    def summarize_stream(self, topic: str) -> Iterator[SummaryEvent]:
        """The papers, then theme by theme, then ``SummaryFinished``."""
        return self._read(lambda cancel: self._desk.summarize(topic, cancel=cancel))

    def support_stream(self, claim: str) -> Iterator[ClaimEvent]:
        """Paper by paper, then ``ClaimFinished``."""
        return self._read(lambda cancel: self._desk.support(claim, cancel=cancel))

    def _read(self, events: _Events[E]) -> Iterator[E]:
        job = Job(events, self._line)
        try:
            for news in job.news():
                if not isinstance(news, int):  # a place in the line
                    yield news
        finally:
            job.cancellation.cancel()


class AsyncAssistant:
    """The same for servers: nothing blocks the event loop, and a cancelled task frees the model.

    It borrows an :class:`Assistant`, which stays to be closed by whoever opened it.
    """

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._desk, self._line = assistant._desk, assistant._line

    async def search(self, query: str, k: int = 10) -> list[Hit]:
        """As :meth:`Assistant.search`."""
        return await asyncio.to_thread(self._assistant.search, query, k)

    async def paper(self, name: str) -> Paper:
        """As :meth:`Assistant.paper`."""
        return await asyncio.to_thread(self._assistant.paper, name)

    async def ask(self, question: str, *, after: Sequence[str] = ()) -> Answer:
        """As :meth:`Assistant.ask`."""
        last = await _last(self.ask_stream(question, after=after))
        assert isinstance(last, Finished)
        return last.answer

    async def summarize(self, topic: str) -> Summary:
        """As :meth:`Assistant.summarize`."""
        last = await _last(self.summarize_stream(topic))
        assert isinstance(last, SummaryFinished)
        return last.summary

    async def support(self, claim: str) -> ClaimReport:
        """As :meth:`Assistant.support`."""
        last = await _last(self.support_stream(claim))
        assert isinstance(last, ClaimFinished)
        return last.report

    def ask_stream(self, question: str, *, after: Sequence[str] = ()) -> AsyncIterator[Event]:
        """As :meth:`Assistant.ask_stream`."""
        return self._read(lambda cancel: self._desk.ask(question, after=after, cancel=cancel))

    def summarize_stream(self, topic: str) -> AsyncIterator[SummaryEvent]:
        """As :meth:`Assistant.summarize_stream`."""
        return self._read(lambda cancel: self._desk.summarize(topic, cancel=cancel))

    def support_stream(self, claim: str) -> AsyncIterator[ClaimEvent]:
        """As :meth:`Assistant.support_stream`."""
        return self._read(lambda cancel: self._desk.support(claim, cancel=cancel))

    async def _read(self, events: _Events[E]) -> AsyncIterator[E]:
        loop = asyncio.get_running_loop()
        news: asyncio.Queue[E | BaseException | None] = asyncio.Queue()

        def tell(item: E | BaseException | None) -> None:
            if not loop.is_closed():  # the server may stop while the model ends its token
                loop.call_soon_threadsafe(news.put_nowait, item)

        job = Job(events, self._line, tell)
        try:
            while (item := await news.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            job.cancellation.cancel()


async def _last(events: AsyncIterator[E]) -> E:
    async with aclosing(events) as opened:  # type: ignore[type-var]
        found = [event async for event in opened]
    return found[-1]
