"""The assistant as interfaces see it, and the model that comes later than the page."""

from __future__ import annotations

import pytest

from assistant.answering import NO_MODEL, Limits
from assistant.desk import Assistant, ModelSlot
from assistant.types import Cancellation, Cancelled, Finished, Receipt
from tests.conftest import ANTS
from tests.fakes import ScriptedModel

QUESTION = "How many sensors does AntWalk need?"


def desk(library, slot: ModelSlot | None = None) -> Assistant:
    return Assistant(library, slot or ModelSlot(), Limits(), lambda *_: Receipt("", "", ""))


def finished(assistant: Assistant):
    *_, last = assistant.ask(QUESTION)
    assert isinstance(last, Finished)
    return last.answer


def test_until_the_model_comes_answers_are_quotes_and_say_so(library):
    slot = ModelSlot()
    assistant = desk(library, slot)
    slot.say("It is on its way (43 %).")
    assert assistant.model_state() == "It is on its way (43 %)."
    before = finished(assistant)
    assert before.notes == ("It is on its way (43 %).",)
    assert before.sentences[0].text in ANTS.abstract
    slot.put(ScriptedModel("AntWalk works with 40 sensors."))
    assert assistant.model_state() == ""
    after = finished(assistant)
    assert after.text == "AntWalk works with 40 sensors [1]."
    assert after.notes == ()


def test_what_is_said_after_the_model_came_changes_nothing():
    slot = ModelSlot(ScriptedModel())
    slot.say("late")
    assert slot.state == ""
    assert ModelSlot().state == NO_MODEL


def test_examples_are_made_from_the_library(library):
    examples = desk(library).examples(2)
    assert len(examples) == 2
    assert any("BeeNet" in example for example in examples)


def test_adding_a_file_tells_its_progress_and_can_be_stopped(library, tmp_path):
    path = tmp_path / "more.txt"
    path.write_text("\n\n".join(f"Paper {n} is about thing{n} in the wood." for n in range(200)))
    seen: list[int] = []
    report = desk(library).add(path, progress=lambda done, total: seen.append(done))
    assert (report.added, seen[-1]) == (200, 200)
    cancel = Cancellation()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk(library).add(path, progress=lambda done, total: None, cancel=cancel)


def test_what_one_asks_is_told_with_what_it_was_made_of(library):
    from assistant.settings import load
    from assistant.wiring import _assistant

    assistant = _assistant(load(), library, ModelSlot(ScriptedModel("AntWalk needs 40 sensors.")))
    receipt = finished(assistant).receipt
    assert receipt.library == library.fingerprint
    assert receipt.encoder == library.encoder
    assert receipt.model == "scripted"
    assert set(receipt.prompts) >= {"answer", "judge", "system"}
