from __future__ import annotations

import pytest

import prompts


@pytest.mark.parametrize("name", prompts.NAMES)
def test_every_template_loads_and_has_a_fingerprint(name):
    template = prompts.load(name)
    assert template.text
    assert len(template.fingerprint) == 12


def test_every_file_is_known():
    from pathlib import Path

    files = {path.stem for path in Path(prompts.__file__).parent.glob("*.txt")}
    assert files == set(prompts.NAMES)


def test_values_are_not_looked_into():
    filled = prompts.load("evidence").fill(excerpts="$question costs $5", question="Q")
    assert "$question costs $5" in filled


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"excerpts": "x"}, "missing question"),
        ({"excerpts": "x", "question": "q", "extra": "e"}, "unknown extra"),
    ],
)
def test_a_wrong_placeholder_fails_by_name(values, complaint):
    with pytest.raises(ValueError, match=complaint):
        prompts.load("evidence").fill(**values)


def test_an_unknown_template_fails_by_name():
    with pytest.raises(ValueError, match="haiku"):
        prompts.load("haiku")
