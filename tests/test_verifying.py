from __future__ import annotations

import pytest

from assistant.citing import sources_of, tie
from assistant.types import Evidence, Verdict
from assistant.verifying import names, numbers, verify
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
        ("AntWalk finds the food in 87.5% of all cases.", Verdict.MISATTRIBUTED, "87.5"),
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
    ("text", "expected"),
    [
        ("1,000 and 0.50", {"1000", "0.5"}),
        ("~120x faster, 79.4%", {"120", "79.4"}),
        ("from 12 to 14 in three", {"12", "14", "3"}),
        ("no numbers", set()),
        ("$512\\times 512$", {"512"}),
    ],
)
def test_numbers_have_one_form(text, expected):
    assert numbers(text) == expected


def test_names():
    assert names("DeFlow and GPT-4 beat it. We like SGD.") == {"DeFlow", "GPT-4", "SGD"}
