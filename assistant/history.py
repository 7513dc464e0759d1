"""Beside the flow: conversations that outlive the page, one JSON file each.

They lie in a folder beside the library, one folder below it for each reader; a file is replaced in
one step, so that a crash leaves the old or the new one, and only its owner may read it. Whatever a
file holds that is no conversation is overlooked: the reader's other ones still open.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from assistant.markdown import inert
from assistant.types import Answer

_ID = re.compile(r"[0-9a-f]{16}")
_LONGEST_NAME = 70
_LARGEST = 50_000_000  # bytes; no conversation of ours is near it


@dataclass(frozen=True, slots=True)
class Conversation:
    """Answers in the order in which they were given; times are seconds since 1970."""

    id: str
    begun: float
    changed: float
    answers: tuple[Answer, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in a list: its first question."""
        return named(self.answers[0].question) if self.answers else "Empty conversation"

    def with_answer(self, answer: Answer) -> Conversation:
        """The conversation with one answer more."""
        return replace(self, answers=(*self.answers, answer), changed=time.time())


_KIND = TypeAdapter(Conversation)


def named(question: str) -> str:
    r"""A question as a name: one line, cut between words.

    >>> named("How often\n does it find food?"), named("word " * 30)[-8:]
    ('How often does it find food?', 'd word …')
    """
    line = " ".join(question.split()) or "No words"
    if len(line) <= _LONGEST_NAME:
        return line
    return line[:_LONGEST_NAME].rsplit(" ", 1)[0] + " …"


def begin() -> Conversation:
    """A new conversation, not yet kept."""
    now = time.time()
    return Conversation(secrets.token_hex(8), now, now)


class History:
    """The conversations of one reader."""

    def __init__(self, folder: Path, reader: str = "") -> None:
        self.folder = folder / _folder_of(reader)

    def keep(self, conversation: Conversation) -> None:
        """Write a conversation, in one step."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        number, name = tempfile.mkstemp(dir=self.folder, suffix=".part")  # readable by its owner
        try:
            with os.fdopen(number, "wb") as file:
                file.write(_KIND.dump_json(conversation))
            Path(name).replace(self._path(conversation.id))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def get(self, name: str) -> Conversation | None:
        """The conversation of that id; None when there is none of this reader."""
        return _read(self._path(name)) if _ID.fullmatch(name) else None

    def remove(self, name: str) -> bool:
        """Forget a conversation; whether there was one."""
        if not _ID.fullmatch(name) or not self._path(name).exists():
            return False
        self._path(name).unlink(missing_ok=True)
        return True

    def all(self) -> list[Conversation]:
        """All conversations, the one changed last first."""
        return sorted(self._found(), key=lambda conversation: -conversation.changed)

    def search(self, words: str) -> list[Conversation]:
        """Those that hold every word, in a question or an answer."""
        wanted = words.casefold().split()
        return [one for one in self.all() if all(word in _text(one) for word in wanted)]

    def _found(self) -> Iterator[Conversation]:
        for path in self.folder.glob("*.json"):
            conversation = _read(path)
            if conversation is not None and conversation.id == path.stem:
                yield conversation

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"


def markdown(conversation: Conversation) -> str:
    """A conversation to hand on: each answer with the papers that it cites."""
    parts = [f"# {inert(conversation.name)}"]
    for answer in conversation.answers:
        parts += [f"## {inert(answer.question)}", "\n\n".join(map(inert, answer.text.splitlines()))]
        used = {number for sentence in answer.sentences for number in sentence.numbers}
        cited = [item for item in answer.evidence if item.number in used]
        listed = [
            f"- [{item.number}] {inert(item.paper.title or item.paper.source)}" for item in cited
        ]
        parts += ["\n".join(listed)] if listed else []
    return "\n\n".join(parts) + "\n"


def as_json(conversation: Conversation) -> str:
    """A conversation whole, as it is kept."""
    data = _KIND.dump_python(conversation, mode="json")
    return json.dumps({"name": conversation.name, **data}, ensure_ascii=False, indent=2) + "\n"


def _folder_of(reader: str) -> str:
    """A folder's name that no reader's name can break out of."""
    return hashlib.sha256(reader.encode("utf-8", "replace")).hexdigest()[:16] if reader else "own"


def _read(path: Path) -> Conversation | None:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        return _KIND.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _text(conversation: Conversation) -> str:
    answers = conversation.answers
    return " ".join(f"{answer.question} {answer.text}" for answer in answers).casefold()
