from __future__ import annotations

import re

import pytest

from assistant.errors import ModelNotFoundError
from assistant.models import DEFAULT, DEFAULT_ENCODER, KNOWN, by_name, resolve


def test_every_entry_is_complete():
    assert len({model.name for model in KNOWN}) == len(KNOWN)
    for model in KNOWN:
        assert model.licence in {"Apache-2.0", "MIT"}
        assert model.files
        assert model.bytes > 1_000_000
        assert model.measured
        for file in model.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)


def test_what_is_used_by_default_stands_in_the_registry():
    assert DEFAULT in KNOWN
    assert DEFAULT_ENCODER in KNOWN
    assert by_name("encoder") is DEFAULT_ENCODER


def test_a_wrong_name_is_told_the_near_ones():
    with pytest.raises(ModelNotFoundError, match=r"qwen2\.5-coder-1\.5b"):
        by_name("qwen2.5-1.5b")


def test_what_a_model_can_be(tmp_path):
    path = tmp_path / "any.gguf"
    path.touch()
    assert resolve(str(path)) == path
    assert resolve("http://127.0.0.1:8080/v1") == "http://127.0.0.1:8080/v1"
    assert resolve("qwen2.5-coder-1.5b") is DEFAULT
    with pytest.raises(ModelNotFoundError, match="path of a GGUF"):
        resolve(str(tmp_path / "none.gguf"))
    with pytest.raises(ModelNotFoundError, match="--encoder"):
        resolve("all-minilm-l6-v2")
