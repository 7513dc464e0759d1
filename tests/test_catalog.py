"""The list of papers: what is found, in which order, and how quickly."""

from __future__ import annotations

import time

import pytest

from assistant.catalog import Catalog, Column, Filter
from store.types import Paper

PAPERS = [
    Paper.of(
        "a", title="Zebra dances", authors=("Ada Ånt",), year=2021, venue="Herd", source="x#1"
    ),
    Paper.of("b", title="ant trails", year=2019, venue="Colony", collection="Insects"),
    Paper.of("c", title="Bees of Gödel", authors=("Bo Beetle",), collection="Insects"),
]


@pytest.fixture
def catalog() -> Catalog:
    return Catalog(PAPERS, lambda paper: paper.title)


def found(catalog: Catalog, **wanted) -> str:
    return "".join(entry.paper.abstract for entry in catalog.find(Filter(**wanted)))


def test_each_word_begins_a_word_of_the_paper(catalog):
    assert found(catalog, words="") == "abc"
    assert found(catalog, words="ant") == "ab"  # Ånt the author, and the trails
    assert found(catalog, words="GODEL be") == "c"
    assert found(catalog, words="ebra") == ""
    assert found(catalog, words="2019 colony") == "b"
    assert found(catalog, words="?!") == "abc"


def test_filters_join(catalog):
    assert found(catalog, collection="Insects") == "bc"
    assert found(catalog, venue="Herd", collection="Insects") == ""
    assert found(catalog, since=2020) == "a"
    assert found(catalog, until=2020) == "b"
    assert found(catalog, since=2019, until=2021) == "ab"


def test_what_is_unknown_stands_last_both_ways(catalog):
    assert found(catalog, order=Column.TITLE) == "bca"
    assert found(catalog, order=Column.TITLE, descending=True) == "acb"
    assert found(catalog, order=Column.YEAR) == "bac"
    assert found(catalog, order=Column.YEAR, descending=True) == "abc"
    assert found(catalog, order=Column.AUTHORS) == "acb"
    assert found(catalog, descending=True) == "cba"


def test_numbers(catalog):
    numbers = catalog.numbers()
    assert (numbers.papers, numbers.with_year, numbers.with_venue) == (3, 2, 2)
    assert numbers.years == ((2019, 1), (2021, 1))
    assert numbers.collections == (("Insects", 2),)


def test_a_keystroke_in_a_large_library_is_answered_at_once():
    papers = [
        Paper.of(
            str(n),
            title=f"A study of topic {n % 977} with method {n % 31} on many data sets number {n}",
            authors=(f"Author {n % 5003}", "Second Writer", "Third Person"),
            year=1990 + n % 35,
            venue=f"Venue {n % 60}",
        )
        for n in range(49_091)
    ]
    catalog = Catalog(papers, lambda paper: paper.title)
    catalog.find(Filter(order=Column.TITLE))
    slowest = 0.0
    for words in ("a", "s", "stu", "study topic 12", "author 17 writer", "nothing"):
        begun = time.perf_counter()
        catalog.find(Filter(words=words, order=Column.TITLE, since=1991))
        slowest = max(slowest, time.perf_counter() - begun)
    print(f"slowest keystroke: {1000 * slowest:.0f} ms")
    assert slowest < 0.5  # a quarter of it on a machine at rest
