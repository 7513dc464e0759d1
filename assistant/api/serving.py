"""From settings to a server that runs: what ``citewell serve --api`` does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from assistant import fetching, models
from assistant.api.app import run
from assistant.api.door import keys_of
from assistant.settings import Settings
from assistant.types import Cancellation
from assistant.wiring import open_assistant

_PORT = 7861  # beside the page's 7860


def serve(settings: Settings, *, port: int | None, fetch: bool, keys: Path | None) -> None:
    """Serve HTTP and stay until stopped; nobody is answered before the model is there.

    Keys come from a file and from ``CITEWELL_API_KEYS``.
    """
    known = keys_of(keys, os.environ.get("CITEWELL_API_KEYS", ""))
    if fetch and not settings.model and fetching.best_installed() is None:
        fetching.fetch(models.DEFAULT, progress=lambda done, total: None, cancel=Cancellation())
    at = port or _PORT
    desk = open_assistant(settings, note=lambda line: print(line, file=sys.stderr))
    try:
        run(desk, host=settings.host, port=at, keys=known)
    finally:
        desk.close()
