from __future__ import annotations

import pytest

from assistant.citing import sources_of, tie
from assistant.types import Evidence, Verdict
from assistant.verifying import verify
from store.chunking import sentences
from store.types import Paper, ScoredSentence
from tests.conftest import ANTS, BEES


def evidence_of(*papers: Paper) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            number,
            paper,
            tuple(
                ScoredSentence(paper.abstract[a:b], a, b, 0.5) for a, b in sentences(paper.abstract)
            ),
            0.5,
        )
        for number, paper in enumerate(papers, 1)
    )


def check(sentence: str, question: str = "What is found?"):
    evidence = evidence_of(BEES, ANTS)
    return verify(sentence, tie(sentence, sources_of(evidence)), evidence, question)


@pytest.mark.parametrize(
    "sentence",
    [
        "BeeNet finds the food in 87.5% of all cases.",
        "BeeNet finds food in 87.5 percent of cases.",
        "BeeNet was trained on 1200 dances.",
        "AntWalk follows trails at night with 40 sensors.",
        "Ada Ant proposed AntWalk in 2021, which follows trails.",
    ],
)
def test_what_the_source_says_is_supported(sentence):
    assert check(sentence).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "verdict", "reason"),
    [
        ("BeeNet finds the food in 88.5% of all cases.", Verdict.UNSUPPORTED, "88.5"),
        ("AntWalk needs 400 sensors.", Verdict.UNSUPPORTED, "400"),
        ("WaspNet finds the food in 87.5% of all cases.", Verdict.UNSUPPORTED, "WaspNet"),
        ("AntWalk finds the food in 87.5% of all cases.", Verdict.MISATTRIBUTED, "said of BeeNet"),
        ("Elephants remember bees for decades in savannas.", Verdict.UNSUPPORTED, "less"),
        ("Zebras gallop.", Verdict.UNSUPPORTED, "no source"),
    ],
)
def test_what_the_source_does_not_say_is_caught(sentence, verdict, reason):
    found = check(sentence)
    assert found.verdict is verdict
    assert reason in found.reason


def test_a_name_from_the_question_that_the_source_lacks_is_misattributed():
    found = check("WaspNet finds the food in 87.5% of all cases.", "How good is WaspNet?")
    assert found.verdict is Verdict.MISATTRIBUTED


@pytest.mark.parametrize(
    "sentence",
    [
        "AntWalk follows trails at night without 40 sensors.",
        "BeeNet never finds the food.",
        "BeeNet was trained on 1,200 hours.",
        "AntWalk does not follow trails at night.",
        "BeeNet finds the food in 87.5 times all cases.",
        "AntWalk was trained on 1,200 dances.",
    ],
)
def test_attacks_of_each_kind_fail(sentence):
    assert check(sentence).verdict is not Verdict.SUPPORTED


def test_other_words_pass_by_their_meaning_and_are_unsure():
    sentence = "BeeNet locates nourishment in 87.5% of trials."
    evidence = evidence_of(BEES, ANTS)
    tied = tie(sentence, sources_of(evidence))
    found = verify(sentence, tied, evidence, "?", lambda _, texts: [0.9 for _ in texts])
    assert found.verdict is Verdict.SUPPORTED
    assert not found.sure


def test_a_number_of_another_paper_fails_though_the_question_has_the_words_around_it():
    found = check("AntWalk needs 1,200 dances.", "How many dances does AntWalk need?")
    assert found.verdict is Verdict.MISATTRIBUTED
    assert found.reason == "this is said of BeeNet, not AntWalk"


def test_a_title_in_quotation_marks_lends_no_support():
    title = "BeeNet, a model of bee dances, trained on dances"
    sentence = f"The paper “{title}” recognizes spoken words in small languages."
    assert check(sentence).verdict is not Verdict.SUPPORTED
    question = "Which paper recognizes spoken words in small languages?"
    assert check(sentence, question).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("BeeNet finds the food in 87.5% of all cases under heavy rain.", "What is found?"),
        ("Within frozen tundra, BeeNet finds the food in 87.5% of all cases.", "What is found?"),
        ("BeeNet finds the food with foggy dances.", "What does BeeNet find with foggy dances?"),
    ],
)
def test_a_condition_that_the_source_does_not_have_is_caught(sentence, question):
    assert "does not speak of" in check(sentence, question).reason


def test_a_condition_in_partly_other_words_passes():
    assert check("BeeNet finds the food in 87.5% of dance trials.").verdict is Verdict.SUPPORTED
