"""ZIP archives and standard input: read like a folder and like a file, refused in one line."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.errors import SourceError
from store.sources import read_path
from store.sources.naming import GUESSED
from store.sources.paths import _guarded
from store.types import Paper, Rejected

BEES = "Honey bees tell each other where the clover is. We film four hives for a summer."
ANTS = "Ants follow scent. A colony finds the shorter of two bridges within ten minutes."
LINE = json.dumps({"title": "Bees", "abstract": BEES}) + "\n"
ENDNOTE = (
    f"<xml><records><record><titles></titles><abstract>{ANTS}</abstract></record></records></xml>"
)


def zipped(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_members_of_any_format_are_read_one_by_one(tmp_path, method):
    files = {
        "a.jsonl": LINE,
        "deep/b.xml": ENDNOTE,
        "c.gz": gzip.compress(LINE.encode()),
        ".hidden": LINE,
        "__MACOSX/a.jsonl": LINE,
        "deep/": "",
    }
    papers = list(read_path(write(tmp_path / "all.zip", zipped(files, method))))
    assert [(p.source, p.abstract) for p in papers] == [
        ("all.zip/a.jsonl#1", BEES),
        ("all.zip/c.gz#1", BEES),
        ("all.zip/deep/b.xml#1", ANTS),
    ]


def test_a_member_that_cannot_be_read_is_one_rejection(tmp_path):
    files = {"a.pdf": b"%PDF-1.7", "n.zip": zipped({"a": LINE}), "e.txt": "", "b.jsonl": LINE}
    content = bytearray(zipped(files))
    locked = content.rindex(b"PK\x01\x02")  # the directory entry of the last member
    found = {r.source: r for r in read_path(write(tmp_path / "all.zip", bytes(content)))}
    assert isinstance(found.pop("all.zip/b.jsonl#1"), Paper)
    assert set(found) == {"all.zip/a.pdf", "all.zip/n.zip", "all.zip/e.txt"}
    assert all(isinstance(r, Rejected) and "\n" not in r.reason for r in found.values())
    content[locked + 8] |= 1
    reasons = {r.source: r for r in read_path(write(tmp_path / "locked.zip", bytes(content)))}
    assert "encrypted" in reasons["locked.zip/b.jsonl"].reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (zipped({"word/document.xml": "<w/>", "[Content_Types].xml": "<t/>"}), "office document"),
        (zipped({"a.jsonl": LINE})[:60], "damaged"),
        (zipped({}), "no file in it holds papers"),
    ],
)
def test_what_is_no_archive_of_texts_is_one_clear_line(tmp_path, content, reason):
    with pytest.raises(SourceError, match=reason) as caught:
        list(read_path(write(tmp_path / "a.zip", content)))
    assert "\n" not in str(caught.value)


def test_what_is_made_to_burst_is_stopped(tmp_path):
    content = zipped({"a.txt": b"\n" * (60 << 20)})
    (refused, _) = read_path(write(tmp_path / "a.zip", content))
    assert "times its size" in refused.reason


@given(data=st.data())
@example(data=None)
def test_a_mutated_archive_gives_papers_and_reasons_only(data):
    content = bytearray(zipped({"a.jsonl": LINE * 3, "b.xml": ENDNOTE}))
    for _ in range(data.draw(st.integers(1, 6)) if data else 0):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(SourceError):
        for record in _guarded(io.BytesIO(content), "m.zip", "m.zip", GUESSED):
            assert isinstance(record, (Paper, Rejected))


@pytest.mark.parametrize(
    "content", [LINE.encode(), gzip.compress(LINE.encode()), zipped({"a": LINE})]
)
def test_standard_input_is_read_whatever_it_holds(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    (paper,) = read_path(Path("-"))
    assert isinstance(paper, Paper)
    assert paper.source.startswith("stdin")


def test_an_empty_standard_input_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(SourceError, match="standard input"):
        list(read_path(Path("-")))
