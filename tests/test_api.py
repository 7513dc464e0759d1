"""The HTTP interface as clients meet it: a real server, a scripted model."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import openai
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import CHECKS

from assistant.api.app import create_app
from assistant.api.door import BROKEN
from assistant.api.service import Service
from assistant.errors import ModelFileError
from assistant.types import DraftGrew
from tests.fakes import ScriptedModel
from tests.test_answering import assistant as desk_of
from tests.test_programs import idle, slow
from tests.web_desk import ScriptedDesk

QUESTION = "How many sensors does AntWalk need?"
KEY = "a-key-of-many-letters"


@contextmanager
def served(desk, *, places=16, **options):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        app = create_app(Service(desk, places), **options)
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", lifespan="off", ws="none")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            with httpx.Client(base_url=base, timeout=20) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def client(library):
    with served(desk_of(library, ScriptedModel("AntWalk needs 40 sensors."))) as opened:
        yield opened


def test_the_json_is_that_of_the_command_line(client):
    found = client.post("/search", json={"query": "trails at night", "k": 1}).json()
    assert [hit["paper"]["title"] for hit in found["hits"]] == ["Walking with ants"]
    answer = client.post("/ask", json={"question": QUESTION}).json()
    assert (answer["status"], answer["text"]) == ("answered", "AntWalk needs 40 sensors [1].")
    assert client.post("/support", json={"claim": "AntWalk needs 40 sensors."}).json()["papers"]
    assert client.post("/summarize", json={"topic": "ants that leave trails"}).json()["themes"]
    assert len(client.get("/papers").json()["papers"]) == 3
    assert "trails" in client.get("/papers/insects.txt%232").json()["abstract"]


def test_openai_client_asks_and_streams(client):
    with openai.OpenAI(base_url=f"{client.base_url}/v1", api_key="none") as other:
        asked = {"model": "citewell", "messages": [{"role": "user", "content": QUESTION}]}
        whole = other.chat.completions.create(**asked)
        chunks = list(other.chat.completions.create(**asked, stream=True))
        ids = [model.id for model in other.models.list()]
        coded = other.embeddings.create(model=ids[1], input=["bees", "ants"])
    text = whole.choices[0].message.content
    assert text.startswith("AntWalk needs 40 sensors [1].\n\nSources:\n[1] Walking with ants")
    (note,) = whole.choices[0].message.annotations
    at = note.url_citation
    assert text[at.start_index : at.end_index] == "[1]"
    assert whole.citewell["status"] == "answered"
    assert "".join(c.choices[0].delta.content or "" for c in chunks) == text
    assert [len(row.embedding) for row in coded.data] == [512, 512]


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("/ask", b"{", 422, "JSON"),
        ("/ask", b'{"question": " "}', 400, "empty"),
        ("/search", b'{"query": "bees", "k": 0}', 422, "body.k"),
        ("/search", b'{"query": "bees", "venue": "no such"}', 404, "No paper"),
        ("/v1/chat/completions", b'{"messages": []}', 422, "messages"),
        ("/ask", b" " * 1_000_001, 413, "larger"),
    ],
)
def test_malformed_requests_are_told_why(client, path, body, status, reason):
    found = client.post(path, content=body, headers={"content-type": "application/json"})
    assert found.status_code == status
    assert reason in found.json()["error"]["message"]
    assert client.get("/papers/none").status_code == 404


def test_a_foreign_host_and_a_wrong_key_stay_outside(library):
    with served(desk_of(library, None), keys=[KEY]) as client:
        assert client.get("/papers").status_code == 401
        assert client.get("/papers", headers={"authorization": "Bearer no"}).status_code == 401
        known = {"authorization": f"Bearer {KEY}"}
        assert client.get("/papers", headers=known).status_code == 200
        foreign = client.get("/papers", headers=known | {"host": "evil.example"})
        assert foreign.status_code == 421
        assert client.get("/health").json() == {"status": "ok"}


@pytest.mark.parametrize("stream", [False, True])
def test_who_hangs_up_frees_the_model_and_too_many_are_refused(stream):
    desk = slow()
    body = {"messages": [{"role": "user", "content": "q"}], "stream": stream}

    with served(desk, places=1) as client:
        with socket.create_connection((client.base_url.host, client.base_url.port)) as raw:
            text = httpx.Request("POST", client.base_url, json=body).content
            head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
            kind = "Content-Type: application/json\r\n"
            raw.sendall(f"{head}{kind}Content-Length: {len(text)}\r\n\r\n".encode() + text)
            end = time.monotonic() + 5
            while not desk.active and time.monotonic() < end:
                time.sleep(0.01)
            assert desk.active == 1
            assert client.post("/v1/chat/completions", json=body).status_code == 429
        assert idle(desk)
        assert desk.tokens < 600


EXAMPLES = re.findall(
    r"```sh\n(curl .*?)\n```",
    (Path(__file__).parents[1] / "docs" / "http.md").read_text(encoding="utf-8"),
    re.DOTALL,
)


@pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
def test_the_examples_of_the_guide_work(client):
    assert len(EXAMPLES) > 6
    for example in EXAMPLES:
        command = example.replace("http://127.0.0.1:7860", str(client.base_url).rstrip("/"))
        ran = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, check=True)
        found = json.loads(ran.stdout)
        assert found, example
        assert "error" not in found, example


@pytest.mark.parametrize(
    ("fault", "told"),
    [(ModelFileError("The model is gone."), "The model is gone."), (ValueError("x"), BROKEN)],
)
def test_what_breaks_a_stream_is_told_in_it(fault, told):
    class Breaking(ScriptedDesk):
        def ask(self, question, *, after=(), cancel=None):
            yield DraftGrew("It")
            raise fault

    body = {"messages": [{"role": "user", "content": "q"}], "stream": True}
    with served(Breaking({})) as client:
        lines = client.post("/v1/chat/completions", json=body).text.split("\n\n")
    last = json.loads(lines[-2].removeprefix("data: "))
    assert last["error"]["message"] == told


def test_nothing_that_fits_the_description_or_breaks_it_makes_a_fault(client):
    """Every operation with made-up requests, right and wrong ones."""
    schema = schemathesis.openapi.from_url(f"{client.base_url}/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in schemathesis.GenerationMode:

            @settings(
                max_examples=15,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def holds(case):
                nonlocal tried
                tried += 1
                case.call_and_validate(excluded_checks=excluded(case))

            with suppress(Unsatisfiable):  # without parameters nothing can be wrong
                holds()
    assert tried > 150


def excluded(case):
    """No schema says that the last message is the user's, or which papers, filters and models
    there are: there a request of the right form may be refused."""
    return [CHECKS.get_one("positive_data_acceptance")] if case.method == "POST" else []
