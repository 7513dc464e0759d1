"""Who comes in, how often, and with which headers the page goes out."""

from __future__ import annotations

import asyncio
import gc
import socket
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from assistant.errors import SettingsError
from assistant.web.gate import Gate, Rate, check_address, readers, sign_in
from tests.web_desk import ScriptedDesk


def test_readers_come_from_the_option_or_from_a_file(tmp_path):
    names = tmp_path / "readers"
    names.write_text("bo:another secret\n\ncy:a third: secret\n")
    assert readers(["ada:long enough", str(names)]) == {
        "ada": "long enough",
        "bo": "another secret",
        "cy": "a third: secret",
    }


@pytest.mark.parametrize("bad", ["ada:short", ":no name here", "no such file"])
def test_a_bad_reader_is_told_in_one_line_without_the_password(bad):
    with pytest.raises(SettingsError, match="USER:PASSWORD") as told:
        readers([bad])
    assert "short" not in str(told.value)


def test_an_outside_address_needs_readers():
    check_address("127.0.0.1", {})
    check_address("0.0.0.0", {"ada": "long enough"})
    for host in ("0.0.0.0", "::", "192.168.1.4", "example.org", ""):
        with pytest.raises(SettingsError, match="--auth"):
            check_address(host, {})


def test_sign_in():
    fits = sign_in({"ada": "long enough"})
    assert fits("ada", "long enough")
    assert not fits("ada", "long")
    assert not fits("bo", "")


def test_a_rate_has_a_store_and_fills_again():
    now = [0.0]
    rate = Rate(2, 3, lambda: now[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")
    now[0] = 0.5
    assert [rate.allows("a") for _ in range(2)] == [True, False]


def test_who_sends_too_much_is_told_to_wait():
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    async def statuses() -> list[int]:
        transport = httpx.ASGITransport(Gate(app, Rate(0.001, 2), Rate(0.001, 1)))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            sent = [await client.post("/x") for _ in range(3)] + [await client.get("/x")]
            signed = [await client.post("/login") for _ in range(2)]
        assert all(reply.headers["x-content-type-options"] == "nosniff" for reply in sent)
        return [reply.status_code for reply in sent + signed]

    assert asyncio.run(statuses()) == [200, 200, 429, 200, 200, 429]


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_several_clients_at_once_see_nothing_before_they_sign_in():
    served = _served()
    gc.collect()  # gradio leaves its loop to be collected
    assert served == [(401, 400, 200, 200)] * 4


def _served() -> list[tuple[int, ...]]:
    from assistant.web.app import launch

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    known = {f"reader{n}": f"secret number {n}" for n in range(4)}
    blocks = launch(ScriptedDesk({}), port=port, wait=False, readers=known)
    try:
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda name: _visit(port, name, known[name]), known))
    finally:
        blocks.close(verbose=False)


def _visit(port: int, name: str, password: str) -> tuple[int, ...]:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        before = client.get("/config").status_code
        wrong = client.post("/login", data={"username": name, "password": "wrong"}).status_code
        right = client.post("/login", data={"username": name, "password": password}).status_code
        after = client.get("/config")
        assert "frame-ancestors 'none'" in after.headers["content-security-policy"]
        return before, wrong, right, after.status_code
