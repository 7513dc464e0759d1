"""Records without an abstract: kept, found by their titles, and never read as if they had one."""

from __future__ import annotations

import json

import pytest

from assistant.relevance import select
from assistant.retrieval import candidates
from assistant.stance import weigh
from assistant.summary import SummaryFinished
from assistant.types import Cancellation, Finished, Stance, Status
from store.library import open_library
from store.types import Paper
from tests.conftest import BEES, model_or_skip
from tests.fakes import HashEmbedder, ScriptedModel
from tests.test_answering import assistant as desk
from tests.test_cli import Citewell

MOTHS = Paper.of("", title="Moths and the lamps of towns", year=1999, source="titles.bib#1")


@pytest.fixture
def with_title(library):
    library.add([MOTHS])
    return library


def test_it_is_found_by_its_title(with_title):
    (first, *_) = with_title.search("moths and the lamps of towns", 3)
    assert (first.paper, first.sentences) == (MOTHS, ())


def test_nothing_is_read_of_it(with_title):
    hits = with_title.search("moths and the lamps of towns", 4)
    found = candidates("moths and lamps", hits, budget=400, count_tokens=len)
    assert MOTHS not in [item.paper for item in found]


@pytest.mark.parametrize("model", [None, ScriptedModel("Moths fly.")])
def test_a_question_about_it_is_not_answered(tmp_path, model):
    library = open_library(tmp_path / "titles", HashEmbedder(), create=True)
    library.add([MOTHS])
    *_, last = desk(library, model).ask("What of moths and the lamps of towns?")
    assert isinstance(last, Finished)
    assert last.answer.status is Status.NOT_STATED
    assert last.answer.nearest == (MOTHS,)


def test_a_summary_names_it_without_reading_it(with_title):
    chosen = select("moths and the lamps of towns", with_title)
    assert MOTHS not in [candidate.paper for candidate in chosen.used]
    assert len(chosen.vectors) == len(chosen.used)


@pytest.mark.parametrize("model", [None, ScriptedModel("Moths fly.")])
def test_a_summary_of_titles_alone_ends_well(with_title, model):
    *_, last = desk(with_title, model).summarize("moths and the lamps of towns")
    assert isinstance(last, SummaryFinished)
    assert MOTHS not in [item.paper for item in last.summary.evidence]


def test_it_neither_supports_nor_contradicts(with_title):
    (hit, *_) = with_title.search("moths and the lamps of towns", 1)
    weighed = weigh("Moths shun lamps.", hit, ScriptedModel(), Cancellation())
    assert (weighed.stance, weighed.rationale) == (Stance.RELATED, ())


@pytest.mark.model
def test_add_counts_it_and_the_list_marks_it(tmp_path):
    model_or_skip("all-minilm-l6-v2")
    run = Citewell(tmp_path)
    rows = [{"name": BEES.abstract, "title": "Bees"}, {"title": MOTHS.title, "year": 1999}]
    piped = "".join(json.dumps(row) + "\n" for row in rows)
    told = run("add", "-", "--field", "abstract=Name", given=piped)
    assert "without an abstract, found by their titles: 1" in told
    first, second = run("papers", "list").splitlines()
    assert first.endswith("stdin#1")
    assert second.endswith("(no abstract)")
    assert "No abstract." in run("papers", "show", "stdin#2")
    assert MOTHS.title in run("search", "lamps of towns").splitlines()[0]
    run("add", "-", "--field", "body=Name", status=1, given=piped)
    assert "title, abstract" in run.complaint
    run("add", "-", status=1)
    assert "standard input" in run.complaint
