"""How far a summary has come: news in, :class:`Digest` s out.

``summarize_tab`` runs it, ``overview`` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.summary import (
    PapersChosen,
    Summary,
    SummaryEvent,
    SummaryFinished,
    Theme,
    ThemeGrew,
)
from assistant.types import Evidence
from assistant.web.turns import Phase


@dataclass(frozen=True, slots=True)
class Digest:
    """A topic and what is known of it so far.

    ``themes`` are the finished ones, the first of those that ``chosen`` names; ``draft`` is an
    unchecked sentence of the next one. ``done`` of ``total`` sentences are written.
    """

    topic: str
    phase: Phase = Phase.SEARCHING
    ahead: int = 0
    chosen: PapersChosen | None = None
    themes: tuple[Theme, ...] = ()
    draft: str = ""
    done: int = 0
    total: int = 0
    summary: Summary | None = None
    trouble: str = ""

    def after(self, news: int | SummaryEvent) -> Digest:
        """The digest with one more thing known."""
        if isinstance(news, int):
            return replace(self, phase=Phase.WAITING if news else Phase.SEARCHING, ahead=news)
        if isinstance(news, PapersChosen):
            return replace(self, phase=Phase.READING, chosen=news)
        if isinstance(news, SummaryFinished):
            return replace(self, phase=Phase.ANSWERED, summary=news.summary, draft="")
        grown = replace(self, phase=Phase.DRAFTING, done=news.done, total=news.total)
        if isinstance(news, ThemeGrew):
            return replace(grown, draft=news.text)
        return replace(grown, draft="", themes=(*self.themes, news.theme))

    def stopped(self) -> Digest:
        """With the themes that were finished until then; a draft was never checked, and goes."""
        return replace(self, phase=Phase.STOPPED, draft="")

    def failed(self, why: str) -> Digest:
        """With the reason, in one line for the reader."""
        return replace(self, phase=Phase.FAILED, draft="", trouble=why)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The papers that are used, numbered."""
        return self.chosen.evidence if self.chosen else ()

    @property
    def waiting(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The themes that are not finished yet: titles with the numbers of their papers."""
        return self.chosen.themes[len(self.themes) :] if self.chosen else ()
