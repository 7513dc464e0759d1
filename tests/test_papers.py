"""`papers` and the filters as a reader meets them: the real commands, on a library of three."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from assistant import wiring
from assistant.cli import app
from store.errors import NothingKeptError
from store.library import open_library
from tests.conftest import ANTS


@pytest.fixture
def run(opened, library, embedder, monkeypatch):
    monkeypatch.setattr(
        wiring,
        "open_library",
        lambda settings, create=False, wait=None: open_library(library.folder, embedder),
    )
    return lambda *words, **more: CliRunner().invoke(app, words, **more)


def papers(result) -> list[str]:
    return [paper["id"] for paper in json.loads(result.stdout)["papers"]]


def test_lists_are_filtered_sorted_and_paged(run):
    assert papers(run("papers", "list", "--json", "--year", "2020-", "--author", "ant")) == [
        ANTS.id
    ]
    assert papers(run("papers", "list", "--json", "--sort", "year"))[0] == ANTS.id
    assert len(papers(run("papers", "list", "--json", "--limit", "1", "--offset", "1"))) == 1
    assert run("papers", "list", "--sort", "colour").exit_code == 2
    assert run("papers", "list", "--year", "20x").exit_code == 2


def test_a_filter_goes_with_a_search_and_a_question(run):
    hits = json.loads(run("search", "dances", "--author", "ada", "--json").stdout)["hits"]
    assert [hit["paper"]["id"] for hit in hits] == [ANTS.id]
    answer = json.loads(run("ask", "How do bees dance?", "--year", "2021", "--json").stdout)
    read = [found["paper"]["id"] for found in answer["evidence"]]
    assert set(read + [paper["id"] for paper in answer["nearest"]]) <= {ANTS.id}
    assert isinstance(run("ask", "Why?", "--venue", "Moon").exception, NothingKeptError)


def test_a_selection_is_exported(run, tmp_path):
    assert run("papers", "export", str(tmp_path / "a.bib"), "--author", "ant").exit_code == 0
    assert (tmp_path / "a.bib").read_text().count("@") == 1
    assert run("papers", "export", str(tmp_path / "b.x"), ANTS.id, "--format", "ris").exit_code == 0
    assert (tmp_path / "b.x").read_text().count("ER  -") == 1


def test_papers_are_edited_and_removed_by_filter(run):
    assert run("papers", "edit", ANTS.id, "venue=Hive", "year=2019").exit_code == 0
    assert run("papers", "edit", ANTS.id, "colour=red").exit_code == 2
    assert run("papers", "remove", "--venue", "hive", input="n\n").exit_code == 1
    removed = run("papers", "remove", "--venue", "hive", "--yes", "--json")
    assert json.loads(removed.stdout) == {"removed": 1, "papers": 2}
    assert run("papers", "remove").exit_code == 2
