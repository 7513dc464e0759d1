"""How well papers are found: the gold questions of a library, by ``citewell search`` alone.

python -m benchmarks.search --library DIR GOLD.jsonl
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from pathlib import Path

from assistant.settings import load
from assistant.wiring import open_library
from benchmarks.data import gold, mean


def main() -> None:
    """Print recall by type of question and the time of a search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    arguments = parser.parse_args()
    library = open_library(load(library=arguments.library))
    scores: dict[str, list[float]] = defaultdict(list)
    seconds = []
    for item in gold(arguments.gold):
        start = time.perf_counter()
        found = [hit.paper.source for hit in library.search(item.question, 10)]
        seconds.append(time.perf_counter() - start)
        if not item.gold:
            continue
        for depth in (1, 5, 10):
            right = sum(name in found[:depth] for name in item.gold)
            scores[f"{item.type:10} first {depth:2}"].append(right / min(depth, len(item.gold)))
    for name, values in sorted(scores.items()):
        print(f"{name}  {mean(values):.3f}  (n={len(values)})")
    print(f"median seconds a search {statistics.median(seconds):.3f}")


if __name__ == "__main__":
    main()
