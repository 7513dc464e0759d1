"""The side bar: a reader's earlier conversations, which ``assistant.history`` keeps.

Each of the methods answers one event of the page. What is kept is the answers, whole; opening a
conversation makes turns of them again, so that its citations lead where they led.
"""

from __future__ import annotations

import html
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.history import Conversation, History, as_json, begin, markdown
from assistant.types import Answer
from assistant.web.turns import Phase, Turn

Turns = tuple[Turn, ...]

_SHOWN = 200
_FORMATS = {"md": markdown, "json": as_json}
_log = logging.getLogger(__name__)


class Past:
    """The conversations in ``folder``, each reader's apart; with None nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def keep(self, turns: Turns, current: str, words: str, request: gr.Request) -> tuple[str, Any]:
        """Write down what was answered; (the conversation's id, the list)."""
        answers = tuple(turn.answer for turn in turns if turn.answer)
        history = self._of(request)
        if history is None or not answers:
            return current, gr.skip()
        known = history.get(current) or begin()
        try:
            history.keep(_grown(known, answers))
        except OSError:
            _log.exception("a conversation could not be kept")  # the answer is on the page
            return current, gr.skip()
        return known.id, self.listed(words, known.id, request)

    def listed(self, words: str, current: str, request: gr.Request) -> str:
        """The conversations that hold all ``words``, as a list."""
        history = self._of(request)
        found = history.search(words) if history else []
        return _list(found[:_SHOWN], current, searched=bool(words.strip()))

    def turns_of(self, name: str, request: gr.Request) -> Turns:
        """A conversation as turns; none when it is gone."""
        history = self._of(request)
        found = history.get(name) if history else None
        answers = found.answers if found else ()
        return tuple(_turn(number, answer) for number, answer in enumerate(answers, start=1))

    def drop(self, name: str, request: gr.Request) -> None:
        """Forget a conversation."""
        history = self._of(request)
        if history:
            history.remove(name)

    def file(self, name: str, kind: str, request: gr.Request) -> dict[str, str]:
        """A conversation as a file for the reader: its name and what it holds."""
        history = self._of(request)
        found = history.get(name) if history else None
        if found is None or kind not in _FORMATS:
            return {"name": "", "text": ""}
        return {"name": f"conversation-{found.id[:6]}.{kind}", "text": _FORMATS[kind](found)}

    def _of(self, request: gr.Request) -> History | None:
        reader = request.username or ""
        return History(self._folder, reader) if self._folder else None


def _grown(known: Conversation, answers: tuple[Answer, ...]) -> Conversation:
    """The conversation with all ``answers``; its time of change moves only with a new one."""
    if known.answers == answers:
        return known
    return replace(known, answers=answers[:-1]).with_answer(answers[-1])


def _turn(number: int, answer: Answer) -> Turn:
    return Turn(
        number,
        answer.question,
        Phase.ANSWERED,
        standalone=answer.standalone_question,
        evidence=answer.evidence,
        answer=answer,
    )


def _list(found: list[Conversation], current: str, *, searched: bool) -> str:
    if not found:
        why = "No conversation holds all these words." if searched else "Nothing asked yet."
        return f'<p class="fine">{why}</p>'
    return f"<ul>{''.join(_item(one, current) for one in found)}</ul>"


def _item(one: Conversation, current: str) -> str:
    name, here = html.escape(one.name), ' aria-current="true"' if one.id == current else ""
    saves = "".join(
        f'<button type="button" data-save="{one.id}" data-kind="{kind}" '
        f'aria-label="Save as {label}: {name}">{label}</button>'
        for kind, label in (("md", "Markdown"), ("json", "JSON"))
    )
    return (
        f'<li{here}><button type="button" class="talk" data-talk="{one.id}">{name}</button>'
        f'<details><summary aria-label="More on: {name}">⋯</summary>{saves}'
        f'<button type="button" class="drop" data-drop="{one.id}" '
        f'aria-label="Delete: {name}">Delete</button></details></li>'
    )
