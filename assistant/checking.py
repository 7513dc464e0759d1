"""What a check is given and what it finds: part of ``verifying``."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.citing import Tie
from assistant.types import Verdict


@dataclass(frozen=True, slots=True)
class Check:
    """A verdict and, unless it is ``supported``, the reason; ``sure`` unless it is a near thing.

    ``invented``: it gives a number or formula, and the source has none at all. ``elsewhere``: the
    source does not speak of what the question names.
    """

    verdict: Verdict
    reason: str = ""
    sure: bool = True
    invented: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with what it is held against. ``records`` are of the cited papers, by number."""

    sentence: str
    tied: Tie
    question: str
    records: dict[int, str]
    heads: str
    elsewhere: str

    @property
    def source(self) -> str:
        """The sentences it was tied to, as one text."""
        return " ".join(source.text for source in self.tied.sources)
