"""Doubles are merged, reported and undone; papers that only look alike stay two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store.errors import PaperNotFoundError
from store.library import open_library
from store.types import Merge, Paper

_TEXT = (
    "Honey bees tell each other where food is by dancing on the comb. We film four hundred dances "
    "in nine hives over two summers and measure the angle of each run. The angle follows the sun "
    "to within six degrees, and on cloudy days the bees fall back on memory."
)
DANCES = Paper.of(
    _TEXT, title="How bées dance: a field study", authors=("Éva Wu",), year=2020, source="a#1",
    arxiv_id="2001.00001v1",
)  # fmt: skip


@pytest.fixture
def shelf(tmp_path, embedder):
    library = open_library(tmp_path / "shelf", embedder, create=True)
    library.add([DANCES])
    return library


def again(paper: Paper, **changes) -> Paper:
    changed = replace(paper, **changes)
    return replace(changed, id=Paper.of(changed.abstract, title=changed.title).id)


PUBLISHED = again(
    DANCES,
    title="How Bees Dance: A Field Study",
    abstract=_TEXT.replace("two summers", "three summers"),
    authors=("E. Wu",),
    doi="10.1/dance",
    arxiv_id="",
    source="b#1",
)


def test_the_published_version_is_merged_with_the_richest_fields(shelf, embedder):
    report = shelf.add([PUBLISHED])
    assert (report.merged, report.added, report.papers) == (1, 0, 1)
    assert report.merges == (Merge("b#1", DANCES.id, "text"),)
    kept = shelf.get("b#1")
    assert (kept.abstract, kept.doi, kept.arxiv_id) == (_TEXT, "10.1/dance", "2001.00001v1")
    before = embedder.encoded
    assert shelf.add([DANCES, PUBLISHED]).unchanged == 2
    assert embedder.encoded == before


def test_a_merge_is_undone_for_good(shelf):
    shelf.add([PUBLISHED])
    assert shelf.split(DANCES.id) == [DANCES, PUBLISHED]
    assert shelf.papers() == [DANCES, PUBLISHED]
    assert shelf.add([PUBLISHED, DANCES]).unchanged == 2
    with pytest.raises(PaperNotFoundError, match="nothing to split"):
        shelf.split(DANCES.id)


@pytest.mark.parametrize("batch", [True, False], ids=["one run", "two runs"])
def test_a_later_version_replaces_the_text(tmp_path, embedder, batch):
    shelf = open_library(tmp_path / "s", embedder, create=True)
    second = again(DANCES, abstract="All is new in here.", arxiv_id="2001.00001v2", source="c#1")
    reports = [shelf.add([DANCES, second])] if batch else [shelf.add([p]) for p in (DANCES, second)]
    assert (reports[-1].updated, reports[-1].papers) == (1, 1)
    assert shelf.papers()[0].abstract == "All is new in here."
    assert [hit.paper.id for hit in shelf.search("new")] == [second.id]
    assert shelf.add([DANCES, second]).unchanged == 2


def test_a_changed_record_of_the_same_file_replaces_it(shelf):
    report = shelf.add([again(DANCES, abstract=_TEXT + " A third summer agreed.", arxiv_id="")])
    assert (report.updated, report.papers) == (1, 1)
    assert shelf.papers()[0].abstract.endswith("agreed.")


@pytest.mark.parametrize(
    "other",
    [
        again(DANCES, abstract="Wasps build paper nests under roofs in spring.", arxiv_id=""),
        again(DANCES, title="Wasps", abstract="They nest.", arxiv_id="", source="z#1"),
        again(PUBLISHED, authors=("Bo Beetle",)),
        again(PUBLISHED, title="How bees dance: a field study II"),
        again(PUBLISHED, arxiv_id="2001.00002"),
    ],
    ids=["same title", "same nothing", "other authors", "another part", "another arXiv id"],
)
def test_papers_that_look_alike_stay_two(shelf, other):
    report = shelf.add([other])
    assert (report.added, report.papers) == (1, 2)


def test_editorials_stay_apart(tmp_path, embedder):
    shelf = open_library(tmp_path / "s", embedder, create=True)
    words = (
        "In this issue of the journal we speak of {0}, of more {0}, and of what {0} do at night."
    )
    papers = [
        Paper.of(words.format(what), title="Editorial", source=f"e#{what}")
        for what in ("bees", "ants", "whales")
    ]
    assert shelf.add(papers).added == 3


def test_fields_are_edited(shelf):
    assert shelf.edit("a#1", venue="Hive").id == DANCES.id
    moved = shelf.edit(DANCES.id, title="Dances", year=None)
    assert shelf.papers() == [moved]
    assert (moved.venue, moved.year) == ("Hive", None)
    assert shelf.search("Dances")[0].paper == moved
