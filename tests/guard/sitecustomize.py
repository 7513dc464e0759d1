"""Put on the path of a process under test: any way out of this machine is refused and written down.

Python runs this file at start. The audit hook sees every ``connect``, ``sendto`` and name look-up
that goes through Python's socket module, whichever library makes it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in {"socket.connect", "socket.sendto"}:
        address = arguments[1]
        target = address[0] if isinstance(address, tuple) else None
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        target = arguments[0]
    else:
        return
    if isinstance(target, bytes):
        target = target.decode()
    if target and not str(target).startswith(_LOOPBACK):
        with Path(os.environ["CITEWELL_TEST_ATTEMPTS"]).open("a") as out:
            out.write(f"{event} {target} by {sys.argv}\n")
        raise OSError(f"{event} {target}: no way out of this machine in a test")


sys.addaudithook(_watch)
