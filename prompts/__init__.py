"""The texts that are put before the model, one file each, and their loader.

A placeholder is ``$name``. Filling a template with a name missing or unknown fails by that name, so
that a changed template cannot quietly lose its evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template as _Template

NAMES = (
    "abstract",
    "answer",
    "claim",
    "common",
    "evidence",
    "judge",
    "part",
    "system",
    "theme",
)


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt text with placeholders."""

    name: str
    text: str

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that :meth:`fill` wants."""
        return frozenset(_Template(self.text).get_identifiers())

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that change with the wording; they stand in every receipt."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    def fill(self, **values: str) -> str:
        """The text with every placeholder replaced, once: values are not looked into again.

        >>> Template("t", "Say $word.").fill(word="$5")
        'Say $5.'
        >>> Template("t", "Say $word.").fill(wrod="hi")
        Traceback (most recent call last):
            ...
        ValueError: Prompt 't': missing word; unknown wrod
        """
        missing = sorted(self.placeholders - values.keys())
        unknown = sorted(values.keys() - self.placeholders)
        faults = [
            f"{kind} {', '.join(names)}"
            for kind, names in (("missing", missing), ("unknown", unknown))
            if names
        ]
        if faults:
            raise ValueError(f"Prompt {self.name!r}: {'; '.join(faults)}")
        return _Template(self.text).substitute(values)


def load(name: str) -> Template:
    """The template ``prompts/NAME.txt``; raises ``ValueError`` for a name that does not exist."""
    if name not in NAMES:
        raise ValueError(f"No prompt {name!r}; there are {', '.join(NAMES)}")
    text = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return Template(name, text.rstrip("\n"))


def fingerprints() -> Mapping[str, str]:
    """The fingerprint of every template, by name."""
    return {name: load(name).fingerprint for name in NAMES}
