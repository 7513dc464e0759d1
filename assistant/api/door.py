"""Who may come in over HTTP: host, key and size of a request, checked before anything is read.

A page of another site can have its own name point at 127.0.0.1 and then read what is served there
(DNS rebinding); its requests still carry its name as their host, and are refused for it. A server
that others may reach has names we don't know: there the key is asked instead.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from assistant.errors import SettingsError
from assistant.web.gate import is_own

LARGEST_BODY = 1_000_000  # bytes
_SHORTEST_KEY = 16
BROKEN = "A fault in citewell itself; its log says more."
_OPEN = {"/health"}  # needs no key: tells nothing but that the server runs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def keys_of(file: Path | None, given: str = "") -> list[str]:
    """Keys from a file (one a line, # begins a comment) and from a text of words.

    >>> keys_of(None, "a-key-of-16-letters another-key-of-mine")
    ['a-key-of-16-letters', 'another-key-of-mine']
    """
    lines = given.split()
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise SettingsError(f"--api-keys {file}: the file cannot be read as text.") from fault
        lines += [key for line in text.splitlines() if (key := line.partition("#")[0].strip())]
        if not lines:
            raise SettingsError(f"--api-keys {file}: it holds no key. Write one a line.")
    if any(len(key) < _SHORTEST_KEY or not key.isascii() for key in lines):
        raise SettingsError(
            f"A key needs at least {_SHORTEST_KEY} plain characters; "
            "`openssl rand -hex 24` makes one."
        )
    return lines


def error_body(status: int, message: str) -> dict[str, Any]:
    """What every error looks like, as OpenAI's clients expect it."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": str(status)}}


class Door:
    """ASGI: lets through what has a right host, a right key and a body of a bearable size."""

    def __init__(self, app: App, keys: Sequence[str] = (), *, own: bool = True) -> None:
        self._app = app
        self._keys = [hashlib.sha256(key.encode()).digest() for key in keys]
        self._own = own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or an event of the server's life."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if refused := self._refused(scope["path"], headers):
            await _refuse(send, *refused)
        else:
            await self._app(scope, _bounded(receive), send)

    def _refused(self, path: str, headers: dict[bytes, str]) -> tuple[int, str] | None:
        host = headers.get(b"host", "")
        if self._own and not is_own(_name(host)):
            return 421, "This server answers to 127.0.0.1 and localhost alone. Use one of them."
        if self._keys and path not in _OPEN and not self._knows(headers.get(b"authorization", "")):
            return 401, "A key is needed: send it as `Authorization: Bearer KEY`."
        length = headers.get(b"content-length", "0")
        if length.isdecimal() and int(length) > LARGEST_BODY:
            return 413, _TOO_LARGE
        return None

    def _knows(self, header: str) -> bool:
        scheme, _, key = header.partition(" ")
        digest = hashlib.sha256(key.strip().encode()).digest()
        fits = [hmac.compare_digest(digest, known) for known in self._keys]  # all, in equal time
        return scheme.lower() == "bearer" and any(fits)


_TOO_LARGE = f"The request is larger than {LARGEST_BODY:,} bytes. Send less at once."


def _name(host: str) -> str:
    """The name in a host header, without its port.

    >>> [_name(host) for host in ("localhost:80", "[::1]:80", "127.0.0.1")]
    ['localhost', '[::1]', '127.0.0.1']
    """
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def _bounded(receive: Receive) -> Receive:
    """The same messages; a body that says nothing of its length is counted as it comes."""
    read = 0

    async def counted() -> Scope:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LARGEST_BODY:
            raise HTTPException(413, _TOO_LARGE)
        return message

    return counted


async def _refuse(send: Send, status: int, message: str) -> None:
    body = json.dumps(error_body(status, message)).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # the body was not read
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
