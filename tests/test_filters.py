"""Filters: what they keep, and that a search under one finds as much as comparing everything."""

from __future__ import annotations

import random

import pytest

import store.candidates
from store.errors import NothingKeptError
from store.filters import Filter
from store.library import open_library
from store.selecting import Page
from store.types import Paper
from tests.conftest import ANTS

_WORDS = [f"word{n}" for n in range(400)]


def many(count: int) -> list[Paper]:
    chance = random.Random(3)
    return [
        Paper.of(
            ". ".join(" ".join(chance.choices(_WORDS, k=8)) for _ in range(3)) + ".",
            title=f"Paper {number}",
            authors=("Éva Bee", f"Author{number % 7} Wasp"),
            year=2000 + number % 25,
            venue="Hive" if number % 100 == 5 else "Nest Letters",
            keywords=("Dancing bees",) if number % 2 else (),
            collection="Old" if number % 3 else "",
            source=f"m#{number}",
        )
        for number in range(count)
    ]


@pytest.fixture
def shelf(tmp_path, embedder):
    library = open_library(tmp_path / "many", embedder, create=True)
    library.add(many(600))
    return library


@pytest.mark.parametrize(
    "where",
    [
        Filter(venue="hive"),
        Filter(author="eva", since=2010, until=2011),
        Filter(author="Author3 Wasp"),
        Filter(keyword="bees"),
        Filter(collection="old", keyword="DANCING"),
        Filter(until=2000),
    ],
    ids=str,
)
def test_chroma_keeps_what_the_filter_keeps(shelf, where):
    expected = [paper for paper in many(600) if where.keeps(paper)]
    assert expected
    assert shelf.within(where).papers() == expected
    assert {hit.paper.id for hit in shelf.search("word1 word2", 600, where=where)} <= {
        paper.id for paper in expected
    }


@pytest.mark.parametrize("exact", [3000, 0])
@pytest.mark.parametrize("where", [Filter(venue="hive"), Filter(keyword="bees")], ids=str)
def test_a_filter_loses_nothing(shelf, where, exact, monkeypatch):
    monkeypatch.setattr(store.candidates, "_EXACT", exact)
    kept = [paper.id for paper in shelf.within(where).papers()]
    right = asked = 0
    for number in range(10):
        query = f"word{number} word{number + 40} word{number + 80}"
        brute = [h for h in shelf.search(query, 600, also=kept) if h.paper.id in set(kept)][:10]
        best = [hit.paper.id for hit in shelf.search(query, 10, where=where)]
        right += len({hit.paper.id for hit in brute} & set(best))
        asked += len(brute)
    assert right / asked >= 0.98


def test_words_of_two_authors_are_no_author(library):
    assert library.within(Filter(author="ada ant")).papers() == [ANTS]
    with pytest.raises(NothingKeptError, match="author Ada Beetle"):
        library.within(Filter(author="Ada Beetle"))


def test_pages_are_sorted_and_cut():
    papers = many(30)
    years = [paper.year for paper in Page("year", True, 3, 1).of(papers)]
    assert years == [2023, 2022, 2021]
    assert Page(limit=2, offset=29).of(papers) == papers[29:]
