"""One service over HTTP, asked slowly: a pause between calls, and longer ones when it is busy.

Below every connector. A service that is busy says so with 429 or 503 and often for how long; that
is kept to. Whatever goes wrong is one line that names the service.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property

import httpx

from store.errors import ServiceError

_TIMEOUT = httpx.Timeout(connect=10, read=60, write=30, pool=10)
_BUSY = {429, 500, 502, 503, 504}
_TRIES = 5
_LONGEST_WAIT = 120.0  # seconds; who asks for more is left alone
_MAX_BYTES = 100 << 20  # no page of any service is a tenth as long

Params = Mapping[str, str | int]


class Client:
    """Asks one service, never faster than once in ``pause`` seconds."""

    def __init__(
        self,
        service: str,
        address: str,
        pause: float,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.service = service
        self._address = address.rstrip("/")
        self._pause = pause
        self._sleep = sleep
        self._last = float("-inf")

    @cached_property
    def _http(self) -> httpx.Client:
        headers = {"User-Agent": "citewell"}
        return httpx.Client(timeout=_TIMEOUT, follow_redirects=True, headers=headers)

    def close(self) -> None:
        """Let go of the connection, if there was one."""
        if "_http" in self.__dict__:
            self._http.close()

    def get_json(self, path: str, params: Params) -> object:
        """The answer as a value."""
        try:
            return json.loads(self.get(path, params))
        except (ValueError, RecursionError) as fault:
            raise ServiceError(f"{self.service} answers with no JSON; try later") from fault

    def get(self, path: str, params: Params) -> bytes:
        """The answer's bytes; a busy service is asked again, a few times."""
        reason = ""
        for number in range(_TRIES):
            self._wait(0.0)
            try:
                with self._http.stream("GET", self._address + path, params=dict(params)) as reply:
                    if reply.is_success:
                        return self._body(reply)
                    reason = f"HTTP {reply.status_code}"
                    if reply.status_code not in _BUSY:
                        raise ServiceError(
                            f"{self.service} refuses the query ({reason}); check how it is written"
                        )
                    asked = _asked_to_wait(reply.headers.get("Retry-After", ""))
            except httpx.HTTPError as fault:
                reason, asked = str(fault) or type(fault).__name__, 0.0
            if asked > _LONGEST_WAIT:
                raise ServiceError(f"{self.service} asks to wait {asked:.0f} s; try again then")
            if number + 1 < _TRIES:
                self._wait(max(asked, 2.0**number))
        raise ServiceError(
            f"{self.service} did not answer ({reason}); check the network or try later"
        )

    def _wait(self, least: float) -> None:
        """Pause as the service wishes, and at least so long."""
        if (left := max(least, self._last + self._pause - time.monotonic())) > 0:
            self._sleep(left)
        self._last = time.monotonic()

    def _body(self, reply: httpx.Response) -> bytes:
        body = bytearray()
        for block in reply.iter_bytes():
            body += block
            if len(body) > _MAX_BYTES:
                raise ServiceError(f"{self.service} sends more than a page can hold; try later")
        return bytes(body)


def _asked_to_wait(header: str) -> float:
    """The seconds that a ``Retry-After`` stands for, given as a number or as a date.

    >>> _asked_to_wait("7"), _asked_to_wait("soon")
    (7.0, 0.0)
    """
    if header.strip().isdecimal():
        return float(header[:9])
    try:
        then = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
