"""One question after the other, in threads of their own: what page and programs share.

A generator that an interface merely stops reading goes on holding the model (or holds it for ever,
waiting to be read). So a :class:`Job` reads the desk to its end in its own thread, whoever still
listens, and the :class:`Line` lets one job at a time near the model and tells the others how many
are before them. Page and HTTP interface stand in the same line when one process serves both.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from assistant.summary import ThemeGrew
from assistant.types import Cancellation, Cancelled, DraftGrew

_TICK = 0.1  # seconds between two looks at the flag while nothing happens
_PASSING = (DraftGrew, ThemeGrew)  # each holds all that the one before it held

E = TypeVar("E")


class Line:
    """Those who want the model, first come first served."""

    def __init__(self) -> None:
        self._waiting: list[Job[Any]] = []
        self._moved = threading.Condition()

    def join(self, job: Job[Any]) -> None:
        """Stand at the end; the place is fixed from here on."""
        with self._moved:
            self._waiting.append(job)

    def __len__(self) -> int:
        with self._moved:
            return len(self._waiting)

    def ahead(self, job: Job[Any]) -> int:
        """How many stand before this one (none once it has left)."""
        with self._moved:
            return self._waiting.index(job) if job in self._waiting else 0

    def wait(self, job: Job[Any]) -> None:
        """Come back at the head of the line, or when the reader no longer wants to."""
        with self._moved:
            while self._waiting[0] is not job and not job.cancellation.is_set:
                self._moved.wait(_TICK)

    def leave(self, job: Job[Any]) -> None:
        """Make room for the next."""
        with self._moved:
            self._waiting.remove(job)
            self._moved.notify_all()


class Job(Generic[E]):
    """A question on its way through the desk.

    Whoever does not read :meth:`news` gives a ``tell``: it is called, in the job's own thread, with
    each event, and at the end with None or with what went wrong.
    """

    def __init__(
        self,
        events: Callable[[Cancellation], Iterator[E]],
        line: Line,
        tell: Callable[[E | BaseException | None], None] | None = None,
    ) -> None:
        self.cancellation = Cancellation()
        self._events = events
        self._line = line
        self._news: queue.Queue[E | BaseException | None] = queue.Queue()
        self._tell = tell or self._news.put
        self._started = threading.Event()
        line.join(self)
        threading.Thread(target=self._work, name="question", daemon=True).start()

    def news(self) -> Iterator[int | E]:
        """The place in the line while waiting, then the events; ``Cancelled`` at once on a stop.

        Of several drafts that came since the last look only the newest is told.
        """
        yield from self._places()
        while True:
            for item in self._batch():
                if self.cancellation.is_set:
                    raise Cancelled
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item

    def _places(self) -> Iterator[int]:
        told = 0
        while not self._started.wait(_TICK / 2):
            if self.cancellation.is_set:
                raise Cancelled
            ahead = self._line.ahead(self)
            if ahead != told:
                told = ahead
                yield ahead
        if told:
            yield 0

    def _batch(self) -> list[E | BaseException | None]:
        try:
            batch = [self._news.get(timeout=_TICK)]
        except queue.Empty:
            if self.cancellation.is_set:
                raise Cancelled from None
            return []
        while not self._news.empty():
            newer = self._news.get()
            if isinstance(newer, _PASSING) and type(newer) is type(batch[-1]):
                batch.pop()
            batch.append(newer)
        return batch

    def _work(self) -> None:
        outcome: BaseException | None = None
        self._line.wait(self)
        self._started.set()
        try:
            if not self.cancellation.is_set:
                for event in self._events(self.cancellation):
                    self._tell(event)
        except Exception as error:  # noqa: BLE001 - raised again where the reader can be told
            outcome = error
        finally:
            self._line.leave(self)
            self._tell(outcome)
