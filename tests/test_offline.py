"""Nothing leaves the machine unasked: add, search, ask and serve with all sockets closed.

Where the system allows it the processes also run in a network of their own that has a loopback and
nothing else, so that code outside Python cannot get out either.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import model_or_skip

pytestmark = pytest.mark.model

GUARD = Path(__file__).parent / "guard"


class Closed:
    """Runs commands that can reach loopback alone, and tells what tried to get further."""

    def __init__(self, folder: Path) -> None:
        self.attempts = folder / "attempts"
        self.attempts.touch()
        self.environment = os.environ | {
            "PYTHONPATH": str(GUARD),
            "CITEWELL_TEST_ATTEMPTS": str(self.attempts),
            "CITEWELL_LIBRARY": str(folder / "library"),
            "CITEWELL_ENCODER": "all-minilm-l6-v2",
            "CITEWELL_MODEL": "smollm2-135m",
        }

    def start(self, *words: str, alone: bool = True) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "assistant.cli", *words]
        if alone and namespaces():
            command = ["unshare", "--net", *command]
        return subprocess.Popen(
            command,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __call__(self, *words: str) -> str:
        with self.start(*words) as process:
            out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        return out


def namespaces() -> bool:
    """Whether this system lets us make a network of our own."""
    if not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0


@pytest.fixture
def closed(tmp_path: Path) -> Closed:
    model_or_skip("all-minilm-l6-v2")
    model_or_skip("smollm2-135m")
    return Closed(tmp_path)


def test_the_guard_itself_catches_a_call(closed):
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=1)"
    ran = subprocess.run([sys.executable, "-c", code], env=closed.environment, capture_output=True)
    assert ran.returncode != 0
    assert "192.0.2.1" in closed.attempts.read_text()


def test_add_search_ask_and_serve(closed):
    closed("add", "--sample")
    assert json.loads(closed("search", "dropout", "--json"))["hits"]
    answer = json.loads(closed("ask", "What does dropout do?", "--json"))
    assert answer["evidence"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with closed.start("serve", "--port", str(port), alone=False) as process:
        try:
            page = opened(f"http://127.0.0.1:{port}/", process)
        finally:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
    assert "gradio" in page
    assert "Traceback" not in err
    assert closed.attempts.read_text() == ""


def opened(address: str, process: subprocess.Popen[str]) -> str:
    for _ in range(600):
        assert process.poll() is None, process.communicate()
        try:
            with urllib.request.urlopen(address, timeout=5) as reply:
                return reply.read().decode()
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the page did not open")
