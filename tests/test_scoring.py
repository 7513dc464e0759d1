"""Results to scores: what stands in the table, and of how many questions."""

from __future__ import annotations

import pytest

from assistant.measuring import Result
from assistant.scoring import Score, counts, scores
from assistant.types import Status


def result(**fields) -> Result:
    given = {"id": "1", "type": "factual", "ranks": (1,), "gold": 1, "status": Status.ANSWERED}
    return Result(**(given | fields))


def named(found: list[Score]) -> dict[str, float]:
    return {score.name: score.value for score in found}


RESULTS = [
    result(id="1", cited_gold=1, sentences=2, verdicts={"supported": 2}, holds=True),
    result(id="2", ranks=(3,), cited_gold=1, cited_other=1, sentences=1, replaced=1, holds=False),
    result(id="3", ranks=(), status=Status.NOT_STATED),
    result(id="4", type="unanswerable", gold=0, status=Status.NOT_STATED, near_first=True),
    result(id="5", type="unanswerable", gold=0, status=Status.NOT_IN_LIBRARY),
]


def test_scores_by_type():
    found = scores(RESULTS)
    factual, unanswerable = named(found["factual"]), named(found["unanswerable"])
    assert factual["right paper first"] == pytest.approx(1 / 3)
    assert factual["right paper in the first 5"] == pytest.approx(2 / 3)
    assert factual["right paper cited"] == pytest.approx(2 / 3)
    assert factual["cited papers that are right"] == pytest.approx(0.75)
    assert factual["refused"] == pytest.approx(1 / 3)
    assert unanswerable["not answered"] == 1
    assert unanswerable["about a paper: named first"] == 1
    assert unanswerable["off-topic: not_in_library"] == 1
    for score in found["factual"]:
        assert score.low <= score.value <= score.high


def test_a_question_without_must_include_is_no_success():
    (must,) = [s for s in scores(RESULTS)["factual"] if s.name == "must_include met"]
    assert (must.value, must.n) == (0.5, 2)


def test_a_score_that_nothing_bears_on_is_left_out():
    found = scores([result(type="unanswerable", gold=0, status=Status.NOT_STATED)])
    assert "about a paper: named first" not in named(found["unanswerable"])
    assert "right paper first" not in named(found["unanswerable"])
    assert scores([result(type="claim", gold=0, ranks=(), status=None)]) == {}


def test_of_several_papers_the_share_is_scored():
    pair = [
        result(type="compare", gold=2, ranks=(1, 7), cited_gold=2),
        result(type="compare", gold=2, ranks=(2, 3), cited_gold=1),
    ]
    found = named(scores(pair)["compare"])
    assert found["right papers in the first 5"] == 0.75
    assert found["right papers in the first 10"] == 1
    assert found["right paper cited"] == 1
    assert found["all right papers cited"] == 0.5


def test_the_interval_narrows_with_the_number_of_questions():
    def width(n: int) -> float:
        results = [result(id=str(i), ranks=(1 + i % 2,)) for i in range(n)]
        first = scores(results)["factual"][0]
        assert first.value == 0.5
        return first.high - first.low

    assert width(100) < width(10) / 2
    assert width(10) == width(10)  # the seed is fixed


def test_counts_are_of_questions_and_of_sentences():
    found = counts([*RESULTS, result(type="topic", status=None)])
    assert set(found) == {"factual", "unanswerable"}
    factual = found["factual"]
    assert (factual["answered"], factual["not_stated"], factual["not_in_library"]) == (2, 1, 0)
    assert (factual["sentences"], factual["supported"], factual["quoted instead"]) == (3, 2, 1)
