"""The keyword index: bm25s is the oracle, an index made at once the measure of one that grew."""

from __future__ import annotations

import random

import bm25s
import numpy as np
import pytest

from store import keyword
from store.keyword import KeywordIndex, _words

WORDS = "bee dance hive ant trail whale song deep sea model sensor wing BeeNet flower".split()


def texts(count: int, seed: int = 0) -> dict[str, str]:
    draw = random.Random(seed)
    return {
        f"{seed:x}{number:015x}": " ".join(draw.choices(WORDS, k=draw.randint(1, 40)))
        for number in range(count)
    }


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(keyword, "_TOKENIZED", 8)
    monkeypatch.setattr(keyword, "_LARGEST", 40)


def test_scores_are_those_of_bm25s(small_pieces):
    own = texts(150)
    index = KeywordIndex.build(list(own), list(own.values()))
    assert len(index._pieces) > 2
    oracle = bm25s.BM25(k1=0.9, b=0.4, method="lucene")
    oracle.index([_words(text) for text in own.values()], show_progress=False)
    for query in ("bee", "deep sea songs", "the ants of the ants trail sensors"):
        words = _words(query)
        whole = sum(index._rarity(word) for word in words)
        met = index.coverage(query)
        found = [met.get(name, 0.0) * whole for name in own]
        assert found == pytest.approx(oracle.get_scores(words).tolist(), abs=1e-4)
        best = [name for _, name in sorted((-met[name], name) for name in met)]
        assert met.best(7) == best[:7]
        assert met.best(3, among=best[5:]) == best[5:8]


def test_an_index_that_grew_and_shrank_is_one_made_at_once(small_pieces, tmp_path):
    draw = random.Random(1)
    kept: dict[str, str] = {}
    index = KeywordIndex()
    for round in range(12):
        changed = texts(draw.randint(0, 30), seed=round % 5)
        gone = draw.sample(sorted(kept), min(len(kept), draw.randint(0, 9)))
        gone = [name for name in gone if name not in changed]
        index = index.put(changed, gone)
        kept = {name: text for name, text in (kept | changed).items() if name not in gone}
        index.save(tmp_path / "keyword", round, len(kept))
        index = KeywordIndex.load(tmp_path / "keyword", round, len(kept)) or pytest.fail("lost")
        fresh = KeywordIndex.build(list(kept), list(kept.values()))
        assert index.ids() == set(kept)
        assert not index.outdated(kept)
        for query in ("BeeNet", "whale songs", "a flower"):
            assert dict(index.coverage(query)) == pytest.approx(
                dict(fresh.coverage(query)), abs=1e-5
            )
    assert len(index._pieces) < 8
    folders = {path.name for path in (tmp_path / "keyword").iterdir()}
    assert folders == {"state.json", *index._names}


def test_only_what_changed_is_written(small_pieces, tmp_path):
    index = KeywordIndex().put(texts(40, seed=1)).put(texts(40, seed=2))
    index.save(tmp_path / "k", 1, 80)
    before = {path.name for path in (tmp_path / "k").iterdir()}
    index.put(texts(1, seed=3)).save(tmp_path / "k", 2, 81)
    after = {path.name for path in (tmp_path / "k").iterdir()}
    assert before < after
    assert len(after - before) == 1


def test_a_changed_text_is_known_as_outdated():
    index = KeywordIndex.build(["a", "b"], ["bees", "ants"])
    assert index.outdated({"a": "bees", "b": "ants!", "c": "new"}) == {"b": "ants!", "c": "new"}


def test_an_index_of_nothing_finds_nothing(tmp_path):
    index = KeywordIndex.build(["a"], ["of the"])
    assert not index.coverage("bees")
    assert not index.coverage("the")
    index = KeywordIndex()
    index.save(tmp_path / "k", 0, 0)
    again = KeywordIndex.load(tmp_path / "k", 0, 0)
    assert again is not None
    assert not again.coverage("bees")
    assert again.rarity(["bees"]) == [0.0]


def test_the_arrays_are_mapped_and_not_read(tmp_path):
    index = KeywordIndex.build(["a"], ["bees"])
    index.save(tmp_path / "k", 1, 1)
    again = KeywordIndex.load(tmp_path / "k", 1, 1)
    assert again is not None
    assert isinstance(again._pieces[0].papers.base, np.memmap)
