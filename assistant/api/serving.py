"""From settings to a server that runs: what ``citewell serve --api`` does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from assistant import fetching, models, terminal
from assistant.api.app import run
from assistant.api.door import keys_of
from assistant.settings import Settings
from assistant.wiring import open_assistant


def serve(settings: Settings, *, fetch: bool, keys: Path | None) -> None:
    """Serve HTTP and stay until stopped; nobody is answered before the model is there.

    Keys come from a file and from ``CITEWELL_API_KEYS``.
    """
    known = keys_of(keys, os.environ.get("CITEWELL_API_KEYS", ""))
    if fetch and not settings.model and fetching.best_installed() is None:
        with terminal.loading(models.DEFAULT.name) as progress:
            fetching.fetch(models.DEFAULT, progress=progress)
    desk = open_assistant(settings, note=lambda line: print(line, file=sys.stderr))
    try:
        run(desk, host=settings.host, port=settings.port, keys=known)
    finally:
        desk.close()
