"""What happens when the reader does something: each method answers one event of the page.

``app`` lays out the parts and wires them to these methods; what they return is shown by it, in the
order of the outputs it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.errors import AssistantError
from assistant.types import Cancelled
from assistant.web import markup
from assistant.web.desk import Desk
from assistant.web.past import Past
from assistant.web.serving import Serving, Trouble
from assistant.web.turns import Phase, Reference, Turn, opened
from store.errors import StoreError
from store.types import AddReport, Rejected

Turns = tuple[Turn, ...]

_EXAMPLES = 4


class Page:
    """The page's memory that is not a reader's own: the desk, the line, and who is being served."""

    def __init__(self, desk: Desk, past: Past) -> None:
        self.desk = desk
        self.past = past
        self.serving = Serving()

    def greet(self) -> tuple[str, str]:
        """A new page: header and welcome."""
        return self._header(), self._welcome()

    def refresh(self) -> tuple[str, Any]:
        """The header again; the timer rests once the model is ready."""
        return self._header(), gr.Timer(active=bool(self.desk.model_state()))

    def ask(self, question: str, turns: Turns, request: gr.Request) -> Iterator[tuple[Any, ...]]:
        """Answer a question, telling all the way; returns (box, past, now, sources, paper, …)."""
        turn = asked = Turn(len(turns) + 1, question)
        past = markup.conversation(turns, self.desk.label)
        yield ("", past, *self._shown(turns, turn), "", *_buttons(busy=True))
        for turn in self._follow(asked, [earlier.question for earlier in turns], request):
            yield (gr.skip(), gr.skip(), *self._shown(turns, turn), gr.skip(), *_buttons(busy=True))
        yield (gr.skip(), gr.skip(), *self._shown(turns, turn), gr.skip(), *_buttons(busy=False))

    def stop(self, request: gr.Request) -> None:
        """End what is being written for this reader; the asking event then ends by itself."""
        self.serving.stop("ask", request)

    def forget(self, request: gr.Request) -> tuple[Any, ...]:
        """A new conversation: (turns, past, now, sources, paper, its id)."""
        self.stop(request)
        return (), "", self._welcome(), markup.no_sources(), "", ""

    def reopen(self, request: gr.Request, event: gr.EventData) -> tuple[Any, ...]:
        """An earlier conversation, as :meth:`forget` gives a new one."""
        name = _told(event, "talk")
        turns = self.past.turns_of(name, request)
        if not turns:
            return self.forget(request)
        self.stop(request)
        past = markup.conversation(turns[:-1], self.desk.label)
        return turns, past, *self._shown((), turns[-1])[1:], "", name

    def drop(
        self, words: str, current: str, request: gr.Request, event: gr.EventData
    ) -> tuple[Any, ...]:
        """Delete a conversation, and leave it if it is the one on the page; and the list."""
        name = _told(event, "drop")
        self.past.drop(name, request)
        if name == current:
            return *self.forget(request), self.past.listed(words, "", request)
        return *(gr.skip() for _ in range(6)), self.past.listed(words, current, request)

    def save(self, request: gr.Request, event: gr.EventData) -> dict[str, str]:
        """A conversation as a file."""
        return self.past.file(_told(event, "save"), _told(event, "kind"), request)

    def open(self, turns: Turns, event: gr.EventData) -> str:
        """The paper behind the button that was clicked."""
        reference = Reference.parse(_told(event, "reference"))
        shown = reference and opened(turns, reference)
        return markup.paper_article(shown, self.desk.label) if shown else ""

    def pick(self, event: gr.EventData) -> str:
        """An example question, into the box."""
        return _told(event, "question")

    def add(
        self,
        files: Sequence[str],
        turns: Turns,
        progress: gr.Progress = gr.Progress(),  # noqa: B008 - by this default gradio knows it
    ) -> tuple[str, str, Any]:
        """Take in uploaded files, one report for all; (report, header, welcome if still shown)."""
        found = [self._add(Path(name), progress) for name in files]
        read = [report for report in found if isinstance(report, AddReport)]
        faults = tuple(fault for fault in found if isinstance(fault, Rejected))
        if read:
            told = markup.added(_total([*read, AddReport(read[-1].papers, rejected=faults)]))
        else:
            told = markup.trouble(" ".join(fault.reason for fault in faults))
        return told, self._header(), gr.skip() if turns else self._welcome()

    def _follow(self, turn: Turn, after: Sequence[str], request: gr.Request) -> Iterator[Turn]:
        """The turn as it grows, until nothing more comes of it."""
        grown = turn
        question = partial(self.desk.ask, turn.question, after=after)
        try:
            for news in self.serving.follow(lambda c: question(cancel=c), "ask", request):
                grown = grown.after(news)
                yield grown
        except Cancelled:
            yield grown.stopped()
        except Trouble as trouble:
            yield grown.failed(str(trouble))

    def _shown(self, turns: Turns, turn: Turn) -> tuple[Any, ...]:
        """(turns, now, sources); the cards change when sources come and when they are judged."""
        cards_changed = turn.phase in {Phase.SEARCHING, Phase.READING, Phase.ANSWERED}
        cards = markup.sources(turn, self.desk.label) if cards_changed else gr.skip()
        return (*turns, turn), markup.turn_article(turn, self.desk.label), cards

    def _add(self, path: Path, progress: gr.Progress) -> AddReport | Rejected:
        """One file; one that cannot be read does not stop the others."""
        try:
            return self.desk.add(path, progress=partial(_tell, progress, path.name))
        except (AssistantError, StoreError) as error:
            return Rejected(path.name, str(error).replace(str(path), path.name))
        finally:
            path.unlink(missing_ok=True)

    def _header(self) -> str:
        return markup.header(self.desk.paper_count(), self.desk.model_state())

    def _welcome(self) -> str:
        papers = self.desk.paper_count()
        return markup.welcome(self.desk.examples(_EXAMPLES) if papers else [], papers)


def _buttons(*, busy: bool) -> tuple[Any, Any]:
    """Send or Stop: one of them at a time."""
    return gr.update(visible=not busy), gr.update(visible=busy)


def _told(event: gr.EventData, name: str) -> str:
    """A text that ``page.js`` sent along; empty when a browser sends anything else."""
    value = event._data.get(name) if isinstance(event._data, dict) else None
    return value if isinstance(value, str) else ""


def _tell(progress: gr.Progress, name: str, done: int, total: int | None) -> None:
    progress((done, total), desc=f"Adding {name}", unit="papers")


def _total(reports: Sequence[AddReport]) -> AddReport:
    return AddReport(
        papers=reports[-1].papers if reports else 0,
        added=sum(report.added for report in reports),
        unchanged=sum(report.unchanged for report in reports),
        updated=sum(report.updated for report in reports),
        merged=sum(report.merged for report in reports),
        rejected=tuple(bad for report in reports for bad in report.rejected),
    )
