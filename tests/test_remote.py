"""A model behind an address, against a small server of our own on loopback."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assistant.errors import RemoteModelError
from assistant.llm import Prompt
from assistant.remote import RemoteModel
from assistant.types import Cancellation, Cancelled

PROMPT = Prompt("Be brief.", "Bees dance.", "Do they?")


class Server(ThreadingHTTPServer):
    """Speaks the chat-completions protocol; ``faults`` and ``choice`` are set by the tests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[dict] = []
        self.status = 200
        self.garbage = False
        self.choice: dict = {}
        self.passing: list[int] = []  # statuses that come first, one a request

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.reply({"data": [{"id": "bee-7b"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append(body | {"key": self.headers["Authorization"]})
        if self.server.passing:
            self.send_response(self.server.passing.pop(0))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif body.get("stream") and self.server.status == 200:
            self.send_response(200)
            self.end_headers()
            for word in ("Yes ", "they ", "do."):
                chunk = {"choices": [{"delta": {"content": word}}]}
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")
        else:
            self.reply({"choices": [self.server.choice]})

    def reply(self, data: dict) -> None:
        text = b"<html>" if self.server.garbage else json.dumps(data).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(autouse=True)
def pauses(monkeypatch) -> list[float]:
    """No test waits; the pauses that would have been made are told."""
    told: list[float] = []
    monkeypatch.setattr(Cancellation, "wait", lambda _, seconds: told.append(seconds))
    return told


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_streams_and_sends_the_prompt_with_the_key(server):
    model = RemoteModel(server.base, key="secret")
    assert model.name == "bee-7b"
    pieces = list(model.stream(PROMPT, max_tokens=5, cancel=Cancellation()))
    assert pieces == ["Yes ", "they ", "do."]
    body = server.bodies[0]
    assert body["key"] == "Bearer secret"
    assert (body["temperature"], body["max_tokens"]) == (0, 5)
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["messages"][1]["content"] == "Bees dance.\n\nDo they?"


def test_yes_over_no_from_probabilities(server):
    top = [{"token": "Yes", "logprob": math.log(0.6)}, {"token": " no", "logprob": math.log(0.2)}]
    server.choice = {"logprobs": {"content": [{"top_logprobs": top}]}}
    yes = RemoteModel(server.base).prefers_yes(PROMPT, cancel=Cancellation())
    assert yes == pytest.approx(math.log(3))


@pytest.mark.parametrize(("word", "sign"), [("Yes", 1), ("no", -1)])
def test_yes_over_no_from_the_word_alone(server, word, sign):
    server.choice = {"message": {"content": word}}
    assert RemoteModel(server.base).prefers_yes(PROMPT, cancel=Cancellation()) * sign > 0


def test_no_answer_to_yes_or_no_is_none(server):
    server.choice = {"message": {"content": "Perhaps"}}
    assert RemoteModel(server.base).prefers_yes(PROMPT, cancel=Cancellation()) is None


def test_stop(server):
    cancel = Cancellation()
    cancel.cancel()
    model = RemoteModel(server.base)
    with pytest.raises(Cancelled):
        list(model.stream(PROMPT, max_tokens=5, cancel=cancel))
    with pytest.raises(Cancelled):
        model.prefers_yes(PROMPT, cancel=cancel)


def test_nobody_there():
    with pytest.raises(RemoteModelError, match="cannot be reached"):
        RemoteModel("http://127.0.0.1:9/v1")


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_refusal_is_one_clear_line(server, status):
    model = RemoteModel(server.base)
    server.status = status
    with pytest.raises(RemoteModelError, match=f"refused: {status}") as caught:
        list(model.stream(PROMPT, max_tokens=5, cancel=Cancellation()))
    assert "\n" not in str(caught.value)
    assert ("CITEWELL_API_KEY" in str(caught.value)) == (status == 401)
    with pytest.raises(RemoteModelError, match=f"refused: {status}"):
        model.prefers_yes(PROMPT, cancel=Cancellation())


def test_a_server_of_another_kind(server):
    model = RemoteModel(server.base)
    server.garbage = True
    with pytest.raises(RemoteModelError, match="OpenAI-compatible"):
        RemoteModel(server.base)
    with pytest.raises(RemoteModelError, match="not JSON"):
        model.prefers_yes(PROMPT, cancel=Cancellation())


@pytest.mark.parametrize("status", [429, 503])
def test_a_passing_fault_is_waited_out(server, pauses, status):
    model = RemoteModel(server.base)
    server.passing = [status, status]
    assert len(list(model.stream(PROMPT, max_tokens=5, cancel=Cancellation()))) == 3
    assert len(server.bodies) == 3
    assert pauses == sorted(pauses)
    assert len(pauses) == 2


def test_one_that_does_not_pass_is_told(server, pauses):
    model = RemoteModel(server.base)
    server.passing = [503] * 9
    with pytest.raises(RemoteModelError, match="refused: 503"):
        model.prefers_yes(PROMPT, cancel=Cancellation())
    assert len(server.bodies) == 3


def test_what_is_wrong_is_not_asked_again(server, pauses):
    model = RemoteModel(server.base)
    server.passing = [401]
    with pytest.raises(RemoteModelError, match="refused: 401"):
        model.prefers_yes(PROMPT, cancel=Cancellation())
    assert (len(server.bodies), pauses) == (1, [])


def test_stop_ends_the_waiting(server, monkeypatch):
    model, cancel = RemoteModel(server.base), Cancellation()
    monkeypatch.setattr(Cancellation, "wait", lambda flag, _: flag.cancel())
    server.passing = [503] * 9
    with pytest.raises(Cancelled):
        list(model.stream(PROMPT, max_tokens=5, cancel=cancel))
    assert len(server.bodies) == 1
