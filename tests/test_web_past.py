"""The side bar's logic, without a browser."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from assistant.web.past import Past
from assistant.web.turns import Phase, Turn
from store.types import Paper
from tests.web_desk import answer, cite, evidence, supported

BEES = Paper.of("Bees dance at noon. Ants do not.", title="Bees")
BEE = evidence(1, BEES, "Bees dance at noon.")


def said(question: str) -> Turn:
    found = answer(question, supported("Bees dance at noon.", cite(BEE)), sources=[BEE])
    return Turn(1, question, Phase.ANSWERED, evidence=(BEE,), answer=found)


def reader(name: str | None = None) -> Any:
    return SimpleNamespace(username=name)


@pytest.fixture
def past(tmp_path):
    return Past(tmp_path)


def test_what_was_kept_opens_as_it_was(past):
    turn = said("When do bees dance?")
    name, shown = past.keep((turn,), "", "", reader())
    assert "When do bees dance?" in shown
    (again,) = past.turns_of(name, reader())
    assert again.answer == turn.answer
    assert again.cited == {1}


def test_a_conversation_grows_under_one_name(past):
    first = said("When do bees dance?")
    name, _ = past.keep((first,), "", "", reader())
    second, shown = past.keep((first, said("And ants?")), name, "", reader())
    assert second == name
    assert shown.count("<li") == 1
    assert len(past.turns_of(name, reader())) == 2


def test_a_question_without_an_answer_is_not_kept(past):
    stopped = Turn(1, "When?", Phase.STOPPED)
    assert past.keep((stopped,), "", "", reader())[0] == ""
    assert "Nothing asked yet." in past.listed("", "", reader())


def test_readers_do_not_see_each_other(past):
    name, _ = past.keep((said("A secret?"),), "", "", reader("ann"))
    assert past.turns_of(name, reader("bob")) == ()
    assert "secret" not in past.listed("", "", reader("bob"))
    past.drop(name, reader("bob"))
    assert len(past.turns_of(name, reader("ann"))) == 1


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "0" * 16, "x" * 5000])
def test_names_from_a_browser_are_only_names(past, name):
    assert past.turns_of(name, reader()) == ()
    assert past.file(name, "md", reader()) == {"name": "", "text": ""}
    past.drop(name, reader())


def test_a_question_is_text_in_the_list(past):
    _, shown = past.keep((said('<img src=x onerror="p()">?'),), "", "", reader())
    assert "<img" not in shown


def test_a_disk_that_cannot_be_written_costs_no_answer(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    name, _ = Past(blocked).keep((said("When?"),), "", "", reader())
    assert name == ""


def test_without_a_folder_nothing_is_kept():
    past = Past(None)
    assert past.keep((said("When?"),), "", "", reader())[0] == ""
    assert past.turns_of("0" * 16, reader()) == ()
