"""A kept answer made again: identical, or what differs."""

from __future__ import annotations

import json

import pytest

from assistant.errors import GoldError, ModelNotFoundError
from assistant.exporting import answer_json
from assistant.replaying import changes, differences, model_of, read_kept
from assistant.types import Receipt
from store.filters import Filter
from tests.fakes import ScriptedModel
from tests.test_answering import assistant as desk
from tests.test_evaluating import QUESTION, invoke

ANTS_ONLY = Filter(author="Ada Ant")


def answered(library, reply="AntWalk needs 40 sensors.", after=(), yes=5.0):
    *_, last = desk(library, ScriptedModel(reply, yes=yes)).ask(QUESTION, after=after)
    return last.answer


def kept_of(answer):
    return read_kept(json.dumps(answer_json(answer)))


def test_the_same_question_again_is_identical(library):
    before = ["What is AntWalk?"]
    kept = kept_of(answered(library, after=before))
    assert kept.receipt.after == tuple(before)
    assert [each.what for each in differences(kept, answered(library))] == ["after"]
    assert differences(kept, answered(library, after=kept.receipt.after)) == []


def test_what_differs_is_named(library):
    kept = kept_of(answered(library))
    library.remove(["insects.txt#3"])
    now = answered(library, "AntWalk follows trails at night.")
    found = {each.what: (each.before, each.now) for each in differences(kept, now)}
    assert set(found) == {"text", "proof", "library"}
    assert found["text"][0] == "AntWalk needs 40 sensors [1]."


def test_a_refusal_that_names_other_papers_is_not_identical(library):
    kept = kept_of(answered(library, yes=-9.0))
    assert (kept.status, kept.text) == ("not_stated", "")
    library.remove(["insects.txt#3"])
    found = {each.what for each in differences(kept, answered(library, yes=-9.0))}
    assert {"nearest", "library"} <= found


def test_what_has_changed_is_known_before_asking(library):
    kept = kept_of(answered(library))
    as_it_was = Receipt(library.fingerprint, library.encoder, "")
    assert changes(kept, as_it_was) == []
    other = Receipt("other", library.encoder, "", prompts={"answer": "abc"})
    assert [each.what for each in changes(kept, other)] == ["library", "prompts.answer"]


def test_the_papers_that_were_asked_are_part_of_the_receipt(library):
    *_, last = (
        desk(library, ScriptedModel("AntWalk needs 40 sensors.")).within(ANTS_ONLY).ask(QUESTION)
    )
    kept = kept_of(last.answer)
    assert kept.where == ANTS_ONLY
    assert [each.what for each in differences(kept, answered(library))][-1] == "where.author"


def test_a_filter_that_is_none_is_no_kept_answer(library):
    record = answer_json(answered(library))
    record["receipt"]["where"] = {"path": "/"}
    with pytest.raises(GoldError, match=r"receipt\.where\.path"):
        read_kept(json.dumps(record))


@pytest.mark.parametrize("text", ["", "[]", '{"question": "Bees?"}', "bees", "{}\n{}"])
def test_what_is_no_answer_is_one_clear_line(text):
    complaint = "bees.json is not an answer of `citewell ask --json`"
    with pytest.raises(GoldError, match=complaint) as caught:
        read_kept(text, "bees.json")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["http://127.0.0.1:9/v1", "/tmp/other.gguf", "other"])
def test_a_file_cannot_choose_what_is_opened(library, name):
    kept = kept_of(answered(library))
    kept.receipt.model = name
    with pytest.raises(ModelNotFoundError, match="--model"):
        model_of(kept)


# -- the command


@pytest.fixture
def kept(opened, tmp_path):
    """An answer as `ask --json` wrote it."""
    opened.name = "qwen2.5-coder-1.5b"
    path = tmp_path / "answer.json"
    path.write_text(invoke("ask", QUESTION, "--json", "--after", "What is AntWalk?").stdout)
    return path


def test_the_command_says_identical(opened, kept):
    out = invoke("replay", kept)
    assert (out.stdout, out.stderr, out.exit_code) == ("identical\n", "", 0)
    found = json.loads(invoke("replay", kept, "--json").stdout)
    assert found == {"identical": True, "differences": []}


def test_the_command_says_what_differs(opened, kept):
    opened.reply = "AntWalk follows trails."
    out = invoke("replay", kept)
    assert out.exit_code == 1
    assert "before: AntWalk needs 40 sensors [1]." in out.stdout
    assert "now:    We propose AntWalk" in out.stdout
    again = invoke("replay", kept, "--json")
    assert (again.exit_code, json.loads(again.stdout)["identical"]) == (1, False)


def test_the_command_tells_of_another_model_and_asks_all_the_same(opened, kept):
    opened.name = "qwen2.5-coder-0.5b"
    out = invoke("replay", kept, "--model", "qwen2.5-coder-0.5b")
    assert "No longer as it was: model." in out.stderr
    assert out.exit_code == 1
    assert "text" not in out.stdout


def test_an_answer_in_quotes_is_made_again_without_a_model(opened, kept, library):
    from assistant.wiring import open_searcher

    *_, last = open_searcher(None).ask(QUESTION)
    kept.write_text(json.dumps(answer_json(last.answer)))
    opened.prompts.clear()
    assert invoke("replay", kept).stdout == "identical\n"
    assert opened.prompts == []


def test_a_binary_file_is_one_clear_line(opened, kept):
    kept.write_bytes(b"\xff\xfe\x00bees")
    out = invoke("replay", kept)
    assert out.exit_code == 1
    assert "answer.json is not an answer" in str(out.exception)
