"""A tab for a job that is no conversation: a text in, a result that grows, papers beside it.

**Support** and **Summarize** are two :class:`Task` s in the same tab. A task says what runs and how
a state of it looks; the tab has the box, the buttons, the evidence panel and the downloads.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

import gradio as gr

from assistant.types import Cancellation, Cancelled
from assistant.web import markup
from assistant.web.places import Shown, opened
from assistant.web.serving import Serving, Trouble

_HERE = Path(__file__).parent
_QUICK: dict[str, Any] = {
    "queue": False,
    "show_progress": "hidden",
    "api_visibility": "private",
}

N = TypeVar("N", contravariant=True)


class State(Protocol[N]):
    """How far a job has come; a new value with each piece of news."""

    def after(self, news: int | N) -> Self:
        """With one more thing known; a number is the reader's place in the line."""
        ...

    def stopped(self) -> Self:
        """As the reader's stop leaves it."""
        ...

    def failed(self, why: str) -> Self:
        """As it is left when it could not be done."""
        ...


S = TypeVar("S", bound=State[Any])


class Task(Protocol[S]):
    """What a tab is for."""

    key: str
    title: str
    button: str
    asks: str  # what the box wants, as its placeholder and label
    why: str  # what the marks in a paper are

    def welcome(self) -> str:
        """What stands there before the first text."""
        ...

    def begin(self, text: str) -> S:
        """The state before anything has happened."""
        ...

    def events(self, state: S, cancel: Cancellation) -> Iterator[Any]:
        """The work itself."""
        ...

    def shown(self, state: S) -> tuple[str, str, str]:
        """The state as HTML: what grows, what comes with it at the end, and the panel."""
        ...

    def papers(self, state: S) -> Shown:
        """The papers that a click can lead to."""
        ...

    def file(self, state: S, kind: str) -> str:
        """The result as a file; "" while there is none."""
        ...


class TaskTab(Generic[S]):
    """The parts of a tab and their wiring; build it inside a ``gr.Tab``."""

    def __init__(self, task: Task[S], serving: Serving, label: markup.Label, save: str) -> None:
        self.task = task
        self._serving = serving
        self._label = label
        self._script = (_HERE / "page.js").read_text(encoding="utf-8")
        self.state = gr.State(None)
        with gr.Row(elem_id=f"cw-{task.key}", elem_classes="cw-work"):
            with gr.Column(elem_classes="cw-job", scale=3, min_width=0):
                self._box()
                with gr.Column(elem_classes="cw-results"):
                    self.grown = self._html("grown", task.welcome())
                    self.rest = self._html("rest")
            with gr.Column(elem_classes="cw-panel", scale=2, min_width=0):
                self.paper = self._html("paper", classes="cw-paper")
                self.side = self._html("side", classes="cw-sources")
        self.saved = gr.JSON(visible=False)
        self._wire(save)

    def run(self, text: str, request: gr.Request) -> Iterator[tuple[Any, ...]]:
        """Do it, telling all the way: (state, grown, rest, side, paper, send, stop)."""
        begun = self.task.begin(text)
        seen = self.task.shown(begun)
        yield begun, *seen, "", *_buttons(busy=True)
        for state in self._states(begun, request):
            shown = self.task.shown(state)
            pairs = zip(shown, seen, strict=True)
            changed = (new if new != old else gr.skip() for new, old in pairs)
            yield state, *changed, gr.skip(), *_buttons(busy=True)
            seen = shown
        yield *(gr.skip() for _ in range(5)), *_buttons(busy=False)

    def stop(self, request: gr.Request) -> None:
        """End what is being done for this reader here."""
        self._serving.stop(self.task.key, request)

    def open(self, state: S | None, event: gr.EventData) -> str:
        """The paper behind the button that was clicked."""
        papers = self.task.papers(state) if state else {}
        found = opened(papers, told(event, "reference"), self.task.why)
        return markup.paper_article(found, self._label, back="Close") if found else ""

    def save(self, state: S | None, event: gr.EventData) -> dict[str, str]:
        """The result as a file: its name and what it holds."""
        kind = told(event, "kind")
        text = self.task.file(state, kind) if state else ""
        return {"name": f"citewell-{self.task.key}{kind}" if text else "", "text": text}

    def _states(self, state: S, request: gr.Request) -> Iterator[S]:
        grown = state
        try:
            for news in self._serving.follow(
                lambda cancel: self.task.events(state, cancel), self.task.key, request
            ):
                grown = grown.after(news)
                yield grown
        except Cancelled:
            yield grown.stopped()
        except Trouble as trouble:
            yield grown.failed(str(trouble))

    def _box(self) -> None:
        task = self.task
        with gr.Row(elem_classes="cw-compose"):
            self.box = gr.Textbox(
                label=task.asks,
                show_label=False,
                placeholder=task.asks,
                lines=1,  # Enter sends
                max_lines=8,
                container=False,
                elem_classes="cw-box",
            )
            self.send = gr.Button(task.button, variant="primary", elem_id=f"cw-{task.key}-send")
            self.halt = gr.Button(
                "Stop", variant="stop", visible=False, elem_id=f"cw-{task.key}-stop"
            )

    def _html(self, name: str, value: str = "", classes: str = "") -> gr.HTML:
        return gr.HTML(
            value,
            elem_id=f"cw-{self.task.key}-{name}",
            elem_classes=classes,
            js_on_load=self._script,
            apply_default_css=False,
            container=False,
        )

    def _wire(self, save: str) -> None:
        gr.on(
            [self.box.submit, self.send.click],
            self.run,
            self.box,
            [self.state, self.grown, self.rest, self.side, self.paper, self.send, self.halt],
            show_progress="hidden",
            concurrency_limit=16,
            concurrency_id="asking",
            api_visibility="private",
        )
        self.halt.click(self.stop, None, None, **_QUICK)
        for part in (self.grown, self.rest, self.side):
            part.open(self.open, self.state, self.paper, **_QUICK)
            part.save(self.save, self.state, self.saved, **_QUICK).then(None, self.saved, js=save)


def told(event: gr.EventData, name: str) -> str:
    """A text that ``page.js`` sent along; empty when a browser sends anything else."""
    value = event._data.get(name) if isinstance(event._data, dict) else None
    return value if isinstance(value, str) else ""


def _buttons(*, busy: bool) -> tuple[Any, Any]:
    """Send or Stop: one of them at a time."""
    return gr.update(visible=not busy), gr.update(visible=busy)
