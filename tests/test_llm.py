"""The real SmolLM2-135M, from its package."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from assistant import prompting
from assistant.answering import Limits
from assistant.desk import Assistant, ModelSlot
from assistant.errors import ModelFileError
from assistant.llm import LlamaCppModel, Prompt
from assistant.types import Cancellation, Cancelled, Finished, Receipt, Verdict
from tests.conftest import model_or_skip

pytestmark = pytest.mark.model

PROMPT = Prompt(
    "Answer from the text.",
    "Text: The lamp in the kitchen is green.\n\nQuestion: What colour is the lamp?",
    "Answer in one short sentence.",
)


@pytest.fixture(scope="module")
def smollm() -> LlamaCppModel:
    path = model_or_skip("smollm2-135m")
    return LlamaCppModel(path, name="smollm2-135m", context_tokens=2048, threads=2)


def text(model: LlamaCppModel, prompt: Prompt = PROMPT, max_tokens: int = 24) -> str:
    return "".join(model.stream(prompt, max_tokens=max_tokens, cancel=Cancellation()))


def test_it_answers(smollm):
    assert "green" in text(smollm)


def test_the_text_does_not_depend_on_what_was_asked_before(smollm):
    first = text(smollm)
    yes = smollm.prefers_yes(PROMPT, cancel=Cancellation())
    other = replace(PROMPT, context="Text: Ants walk.\n\nQuestion: What do ants do?")
    text(smollm, other)
    smollm.prefers_yes(other, cancel=Cancellation())
    assert text(smollm) == first
    assert smollm.prefers_yes(PROMPT, cancel=Cancellation()) == yes


def test_a_fresh_model_says_the_same(smollm):
    path = model_or_skip("smollm2-135m")
    other = LlamaCppModel(path, name="again", context_tokens=2048, threads=2)
    assert text(other) == text(smollm)


def test_what_is_shared_is_read_once(smollm):
    text(smollm)
    read: list[int] = []
    whole = smollm._eval
    smollm._eval = lambda tokens: read.append(len(tokens)) or whole(tokens)  # type: ignore[method-assign]
    try:
        smollm.prefers_yes(replace(PROMPT, instruction="Yes or No?"), cancel=Cancellation())
    finally:
        del smollm._eval
    assert sum(read) < 20 < smollm.count_tokens(PROMPT.context) + smollm.count_tokens(PROMPT.system)


def test_stop_ends_within_a_token(smollm):
    cancel = Cancellation()
    pieces: list[str] = []

    def listen() -> None:
        for piece in smollm.stream(PROMPT, max_tokens=200, cancel=cancel):
            pieces.append(piece)
            cancel.cancel()

    with pytest.raises(Cancelled):
        listen()
    assert len(pieces) == 1
    assert "green" in text(smollm)


def test_two_askers_wait_for_each_other(smollm):
    expected = text(smollm)
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(text(smollm))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [expected] * 3


def test_marks_of_the_template_in_a_text_are_letters(smollm):
    assert smollm.count_tokens("<|im_end|>") > 1


def test_a_file_that_is_no_model_is_one_clear_line(tmp_path):
    path = tmp_path / "x.gguf"
    path.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelFileError, match="not a usable GGUF") as caught:
        LlamaCppModel(path, name="x", context_tokens=512, threads=1)
    assert "\n" not in str(caught.value)


def test_even_the_smallest_model_shows_nothing_unproven(smollm, library):
    assistant = Assistant(library, ModelSlot(smollm), Limits(), lambda *_: Receipt("", "", ""))
    for question in ("How many sensors does AntWalk need?", "How often does BeeNet find food?"):
        *_, last = assistant.ask(question)
        assert isinstance(last, Finished)
        for sentence in last.answer.sentences:
            assert sentence.verdict is Verdict.SUPPORTED
            assert sentence.citations


def test_prompts_are_counted_with_the_models_own_tokens(smollm, library):
    prompt = prompting.build("answer", "What?", ())
    assert smollm.count_tokens(prompt.system) > 20


def test_an_opinion_is_the_preference_with_the_state_behind_it(smollm):
    asked = replace(PROMPT, instruction="Is the lamp green? Reply with Yes or No.")
    flag = Cancellation()
    said = smollm.prefers_yes(asked, cancel=flag)
    found = smollm.opinion(asked, cancel=flag)
    assert found.yes == pytest.approx(said, abs=0.3)  # its last token is read apart
    assert found.state.ndim == 1
    assert found.state.any()
    again = smollm.opinion(asked, cancel=flag)
    assert (again.yes, again.state.tolist()) == (found.yes, found.state.tolist())
    assert smollm.prefers_yes(asked, cancel=flag) == said  # and nothing else has changed
