"""The tab **Summarize**: a topic to what all its papers say, theme by theme."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.summaries import SUFFIXES, exported
from assistant.summary import SummaryEvent
from assistant.types import Cancellation
from assistant.web import overview
from assistant.web.desk import Desk
from assistant.web.gathering import Digest
from assistant.web.places import Shown


class Summarize:
    """What the tab does."""

    key, title, button = "summarize", "Summarize", "Summarize"
    asks = "A topic, in a few words"
    why = "Marked: the words that this rests on"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def welcome(self) -> str:
        """What stands there before the first topic."""
        return overview.WELCOME

    def begin(self, text: str) -> Digest:
        """Nothing is known yet."""
        return Digest(text)

    def events(self, state: Digest, cancel: Cancellation) -> Iterator[SummaryEvent]:
        """The summary as it comes."""
        return self._desk.summarize(state.topic, cancel=cancel)

    def shown(self, state: Digest) -> tuple[str, str, str]:
        """The finished themes, what is being written or comes at the end, and the papers."""
        label = self._desk.label
        return (
            overview.themes(state, label),
            overview.rest(state, label),
            overview.sources(state, label),
        )

    def papers(self, state: Digest) -> Shown:
        """The papers used, by their numbers, and those just below the cut."""
        below = state.chosen.below if state.chosen else ()
        passed: Shown = {one.paper.id: (None, one.paper) for one in below}
        return {**passed, **{item.paper.id: (item.number, item.paper) for item in state.evidence}}

    def file(self, state: Digest, kind: str) -> str:
        """The summary in one of its formats; "" before it is finished."""
        found = state.summary is not None and kind in SUFFIXES
        return exported(state.summary, kind) if found and state.summary else ""
