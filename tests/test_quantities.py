from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.agreeing import agrees
from assistant.quantities import quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,000 and 0.50", [(1000, ""), (0.5, "")]),
        ("~120x faster, 79.4%", [(120, "×"), (79.4, "%")]),
        ("from 12 to 14% in three", [(12, "%"), (14, "%"), (3, "")]),
        ("2–3x", [(2, "×"), (3, "×")]),
        (r"$10^{-3}$; 32\,768 bees; $3.3\times$ more", [(1e-3, ""), (32768, ""), (3.3, "×")]),
        ("one hundred and twenty-one bees", [(121, "")]),
        ("a million, 1.5M, 34k", [(1e6, ""), (1.5e6, ""), (34e3, "")]),
        ("half of the bees, threefold, twice", [(50, "%"), (3, "×"), (2, "×")]),
        ("35,000 GPU hours for $2", [(35000, "time"), (2, "money")]),
        ("GPT-4 and CIFAR-10", []),
        ("no numbers", []),
    ],
)
def test_what_is_read(text, expected):
    assert [(q.value, q.kind) for q in quantities(text)] == expected


@pytest.mark.parametrize(
    ("stated", "held", "fair"),
    [
        ("50 percent", "50%", True),
        ("3 times", "3x", True),
        ("threefold", "3x", True),
        ("34k bees", "34,000 bees", True),
        ("1.5 million bees", "1.5M bees", True),
        ("about 35%", "34.8%", True),
        ("over 30,000 bees", "35,241 bees", True),
        ("less than 40 bees", "36 bees", True),
        ("twelve layers", "12 layers", True),
        ("60 minutes", "1 hour", True),
        ("0.35", "35%", True),
        ("12 layers", "12%", False),
        ("28 hours", "28 minutes", False),
        ("35%", "38.4%", False),
        ("over 40,000 bees", "35,241 bees", False),
        ("less than 12 bees", "more than 12 bees", False),
        ("3x", "3%", False),
        ("1.5 billion bees", "1.5 million bees", False),
    ],
)
def test_what_keeps_the_truth(stated, held, fair):
    assert agrees(quantities(stated)[0], quantities(held)[0]) is fair


@given(st.integers(0, 10**9))
def test_separators_change_nothing(value):
    plain, grouped = quantities(f"{value} bees"), quantities(f"{value:,} bees")
    assert [q.value for q in plain] == [q.value for q in grouped] == [value]


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    assert all(agrees(q, q) for q in quantities(text))
