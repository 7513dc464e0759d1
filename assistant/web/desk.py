"""What the page needs of an assistant; anything of this shape can stand behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from assistant.summary import SummaryEvent
from assistant.types import Cancellation, ClaimEvent, Event
from store.types import AddReport, Paper


class Desk(Protocol):
    """Answers questions and takes in papers."""

    def ask(
        self, question: str, *, after: Sequence[str] = (), cancel: Cancellation | None = None
    ) -> Iterator[Event]:
        """Sources, then a growing draft, then the checked answer."""
        ...

    def summarize(
        self, topic: str, *, cancel: Cancellation | None = None
    ) -> Iterator[SummaryEvent]:
        """The papers on a topic, then what they say, theme by theme."""
        ...

    def support(self, claim: str, *, cancel: Cancellation | None = None) -> Iterator[ClaimEvent]:
        """The papers that speak of a claim, one by one, then the verdict."""
        ...

    def add(
        self,
        path: Path,
        *,
        progress: Callable[[int, int | None], None],
        cancel: Cancellation | None = None,
    ) -> AddReport:
        """Take in the papers of a file."""
        ...

    def examples(self, count: int) -> list[str]:
        """Questions that this library can answer."""
        ...

    def paper_count(self) -> int:
        """How many papers there are."""
        ...

    def label(self, paper: Paper) -> str:
        """What a paper is called in a list."""
        ...

    def model_state(self) -> str:
        """Empty when a model is ready, else one line for the reader."""
        ...
