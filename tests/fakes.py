"""Stand-ins with the same shape as the real parts: deterministic, instant, no patching."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

import numpy as np

from assistant.llm import Opinion, Prompt
from assistant.types import Cancellation, Cancelled
from store.embedding import Document, DocumentVectors, Vectors


class HashEmbedder:
    """A bag of hashed words: texts that share words are near each other."""

    def __init__(self, dimension: int = 512, fingerprint: str = "hash-words/512") -> None:
        self.dimension = dimension
        self.fingerprint = fingerprint
        self.encoded = 0  # documents encoded so far

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                digest = hashlib.md5(word.encode("utf-8", "replace")).digest()
                vectors[row, int.from_bytes(digest[:4], "big") % self.dimension] += 1.0
            vectors[row, 0] += 1e-3
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def encode_documents(self, documents: Sequence[Document]) -> list[DocumentVectors]:
        self.encoded += len(documents)
        return [
            DocumentVectors(
                self.encode([document.text])[0],
                self.encode([document.text[start:end] for start, end in document.spans]).reshape(
                    -1, self.dimension
                )
                if document.spans
                else np.zeros((0, self.dimension), dtype=np.float32),
            )
            for document in documents
        ]


class ScriptedModel:
    """Says what it was told to say, word by word, and remembers what it was asked."""

    name = "scripted"
    sha256 = "0" * 64

    def __init__(
        self, reply: str = "", yes: float | None = 5.0, context_tokens: int = 4096
    ) -> None:
        self.reply = reply
        self.yes = yes
        self.context_tokens = context_tokens
        self.prompts: list[Prompt] = []

    def count_tokens(self, text: str) -> int:
        return len(re.findall(r"\w+|[^\w\s]", text))

    def stream(self, prompt: Prompt, *, max_tokens: int, cancel: Cancellation) -> Iterator[str]:
        self.prompts.append(prompt)
        for word in re.findall(r"\S+\s*", self.reply)[:max_tokens]:
            if cancel.is_set:
                raise Cancelled
            yield word

    def prefers_yes(self, prompt: Prompt, *, cancel: Cancellation) -> float | None:
        self.prompts.append(prompt)
        return self.yes

    def opinion(self, prompt: Prompt, *, cancel: Cancellation) -> Opinion | None:
        yes = self.prefers_yes(prompt, cancel=cancel)
        return None if yes is None else Opinion(yes)
