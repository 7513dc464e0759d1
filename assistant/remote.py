"""A language model behind an OpenAI-compatible address: llama-server, vLLM and their like.

Asked only when the reader gave the address. The same prompts and the same proof as for a model in
this process; where the server tells no probabilities, its plain Yes or No has to do.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx

from assistant.errors import RemoteModelError
from assistant.llm import Opinion, Prompt
from assistant.types import Cancellation, Cancelled

_TIMEOUT = httpx.Timeout(connect=5, read=120, write=30, pool=5)
_PAUSES = (0.5, 2.0)  # seconds before each further try of what has not begun to be answered
_PASSING = frozenset({429, 502, 503, 504})  # busy, loading its model, or behind a gateway
_CERTAIN = 5.0  # stands for a logit difference when only the word itself is known


class RemoteModel:
    """A chat model at ``base`` (ending in ``/v1``), asked over HTTP."""

    def __init__(self, base: str, *, key: str = "", context_tokens: int = 4096) -> None:
        self._base = base.rstrip("/")
        self._context_tokens = context_tokens
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(timeout=_TIMEOUT, headers=headers, trust_env=False)
        self._name = self._first_model()

    @property
    def name(self) -> str:
        """The name that the server gives its model."""
        return self._name

    @property
    def sha256(self) -> str:
        """See :class:`assistant.llm.ChatModel`: another machine's weights cannot be hashed."""
        return ""

    @property
    def context_tokens(self) -> int:
        """What the settings say; a server does not tell."""
        return self._context_tokens

    def count_tokens(self, text: str) -> int:
        """An upper estimate: a token of English is seldom shorter than three bytes."""
        return len(text.encode()) // 3 + 1

    def stream(self, prompt: Prompt, *, max_tokens: int, cancel: Cancellation) -> Iterator[str]:
        """See :class:`assistant.llm.ChatModel`."""
        body = self._body(prompt, max_tokens) | {"stream": True}
        try:
            reply = self._sent("POST", "chat/completions", body, cancel)
            with closing(reply):
                if reply.status_code != httpx.codes.OK:
                    reply.read()
                    raise self._refused(reply)
                for line in reply.iter_lines():
                    if cancel.is_set:
                        raise Cancelled
                    if piece := _delta(line):
                        yield piece
        except httpx.HTTPError as fault:
            raise self._unreachable(fault) from fault

    def prefers_yes(self, prompt: Prompt, *, cancel: Cancellation) -> float | None:
        """See :class:`assistant.llm.ChatModel`."""
        if cancel.is_set:
            raise Cancelled
        body = self._body(prompt, 1) | {"logprobs": True, "top_logprobs": 20}
        choice = self._post(body, cancel)["choices"][0]
        content = (choice.get("logprobs") or {}).get("content") or []
        if content and content[0].get("top_logprobs"):
            return _difference(content[0]["top_logprobs"])
        word = str((choice.get("message") or {}).get("content") or "").strip().lower()
        return {"yes": _CERTAIN, "no": -_CERTAIN}.get(word)

    def opinion(self, prompt: Prompt, *, cancel: Cancellation) -> Opinion | None:
        """See :class:`assistant.llm.ChatModel`; a server does not show the state."""
        yes = self.prefers_yes(prompt, cancel=cancel)
        return None if yes is None else Opinion(yes)

    def _first_model(self) -> str:
        try:
            reply = self._sent("GET", "models", None, Cancellation())
            with closing(reply):
                reply.read()
            if reply.status_code != httpx.codes.OK:
                raise self._refused(reply)
            return str(reply.json()["data"][0]["id"])
        except httpx.HTTPError as fault:
            raise self._unreachable(fault) from fault
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            raise RemoteModelError(
                f"{self._base} does not answer as an OpenAI-compatible server. "
                "Check the address; it should end in /v1."
            ) from fault

    def _body(self, prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        return {
            "model": self._name,
            "temperature": 0,
            "max_tokens": max_tokens,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": f"{prompt.context}\n\n{prompt.instruction}"},
            ],
        }

    def _sent(
        self, method: str, path: str, body: dict[str, Any] | None, cancel: Cancellation
    ) -> httpx.Response:
        """The reply to a request, its body not read yet; a passing fault is waited out.

        Only what failed before its answer began is sent again: half an answer is never doubled.
        """
        for pause in (*_PAUSES, None):
            if cancel.is_set:
                raise Cancelled
            request = self._client.build_request(method, f"{self._base}/{path}", json=body)
            try:
                reply = self._client.send(request, stream=True)
            except (httpx.ConnectError, httpx.RemoteProtocolError, httpx.ReadError):
                if pause is None:
                    raise
            else:
                if pause is None or reply.status_code not in _PASSING:
                    return reply
                reply.close()
            cancel.wait(pause)
        raise AssertionError("the last try returns or raises")

    def _post(self, body: dict[str, Any], cancel: Cancellation) -> dict[str, Any]:
        try:
            reply = self._sent("POST", "chat/completions", body, cancel)
            with closing(reply):
                reply.read()
        except httpx.HTTPError as fault:
            raise self._unreachable(fault) from fault
        if reply.status_code != httpx.codes.OK:
            raise self._refused(reply)
        try:
            answer: dict[str, Any] = reply.json()
            answer["choices"][0]
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            raise RemoteModelError(f"{self._base} sent an answer that is not JSON.") from fault
        return answer

    def _refused(self, reply: httpx.Response) -> RemoteModelError:
        reason = " ".join(reply.text.split())[:160]
        cure = " Set CITEWELL_API_KEY." if reply.status_code in {401, 403} else ""
        return RemoteModelError(f"{self._base} refused: {reply.status_code} {reason}.{cure}")

    def _unreachable(self, fault: httpx.HTTPError) -> RemoteModelError:
        return RemoteModelError(
            f"The model server at {self._base} cannot be reached ({fault or type(fault).__name__})."
            " Start it, or check the address given with --model."
        )


def _delta(line: str) -> str:
    """The text in one line of a server-sent event stream.

    >>> _delta('data: {"choices": [{"delta": {"content": "Bees"}}]}')
    'Bees'
    """
    if not line.startswith("data:") or line.endswith("[DONE]"):
        return ""
    try:
        choices = json.loads(line.removeprefix("data:"))["choices"]
        return str(choices[0]["delta"].get("content") or "") if choices else ""
    except (ValueError, KeyError, TypeError) as fault:
        raise RemoteModelError("The model server sent a stream that cannot be read.") from fault


def _difference(top: list[dict[str, Any]]) -> float | None:
    """Yes over No from the probabilities of the likeliest tokens."""
    sums = {"yes": 0.0, "no": 0.0}
    for entry in top:
        word = str(entry["token"]).strip().lower()
        if word in sums:
            sums[word] += math.exp(float(entry["logprob"]))
    if not any(sums.values()):
        return None
    return math.log(max(sums["yes"], 1e-9)) - math.log(max(sums["no"], 1e-9))
