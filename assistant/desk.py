"""The assistant as interfaces see it: one object that asks, searches, adds and tells its state.

The model may come later than the library (it is being fetched or loaded); until then answers are
the best sentences of the papers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.answering import NO_MODEL, Limits, answer_question
from assistant.llm import ChatModel
from assistant.summarizing import summarize_topic
from assistant.summary import SummaryEvent, SummaryFinished
from assistant.supporting import support_claim
from assistant.types import Cancellation, Cancelled, ClaimEvent, Event, Finished, Receipt
from assistant.verifying import Entails
from store.filters import Filter
from store.labels import introduced, label
from store.library import Library
from store.plaintext import plain
from store.sources import read_path
from store.types import AddReport, Hit, Paper


class ModelSlot:
    """Where the answer model is put when it is ready, and a line that says how things stand."""

    def __init__(self, model: ChatModel | None = None, state: str = NO_MODEL) -> None:
        self._lock = threading.Lock()
        self._model = model
        self._state = "" if model else state

    @property
    def model(self) -> ChatModel | None:
        """The model, once it is there."""
        with self._lock:
            return self._model

    @property
    def state(self) -> str:
        """A line for the reader; "" when the model is ready."""
        with self._lock:
            return self._state

    def say(self, state: str) -> None:
        """Tell why there is no model yet."""
        with self._lock:
            if self._model is None:
                self._state = state

    def put(self, model: ChatModel) -> None:
        """The model is ready."""
        with self._lock:
            self._model, self._state = model, ""


@dataclass(frozen=True, slots=True)
class Assistant:
    """A library, a model (perhaps later), and what to do with them."""

    library: Library
    slot: ModelSlot
    limits: Limits
    receipt: Callable[[Library, ChatModel | None], Receipt]
    judge: Entails | None = None

    def ask(
        self, question: str, *, after: Sequence[str] = (), cancel: Cancellation | None = None
    ) -> Iterator[Event]:
        """Answer a question; ``after`` holds the questions asked before it.

        Raises :class:`assistant.errors.QuestionError` for a question that cannot be asked and
        ``Cancelled`` when ``cancel`` is set.
        """
        # Both once, at the start: the model may come while the question is being answered.
        state, model = self.slot.state, self.slot.model
        for event in answer_question(
            question,
            after=after,
            library=self.library,
            model=model,
            limits=self.limits,
            receipt=self.receipt(self.library, model),
            cancel=cancel or Cancellation(),
            judge=self.judge,
        ):
            if isinstance(event, Finished) and model is None:
                notes = (*event.answer.notes, state or NO_MODEL)
                event = Finished(replace(event.answer, notes=notes))
            yield event

    def summarize(
        self, topic: str, *, cancel: Cancellation | None = None
    ) -> Iterator[SummaryEvent]:
        """Summarize what the papers say on a topic; raises as :meth:`ask` does."""
        state, model = self.slot.state, self.slot.model
        for event in summarize_topic(
            topic,
            library=self.library,
            model=model,
            receipt=self.receipt(self.library, model),
            cancel=cancel or Cancellation(),
        ):
            if isinstance(event, SummaryFinished) and model is None:
                notes = (*event.summary.notes, state or NO_MODEL)
                event = SummaryFinished(replace(event.summary, notes=notes))
            yield event

    def support(self, claim: str, *, cancel: Cancellation | None = None) -> Iterator[ClaimEvent]:
        """Hold the papers against a claim; raises as :meth:`ask` does."""
        model = self.slot.model
        return support_claim(
            claim,
            library=self.library,
            model=model,
            receipt=self.receipt(self.library, model),
            cancel=cancel or Cancellation(),
            judge=self.judge,
        )

    def within(self, where: Filter) -> Assistant:
        """The same assistant, with only the papers that ``where`` keeps; raises when none are."""

        def receipt(library: Library, model: ChatModel | None) -> Receipt:
            return replace(self.receipt(library, model), where=where.given())

        return replace(self, library=self.library.within(where), receipt=receipt)

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The papers nearest to a query."""
        return self.library.search(query, k)

    def add(
        self,
        path: Path,
        *,
        progress: Callable[[int, int | None], None],
        cancel: Cancellation | None = None,
    ) -> AddReport:
        """Add the papers of a file or folder; ``progress`` is told how many are done.

        Told to stop, it raises ``Cancelled``; the finished batches stay.
        """

        def tell(done: int) -> None:
            progress(done, None)
            if cancel and cancel.is_set:
                raise Cancelled

        return self.library.add(read_path(path), progress=tell)

    def examples(self, count: int) -> list[str]:
        """Questions that the library can answer, made from its own papers."""
        asked = [question for paper in self.library.papers() if (question := _question(paper))]
        step = max(1, len(asked) // count)
        return asked[::step][:count]

    def paper_count(self) -> int:
        """How many papers there are."""
        return len(self.library)

    def label(self, paper: Paper) -> str:
        """The name by which a person recognises a paper."""
        return label(paper)

    def model_state(self) -> str:
        """A line for the reader; "" when the model is ready."""
        return self.slot.state

    def close(self) -> None:
        """Let go of the library."""
        self.library.close()


def _question(paper: Paper) -> str:
    """A question that a paper answers: about the system it names, else about its title."""
    if name := introduced(plain(paper.abstract)):
        return f"What is {name}, and what is it good for?"
    return f"What was found in “{plain(paper.title)}”?" if paper.title else ""
