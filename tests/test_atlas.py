"""The map of a library: places, regions and their names."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant import atlas
from store.types import Paper

KINDS = ("clover meadows", "salt marshes")


def papers(count: int) -> list[Paper]:
    return [
        Paper.of(
            f"Paper {n} counts {KINDS[n % 2]}. Many {KINDS[n % 2]} were seen.", year=2000 + n % 3
        )
        for n in range(count)
    ]


def vectors(count: int) -> np.ndarray:
    noise = np.random.default_rng(1).normal(scale=0.05, size=(count, 8))
    noise[:, 0] += np.where(np.arange(count) % 2, 1.0, -1.0)
    return (noise / np.linalg.norm(noise, axis=1, keepdims=True)).astype(np.float32)


def rarity(words):
    return [2.0] * len(words)


@pytest.fixture
def drawn() -> atlas.Atlas:
    return atlas.draw("f1", papers(60), vectors(60), rarity)


def test_papers_apart_are_regions_apart_named_by_their_own_words(drawn):
    assert len(drawn.names) == 2
    assert len(set(drawn.region[0::2])) == len(set(drawn.region[1::2])) == 1
    assert "clover meadows" in drawn.names[drawn.region[0]].lower()
    assert "salt" in drawn.names[drawn.region[1]].lower()
    assert all(0 <= place <= 65_535 for place in drawn.x + drawn.y)
    assert (max(drawn.x[0::2]) < min(drawn.x[1::2])) or (min(drawn.x[0::2]) > max(drawn.x[1::2]))


def test_the_same_library_has_the_same_map(drawn):
    assert atlas.draw("f1", papers(60), vectors(60), rarity) == drawn


def test_a_map_is_kept_until_the_library_changes(drawn, tmp_path):
    assert atlas.kept(tmp_path, "f1") is None
    atlas.keep(tmp_path, drawn)
    assert atlas.kept(tmp_path, "f1") == drawn
    assert atlas.kept(tmp_path, "f2") is None
    (tmp_path / "map.json").write_text("no map")
    assert atlas.kept(tmp_path, "f1") is None


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_small_libraries_have_a_map_too(count):
    drawn = atlas.draw("f", papers(count), vectors(count), rarity)
    assert len(drawn.ids) == len(drawn.x) == len(drawn.region) == count


def test_topics_over_time(drawn):
    told = json.loads(atlas.years_of_regions(drawn, [paper.year for paper in papers(60)]))
    assert told["years"] == [2000, 2001, 2002]
    assert sum(map(sum, told["regions"])) == 60
