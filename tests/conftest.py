"""Shared parts: a tiny library about bees and a place for the real data beside the checkout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.fetching import installed
from assistant.models import by_name
from assistant.types import Receipt
from store.library import Library, open_library
from store.types import Paper
from tests.fakes import HashEmbedder, ScriptedModel

SHARED = Path(__file__).parents[2] / "shared"

BEES = Paper.of(
    "We present BeeNet, a model of bee dances. It was trained on 1,200 dances. "
    "BeeNet finds the food in 87.5% of all cases.",
    source="insects.txt#1",
)
ANTS = Paper.of(
    "Ants leave trails. We propose AntWalk, which follows trails at night. "
    "AntWalk needs 40 sensors.",
    title="Walking with ants",
    authors=("Ada Ant", "Bo Beetle"),
    year=2021,
    source="insects.txt#2",
)
WHALES = Paper.of(
    "Whales sing in deep water. Their songs travel 500 kilometres.", source="insects.txt#3"
)


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: HashEmbedder) -> Library:
    library = open_library(tmp_path / "library", embedder, create=True)
    library.add([BEES, ANTS, WHALES])
    return library


@pytest.fixture
def opened(library, embedder, monkeypatch):
    """Commands find this library, and a scripted model in place of a real one."""
    from assistant import wiring
    from tests.test_answering import assistant as desk

    model = ScriptedModel("AntWalk needs 40 sensors.")
    library.close()

    def receipt(library, model):
        return Receipt(library.fingerprint, library.encoder, model.name if model else "")

    def open_with(model):
        return replace(desk(open_library(library.folder, embedder), model), receipt=receipt)

    def open_assistant(settings, note=print):
        return open_with(model)

    def open_searcher(settings):
        return open_with(None)

    monkeypatch.setattr(wiring, "open_assistant", open_assistant)
    monkeypatch.setattr(wiring, "open_searcher", open_searcher)
    return model


@pytest.fixture
def seeds() -> list[Path]:
    found = sorted((SHARED / "seeds").glob("*.txt"))
    if not found:
        pytest.skip("../shared/seeds is not here: the test of the real lists is left out")
    return found


def model_or_skip(name: str) -> Path:
    """The place of a real model that ``make test`` fetches."""
    found = installed(by_name(name))
    if found is None:
        pytest.skip(f"{name} is not on this machine: `citewell models fetch {name}`")
    return found
