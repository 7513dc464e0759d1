from __future__ import annotations

import pytest

from assistant.naming import names, speaks_of, subjects


def test_names():
    assert names("DeFlow and GPT-4 beat it. We like LLMs.") == {"DeFlow", "GPT-4"}


@pytest.mark.parametrize(
    ("text", "name", "named"),
    [
        ("The Bee Dance Model (BDM) hums.", "BDM", True),
        ("The Bee Dance Model hums.", "BDM", True),
        ("Bee-net hums.", "BeeNet", True),
        ("BEENETS hum.", "BeeNet", True),
        ("BeeNet-Large hums.", "BeeNet", True),
        ("BeeNet hums.", "BeeNet-2", False),
        ("AntWalker walks.", "AntWalk", False),
        ("Parameters are few.", "RAM", False),
    ],
)
def test_forms_of_a_name(text, name, named):
    assert speaks_of(text, name) is named


def test_subjects_are_told_of():
    assert subjects("On BeeBench, AntWalk beats WaspNet.") == {"AntWalk"}


def test_versions_and_years_belong_to_a_name():
    assert names("Llama-3.1-8B beats Qwen2.5-Math on AIME'24.") == {
        "Llama-3.1-8B",
        "Qwen2.5-Math",
        "AIME'24",
    }
    assert speaks_of("We use Llama-3.1-8B and Qwen2.5-Math-1.5B.", "Llama-3.1-8B")
