"""Conversations that outlive the page."""

from __future__ import annotations

import json

import pytest

from assistant.history import History, as_json, begin, markdown
from store.types import Paper
from tests.web_desk import answer, cite, evidence, supported

ANTWALK = Paper.of("We propose AntWalk. It needs 40 sensors.", title="Walking <with> ants")
ant = evidence(1, ANTWALK, "It needs 40 sensors.")
SENSORS = answer("How many\nsensors?", supported("It needs 40.", cite(ant)), sources=[ant])


@pytest.fixture
def history(tmp_path):
    return History(tmp_path)


def test_what_is_kept_comes_back_whole(history):
    kept = begin().with_answer(SENSORS)
    history.keep(kept)
    assert history.get(kept.id) == kept
    assert kept.name == "How many sensors?"
    assert [path.suffix for path in history.folder.iterdir()] == [".json"]
    assert next(history.folder.iterdir()).stat().st_mode & 0o077 == 0


def test_the_newest_comes_first_and_words_find_it(history):
    first = begin().with_answer(SENSORS)
    second = begin().with_answer(answer("And the weather?", supported("It rains.")))
    history.keep(first)
    history.keep(second)
    assert [one.id for one in history.all()] == [second.id, first.id]
    assert history.search("RAINS weather") == [second]
    assert history.search("rains sensors") == []
    assert history.search("  ") == [second, first]


def test_a_reader_sees_his_own_alone(tmp_path):
    ada, bo = History(tmp_path, "ada"), History(tmp_path, "../ada")
    kept = begin().with_answer(SENSORS)
    ada.keep(kept)
    assert bo.all() == []
    assert bo.get(kept.id) is None
    assert not bo.remove(kept.id)
    assert ada.folder.parent == bo.folder.parent == tmp_path


def test_what_is_forgotten_is_gone_and_no_other_file_can_be(history, tmp_path):
    kept = begin().with_answer(SENSORS)
    history.keep(kept)
    (tmp_path / "other.json").write_text("{}")
    assert not history.remove("../other")
    assert history.get("../other") is None
    assert history.remove(kept.id)
    assert not history.remove(kept.id)
    assert history.all() == []
    assert (tmp_path / "other.json").exists()


def test_a_broken_file_is_overlooked(history):
    history.keep(begin().with_answer(SENSORS))
    (history.folder / "0123456789abcdef.json").write_text('{"id": 3}')
    (history.folder / "0123456789abcdee.json").write_bytes(b"\xff\x00")
    assert len(history.all()) == 1


def test_exports(history):
    kept = begin().with_answer(SENSORS)
    assert "- [1] Walking \\<with\\> ants" in markdown(kept)
    data = json.loads(as_json(kept))
    assert data["name"] == "How many sensors?"
    assert data["answers"][0]["evidence"][0]["paper"]["title"] == "Walking <with> ants"
