"""nDCG@10 of the hybrid ranking on test collections with graded judgements.

    python -m benchmarks.ranking ../shared/retrieval/cranfield [...] [--encoder NAME]

A collection is a folder with ``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv``. SciFact, whose
files have other names, is known as ``scifact``.
"""

from __future__ import annotations

import argparse
import csv
import math
import tempfile
from collections import defaultdict
from pathlib import Path

from assistant.settings import load
from assistant.wiring import open_library
from benchmarks.data import lines, mean
from store.library import Library
from store.types import Paper


def corpus(folder: Path) -> list[Paper]:
    """The documents of a collection; the source carries the id.

    A document that is a title and nothing else is that title, once.
    """
    return [
        Paper.of(
            item["text"] or item["title"] or "-",
            title=item["title"] if item["text"] else "",
            source=str(item["_id"]),
        )
        for item in lines(folder / "corpus.jsonl")
    ]


def queries(folder: Path) -> dict[str, str]:
    """Query texts by id."""
    if (folder / "claims_train.jsonl").is_file():
        return {str(item["id"]): item["claim"] for item in lines(folder / "claims_train.jsonl")}
    return {str(item["_id"]): item["text"] for item in lines(folder / "queries.jsonl")}


def judgements(folder: Path) -> dict[str, dict[str, float]]:
    """Grades by query and document."""
    (path,) = folder.glob("qrels*.tsv")
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    with path.open(encoding="utf-8") as file:
        for query, document, grade in list(csv.reader(file, delimiter="\t"))[1:]:
            grades[query][document] = float(grade)
    return grades


def ndcg(found: list[str], grades: dict[str, float], depth: int = 10) -> float:
    """Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002)."""

    def gain(values: list[float]) -> float:
        return sum(value / math.log2(place + 2) for place, value in enumerate(values[:depth]))

    ideal = gain(sorted(grades.values(), reverse=True))
    return gain([grades.get(name, 0.0) for name in found]) / ideal if ideal else 0.0


def scored(library: Library, folder: Path) -> float:
    """Mean nDCG@10 over the judged queries of a collection."""
    grades = judgements(folder)
    texts = queries(folder)
    return mean(
        [
            ndcg([hit.paper.source for hit in library.search(texts[q])], of_query)
            for q, of_query in grades.items()
            if q in texts
        ]
    )


def main() -> None:
    """Print a line a collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--encoder", default=None)
    parser.add_argument("--keep", type=Path, help="folder for the libraries, to use them again")
    arguments = parser.parse_args()
    base = arguments.keep or Path(tempfile.mkdtemp())
    for folder in arguments.folders:
        settings = load(library=base / folder.name, encoder=arguments.encoder)
        library = open_library(settings, create=True)
        library.add(corpus(folder))
        print(f"{folder.name:10} nDCG@10 {scored(library, folder):.4f}", flush=True)
        library.close()


if __name__ == "__main__":
    main()
