"""The language model. The only module that imports ``llama_cpp``.

A question is put to the model in parts whose beginnings are shared: the system text, then the
evidence with the question, then what to do with it. Each part is read into the model's memory once;
"is the answer here?" and "write the answer" differ in their last few words only.
"""

from __future__ import annotations

import codecs
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.errors import ModelFileError
from assistant.types import Cancellation, Cancelled


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in the three parts whose beginnings are shared between calls."""

    system: str  # the same for every question
    context: str  # the evidence and the question
    instruction: str  # what to do now


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model makes of a yes-or-no question.

    ``yes`` is the logit of "Yes" minus that of "No". ``state`` is the vector behind both, shape
    ``(d,)``, which tells more to one who has learned to read it; None where it can't be had.
    """

    yes: float
    state: NDArray[np.float32] | None = None


class ChatModel(Protocol):
    """Anything that reads a :class:`Prompt` and writes on."""

    @property
    def name(self) -> str:
        """What the reader calls the model."""
        ...

    @property
    def sha256(self) -> str:
        """The hash of the weights, "" where nobody worked it out."""
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

    def opinion(self, prompt: Prompt, *, cancel: Cancellation) -> Opinion | None:
        """The same, with the state of the model; None when it can't be had."""
        ...


_BATCH = 128  # tokens read between two looks at the Stop flag
_MARK_SYSTEM, _MARK_USER = "\x00system\x00", "\x00user\x00"


class LlamaCppModel:
    """A GGUF model in this process.

    One caller at a time: others wait for the lock. At temperature 0 the text depends on the prompt
    alone, not on what was asked before: each part of a prompt is always read in the same batches,
    so that memory kept from an earlier question is to the bit what reading anew would give.
    """

    def __init__(
        self, path: Path, *, name: str, context_tokens: int, threads: int, sha256: str = ""
    ) -> None:
        import llama_cpp

        self._name, self._sha256 = name, sha256
        self._lock = threading.Lock()
        try:
            self._llama = llama_cpp.Llama(
                model_path=os.fspath(path),
                n_ctx=context_tokens,
                n_batch=_BATCH,
                n_ubatch=_BATCH,
                n_threads=threads or None,
                n_threads_batch=threads or None,
                # Weights are rearranged for this processor when loaded; a mapped file would stay
                # in memory beside them, a gigabyte for nothing.
                use_mmap=False,
                flash_attn=True,
                verbose=False,
            )
        except (ValueError, OSError, AssertionError) as fault:
            raise ModelFileError(
                f"{path} is not a usable GGUF model. Name another with --model, "
                "or fetch one with `citewell models fetch`."
            ) from fault
        self._is_end = llama_cpp.llama_vocab_is_eog
        self._vocab = self._llama._model.vocab
        self._keep_states = llama_cpp.llama_set_embeddings
        self._get_state = llama_cpp.llama_get_embeddings_ith
        self._head, self._middle, self._tail = self._chat_template()
        self._read_parts: list[list[int]] = []
        self._yes, self._no = (
            [self._tokens(word)[0] for word in words]
            for words in (("Yes", "yes", " Yes"), ("No", "no", " No"))
        )

    @property
    def name(self) -> str:
        """See :class:`ChatModel`."""
        return self._name

    @property
    def sha256(self) -> str:
        """See :class:`ChatModel`."""
        return self._sha256

    @property
    def context_tokens(self) -> int:
        """See :class:`ChatModel`."""
        return int(self._llama.n_ctx())

    def count_tokens(self, text: str) -> int:
        """See :class:`ChatModel`."""
        return len(self._tokens(text))

    def stream(self, prompt: Prompt, *, max_tokens: int, cancel: Cancellation) -> Iterator[str]:
        """See :class:`ChatModel`."""
        with self._lock:
            logits = self._read(prompt, cancel)
            decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
            for _ in range(max_tokens):
                if cancel.is_set:
                    raise Cancelled
                token = int(np.argmax(logits))
                if self._is_end(self._vocab, token):
                    break
                if text := decoder.decode(self._llama.detokenize([token])):
                    yield text
                logits = self._eval([token])

    def prefers_yes(self, prompt: Prompt, *, cancel: Cancellation) -> float | None:
        """See :class:`ChatModel`."""
        with self._lock:
            return self._yes_over_no(self._read(prompt, cancel))

    def opinion(self, prompt: Prompt, *, cancel: Cancellation) -> Opinion | None:
        """See :class:`ChatModel`."""
        with self._lock:
            logits = self._read(prompt, cancel, keep_state=True)
            return Opinion(self._yes_over_no(logits), self._state())

    def _yes_over_no(self, logits: NDArray[np.float32]) -> float:
        return float(np.logaddexp.reduce(logits[self._yes])) - float(
            np.logaddexp.reduce(logits[self._no])
        )

    def _state(self) -> NDArray[np.float32]:
        pointer = self._get_state(self._llama._ctx.ctx, -1)
        return np.ctypeslib.as_array(pointer, shape=(self._llama.n_embd(),)).copy()

    def _read(
        self, prompt: Prompt, cancel: Cancellation, *, keep_state: bool = False
    ) -> NDArray[np.float32]:
        """Bring the prompt into the model's memory; returns the logits of the next token."""
        parts = [
            [*self._head, *self._tokens(prompt.system), *self._middle],
            self._tokens(prompt.context),
            [*self._tokens("\n\n" + prompt.instruction), *self._tail],
        ]
        shared = 0
        while shared < 2 and self._read_parts[shared : shared + 1] == [parts[shared]]:
            shared += 1
        # The last part is always read again: its logits are what we are after.
        self._read_parts = parts[:shared]
        self._llama.n_tokens = sum(map(len, self._read_parts))
        logits = np.zeros(0, dtype=np.float32)
        for number, part in enumerate(parts[shared:], start=shared):
            body = part[:-1] if keep_state and number == len(parts) - 1 else part
            for at in range(0, len(body), _BATCH):
                if cancel.is_set:
                    raise Cancelled
                logits = self._eval(body[at : at + _BATCH])
            self._read_parts.append(part)
        self._read_parts.pop()  # what follows it is overwritten by the next call
        if keep_state:  # of the last token alone: a state costs as much as its logits
            self._keep_states(self._llama._ctx.ctx, True)
            try:
                logits = self._eval(parts[-1][-1:])
            finally:
                self._keep_states(self._llama._ctx.ctx, False)
        return logits

    def _eval(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        self._llama.eval(tokens)
        pointer = self._llama._ctx.get_logits()
        return np.ctypeslib.as_array(pointer, shape=(self._llama.n_vocab(),)).copy()

    def _tokens(self, text: str) -> list[int]:
        """Tokens of a text that is data: a "<|im_end|>" in an abstract stays eight letters."""
        return list(self._llama.tokenize(text.encode(), add_bos=False, special=False))

    def _chat_template(self) -> tuple[list[int], list[int], list[int]]:
        """The model's own chat template, as the tokens before, between and after our parts."""
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        known: Any = self._llama.metadata
        template = known.get("tokenizer.chat_template") or _PLAIN_TEMPLATE
        end = self._llama.detokenize([self._llama.token_eos()], special=True).decode()
        rendered = Jinja2ChatFormatter(template, eos_token=end, bos_token="")(
            messages=[
                {"role": "system", "content": _MARK_SYSTEM},
                {"role": "user", "content": _MARK_USER},
            ]
        ).prompt
        head, _, rest = rendered.partition(_MARK_SYSTEM)
        middle, _, tail = rest.partition(_MARK_USER)
        start = known.get("tokenizer.ggml.add_bos_token") == "true"
        return (
            self._llama.tokenize(head.encode(), add_bos=start, special=True),
            self._llama.tokenize(middle.encode(), add_bos=False, special=True),
            self._llama.tokenize(tail.encode(), add_bos=False, special=True),
        )


_PLAIN_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
