"""The tab **Support**: a claim, or a paragraph sentence by sentence, held against the papers."""

from __future__ import annotations

import json
from collections.abc import Iterator

from assistant import marking
from assistant.errors import QuestionError
from assistant.exporting import claim_json, paragraph_json
from assistant.supporting import checked_claim, claims_of
from assistant.types import Cancellation, ClaimEvent
from assistant.web import stances
from assistant.web.desk import Desk
from assistant.web.places import Shown
from assistant.web.weighing import Check

MOST_SENTENCES = 40  # of a paragraph; each costs about as much as a question


class Support:
    """What the tab does."""

    key, title, button = "support", "Support", "Check"
    asks = "A claim, or a paragraph that you are writing"
    why = "Marked: what it says to the claim"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def welcome(self) -> str:
        """What stands there before the first claim."""
        return stances.WELCOME

    def begin(self, text: str) -> Check:
        """Nothing is known yet."""
        return Check(text, tuple(claims_of(text)))

    def events(self, state: Check, cancel: Cancellation) -> Iterator[ClaimEvent]:
        """Each sentence in turn; raises :class:`QuestionError` for what cannot be read."""
        claims = [checked_claim(claim) for claim in state.claims or ("",)]
        if len(claims) > MOST_SENTENCES:
            raise QuestionError(
                f"The text has {len(claims):,} sentences; at most {MOST_SENTENCES} can be checked "
                "at once. Give a part of it."
            )
        for claim in claims:
            yield from self._desk.support(claim, cancel=cancel)

    def shown(self, state: Check) -> tuple[str, str, str]:
        """The result, in one part."""
        shown = stances.paragraph if state.is_paragraph else stances.claim
        return shown(state, self._desk.label), "", ""

    def papers(self, state: Check) -> Shown:
        """The papers on the page, numbered as the paragraph cites them."""
        cited = marking.cited(marking.marked(state.reports)) if state.is_paragraph else []
        numbers = {paper.id: number for number, paper in enumerate(cited, start=1)}
        return {w.paper.id: (numbers.get(w.paper.id), w.paper) for w in state.found}

    def file(self, state: Check, kind: str) -> str:
        """The text with its citations, as far as it was checked."""
        if not state.reports:
            return ""
        if kind == ".json":
            told = paragraph_json(state.text, state.reports)
            if not state.is_paragraph:
                told = claim_json(state.reports[0])
            return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
        return marking.written(state.reports, kind) if kind in marking.SUFFIXES else ""
