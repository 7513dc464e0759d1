from __future__ import annotations

import pytest

from assistant.polarity import reversal


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Dancing is useful for finding food.", "Dancing is never useful for finding food."),
        ("Dancing is not useful.", "Dancing is useful in spring."),
        ("BeeNet worsens recall.", "BeeNet improves recall on dances."),
        ("BeeNet increases the cost.", "BeeNet reduces the cost of a hive."),
        ("BeeNet needs more labels.", "BeeNet needs fewer labels."),
        ("Bees fly slower in rain.", "In rain, bees fly faster."),
        ("BeeNet underperforms WaspNet.", "BeeNet outperforms WaspNet."),
        ("Smell is sufficient for orientation.", "Smell is insufficient for orientation."),
        ("Flying home is impossible at night.", "Flying home is possible at night."),
        ("AntWalk outperforms BeeNet.", "BeeNet outperforms AntWalk."),
        ("AntWalk gives lower accuracy.", "AntWalk gives higher accuracy."),
        ("AntWalk can not follow trails.", "AntWalk can follow trails."),
        ("The hive is unstable in winter.", "The hive is stable in winter."),
        ("AntWalk works without labels.", "AntWalk works with labels."),
    ],
)
def test_what_is_turned_round_is_seen(sentence, source):
    assert reversal(sentence, [source])


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Rain does not harm the bees.", "The bees keep well in rain."),
        ("BeeNet is cheaper.", "BeeNet reduces the cost."),
        ("No labels are needed.", "It eliminates the need for labels."),
        ("BeeNet works without labels.", "BeeNet does not require labels."),
        ("BeeNet improves accuracy.", "BeeNet not only improves accuracy but also speed."),
        ("BeeNet has lower cost.", "BeeNet reaches higher accuracy at lower cost."),
        ("Accuracy is kept.", "Accuracy does not degrade."),
        ("BeeNet finds the food.", "BeeNet, which does not need labels, finds the food."),
        ("Dancing is never useful.", "Dancing is never useful."),
        ("Ants do not match what drones need.", "Matching of tiny scores has proven itself."),
        ("Nobody knows the dances in advance.", "Nobody knows the dances (or songs) in advance."),
    ],
)
def test_what_is_only_worded_otherwise_passes(sentence, source):
    assert not reversal(sentence, [source])
