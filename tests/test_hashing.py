"""The hash of a model file is worked out once, and again when the file has changed."""

from __future__ import annotations

import hashlib
import os

import pytest

from assistant.hashing import sha256_of


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("CITEWELL_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "model.gguf"
    path.write_text("bees")
    return path


def test_it_is_remembered_as_long_as_size_and_time_are_the_same(path):
    assert sha256_of(path) == digest("bees")
    times = path.stat()
    path.write_text("ants")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert sha256_of(path) == digest("bees")  # from memory: nothing was read
    os.utime(path, ns=(0, 0))
    assert sha256_of(path) == digest("ants")


@pytest.mark.parametrize("memory", ["", "[]", '{"model.gguf": 1}', "\x00"])
def test_a_broken_memory_is_no_fault(path, memory):
    (path.parent / "cache").mkdir()
    (path.parent / "cache" / "hashes.json").write_text(memory)
    assert sha256_of(path) == digest("bees")
    assert sha256_of(path) == digest("bees")


def test_a_cache_that_cannot_be_written_to_is_no_fault(path):
    (path.parent / "cache").write_text("a file, not a folder")
    assert sha256_of(path) == digest("bees")
