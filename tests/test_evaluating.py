"""Gold files to scores: reading, measuring one question, and what stands in the table."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from assistant.errors import GoldError
from assistant.evaluating import Gold, Result, measure, read_gold, read_results, scores
from assistant.types import Status
from tests.fakes import ScriptedModel
from tests.test_answering import assistant as desk

QUESTION = "How many sensors does AntWalk need to follow trails at night?"


def gold(**fields) -> Gold:
    given = {"id": "1", "type": "factual", "question": QUESTION, "gold": ("insects.txt#2",)}
    return Gold(**(given | fields))


def result(**fields) -> Result:
    given = {"id": "1", "type": "factual", "ranks": (1,), "gold": 1, "status": Status.ANSWERED}
    return Result(**(given | fields))


def named(found: list) -> dict[str, float]:
    return {score.name: score.value for score in found}


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
    ],
)
def test_a_bad_gold_file_is_one_clear_line(tmp_path, text, complaint):
    path = tmp_path / "gold.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GoldError, match=complaint) as caught:
        read_gold(path)
    assert "\n" not in str(caught.value)


def test_one_question_through_the_whole_assistant(library):
    assistant = desk(library, ScriptedModel("AntWalk needs 40 sensors."))
    found = measure(assistant, gold(must_include=("40|forty",)), answers=True)
    assert (found.ranks, found.status, found.cited_gold) == ((1,), Status.ANSWERED, 1)
    assert found.holds
    assert found.evidence_holds
    assert found.in_evidence
    assert (found.outside, found.bare, found.cited_other) == (0, 0, 0)
    assert found.verdicts == {"supported": 1}


def test_a_wrong_paper_and_a_missing_word_are_seen(library):
    assistant = desk(library, ScriptedModel("AntWalk needs 40 sensors."))
    question = gold(gold=("insects.txt#1",), must_include=("87.5",))
    found = measure(assistant, question, answers=True)
    assert (found.cited_gold, found.cited_other, found.holds) == (0, 1, False)
    optional = question.model_copy(update={"optional": ("insects.txt#2",)})
    assert measure(assistant, optional, answers=True).cited_other == 0


def test_a_refusal_names_the_near_paper(library):
    assistant = desk(library, ScriptedModel("", yes=-9.0))
    question = gold(type="unanswerable", gold=(), near=("insects.txt#2",))
    found = measure(assistant, question, answers=True)
    assert (found.status, found.near_first) == (Status.NOT_STATED, True)


def test_topics_and_claims_are_searched_but_not_asked(library):
    model = ScriptedModel("AntWalk needs 40 sensors.")
    found = measure(desk(library, model), gold(type="topic"), answers=True)
    assert found.status is None
    assert model.prompts == []


def test_scores_by_type():
    results = [
        result(id="1", cited_gold=1, sentences=2, verdicts={"supported": 2}, holds=True),
        result(id="2", ranks=(3,), cited_gold=1, cited_other=1, sentences=1, replaced=1),
        result(id="3", ranks=(), status=Status.NOT_STATED),
        result(id="4", type="unanswerable", gold=0, status=Status.NOT_STATED, near_first=True),
        result(id="5", type="unanswerable", gold=0, status=Status.NOT_IN_LIBRARY),
    ]
    found = scores(results)
    factual, unanswerable = named(found["factual"]), named(found["unanswerable"])
    assert factual["right paper first"] == pytest.approx(1 / 3)
    assert factual["right paper in the first 5"] == pytest.approx(2 / 3)
    assert factual["right paper cited"] == pytest.approx(2 / 3)
    assert factual["cited papers that are right"] == pytest.approx(0.75)
    assert factual["refused"] == pytest.approx(1 / 3)
    assert factual["must_include met"] == pytest.approx(1 / 3)
    assert unanswerable["not answered"] == 1
    assert unanswerable["about a paper: named first"] == 1
    assert unanswerable["off-topic: not_in_library"] == 1
    for score in found["factual"]:
        assert score.low <= score.value <= score.high


def test_results_are_kept_and_a_line_cut_off_is_left_out(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text(result().model_dump_json() + "\n" + result(id="2").model_dump_json()[:40])
    assert list(read_results(path)) == ["1"]
    assert read_results(tmp_path / "none.jsonl") == {}


def invoke(*words: object):
    from assistant.cli import app

    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command_scores_and_does_not_ask_twice(opened, tmp_path):
    path, kept = tmp_path / "gold.jsonl", tmp_path / "kept.jsonl"
    path.write_text(gold(must_include=("40",)).model_dump_json())
    out = invoke("eval", path, "--results", kept, "--json")
    assert out.exit_code == 0, out.output
    found = json.loads(out.stdout)
    assert found["questions"] == 1
    (must,) = [s for s in found["scores"]["factual"] if s["name"] == "must_include met"]
    assert (must["value"], must["n"]) == (1.0, 1)
    asked = len(opened.prompts)
    again = invoke("eval", path, "--results", kept)
    assert "must_include met" in again.output
    assert len(opened.prompts) == asked
