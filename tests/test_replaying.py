"""A kept answer made again: identical, or what differs."""

from __future__ import annotations

import json

import pytest

from assistant.errors import GoldError
from assistant.exporting import answer_json
from assistant.replaying import differences, read_kept
from store.library import open_library
from tests.fakes import HashEmbedder, ScriptedModel
from tests.test_answering import assistant as desk
from tests.test_evaluating import QUESTION, invoke


def asked(library, model, after=()):
    *_, last = desk(library, model).ask(QUESTION, after=after)
    return last.answer


def test_the_same_question_again_is_identical(library):
    first = asked(library, ScriptedModel("AntWalk needs 40 sensors."), after=["What is AntWalk?"])
    kept = read_kept(json.dumps(answer_json(first)))
    assert kept.receipt.after == ("What is AntWalk?",)
    assert differences(kept, asked(library, ScriptedModel("AntWalk needs 40 sensors."))) != []
    again = asked(library, ScriptedModel("AntWalk needs 40 sensors."), after=kept.receipt.after)
    assert differences(kept, again) == []


def test_what_differs_is_named(library):
    kept = read_kept(
        json.dumps(answer_json(asked(library, ScriptedModel("AntWalk needs 40 sensors."))))
    )
    library.remove(["insects.txt#3"])
    now = asked(library, ScriptedModel("AntWalk follows trails at night."))
    found = {each.what: (each.before, each.now) for each in differences(kept, now)}
    assert set(found) == {"text", "library"}
    assert found["text"][0] == "AntWalk needs 40 sensors [1]."


@pytest.mark.parametrize("text", ["", "[]", '{"question": "Bees?"}', "bees"])
def test_what_is_no_answer_is_one_clear_line(text):
    with pytest.raises(GoldError, match="not an answer of `citewell ask --json`") as caught:
        read_kept(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("reply", "status"), [("needs 40 sensors", 0), ("follows trails", 1)])
def test_the_command(library, opened, tmp_path, reply, status):
    path = tmp_path / "answer.json"
    model = ScriptedModel("AntWalk needs 40 sensors.")
    path.write_text(
        json.dumps(answer_json(asked(open_library(library.folder, HashEmbedder()), model)))
    )
    opened.reply = f"AntWalk {reply}."
    out = invoke("replay", path)
    assert out.exit_code == status, out.output
    assert ("identical" in out.output) is (status == 0)
    assert json.loads(invoke("replay", path, "--json").stdout)["identical"] is (status == 0)
