"""What a number or a name stands for is seen by what stands around it."""

from __future__ import annotations

import re

import pytest

from assistant.binding import displaced, misplaced

SOURCE = (
    "BeeNet finds 87.5% of the flowers on GardenSet and 41.2% of them on MeadowSet, "
    "while the accuracy of AntWalk rose from 12 to 19 points."
)
OURS = re.compile(r"\b(?:we|our)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "sentence",
    [
        "BeeNet finds 41.2% of the flowers on GardenSet and 87.5% of them on MeadowSet.",
        "On MeadowSet, BeeNet finds 87.5% of the flowers.",
        "The accuracy of AntWalk rose from 19 to 12 points.",
        "BeeNet finds 12% of the flowers on GardenSet, 41.2% on MeadowSet, 87.5% on GardenSet.",
    ],
)
def test_a_number_given_to_another_thing_is_seen(sentence):
    held = [SOURCE, "Another 12% of the hives were lost."]
    assert misplaced(sentence, held)


@pytest.mark.parametrize(
    "sentence",
    [
        SOURCE,
        "On MeadowSet 41.2% of the flowers are found by BeeNet, and 87.5% on GardenSet.",
        "AntWalk's accuracy rose to 19 points, from 12.",
        "BeeNet and AntWalk have other numbers.",
        "On GardenSet and MeadowSet, BeeNet finds 87.5% and 41.2% of the flowers, respectively.",
    ],
)
def test_a_number_at_its_own_place_passes_in_any_order(sentence):
    assert not misplaced(sentence, [SOURCE])


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("MeadowSet finds most of the flowers on BeeNet.", "BeeNet"),
        ("WaspNet finds most of the flowers on MeadowSet.", "BeeNet"),
        ("BeeNet finds most of the flowers on MeadowSet.", ""),
        ("On MeadowSet, most of the flowers are found by BeeNet.", ""),
    ],
)
def test_a_name_in_the_place_of_another_is_seen(sentence, other):
    held = ["BeeNet finds most of the flowers on MeadowSet."]
    assert displaced(sentence, held, "", OURS) == other


def test_we_and_our_stand_for_what_the_paper_introduces():
    held = ["We find most of the flowers in the rain, unlike WaspNet."]
    assert not displaced("BeeNet finds most of the flowers in the rain.", held, "BeeNet", OURS)
