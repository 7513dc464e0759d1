"""Whether `add` survives `kill -9` and a full disk: nothing lost, doubled or encoded twice.

``python -m benchmarks.crash PAPERS.jsonl.gz [--papers 5000] [--kills 25]``; the full disk needs the
right to mount a tmpfs. The encoder is a fake (hashed words) that takes its time and writes down
what it encoded: what is tried here is everything around it, with a real process, Chroma and files.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.finished import Log, faults
from store.connectors import read_source
from store.embedding import Document, DocumentVectors, Vectors
from store.library import open_library
from store.types import Paper

_WIDTH = 384


class FakeEncoder:
    """A bag of hashed words that writes down what it encoded, as soon as it has."""

    fingerprint = f"hashed-words/{_WIDTH}"
    dimension = _WIDTH

    def __init__(self, log: Log | None = None, seconds: float = 0.0) -> None:
        self._log = log
        self._seconds = seconds

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape ``(len(texts), 384)``."""
        found = np.zeros((len(texts), _WIDTH), np.float32)
        for row, text in zip(found, texts, strict=True):
            row[0] = 0.01
            for word in re.findall(r"\w+", text.lower()):
                row[crc32(word.encode("utf-8", "replace")) % _WIDTH] += 1
        unit: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit

    def encode_documents(self, documents: Sequence[Document]) -> list[DocumentVectors]:
        """Each text whole and by its spans."""
        time.sleep(self._seconds)
        found = [
            DocumentVectors(
                self.encode([one.text])[0],
                self.encode([one.text[start:end] for start, end in one.spans]),
            )
            for one in documents
        ]
        if self._log:
            self._log.encoded(one.text for one in documents)
        return found


def read(path: Path, count: int) -> list[Paper]:
    """The first papers of a file."""
    found: list[Paper] = []
    for record in read_source(str(path)):
        if isinstance(record, Paper) and len(found) < count:
            found.append(record)
        elif len(found) == count:
            break
    return found


def add(folder: Path, log: Path, papers: Path, count: int, seconds: float) -> None:
    """What the process does that is killed."""
    records, own = read(papers, count), Log(log)
    print("begins", flush=True)
    library = open_library(folder, FakeEncoder(own, seconds), create=True, wait=print)
    library.add(records, progress=own.done)
    library.close()


class Runs:
    """Adds the papers of a file to a library, again and again, in processes that may be killed."""

    def __init__(self, folder: Path, papers: Path, count: int, seconds: float) -> None:
        self.library, self.log = folder / "library", folder / "log"
        self.records = read(papers, count)
        self._words = [str(self.library), str(self.log), str(papers), str(count), str(seconds)]

    def start(self) -> subprocess.Popen[str]:
        """A process that is just about to open the library."""
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.crash", "--add", *self._words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout
        process.stdout.readline()
        Log(self.log).begins()
        return process

    def killed(self, after: float) -> bool:
        """Whether the process was still at work that many seconds later, and was killed."""
        with self.start() as process:
            try:
                process.wait(after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.communicate()
        Log(self.log).ends(self.library, self.records)
        return process.returncode == -signal.SIGKILL

    def whole(self) -> tuple[int, str]:
        """Run to the end: the exit status, and the last line that it said."""
        with self.start() as process:
            said = process.communicate()[1].strip().splitlines()
        Log(self.log).ends(self.library, self.records)
        return process.returncode, said[-1] if said else ""

    def faults(self, expected: set[str]) -> list[str]:
        """What is wrong with the library that came out; nothing should be."""
        library = open_library(self.library, FakeEncoder())
        try:
            return faults(library, expected, Log(self.log))
        finally:
            library.close()


def expected(records: Sequence[Paper]) -> set[str]:
    """The ids of the papers that a library holds which was never disturbed."""
    with tempfile.TemporaryDirectory() as name:
        library = open_library(Path(name) / "library", FakeEncoder(), create=True)
        library.add(records)
        found = {paper.id for paper in library.papers()}
        library.close()
    return found


def kills(papers: Path, count: int, wanted: int, seconds: float, within: float) -> list[str]:
    """Kill ``wanted`` times, each up to ``within`` seconds after the start; faults found."""
    done, number, found, ids = 0, 0, list[str](), set[str]()
    while done < wanted:
        number += 1
        with tempfile.TemporaryDirectory() as name:
            runs = Runs(Path(name), papers, count, seconds)
            ids = ids or expected(runs.records)
            here = 0
            while done + here < wanted and runs.killed(random.uniform(0, within)):
                here += 1
            status, said = runs.whole()
            own = [said] * bool(status) + runs.faults(ids)
            again = Log(runs.log).count()
            print(f"library {number}: {here} kills, {again} encoded, {own or 'no fault'}")
            done += here
            found += own
    return found


def full(papers: Path, count: int, megabytes: int, seconds: float) -> list[str]:
    """Fill a small disk, give it more room, add again; faults found."""
    with tempfile.TemporaryDirectory() as name:
        mount = ["mount", "-t", "tmpfs", "-o"]
        subprocess.run([*mount, f"size={megabytes}m", "tmpfs", name], check=True)
        try:
            runs = Runs(Path(name), papers, count, seconds)
            runs.log = Path(f"{name}.log")
            runs._words[1] = str(runs.log)
            status, said = runs.whole()
            print(f"full at {megabytes} MB: exit {status}, {Log(runs.log).count()} encoded: {said}")
            subprocess.run([*mount, "remount,size=2g", "tmpfs", name], check=True)
            again, what = runs.whole()
            found = [what] * bool(again) + runs.faults(expected(runs.records))
            print(f"with room again: {Log(runs.log).count()} encoded, {found or 'no fault'}")
            runs.log.unlink()
        finally:
            subprocess.run(["umount", "-l", name], check=True)
    return found + ["the disk was not filled"] * (not status)


def main() -> None:
    """Both trials; exit status 1 when a fault is found."""
    options = argparse.ArgumentParser()
    options.add_argument("file", type=Path)
    options.add_argument("--papers", type=int, default=5000)
    options.add_argument("--kills", type=int, default=25)
    options.add_argument("--seconds", type=float, default=0.1, help="of a batch")
    options.add_argument("--within", type=float, default=8.0, help="seconds until a kill")
    options.add_argument("--disk", type=int, nargs="*", default=[], help="sizes in MB")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    random.seed(given.seed)
    found = kills(given.file, given.papers, given.kills, given.seconds, given.within)
    for size in given.disk:
        found += full(given.file, given.papers, size, given.seconds)
    print(f"{len(found)} faults")
    sys.exit(bool(found))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--add"]:
        library, log, file, count, seconds = sys.argv[2:]
        add(Path(library), Path(log), Path(file), int(count), float(seconds))
    else:
        main()
