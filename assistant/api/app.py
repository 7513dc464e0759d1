"""The HTTP interface: its routes behind their door, what errors look like, and how it is run."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from assistant.api import library, openai
from assistant.api.door import BROKEN, Door, error_body
from assistant.api.service import Gone, Service
from assistant.desk import Assistant as Desk
from assistant.errors import AssistantError, QuestionError, SettingsError
from assistant.web.gate import is_own
from store.errors import NothingKeptError, PaperNotFoundError, StoreError

_log = logging.getLogger(__name__)
_PATIENCE = 1  # seconds that requests get to end when the server is stopped, and then the model
_REASONS = {
    400: "The request cannot be done.",
    401: "A key is needed.",
    404: "There is no such thing.",
    413: "The request is too large.",
    421: "The host is not ours.",
    422: "The request is malformed.",
    429: "Too many wait already.",
    503: "The library or the model cannot be used.",
}


def create_app(service: Service, *, keys: Sequence[str] = (), own: bool = True) -> Door:
    """The application over a service; ``own`` says that this machine alone may reach it."""
    responses: dict[int | str, dict[str, Any]] = {
        status: {"description": reason} for status, reason in _REASONS.items()
    }
    app = FastAPI(
        title="citewell",
        version=version("citewell"),
        docs_url=None,  # the page of the description would load scripts from elsewhere
        redoc_url=None,
        responses=responses,
    )
    app.state.service = service
    app.include_router(library.router)
    app.include_router(openai.router)
    app.add_api_route("/health", _health)
    for kind in (HTTPException, RequestValidationError, AssistantError, StoreError, Gone):
        app.add_exception_handler(kind, _refused)
    app.add_exception_handler(Exception, _broken)
    return Door(app, keys, own=own)


def run(desk: Desk, *, host: str, port: int, keys: Sequence[str] = ()) -> None:
    """Serve until stopped by Ctrl-C or SIGTERM."""
    if not keys and not is_own(host):
        raise SettingsError(
            f"{host} can be reached by others. Name keys with --api-keys FILE, "
            "or listen on 127.0.0.1."
        )
    try:
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as fault:
        raise SettingsError(
            f"Cannot listen on {host}:{port}; another program may be there. Choose another port."
        ) from fault
    shown = f"[{host}]" if ":" in host else host
    print(f"citewell is at http://{shown}:{port} (Ctrl-C stops it)", flush=True)
    service = Service(desk)
    config = uvicorn.Config(
        create_app(service, keys=keys, own=is_own(host)),
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_PATIENCE,
    )
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # it has stopped already, and says it once more
    finally:
        listening.close()
        end = time.monotonic() + _PATIENCE
        while len(service.line) and time.monotonic() < end:  # the model ends its token
            time.sleep(0.02)


async def _health() -> dict[str, str]:
    """Whether the server runs."""
    return {"status": "ok"}


async def _refused(request: Request, fault: Exception) -> Response:
    status, reason, headers = 503, str(fault), None
    if isinstance(fault, HTTPException):
        status, reason, headers = fault.status_code, str(fault.detail), fault.headers
    elif isinstance(fault, RequestValidationError):
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        status, reason = 422, f"{where}: {first['msg']}."
    elif isinstance(fault, QuestionError):
        status = 400
    elif isinstance(fault, PaperNotFoundError | NothingKeptError):
        status = 404
    elif isinstance(fault, Gone):
        status, reason = 499, "The client hung up."
    clean = reason.encode("utf-8", "replace").decode()
    return JSONResponse(error_body(status, clean), status, headers=headers)


async def _broken(request: Request, fault: Exception) -> Response:
    _log.error("a request failed", exc_info=fault)
    return JSONResponse(error_body(500, BROKEN), 500)
