"""The language model. The only module that imports ``llama_cpp``.

A question is asked of the model in three turns that share their beginning: the system text, then
the evidence with the question, then a short instruction. What is shared is read once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from assistant.types import Cancellation


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in the three parts whose beginnings are shared between calls."""

    system: str  # the same for every question
    context: str  # the evidence and the question
    instruction: str  # what to do now


class ChatModel(Protocol):
    """Anything that reads a :class:`Prompt` and writes on."""

    @property
    def name(self) -> str:
        """What the reader calls the model."""
        ...

    @property
    def context_tokens(self) -> int:
        """The size of the context window, prompt and answer together."""
        ...

    def count_tokens(self, text: str) -> int:
        """How many tokens ``text`` takes (an upper estimate where the tokenizer is remote)."""
        ...

    def stream(self, prompt: Prompt, *, max_tokens: int, cancel: Cancellation) -> Iterator[str]:
        """The most likely continuation, piece by piece; raises ``Cancelled`` when told to stop."""
        ...

    def prefers_yes(self, prompt: Prompt, *, cancel: Cancellation) -> float | None:
        """Logit of "Yes" minus logit of "No" as the next word; None when it can't be had."""
        ...
