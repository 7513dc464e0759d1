"""The door of the page: who may come in, how often, and what the browser is told on the way out.

On the reader's own machine nobody signs in. An address that others can reach is refused unless
readers are named; what each may then see of the others is nothing (``history``).
"""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from assistant.errors import SettingsError

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_SHORTEST_PASSWORD = 8
_REMEMBERED = 10_000  # addresses; when there are more, those at rest are forgotten

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def readers(given: Sequence[str]) -> dict[str, str]:
    """Names and passwords from ``USER:PASSWORD``, or from a file of such lines.

    >>> readers(["ada:long enough"])
    {'ada': 'long enough'}
    """
    found: dict[str, str] = {}
    for line in _lines(given):
        name, colon, password = line.partition(":")
        if not (name and colon and len(password) >= _SHORTEST_PASSWORD):
            raise SettingsError(
                "--auth takes USER:PASSWORD with a password of at least "
                f"{_SHORTEST_PASSWORD} characters, or a file with one of them a line."
            )
        found[name] = password
    return found


def _lines(given: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for one in given:
        if ":" in one and not Path(one).is_file():
            lines.append(one)
            continue
        try:
            text = Path(one).read_text(encoding="utf-8")
        except OSError as fault:
            raise SettingsError(
                f"--auth {one}: it is neither USER:PASSWORD nor a file that can be read."
            ) from fault
        lines += [line for line in text.splitlines() if line.strip()]
    return lines


def check_address(host: str, known: Mapping[str, str]) -> None:
    """Refuse to open the library to a network when nobody has to sign in."""
    if not known and not is_own(host):
        raise SettingsError(
            f"{host} can be reached by others. Name who may read with --auth USER:PASSWORD, "
            "or listen on 127.0.0.1."
        )


def is_own(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> [is_own(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def sign_in(known: Mapping[str, str]) -> Callable[[str, str], bool]:
    """Whether a name and a password belong together; takes as long when they don't."""

    def fits(name: str, password: str) -> bool:
        wanted = known.get(name, "\0")
        return hmac.compare_digest(wanted.encode(), password.encode("utf-8", "replace"))

    return fits


class Rate:
    """So many requests a second from an address, and a store of them for busy moments."""

    def __init__(
        self, a_second: float, store: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._a_second = a_second
        self._store = float(store)
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, who: str) -> bool:
        """Count one request, if it is within the limit."""
        now = self._clock()
        left, then = self._left.get(who, (self._store, now))
        left = min(self._store, left + (now - then) * self._a_second)
        if len(self._left) > _REMEMBERED:
            self._left.clear()
        self._left[who] = (left - 1 if left >= 1 else left, now)
        return left >= 1


class Gate:
    """Counts what is sent in, and tells the browser to load nothing from elsewhere."""

    def __init__(self, app: App, sending: Rate | None = None, signing: Rate | None = None) -> None:
        self._app = app
        self._sending = sending or Rate(30, 300)
        self._signing = signing or Rate(0.2, 10)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One message of the server's protocol, ASGI."""

        async def with_headers(message: Scope) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        if scope["type"] == "http" and not self._lets_in(scope):
            await _too_many(with_headers)
        else:
            await self._app(scope, receive, with_headers)

    def _lets_in(self, scope: Scope) -> bool:
        if scope["method"] != "POST":
            return True
        who = (scope.get("client") or ("",))[0]
        rate = self._signing if scope["path"].rstrip("/").endswith("/login") else self._sending
        return rate.allows(who)


async def _too_many(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"5")]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    body = b'{"detail": "Too many requests. Wait a few seconds and try again."}'
    await send({"type": "http.response.body", "body": body})
