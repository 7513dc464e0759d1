"""The gold file: questions whose right papers, and what an answer must hold, are known.

One JSON object a line; the README tells how to write one. ``measuring`` puts its
questions to an assistant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from assistant.answering import MAX_QUESTION
from assistant.errors import GoldError
from store.errors import PaperNotFoundError
from store.library import Library

Type = Literal["factual", "claim", "topic", "compare", "unanswerable", "followup"]
TYPES: tuple[Type, ...] = get_args(Type)
_NAMED = 5  # faulty lines that a message names
Asked = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION)
]


class Gold(BaseModel):
    """A question, the papers that answer it, and what the answer must hold."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    type: Type
    question: Asked
    turns: tuple[Asked, ...] | None = None
    gold: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    near: tuple[str, ...] | None = None
    must_include: tuple[str, ...] | None = None
    label: Literal["SUPPORT", "CONTRADICT", "NOINFO"] | None = None

    @property
    def before(self) -> tuple[str, ...]:
        """The questions asked before it; the turns of a conversation may end with it or not."""
        turns = self.turns or ()
        return turns[:-1] if turns[-1:] == (self.question,) else turns

    @property
    def papers(self) -> tuple[str, ...]:
        """All papers that it names."""
        return (*self.gold, *self.optional, *(self.near or ()))

    def held_by(self, text: str) -> bool | None:
        """Whether a text holds one wording of everything that an answer must hold.

        None when nothing is asked of it: that is neither a success nor a failure.

        >>> gold = Gold(id="1", type="factual", question="?", must_include=("bees|wasps", "sting"))
        >>> gold.held_by("Wasps sting."), gold.held_by("Wasps fly.")
        (True, False)
        """
        if not self.must_include:
            return None
        low = text.lower()
        return all(any(way.lower() in low for way in e.split("|")) for e in self.must_include)


def read_gold(path: Path) -> list[Gold]:
    """The questions of a gold file; raises :class:`GoldError` naming the lines that are none."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as fault:
        raise GoldError(f"{path.name} is not UTF-8 text. Save it as UTF-8.") from fault
    questions: list[Gold] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            questions += [Gold.model_validate_json(line)] if line.strip() else []
        except ValidationError as fault:
            first = fault.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            faults.append(f"line {number}: {where}: {first['msg']}")
    if faults:
        more = f"; and {len(faults) - _NAMED:,} more lines" if len(faults) > _NAMED else ""
        raise GoldError(f"{path.name} {'; '.join(faults[:_NAMED])}{more}.")
    if not questions:
        raise GoldError(f"{path.name} holds no questions: one JSON object a line is expected.")
    if twice := [i for i, count in Counter(q.id for q in questions).items() if count > 1]:
        raise GoldError(f"{path.name}: the id {twice[0]!r} stands there twice. Give each its own.")
    return questions


def by_id(questions: Sequence[Gold], library: Library) -> tuple[list[Gold], list[str]]:
    """The questions with their papers by id, and the names that no paper of the library bears."""
    ids: dict[str, str] = {}
    for paper in library.papers():
        ids[paper.id] = paper.id
        ids.setdefault(paper.source, paper.id)
    named = {name for question in questions for name in question.papers}
    for name in named - ids.keys():
        with suppress(PaperNotFoundError):  # a paper that stands in two lists has two sources
            ids[name] = library.get(name).id

    def known(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ids.get(name, name) for name in names))

    found = [
        question.model_copy(
            update={
                "gold": known(question.gold),
                "optional": known(question.optional),
                "near": known(question.near or ()),
            }
        )
        for question in questions
    ]
    return found, sorted(named - ids.keys())
