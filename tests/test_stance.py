"""One paper against a claim: what is known before, what is checked, and how it is put together."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.llm import Opinion, Prompt
from assistant.rationale import MOST, rationale
from assistant.stance import LABELS, checks, excerpt, may_decide, nearness, weigh
from assistant.trained import trained
from assistant.types import Cancellation, Stance
from store.types import Hit, Paper, ScoredSentence
from tests.fakes import ScriptedModel

STORY = (
    "Bees live in hives. We kept 40 hives for two years. Honey was weighed each week. "
    "Hives near orchards gave 30% more honey. Hives in meadows gave less. We discuss what to plant."
)
CLAIM = "Hives near orchards give more honey."


def hit(*scores: float, rank: int = 1, text: str = STORY) -> Hit:
    """A hit whose sentences have these scores, in reading order."""
    from store.chunking import sentences

    spans = sentences(text)
    scores = scores or (0.5,) * len(spans)
    found = [ScoredSentence(text[a:b], a, b, s) for (a, b), s in zip(spans, scores, strict=True)]
    found.sort(key=lambda sentence: -sentence.score)
    return Hit(rank, Paper.of(text), 0.9, tuple(found))


NEAR = hit(0.4, 0.3, 0.35, 0.8, 0.5, 0.1)


class Knowing(ScriptedModel):
    """A model with a probe of its own, whose state says what it is told to say."""

    name = "qwen2.5-coder-1.5b"

    def __init__(self, direction: Stance) -> None:
        super().__init__(yes=0.0)
        self.state = trained(f"{self.name}.state")[:-1, LABELS.index(direction)]

    def opinion(self, prompt: Prompt, *, cancel: Cancellation) -> Opinion:
        self.prompts.append(prompt)
        return Opinion(0.0, (self.state * 40 / np.linalg.norm(self.state)).astype(np.float32))


def test_tables_have_the_shapes_that_their_users_expect():
    model = "qwen2.5-coder-1.5b"
    assert trained("before").shape == (8, 3)
    assert trained("said").shape == (5, 3)
    assert trained(f"{model}.state").shape == (1537, 3)
    assert trained(f"{model}.stance").shape == (8, 3)
    assert trained("rationale").shape == (10, 1)


def test_the_nearest_sentences_and_the_last_are_read_in_order():
    texts = [sentence.text for sentence in excerpt(NEAR)]
    assert texts[0] == "Bees live in hives."
    assert texts[-1] == "We discuss what to plant."
    assert "We kept 40 hives for two years." not in texts
    assert len(texts) == 5


def test_the_finding_is_quoted_not_the_stage():
    found = rationale(CLAIM, NEAR)
    assert found[0].text == "Hives near orchards gave 30% more honey."
    assert len(found) <= MOST
    assert all(0 <= sentence.score <= 1 for sentence in found)


@pytest.mark.parametrize(
    ("claim", "rank", "expected"),
    [
        ("Hives near orchards gave 30% more honey.", 1, [0, 0, 1]),
        ("Hives near orchards gave 50% more honey.", 1, [0, 1, 1]),
        ("Hives near orchards did not give more honey.", 2, [1, 0, 0]),
        ("Hives near orchards gave less honey.", 2, [1, 0, 0]),
    ],
)
def test_the_checks_see_numbers_and_turns(claim, rank, expected):
    found = hit(0.4, 0.3, 0.35, 0.8, 0.5, 0.1, rank=rank)
    assert checks(claim, found).tolist() == expected
    assert nearness(claim, found).shape == (4,)


def test_a_paper_that_is_far_is_not_read():
    far = hit(0.02, 0.01, 0.0, 0.03, 0.0, 0.0, rank=4)
    assert may_decide(nearness(CLAIM, NEAR), checks(CLAIM, NEAR))
    model = ScriptedModel(yes=9.0)
    found = weigh("Stars collapse under their own mass.", far, model, Cancellation())
    assert (found.stance, model.prompts) == (Stance.RELATED, [])


@pytest.mark.parametrize("stance", LABELS)
def test_the_probe_decides_where_there_is_one(stance):
    found = weigh(CLAIM, NEAR, Knowing(stance), Cancellation())
    assert found.stance is stance
    assert found.confidence > 0.5


def test_without_a_probe_the_logit_decides():
    assert weigh(CLAIM, NEAR, ScriptedModel(yes=6.0), Cancellation()).stance is Stance.SUPPORTS
    assert weigh(CLAIM, NEAR, ScriptedModel(yes=-6.0), Cancellation()).stance is not Stance.SUPPORTS


def test_the_claim_stands_behind_the_abstract():
    model = ScriptedModel(yes=1.0)
    weigh(CLAIM, NEAR, model, Cancellation())
    (prompt,) = model.prompts
    assert CLAIM not in prompt.context
    assert prompt.instruction.startswith(f"Claim: {CLAIM}")


class Agreeing(Knowing):
    """Finds every claim supported, and the surer the fewer of its words deny."""

    def opinion(self, prompt: Prompt, *, cancel: Cancellation) -> Opinion:
        said = super().opinion(prompt, cancel=cancel)
        weaker = 1.0 if " not " not in prompt.instruction + prompt.context else 0.7
        return Opinion(said.yes, said.state * np.float32(weaker))


def test_a_claim_that_denies_what_a_paper_says_is_contradicted_by_it():
    model = Agreeing(Stance.SUPPORTS)
    kept = weigh(CLAIM, NEAR, model, Cancellation())
    assert (kept.stance, len(model.prompts)) == (Stance.SUPPORTS, 1)
    turned = weigh("Hives near orchards may not give more honey.", NEAR, model, Cancellation())
    assert (turned.stance, len(model.prompts)) == (Stance.CONTRADICTS, 3)
