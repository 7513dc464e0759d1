"""Which papers are read, when reading stops, and which of them is answered from."""

from __future__ import annotations

import math

import pytest

from assistant.calibration import Thresholds, thresholds
from assistant.reading import FIRST, Reading, choose, read
from assistant.retrieval import MAX_PAPERS, asked_of, candidates
from assistant.types import Cancellation, Evidence, Status
from store.types import Hit, Paper, ScoredSentence
from tests.conftest import ANTS, BEES
from tests.fakes import ScriptedModel
from tests.test_answering import answer

LIMITS = Thresholds(answer=-0.5, late=-0.2, hope=0.0, sure=0.5)


class Judge(ScriptedModel):
    """Says Yes as strongly as it was told for each paper."""

    def __init__(self, *logits: float, reply: str = "") -> None:
        super().__init__(reply)
        self.logits = logits

    def prefers_yes(self, prompt, *, cancel):
        self.prompts.append(prompt)
        return next(logit for n, logit in enumerate(self.logits, 1) if f"[{n}]" in prompt.context)


def papers(count: int, score: float = 0.5) -> list[Evidence]:
    sentence = ScoredSentence("Bees hum.", 0, 9, 0.5)
    return [
        Evidence(n, Paper.of(f"Bee {n}. Bees hum."), (sentence,), score)
        for n in range(1, count + 1)
    ]


def numbers(model: Judge, count: int, *, several: bool = False) -> list[int]:
    found = read("?", papers(count), model, LIMITS, several=several, cancel=Cancellation())
    return [reading.item.number for reading in found]


def test_a_paper_that_surely_answers_ends_the_reading():
    assert numbers(Judge(0.9, 0.9), 2) == [1]
    assert numbers(Judge(0.1, 0.6, 0.9), 3) == [1, 2]


def test_papers_further_down_are_read_only_without_hope():
    assert numbers(Judge(*[-1.0] * 8), 8) == list(range(1, 9))
    assert numbers(Judge(-1.0, 0.1, *[-1.0] * 6), 8) == list(range(1, FIRST + 1))


def test_a_question_about_several_reads_on():
    assert numbers(Judge(*[0.9] * 8), 8, several=True) == [1, 2, 3, 4, 5]


def test_a_model_that_cannot_judge_takes_the_first():
    model = ScriptedModel("", yes=None)
    found = list(read("?", papers(3), model, LIMITS, several=False, cancel=Cancellation()))
    assert [reading.item.number for reading in found] == [1]
    assert choose(found, LIMITS, most=1)
    untrusted = thresholds("smollm2-135m")
    assert untrusted.answer == untrusted.sure == -math.inf


def test_the_likeliest_is_chosen_by_what_both_say_and_none_below_the_threshold():
    first, second = papers(2)
    assert choose([Reading(first, 0.1), Reading(second, 0.4)], LIMITS, most=1) == [second]
    assert choose([Reading(first, -0.6), Reading(second, -0.7)], LIMITS, most=1) == []
    assert choose([Reading(first, 0.1), Reading(second, 0.4)], LIMITS, most=2) == [first, second]
    *_, late = papers(FIRST + 1)
    assert choose([Reading(first, -0.4), Reading(late, -0.3)], LIMITS, most=1) == [first]
    assert choose([Reading(first, -0.4), Reading(late, -0.1)], LIMITS, most=1) == [late]


def hit(rank: int, score: float, *sentences: str) -> Hit:
    text = " ".join(sentences)
    found = tuple(
        ScoredSentence(s, text.index(s), text.index(s) + len(s), 1.0 - n / 10)
        for n, s in enumerate(sentences)
    )
    return Hit(rank, Paper.of(text), score, found)


def chosen(question: str, *hits: Hit, budget: int = 100) -> list[list[str]]:
    found = candidates(question, hits, budget=budget, count_tokens=lambda text: len(text.split()))
    return [[sentence.text for sentence in item.sentences] for item in found]


def test_papers_far_behind_the_best_are_no_candidates():
    hits = [hit(1, 0.8, "Bees hum."), hit(2, 0.7, "Bees fly."), hit(3, 0.6, "Bees sit.")]
    assert chosen("Do bees hum?", *hits) == [["Bees hum."], ["Bees fly."]]
    weak = [hit(1, 0.2, "Bees hum."), hit(2, 0.14, "Bees fly.")]
    assert chosen("Do bees hum?", *weak) == [["Bees hum."]]
    assert len(chosen("How do bees differ?", *hits)) == 3
    many = [hit(n, 0.8, f"Bee {n}.") for n in range(1, 12)]
    assert len(chosen("Do bees hum?", *many)) == MAX_PAPERS
    assert chosen("Do bees hum?") == []


def test_a_budget_keeps_the_best_sentences_in_reading_order():
    one = hit(1, 0.8, "Bees hum at dawn.", "They dance.", "Nobody knows why they do.")
    assert chosen("?", one, budget=6) == [["Bees hum at dawn.", "They dance."]]
    assert chosen("?", one, budget=1) == [["Bees hum at dawn."]]


def test_where_the_code_is_is_read_only_when_asked_for():
    one = hit(1, 0.8, "Bees hum.", "See https://bees.example for more.")
    assert chosen("Do bees hum?", one) == [["Bees hum."]]
    assert len(chosen("Where is the code?", one)[0]) == 2
    only = hit(1, 0.8, "See https://bees.example for more.")
    assert len(chosen("Do bees hum?", only)[0]) == 1


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How fast is BeeNet?", 1),
        ("How much faster is BeeNet than what it is compared with?", 1),
        ("Prices were spread differently: how is that mended?", 1),
        ("How do the two dances differ?", 2),
        ("One paper counts bees, another weighs them. What does each find?", 2),
        ("Which papers study dances?", 3),
        ("Compare BeeNet with AntWalk.", 3),
        ("What do these four papers have in common?", 4),
    ],
)
def test_of_how_many_papers_a_question_is(question, count):
    assert asked_of(question) == count


def test_the_answer_is_written_from_the_paper_that_says_yes(library):
    question = "Does AntWalk or BeeNet, with sensors or dances, find food at night?"
    first, second, *_ = library.search(question)
    said = {BEES: "BeeNet was trained on 1,200 dances.", ANTS: "AntWalk needs 40 sensors."}
    model = Judge(-3.0, 9.0, -3.0, reply=said[second.paper])
    (sentence,) = answer(library, model, question).sentences
    assert {first.paper, second.paper} == {BEES, ANTS}
    assert (sentence.text, sentence.numbers) == (said[second.paper], (2,))


@pytest.mark.parametrize(
    "reply", ["The price of AntWalk is 4,000 dollars.", "AntWalk costs what the price of it is."]
)
def test_a_draft_that_invents_or_echoes_is_no_answer(library, reply):
    question = "What is the price of AntWalk, which follows trails: what does it cost?"
    found = answer(library, ScriptedModel(reply, yes=1.0), question)
    assert (found.status, found.sentences) == (Status.NOT_STATED, ())
    assert found.nearest[0] == ANTS
