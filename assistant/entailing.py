"""A second opinion for those who have one: does this text entail that sentence?

A cross-encoder trained on natural language inference (Bowman et al. 2015, arXiv:1508.05326) reads
both together and names one of three labels. None comes with citewell. ``verifying`` asks it where
the cheap checks are not sure, and ``stance`` in place of the answer model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from assistant.errors import SettingsError
from store.embedding import Vectors


class Classifier(Protocol):
    """Anything that gives likelihoods of labels to pairs of texts."""

    @property
    def name(self) -> str:
        """The name or folder it was opened by."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels, in the order of the columns."""
        ...

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Rows that sum to 1, shape ``(len(pairs), len(labels))``."""
        ...


@dataclass(frozen=True, slots=True)
class Entailment:
    """How likely a text bears out a sentence, contradicts it, or leaves it open."""

    entails: float
    contradicts: float
    open: float

    @property
    def holds(self) -> bool:
        """Whether bearing it out is the likeliest."""
        return self.entails > max(self.contradicts, self.open)

    @property
    def denies(self) -> bool:
        """Whether contradiction is the likeliest."""
        return self.contradicts > max(self.entails, self.open)


class NliJudge:
    """Reads a classifier's labels by their names, in whatever order the model has them."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier

    @property
    def name(self) -> str:
        """The name or folder it was opened by."""
        return self._classifier.name

    def __call__(self, text: str, sentence: str) -> Entailment:
        """Hold a sentence against a text; raises :class:`SettingsError` for another model."""
        row = self._classifier.probabilities([(text, sentence)])[0]
        return Entailment(*(float(row[column]) for column in self._columns))

    @cached_property
    def _columns(self) -> tuple[int, int, int]:
        labels = [label.lower() for label in self._classifier.labels]
        found = [
            [column for column, label in enumerate(labels) if label.startswith(start)]
            for start in ("entail", "contradict", "neutral")
        ]
        if len(labels) != 3 or any(len(columns) != 1 for columns in found):
            raise SettingsError(
                f"--judge={self.name}: its labels are {', '.join(labels)}. A judge has three: "
                "entailment, contradiction and neutral."
            )
        entails, contradicts, neutral = (columns[0] for columns in found)
        return entails, contradicts, neutral
