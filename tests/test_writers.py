"""Several processes on one library: one writes, the others wait, are told, or read on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from store.adding import BATCH
from store.errors import LibraryBusyError
from store.library import open_library
from store.locking import Owner, owner, writing
from store.types import Paper
from tests.adder import SlowEmbedder, many
from tests.conftest import BEES


def adder(*words: object) -> subprocess.Popen[str]:
    """The process of ``tests.adder``, once it has the library open."""
    command = [sys.executable, "-m", "tests.adder", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "begins\n"
    return process


def first_batch(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    assert process.stdout.readline() == f"{BATCH}\n"


def test_a_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    with adder(tmp_path / "l", 4 * BATCH, 0.3) as process:
        first_batch(process)
        library = open_library(tmp_path / "l", SlowEmbedder())
        with pytest.raises(LibraryBusyError, match=rf"adder.*process {process.pid}, since 20"):
            library.add([BEES])
        process.communicate()
    library.close()
    assert process.returncode == 0


def test_a_second_writer_waits_and_nothing_is_lost(tmp_path: Path) -> None:
    told: list[str] = []
    with adder(tmp_path / "l", 4 * BATCH, 0.3) as process:
        first_batch(process)
        library = open_library(tmp_path / "l", SlowEmbedder(), wait=told.append)
        report = library.add([BEES])
        assert process.wait() == 0
    assert len(told) == 1
    assert str(process.pid) in told[0]
    assert (report.added, report.papers) == (1, 4 * BATCH + 1)
    assert {paper.id for paper in library.papers()} == {p.id for p in (BEES, *many(4 * BATCH))}
    library.close()


def test_a_reader_during_a_write_never_sees_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "l"
    writer = open_library(folder, SlowEmbedder(), create=True)
    writer.add([BEES])
    writer.close()
    reader = open_library(folder, SlowEmbedder())
    sizes: set[int] = set()
    with adder(folder, 3 * BATCH, 0.2) as first:
        while first.poll() is None:
            sizes.add(look(reader))
            fresh = open_library(folder, SlowEmbedder())
            sizes.add(look(fresh))
            fresh.close()
    assert first.returncode == 0
    assert sizes | {look(reader)} == {1, 3 * BATCH + 1}
    assert reader.search("flower100", 1)[0].paper.title == "Paper 100"
    reader.close()
    assert len(list(folder.glob("chroma-*"))) == 1


def look(library) -> int:
    """Everything that a reader does; returns how many papers it saw."""
    papers = library.papers()
    assert len(library.vectors([paper.id for paper in papers])) == len(papers)
    hits = library.search("bees that dance", 5, also=[papers[-1].id])
    assert all(hit.sentences for hit in hits)
    assert library.get(papers[-1].source) == papers[-1]
    return len(papers)


def test_a_reader_survives_many_small_changes(tmp_path: Path) -> None:
    writer = open_library(tmp_path / "l", SlowEmbedder(), create=True)
    reader = open_library(tmp_path / "l", SlowEmbedder())
    for number in range(8):
        writer.add([Paper.of(f"Hive {number} hums.", source=f"h#{number}")])
        if number:
            writer.remove([f"h#{number - 1}"])
        assert look(reader) == 1
    reader.close()
    writer.close()


def test_a_dead_writer_blocks_nobody_and_is_not_named(tmp_path: Path) -> None:
    process = adder(tmp_path / "l", 4 * BATCH, 0.3)
    first_batch(process)
    assert owner(tmp_path / "l").pid == process.pid
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert (tmp_path / "l" / "library.owner").is_file()
    assert owner(tmp_path / "l") is None
    library = open_library(tmp_path / "l", SlowEmbedder())
    assert len(library) >= BATCH
    library.add([BEES])
    library.close()


def test_an_owner_is_known_by_more_than_its_number(tmp_path: Path) -> None:
    """The number of a dead process is soon another's."""
    with writing(tmp_path):
        path = tmp_path / "library.owner"
        data = json.loads(path.read_text())
        assert owner(tmp_path).pid == os.getpid()
        path.write_text(json.dumps(data | {"started": data["started"] - 100}))
        assert owner(tmp_path) is None
        path.write_text("{")
        assert owner(tmp_path) is None
        with pytest.raises(LibraryBusyError, match="Another process is writing"), writing(tmp_path):
            pass


def test_secrets_of_a_command_are_not_written_down(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/bin/citewell", "serve", "--auth", "ann:secret"])
    assert Owner.this().command == "citewell serve"
    monkeypatch.setattr(sys, "argv", ["/bin/citewell", "--auth=ann:secret"])
    assert Owner.this().command == "citewell"
