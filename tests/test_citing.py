from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.citing import Source, content_words, draft_sentences, tie

SOURCES = (
    Source(1, "BeeNet finds the food in 87.5% of all cases.", 70, 114),
    Source(1, "It was trained on 1,200 dances.", 42, 73),
    Source(2, "AntWalk needs 40 sensors.", 10, 35),
)


def test_a_sentence_is_tied_to_the_source_that_holds_its_words():
    tied = tie("AntWalk works with 40 sensors.", SOURCES)
    assert [s.number for s in tied.sources] == [2]
    assert [(c.number, c.start, c.end) for c in tied.citations] == [(2, 10, 35)]


def test_a_sentence_can_rest_on_several_sources():
    tied = tie("BeeNet was trained on 1200 dances and finds food in 87.5% of cases.", SOURCES)
    assert {s.start for s in tied.sources} == {42, 70}
    assert tied.coverage == 1.0


def test_the_stronger_of_two_papers_comes_first():
    tied = tie("AntWalk needs 40 sensors and BeeNet needs food.", SOURCES)
    assert [s.number for s in tied.sources] == [2, 1]


def test_words_of_the_question_count_half():
    asked = content_words("Does AntWalk swim?")
    assert tie("AntWalk swims.", SOURCES, asked).coverage == tie("AntWalk swims.", SOURCES).coverage
    assert tie("AntWalk flies.", SOURCES, asked).coverage < tie("AntWalk flies.", SOURCES).coverage


@pytest.mark.parametrize("text", ["", "…", "The of and.", "Zebras gallop."])
def test_nothing_to_rest_on(text):
    assert tie(text, SOURCES).sources == ()
    assert tie("Bees", ()).sources == ()


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("[1]", []),
        ("Bees dance [1][2].", ["Bees dance."]),
        ("Bees dance [1, 3].", ["Bees dance."]),
        ("[2] Bees dance.", ["Bees dance."]),
        ("Based on the provided excerpts, bees dance.", ["Bees dance."]),
        ("- Bees dance.\n- Ants walk.", ["Bees dance.", "Ants walk."]),
        ("1. Bees dance.\n2. Ants walk.", ["Bees dance.", "Ants walk."]),
        ("Bees dance. Bees dance. Bees dance.", ["Bees dance."]),
        ("Bees dance. Ants wal", ["Bees dance."]),
        ("Bees dance", ["Bees dance"]),
        ("Loss falls by 3.5 points in Fig. 2 [4].", ["Loss falls by 3.5 points in Fig. 2."]),
    ],
)
def test_drafts_lose_the_models_own_markers(draft, expected):
    assert draft_sentences(draft) == expected


@given(st.text(max_size=300))
def test_any_draft_is_survived(draft):
    for sentence in draft_sentences(draft):
        tied = tie(sentence, SOURCES)
        assert 0 <= tied.coverage <= 1
        assert all(source in SOURCES for source in tied.sources)
