"""Whom the page serves just now: each reader's running jobs, all in one line for the one model.

Each tab has a task of its own ("ask", "support", "summarize"), so that a question asked in one does
not end what is being written in another; a reader who leaves ends all of his.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import TypeVar

import gradio as gr

from assistant.errors import AssistantError
from assistant.jobs import Job, Line
from assistant.types import Cancellation, Cancelled
from store.errors import StoreError

_BROKEN = "Something went wrong inside citewell; the window it was started from says what."
_log = logging.getLogger(__name__)

E = TypeVar("E")


class Trouble(Exception):  # noqa: N818 - what the reader is told, in one line
    """A job could not be done; the message is for the reader."""


class Serving:
    """The line, and what runs for whom."""

    def __init__(self) -> None:
        self._line = Line()
        self._running: dict[tuple[str, str], Cancellation] = {}

    def follow(
        self, events: Callable[[Cancellation], Iterator[E]], task: str, request: gr.Request
    ) -> Iterator[int | E]:
        """The news of a job, which takes the place of the reader's last one at the same task.

        Raises ``Cancelled`` when it was stopped and :class:`Trouble` when it could not be done.
        """
        self.stop(task, request)
        job = Job(events, self._line)
        key = _reader(request), task
        self._running[key] = job.cancellation
        try:
            yield from job.news()
        except Cancelled:
            raise
        except (AssistantError, StoreError) as error:
            raise Trouble(str(error)) from error
        except Exception as error:
            _log.exception("a job failed")  # whatever it was, the page goes on
            raise Trouble(_BROKEN) from error
        finally:
            job.cancellation.cancel()
            if self._running.get(key) is job.cancellation:
                del self._running[key]

    def stop(self, task: str, request: gr.Request) -> None:
        """End what is being written for this reader at a task; its event then ends by itself."""
        running = self._running.pop((_reader(request), task), None)
        if running:
            running.cancel()

    def leave(self, request: gr.Request) -> None:
        """End all that this reader has running."""
        for reader, task in tuple(self._running):
            if reader == _reader(request):
                self.stop(task, request)


def _reader(request: gr.Request) -> str:
    return request.session_hash or ""
