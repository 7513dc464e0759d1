"""A judge of inference: its labels are read by name, and it is asked where checks are unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from assistant.citing import sources_of, tie
from assistant.entailing import Entailment, NliJudge
from assistant.errors import SettingsError
from assistant.settings import load
from assistant.stance import weigh
from assistant.types import Cancellation, Stance, Verdict
from assistant.verifying import verify
from assistant.wiring import open_judge
from store.embedding import PairClassifier, Vectors
from store.errors import EncoderError
from tests.conftest import ANTS, BEES
from tests.test_verifying import evidence_of

RETOLD = "BeeNet locates nourishment in 87.5% of trials."


@dataclass
class FixedClassifier:
    """Always of the same opinion, and counts how often it was asked."""

    row: tuple[float, ...]
    labels: tuple[str, ...] = ("contradiction", "entailment", "neutral")
    name: str = "fixed"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        self.asked += pairs
        return np.array([self.row] * len(pairs), dtype=np.float32)


def test_labels_are_read_by_name_in_any_order():
    first = NliJudge(FixedClassifier((0.1, 0.7, 0.2)))("text", "sentence")
    other = FixedClassifier((0.7, 0.2, 0.1), ("ENTAILMENT", "Neutral", "Contradiction"))
    second = NliJudge(other)("text", "sentence")
    assert first.entails == pytest.approx(0.7) == second.entails
    assert (first.holds, first.denies) == (True, False)
    assert second.contradicts == pytest.approx(0.1)


@pytest.mark.parametrize("labels", [("LABEL_0",), ("a", "b", "c"), ("entailment", "neutral")])
def test_a_model_without_the_three_labels_is_refused_in_one_line(labels):
    judge = NliJudge(FixedClassifier((0.5,) * len(labels), labels))
    with pytest.raises(SettingsError, match="entailment, contradiction and neutral") as fault:
        judge("text", "sentence")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("row", "verdict", "reason"),
    [
        ((0.1, 0.8, 0.1), Verdict.SUPPORTED, ""),
        ((0.8, 0.1, 0.1), Verdict.UNSUPPORTED, "denies"),
        ((0.1, 0.1, 0.8), Verdict.UNSUPPORTED, "leaves it open"),
    ],
)
def test_a_sentence_in_other_words_is_put_to_the_judge(row, verdict, reason):
    evidence = evidence_of(BEES, ANTS)
    judge = NliJudge(FixedClassifier(row))
    found = verify(RETOLD, tie(RETOLD, sources_of(evidence)), evidence, "?", judge=judge)
    assert found.verdict is verdict
    assert reason in found.reason


@pytest.mark.parametrize(
    "sentence", ["BeeNet was trained on 1,200 dances.", "AntWalk hears 9 owls."]
)
def test_the_judge_is_not_asked_where_the_checks_are_sure(sentence):
    evidence = evidence_of(BEES, ANTS)
    classifier = FixedClassifier((0.3, 0.3, 0.4))
    tied = tie(sentence, sources_of(evidence))
    verify(sentence, tied, evidence, "?", judge=NliJudge(classifier))
    assert not classifier.asked


@pytest.mark.parametrize(
    ("row", "stance"),
    [
        ((0.8, 0.1, 0.1), Stance.CONTRADICTS),
        ((0.1, 0.8, 0.1), Stance.SUPPORTS),
        ((0.1, 0.1, 0.8), Stance.RELATED),
    ],
)
def test_a_claim_is_weighed_by_the_judge_before_the_model(library, row, stance):
    hit = library.search("BeeNet finds the food in 87.5% of all cases.", 1)[0]
    judge = NliJudge(FixedClassifier(row))
    found = weigh("BeeNet finds the food in most cases.", hit, None, Cancellation(), judge)
    assert found.stance is stance


def test_without_the_setting_there_is_no_judge():
    assert open_judge(load()) is None


def test_a_judge_that_is_not_here_is_one_line(tmp_path):
    judge = open_judge(load(judge=str(tmp_path / "none")))
    assert judge is not None
    with pytest.raises(EncoderError, match="--judge") as fault:
        judge("text", "sentence")
    assert "\n" not in str(fault.value)


def test_a_real_cross_encoder_is_read_from_its_folder(tmp_path):
    found = NliJudge(PairClassifier(str(tiny_cross_encoder(tmp_path))))("Bees dance.", "Bees sing.")
    assert isinstance(found, Entailment)
    assert found.entails + found.contradicts + found.open == pytest.approx(1, abs=1e-4)


def tiny_cross_encoder(folder: Path) -> Path:
    """Random weights, eight places wide, and a vocabulary of five words."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "bees", "dance", "sing", ".", "ants"]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(words), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        id2label={0: "entailment", 1: "neutral", 2: "contradiction"},
        label2id={"entailment": 0, "neutral": 1, "contradiction": 2},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(vocabulary)).save_pretrained(folder)
    return folder
