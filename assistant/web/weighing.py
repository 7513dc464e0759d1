"""How far the papers have been held against a claim or a paragraph: news in, :class:`Check` s out.

``support_tab`` runs it, ``stances`` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.types import ClaimEvent, ClaimReport, PaperWeighed, Weighed
from assistant.web.turns import Phase


@dataclass(frozen=True, slots=True)
class Check:
    """A text and what is known of its sentences so far.

    ``reports`` are of the first sentences; ``weighed`` are the papers of the next one, ``of`` how
    many it will have.
    """

    text: str
    claims: tuple[str, ...]
    phase: Phase = Phase.SEARCHING
    ahead: int = 0
    reports: tuple[ClaimReport, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    of: int = 0
    trouble: str = ""

    def after(self, news: int | ClaimEvent) -> Check:
        """The check with one more thing known."""
        if isinstance(news, int):
            return replace(self, phase=Phase.WAITING if news else Phase.SEARCHING, ahead=news)
        if isinstance(news, PaperWeighed):
            weighed = (*self.weighed, news.found)
            return replace(self, phase=Phase.READING, weighed=weighed, of=news.of)
        reports = (*self.reports, news.report)
        phase = Phase.ANSWERED if len(reports) == len(self.claims) else Phase.SEARCHING
        return replace(self, phase=phase, reports=reports, weighed=(), of=0)

    def stopped(self) -> Check:
        """With what was found until then."""
        return replace(self, phase=Phase.STOPPED)

    def failed(self, why: str) -> Check:
        """With the reason, in one line for the reader."""
        return replace(self, phase=Phase.FAILED, trouble=why)

    @property
    def is_paragraph(self) -> bool:
        """Whether there is more than one sentence."""
        return len(self.claims) > 1

    @property
    def found(self) -> tuple[Weighed, ...]:
        """All papers weighed so far."""
        return (*(w for report in self.reports for w in report.papers), *self.weighed)
