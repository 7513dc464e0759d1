"""Gold files to results: reading, measuring one question, going on where a run was stopped."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from assistant import evaluating
from assistant.desk import Assistant
from assistant.errors import GoldError
from assistant.evaluating import read_results
from assistant.gold import Gold, by_id, read_gold
from assistant.measuring import Result, measure
from assistant.types import Status
from tests.conftest import ANTS
from tests.fakes import ScriptedModel
from tests.test_answering import assistant as desk

QUESTION = "How many sensors does AntWalk need to follow trails at night?"


def gold(**fields) -> Gold:
    given = {"id": "1", "type": "factual", "question": QUESTION, "gold": ("insects.txt#2",)}
    return Gold(**(given | fields))


def measured(library, model: ScriptedModel, question: Gold) -> Result:
    (known,), _ = by_id([question], library)
    return measure(desk(library, model), known, answers=True)


def test_a_gold_file_is_read_and_what_is_unknown_is_kept_out(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(
        '\ufeff{"id": "a", "type": "topic", "question": "Bees", "colour": "red"}\n\n'
        '{"id": "b", "type": "followup", "question": "And it?", "turns": ["What?", "And it?"]}\n',
        encoding="utf-8",
    )
    first, second = read_gold(path)
    assert (first.id, first.gold, first.before) == ("a", (), ())
    assert second.before == ("What?",)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no questions"),
        ("{", "line 1: the line: Invalid JSON"),
        ('{"id": "a", "type": "topic"}', "line 1: question: Field required"),
        ('{"id": "a", "type": "riddle", "question": "?"}', "line 1: type: Input should be"),
        ('{"id": "a", "type": "topic", "question": "?"}\n' * 2, "'a' stands there twice"),
        ('{"id": "a"}\n\n{', "line 1: type: Field required; line 3: the line: Invalid JSON"),
        ("{\n" * 7, "; and 2 more lines"),
    ],
)
def test_a_bad_gold_file_is_one_clear_line(tmp_path, text, complaint):
    path = tmp_path / "gold.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GoldError, match=complaint) as caught:
        read_gold(path)
    assert "\n" not in str(caught.value)


def test_turns_may_end_with_the_question_or_not():
    told = ("What is AntWalk?", "And at night?")
    assert gold(question="And at night?", turns=told).before == told[:1]
    assert gold(question="And at night?", turns=told[:1]).before == told[:1]
    assert gold().before == ()


def test_papers_are_named_by_id_or_by_any_of_their_sources(library):
    library.add([replace(ANTS, source="again.txt#7")])
    asked = gold(gold=("again.txt#7", ANTS.id, "insects.txt#2"), near=("none.txt#1",))
    (known,), missing = by_id([asked], library)
    assert known.gold == (ANTS.id,)
    assert missing == ["none.txt#1"]


def test_one_question_through_the_whole_assistant(library):
    model = ScriptedModel("AntWalk needs 40 sensors.")
    found = measured(library, model, gold(must_include=("40|forty",)))
    assert (found.ranks, found.status, found.cited_gold) == ((1,), Status.ANSWERED, 1)
    assert found.holds
    assert found.evidence_holds
    assert found.in_evidence
    assert (found.outside, found.bare, found.cited_other) == (0, 0, 0)
    assert found.verdicts == {"supported": 1}


def test_a_wrong_paper_and_a_missing_word_are_seen(library):
    model = ScriptedModel("AntWalk needs 40 sensors.")
    question = gold(gold=("insects.txt#1",), must_include=("87.5",))
    found = measured(library, model, question)
    assert (found.cited_gold, found.cited_other, found.holds) == (0, 1, False)
    optional = question.model_copy(update={"optional": ("insects.txt#2",)})
    assert measured(library, model, optional).cited_other == 0


def test_of_an_answer_that_must_hold_nothing_nothing_is_said(library):
    found = measured(library, ScriptedModel("AntWalk needs 40 sensors."), gold())
    assert (found.holds, found.evidence_holds) == (None, None)


def test_a_refusal_names_the_near_paper(library):
    question = gold(type="unanswerable", gold=(), near=("insects.txt#2",))
    found = measured(library, ScriptedModel("", yes=-9.0), question)
    assert (found.status, found.near_first) == (Status.NOT_STATED, True)


def test_claims_are_held_against_the_papers(library):
    claim = gold(type="claim", question="AntWalk needs 40 sensors.", label="SUPPORT")
    result = measured(library, ScriptedModel(yes=6.0), claim)
    assert (result.verdict, result.verdict_right, result.stance_right) == ("supported", True, True)
    wrong = measured(library, ScriptedModel(yes=6.0), claim.model_copy(update={"label": "NOINFO"}))
    assert (wrong.verdict_right, wrong.stance_right) == (False, None)


def test_a_topic_is_summarized(library):
    model = ScriptedModel("AntWalk needs 40 sensors.")
    asked = gold(type="topic", question="ants and AntWalk on trails at night", must_include=("40",))
    found = measured(library, model, asked)
    assert (found.status, found.used_gold, found.cited_gold) == (Status.ANSWERED, 1, 1)
    assert (found.cited_other, found.outside, found.bare, found.holds) == (0, 0, 0, True)
    assert found.model_calls == 1
    assert found.verdicts == {"supported": 1}


# -- going on where a run was stopped


def ask_all(assistant: Assistant, questions, kept) -> list[Result]:
    return list(evaluating.results(assistant, questions, kept, answers=True))


def test_only_what_changed_is_asked_again(library, tmp_path):
    kept, model = tmp_path / "kept" / "results.jsonl", ScriptedModel("AntWalk needs 40 sensors.")
    assistant, questions = desk(library, model), [gold(), gold(id="2")]
    first = ask_all(assistant, questions, kept)
    asked = len(model.prompts)
    assert ask_all(assistant, questions, kept) == first
    assert len(model.prompts) == asked
    ask_all(assistant, [gold(), gold(id="2", must_include=("40",))], kept)
    assert len(model.prompts) == asked * 3 // 2
    library.remove(["insects.txt#3"])
    ask_all(assistant, questions, kept)
    assert len(model.prompts) == asked * 5 // 2


def test_a_line_that_was_cut_off_is_asked_again_and_spoils_no_other(library, tmp_path):
    kept, model = tmp_path / "results.jsonl", ScriptedModel("AntWalk needs 40 sensors.")
    assistant, questions = desk(library, model), [gold(), gold(id="2")]
    ask_all(assistant, questions, kept)
    kept.write_text(kept.read_text()[:-40])
    again = ask_all(assistant, questions, kept)
    assert list(read_results(kept).values()) == again


def test_a_file_of_something_else_is_not_written_to(library, tmp_path):
    kept = tmp_path / "gold.jsonl"
    kept.write_text(gold().model_dump_json() + "\n")
    before = kept.read_text()
    with pytest.raises(GoldError, match="--results"):
        ask_all(desk(library, None), [gold()], kept)
    assert kept.read_text() == before
    assert read_results(tmp_path / "none.jsonl") == {}


# -- the command


def invoke(*words: object):
    from assistant.cli import app

    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def asked(tmp_path):
    """A gold file of two questions and where to keep results."""
    path = tmp_path / "gold.jsonl"
    off = gold(id="2", type="unanswerable", gold=(), near=("none.txt#1",))
    path.write_text(
        gold(must_include=("40",)).model_dump_json() + "\n" + off.model_dump_json() + "\n"
    )
    return path, tmp_path / "kept.jsonl"


def test_the_command_scores_and_does_not_ask_twice(opened, asked):
    path, kept = asked
    words = ("eval", path, "--results", kept, "--types", "factual")
    out = invoke(*words, "--json")
    assert out.exit_code == 0, out.output
    found = json.loads(out.stdout)
    assert set(found) == {"questions", "scores", "counts", "missing_papers", "receipt", "results"}
    assert (found["questions"], found["receipt"]["model"]) == (1, "scripted")
    (must,) = [s for s in found["scores"]["factual"] if s["name"] == "must_include met"]
    assert (must["value"], must["n"]) == (1.0, 1)
    assert found["counts"]["factual"]["answered"] == 1
    prompts = len(opened.prompts)
    again = invoke(*words)
    assert "must_include met" in again.output
    assert "1 answered, 0 not_stated" in again.output
    assert len(opened.prompts) == prompts


def test_retrieval_only_asks_nothing(opened, asked):
    path, kept = asked
    found = json.loads(invoke("eval", path, "--results", kept, "--retrieval-only", "--json").stdout)
    assert [score["name"] for score in found["scores"]["factual"]] == [
        "right paper first",
        "right paper in the first 5",
        "right paper in the first 10",
    ]
    assert (found["counts"], opened.prompts) == ({}, [])


def test_a_paper_that_is_not_here_is_told(opened, asked):
    path, kept = asked
    out = invoke("eval", path, "--results", kept)
    assert "Not in this library, though the gold file names them: 1 (none.txt#1)." in out.stderr
    assert out.exit_code == 0


def test_types_that_are_not_there(opened, asked):
    wrong = invoke("eval", asked[0], "--types", "riddle")
    assert (wrong.exit_code, "no type 'riddle'" in wrong.stderr) == (2, True)
    none = invoke("eval", asked[0], "--types", "topic")
    assert "gold.jsonl holds no question of the type topic." in str(none.exception)


def test_stopped_it_says_what_is_kept_and_how_to_go_on(opened, asked, monkeypatch):
    path, kept = asked
    assert invoke("eval", path, "--results", kept, "--limit", "1").exit_code == 0

    def interrupted(*given, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr(opened, "prefers_yes", interrupted)
    out = invoke("eval", path, "--results", kept)
    assert "Stopped after 1 of 2 questions" in str(out.exception)
    assert [result.id for result in read_results(kept).values()] == ["1"]
