from __future__ import annotations

import pytest

from assistant.conversation import standalone
from tests.conftest import ANTS
from tests.fakes import ScriptedModel
from tests.test_answering import assistant as desk

FIRST = "What is BeeNet?"


@pytest.mark.parametrize(
    "question",
    [
        "How fast is it?",
        "And on which data?",
        "What do its authors admit?",
        "How many people took part in that?",
        "Do they say why?",
        "How many people's real answers is it checked against?",
    ],
)
def test_a_follow_up_is_put_behind_what_it_points_to(question):
    assert standalone(question, [FIRST]) == f"{FIRST} {question}"
    assert standalone(question, [FIRST, "And how old is it?"]) == f"{FIRST} {question}"


@pytest.mark.parametrize(
    "question",
    [
        "What is AntWalk?",
        "Is there a method that finds food?",
        "Which papers study whales?",
        "How does AntWalk find its way?",
        "Which optimizer keeps averages of a gradient and its square?",
        "How do walking ants behave when they are lost?",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(question):
    assert standalone(question, [FIRST]) == question


def test_without_a_question_before_there_is_nothing_to_point_to():
    assert standalone("How fast is it?", []) == "How fast is it?"


def test_the_assistant_shows_how_it_understood_a_follow_up(library):
    model = ScriptedModel("AntWalk needs 40 sensors.")
    *_, last = desk(library, model).ask("How many sensors does it need?", after=["Tell of AntWalk"])
    assert last.answer.question == "How many sensors does it need?"
    assert last.answer.standalone_question.startswith("Tell of AntWalk")
    assert last.answer.evidence[0].paper == ANTS


def test_a_question_that_brings_the_one_before_it_along_is_left_alone():
    changed = f"{FIRST} How slow is it?"
    assert standalone(changed, [FIRST]) == changed


@pytest.mark.parametrize(
    "question",
    [
        "What is its accuracy on CIFAR-10?",
        "How many GPUs does it use?",
        "Does it beat HoneyNet?",
        "And LocustDB?",
    ],
)
def test_a_name_behind_the_pronoun_is_not_what_it_stands_for(question):
    assert standalone(question, ["What is BeeNet?"]) == f"What is BeeNet? {question}"


@pytest.mark.parametrize(
    "question", ["And how does AntWalk follow trails?", "What does AntWalk do when it rains?"]
)
def test_a_name_before_it_is(question):
    assert standalone(question, ["What is BeeNet?"]) == question
