"""The real MiniLM, from its package."""

from __future__ import annotations

import numpy as np
import pytest

from store.embedding import Document, Embedder, SentenceTransformerEmbedder
from store.errors import EncoderError
from store.library import open_library
from tests.conftest import ANTS, BEES, WHALES, model_or_skip

pytestmark = pytest.mark.model

TEXT = "Bees dance to tell where food is. It takes them a minute."


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return SentenceTransformerEmbedder(model_or_skip("all-minilm-l6-v2"))


def document(text: str = TEXT) -> Document:
    cut = text.index(".") + 1
    return Document(text, ((0, cut), (cut + 1, len(text))))


def test_vectors_are_unit_and_of_the_models_width(minilm):
    assert minilm.encode(["bees", "ants"]).shape == (2, 384)
    (found,) = minilm.encode_documents([document()])
    assert found.whole.shape == (384,)
    assert found.passages.shape == (2, 384)
    for rows in (minilm.encode(["bees"]), found.whole[None], found.passages):
        assert rows.dtype == np.float32
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_whole_text_is_what_the_model_itself_makes_of_it(minilm):
    (found,) = minilm.encode_documents([document()])
    assert float(found.whole @ minilm.encode([TEXT])[0]) > 0.999


def test_a_sentence_keeps_its_surroundings(minilm):
    (found,) = minilm.encode_documents([document()])
    question = minilm.encode(["How long do bees dance?"])[0]
    alone = minilm.encode(["It takes them a minute."])[0]
    assert found.passages[1] @ question > alone @ question


def test_the_company_of_others_changes_nothing(minilm):
    (alone,) = minilm.encode_documents([document()])
    many = minilm.encode_documents([document("Short. One."), document(), document("A. B. " * 90)])
    assert float(alone.whole @ many[1].whole) > 0.999


def test_a_text_longer_than_the_window_is_read_to_its_end(minilm):
    filler = "Ants walk in long lines through the wood. " * 100
    text = filler + "Whales sing in the deep sea."
    at = len(filler)
    (found,) = minilm.encode_documents([Document(text, ((0, 42), (at, len(text))))])
    question = minilm.encode(["songs of whales"])[0]
    assert found.passages[1] @ question > found.passages[0] @ question + 0.2


@pytest.mark.parametrize("text", ["", "\U0001f41d", "$", "a" * 5000])
def test_odd_texts_have_vectors_all_the_same(minilm, text):
    (found,) = minilm.encode_documents([Document(text, ((0, len(text)),))])
    assert np.isfinite(found.whole).all()
    assert np.isfinite(found.passages).all()


def test_no_sentences_no_passages(minilm):
    (found,) = minilm.encode_documents([Document("Bees", ())])
    assert found.passages.shape == (0, 384)


def test_a_real_library_finds_by_meaning(minilm, tmp_path):
    library = open_library(tmp_path / "l", minilm, create=True)
    library.add([BEES, ANTS, WHALES])
    assert library.search("music of large sea animals")[0].paper == WHALES


def test_a_folder_without_an_encoder_names_the_cure(tmp_path):
    with pytest.raises(EncoderError, match="citewell models fetch"):
        SentenceTransformerEmbedder(tmp_path)


def test_damaged_weights_are_one_clear_line(tmp_path):
    import shutil

    folder = tmp_path / "enc"
    shutil.copytree(model_or_skip("all-minilm-l6-v2"), folder)
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(EncoderError, match="cannot be loaded") as caught:
        SentenceTransformerEmbedder(folder).encode(["x"])
    assert "\n" not in str(caught.value)
