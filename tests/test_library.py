"""The real Chroma and the real BM25 on disk; only the encoder is a fake."""

from __future__ import annotations

import errno
import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import store.manifest as manifests
from store.adding import BATCH, Adding
from store.chroma import ChromaStore
from store.errors import (
    EncoderMismatchError,
    LibraryError,
    LibraryFullError,
    NewerLibraryError,
    NotALibraryError,
    PaperNotFoundError,
)
from store.keyword import KeywordIndex
from store.library import Library, open_library
from store.locking import writing
from store.rebuilding import rebuild
from store.types import Paper, Rejected
from store.writing import Writing
from tests.conftest import ANTS, BEES, WHALES
from tests.fakes import HashEmbedder


def reopened(library: Library, embedder: HashEmbedder) -> Library:
    library.close()
    return open_library(library.folder, embedder)


def many(count: int) -> list[Paper]:
    return [Paper.of(f"Paper {n} is about thing{n}.", source=f"m#{n}") for n in range(1, count + 1)]


def test_papers_come_back_as_they_were_in_their_order(library, embedder):
    assert reopened(library, embedder).papers() == [BEES, ANTS, WHALES]


def test_adding_again_changes_nothing_and_encodes_nothing(library, embedder):
    before = embedder.encoded
    report = library.add([BEES, ANTS, WHALES])
    assert (report.unchanged, report.added, report.merged, report.papers) == (3, 0, 0, 3)
    assert embedder.encoded == before


def test_the_same_text_from_elsewhere_is_merged_and_enriches(library):
    report = library.add([replace(BEES, source="other.txt#9", year=2020)])
    assert (report.merged, report.papers) == (1, 3)
    assert library.get("other.txt#9") == replace(BEES, year=2020)
    assert library.add([replace(BEES, source="other.txt#9", year=2020)]).unchanged == 1


def test_a_record_that_became_richer_is_updated(library):
    report = library.add([replace(WHALES, venue="Sea")])
    assert (report.updated, report.merged) == (1, 0)
    assert library.get(WHALES.id).venue == "Sea"


def test_doubles_within_one_run_are_one_paper(tmp_path, embedder):
    library = open_library(tmp_path / "l", embedder, create=True)
    report = library.add([BEES, replace(BEES, source="insects.txt#7"), BEES])
    assert (report.added, report.merged, report.unchanged, report.papers) == (1, 1, 1, 1)


def test_rejected_records_are_told(library):
    refused = Rejected("x.txt#1", "no text")
    assert library.add([refused]).rejected == (refused,)


def test_search_finds_by_words_and_scores_each_sentence(library):
    hits = library.search("How many sensors does AntWalk need?")
    assert hits[0].paper == ANTS
    assert hits[0].sentences[0].text == "AntWalk needs 40 sensors."
    assert [hit.rank for hit in hits] == [1, 2, 3]
    for hit in hits:
        for sentence in hit.sentences:
            assert hit.paper.abstract[sentence.start : sentence.end] == sentence.text


def test_authors_can_be_found(library):
    assert library.search("Beetle")[0].paper == ANTS


def test_search_in_an_empty_library(tmp_path, embedder):
    assert open_library(tmp_path / "l", embedder, create=True).search("bees") == []


def test_removed_papers_are_gone_from_both_indexes(library, embedder):
    assert library.remove(["insects.txt#2"]) == 1
    library = reopened(library, embedder)
    assert library.papers() == [BEES, WHALES]
    assert ANTS not in [hit.paper for hit in library.search("AntWalk sensors")]
    with pytest.raises(PaperNotFoundError, match="papers list"):
        library.remove(["insects.txt#2"])


def test_a_missing_or_damaged_keyword_index_is_made_anew(library, embedder):
    expected = library.search("AntWalk")[0].score
    for damage in (shutil.rmtree, lambda folder: (folder / "state.json").write_text("{")):
        damage(library.folder / "keyword")
        library = reopened(library, embedder)
        assert library.search("AntWalk")[0].score == pytest.approx(expected)
        assert (library.folder / "keyword" / "state.json").is_file()


def test_a_stale_keyword_index_is_made_anew(library, embedder):
    old = library.folder.with_name("old")
    shutil.copytree(library.folder / "keyword", old)
    library.add([Paper.of("Wolves howl on WolfHill.", source="w#1")])
    shutil.rmtree(library.folder / "keyword")
    old.rename(library.folder / "keyword")
    assert reopened(library, embedder).search("WolfHill")[0].paper.source == "w#1"


def test_what_a_stopped_add_finished_is_kept_and_the_rest_comes_later(tmp_path, embedder):
    library = open_library(tmp_path / "l", embedder, create=True)

    def interrupted() -> Iterator[Paper]:
        yield from many(BATCH + 5)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.add(interrupted())
    assert len(library) == BATCH
    assert library.search("thing7")[0].paper.source == "m#7"
    report = library.add(many(BATCH + 5))
    assert (report.added, report.unchanged) == (5, BATCH)
    assert embedder.encoded == BATCH + 5


def test_progress_counts_records(tmp_path, embedder):
    seen: list[int] = []
    open_library(tmp_path / "l", embedder, create=True).add(many(BATCH + 1), progress=seen.append)
    assert seen == [BATCH, BATCH + 1]


@pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.ENOSPC, "No space left on device", "/somewhere"),
        sqlite3.OperationalError("database or disk is full"),
    ],
    ids=["system", "SQLite"],
)
def test_a_full_disk_is_one_clear_line_and_loses_nothing(library, embedder, fault):
    def full() -> Iterator[Paper]:
        raise fault
        yield BEES

    with pytest.raises(LibraryFullError, match="kept"):
        library.add(full())
    assert len(reopened(library, embedder)) == 3


def test_a_full_disk_is_seen_where_chroma_does_not_name_it(library, monkeypatch):
    def fails(*_: object) -> None:
        raise LibraryError("The vector store cannot be used (something failed).")

    monkeypatch.setattr(ChromaStore, "write", fails)
    with pytest.raises(LibraryError, match="something failed"):
        library.add(many(1))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=400_000))
    with pytest.raises(LibraryFullError, match="free some space"):
        library.add(many(1))
    monkeypatch.undo()
    library.add(many(1))
    assert len(library) == 4


def test_another_encoder_is_refused_until_the_library_is_rebuilt(library, embedder):
    library.add([replace(BEES, source="other.txt#9")])
    library.close()
    other = HashEmbedder(32, "hash-words/32")
    with pytest.raises(EncoderMismatchError, match="citewell rebuild"):
        open_library(library.folder, other)
    assert rebuild(library.folder, other) == 3
    after = open_library(library.folder, other)
    assert after.papers() == [BEES, ANTS, WHALES]
    assert after.get("other.txt#9") == BEES
    assert after.search("AntWalk")[0].paper == ANTS
    assert len(list(after.folder.glob("chroma-*"))) == 1


def test_a_stopped_rebuild_leaves_the_library_as_it_was(library, embedder):
    library.close()

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(library.folder, HashEmbedder(32, "hash-words/32"), progress=stop)
    assert open_library(library.folder, embedder).papers() == [BEES, ANTS, WHALES]


def test_the_fingerprint_depends_on_content_alone(library, tmp_path, embedder):
    same = open_library(tmp_path / "same", embedder, create=True)
    same.add([WHALES, BEES, ANTS])
    assert same.fingerprint == library.fingerprint
    same.remove([BEES.id])
    assert same.fingerprint != library.fingerprint


def test_a_folder_of_another_program_is_refused_and_untouched(tmp_path, embedder):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(NotALibraryError, match="--library"):
        open_library(tmp_path, embedder, create=True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_newer_library_is_refused(library, embedder):
    manifest = library.folder / "library.json"
    data = json.loads(manifest.read_text()) | {"format": manifests.FORMAT + 1, "novelty": 1}
    manifest.write_text(json.dumps(data))
    with pytest.raises(NewerLibraryError, match="Upgrade"):
        open_library(library.folder, embedder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x"}', "\x00"])
def test_a_damaged_manifest_is_one_clear_line(library, embedder, text):
    (library.folder / "library.json").write_text(text)
    with pytest.raises(NotALibraryError):
        open_library(library.folder, embedder)


def test_a_missing_library_names_the_cure(tmp_path, embedder):
    with pytest.raises(LibraryError, match="citewell add"):
        open_library(tmp_path / "none", embedder)
    assert not Path(tmp_path / "none").exists()


def test_a_rare_acronym_is_found_whatever_else_is_asked(tmp_path, embedder):
    library = open_library(tmp_path / "acronyms", embedder, create=True)
    papers = [Paper.of(f"Layers of networks number {n} are many and deep.") for n in range(30)]
    named = Paper.of("Register Anything Model (RAM) aligns point clouds.")
    library.add([*papers, named])
    met = library._words.current().coverage("How many deep layers are there in RAM networks?")
    assert max(met, key=met.__getitem__) == named.id


@pytest.mark.parametrize("vectors", ["../victim", "/tmp/victim", "keyword", 5, ""])
def test_a_manifest_cannot_name_a_folder_elsewhere(library, embedder, vectors):
    library.close()
    path = library.folder / "library.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"vectors": vectors}))
    with pytest.raises(NotALibraryError):
        rebuild(library.folder, embedder)


def test_papers_that_come_later_are_found_by_their_words(tmp_path, embedder):
    """A reader who looks while a long `add` goes on must not keep what was half done."""
    library = open_library(tmp_path / "growing", embedder, create=True)
    papers = [Paper.of(f"Paper number{n} on things.") for n in range(3 * BATCH)]
    reader = open_library(library.folder, embedder)
    seen = []
    library.add(papers, progress=lambda done: seen.append(reader.search("number1", 1)))
    assert seen
    last = f"number{3 * BATCH - 1}"
    assert reader._words.current().coverage(last)
    assert open_library(library.folder, embedder)._words.current().coverage(last)


@pytest.mark.parametrize("name", ["piece-*/papers.npy", "piece-*/ids.npy", "state.json"])
def test_a_damaged_keyword_index_is_made_anew(library, embedder, name):
    library.search("bees")
    library.close()
    for path in (library.folder / "keyword").glob(name):
        path.write_bytes(b"")
    again = open_library(library.folder, embedder)
    assert again.search("dances of bees")[0].paper == BEES


def test_lost_vectors_are_no_empty_library(library, embedder):
    library.close()
    shutil.rmtree(next(library.folder.glob("chroma-*")))
    with pytest.raises(LibraryError, match="lost its vectors"):
        open_library(library.folder, embedder)


def test_nothing_is_indexed_anew_where_nothing_changed(library, embedder):
    before = {path.name for path in (library.folder / "keyword").iterdir()}
    library.add([BEES, ANTS, WHALES])
    assert {path.name for path in (library.folder / "keyword").iterdir()} == before
    assert reopened(library, embedder).search("AntWalk")[0].paper == ANTS


def test_a_changed_record_is_found_by_its_new_words(library):
    library.add([replace(WHALES, venue="Oceanography")])
    assert set(library._words.current().coverage("oceanography")) == {WHALES.id}
    library.edit(WHALES.id, venue="Zoology")
    assert not library._words.current().coverage("oceanography")
    assert set(library._words.current().coverage("zoology")) == {WHALES.id}


def test_what_a_killed_writer_left_is_indexed_by_the_next_reader(library, embedder):
    """As after `kill -9` right after the papers were put in force: the index was not written."""
    wolves = Paper.of("Wolves howl on WolfHill.", source="w#1")
    with writing(library.folder):
        work = Writing(library.folder, library._in_force)
        Adding(work, embedder).take([wolves, replace(WHALES, venue="Oceanography")])
        work.commit()
    library = reopened(library, embedder)
    with writing(library.folder):  # another writes: in memory alone
        assert library.search("WolfHill")[0].paper == wolves
    library = reopened(library, embedder)
    met = library._words.current().coverage("WolfHill oceanography")
    assert set(met) == {wolves.id, WHALES.id}
    saved, *state = KeywordIndex.latest(library.folder / "keyword")
    assert tuple(state) == (library.revision, len(library))
    assert len(saved) == len(library)


def test_any_number_of_vectors_can_be_asked_for(library):
    ids = [paper.id for paper in library.papers()]
    many = [*ids, *(f"none-{n}" for n in range(40_000))]  # SQLite takes 32,766 at once
    assert set(library._chroma._embeddings(library._chroma._papers, many)) == set(ids)
