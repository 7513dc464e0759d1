"""`kill -9` while papers are added; benchmarks/crash.py does the same with thousands of papers."""

from __future__ import annotations

import json
import random
from pathlib import Path

from benchmarks.crash import Runs, expected, kills
from benchmarks.finished import Log


def papers_in(folder: Path, count: int) -> Path:
    path = folder / "papers.jsonl"
    rows = ({"title": f"Bee {n}", "abstract": f"Hive {n} hums. So it is."} for n in range(count))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_killed_runs_lose_nothing_and_encode_nothing_finished_twice(tmp_path: Path) -> None:
    random.seed(3)
    assert kills(papers_in(tmp_path, 300), 300, 2, seconds=0.3, within=2.5) == []


def test_the_trial_sees_what_is_lost_and_encoded_twice(tmp_path: Path) -> None:
    runs = Runs(tmp_path, papers_in(tmp_path, 70), 70, 0.0)
    assert runs.whole() == (0, "")
    ids = expected(runs.records)
    assert runs.faults(ids) == []
    assert runs.faults({*ids, "other"}) == ["1 papers missing"]
    log = Log(runs.log)
    log.encoded([f"{runs.records[0].title}. {runs.records[0].abstract}"])
    assert log.twice() == 1
