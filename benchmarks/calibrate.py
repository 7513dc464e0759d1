"""Thresholds of a model: when its Yes is enough to answer, and what abstaining costs.

    python -m benchmarks.calibrate --library DIR --readings FILE [--model M] [--plot SVG] GOLD.jsonl

Every factual and unanswerable question of a gold file has all its candidates read; the logits go to
``--readings``, and what stands there is not read again. Then each threshold is tried on them: what
the reader would choose, whether it is right, and how much was read. The line to put into
``assistant/calibration.py`` is printed; ``--plot`` draws risk against coverage: of the questions
answered, how many from a wrong paper.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from assistant import reading
from assistant.answering import Limits
from assistant.calibration import Thresholds
from assistant.desk import Assistant
from assistant.gold import Gold, read_gold
from assistant.reading import Reading, choose
from assistant.retrieval import candidates
from assistant.settings import load
from assistant.types import Cancellation, Evidence
from assistant.wiring import open_assistant
from store.types import Paper

_ALL = Thresholds(answer=-np.inf, late=-np.inf, hope=np.inf, sure=np.inf)  # read every candidate
_STEPS = [step / 10 for step in range(-5, 16)]
_LATE = 0.0
_MARGIN = 0.05  # refusing more of the answerable than this is too dear


class Read(BaseModel):
    """The candidates of a question: score, logit of Yes over No, and whether it is a right one."""

    id: str
    answerable: bool
    papers: list[tuple[float, float, bool]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What thresholds lead to: shares of questions, and papers read for each."""

    answered_right: float
    answerable_refused: float
    unanswerable_refused: float
    risk: float
    coverage: float
    papers: float


def read_all(assistant: Assistant, gold: Gold) -> Read:
    """Put a question to all its candidates."""
    model = assistant.slot.model
    assert model is not None
    hits = assistant.search(gold.question)
    budget = Limits().evidence_tokens
    found = candidates(gold.question, hits, budget=budget, count_tokens=model.count_tokens)
    readings = reading.read(gold.question, found, model, _ALL, several=False, cancel=Cancellation())
    papers = [(r.item.score, r.yes, r.item.paper.source in gold.gold) for r in readings]
    return Read(id=gold.id, answerable=bool(gold.gold), papers=papers)


def outcome(reads: Sequence[Read], limits: Thresholds) -> Outcome:
    """Choose as the assistant would, from the logits that are known."""
    right: list[bool | None] = []
    seen = 0
    for read in reads:
        gone_through = list(_until_sure(read, limits))
        seen += len(gone_through)
        chosen = choose(gone_through, limits, most=1)
        right.append(read.papers[chosen[0].number - 1][2] if chosen else None)
    able = [r for r, read in zip(right, reads, strict=True) if read.answerable]
    unable = [r for r, read in zip(right, reads, strict=True) if not read.answerable]
    answered = [r for r in right if r is not None]
    return Outcome(
        answered_right=_share(able, True),
        answerable_refused=_share(able, None),
        unanswerable_refused=_share(unable, None),
        risk=_share(answered, False),
        coverage=len(answered) / len(reads),
        papers=seen / len(reads),
    )


def _share(values: Sequence[bool | None], wanted: bool | None) -> float:
    return sum(value is wanted for value in values) / len(values) if values else 0.0


def _until_sure(read: Read, limits: Thresholds) -> Iterator[Reading]:
    """The candidates that would have been read."""
    hope = False
    for number, (score, yes, _) in enumerate(read.papers, start=1):
        if number > reading.FIRST and hope:
            return
        yield Reading(Evidence(number, Paper.of("-"), (), score), yes)
        if yes >= limits.sure:
            return
        hope |= yes >= limits.hope


def best(reads: Sequence[Read]) -> Thresholds:
    """Refuse as many of the unanswerable as can be without refusing too many others.

    Between neighbouring logits the threshold stands in the middle, so that it is no nearer to the
    questions that it was chosen on than it must be; so does the one for late papers. The others are
    chosen after them, in steps of a tenth, by how many questions are answered from a right paper.
    Of equals the more cautious one is taken.
    """
    tops = {max(yes for _, yes, _ in read.papers) for read in reads if read.papers}
    lates = {yes for read in reads for _, yes, _ in read.papers[reading.FIRST :]}

    def worth(answer: float) -> tuple[float, float]:
        found = outcome(reads, Thresholds(answer, late=_LATE, hope=0.0, sure=np.inf))
        dear = max(0.0, found.answerable_refused - _MARGIN)
        return round(found.unanswerable_refused - dear, 3), -answer

    answer = max(_middles(tops), key=worth)

    def right(late: float, hope: float, sure: float) -> tuple[float, float]:
        found = outcome(reads, Thresholds(answer, late, hope, sure))
        return round(found.answered_right + found.unanswerable_refused, 3), -found.papers

    late = max(_middles(lates), key=lambda late: (right(late, 0.0, np.inf), late))
    hope = max(_STEPS, key=lambda hope: right(late, hope, np.inf))
    sure = max(_STEPS, key=lambda sure: right(late, hope, sure))
    return Thresholds(answer, late, hope, sure)


def _middles(logits: set[float]) -> list[float]:
    return [round((below + above) / 2, 2) for below, above in pairwise(sorted(logits))]


def plot(reads: Sequence[Read], limits: Thresholds, path: Path, model: str) -> None:
    """Risk against coverage over all thresholds, with the chosen one marked."""
    from matplotlib import pyplot

    steps = np.linspace(-4, 2, 121)
    curve = [
        outcome(reads, Thresholds(a, max(a, limits.late), limits.hope, limits.sure)) for a in steps
    ]
    here = outcome(reads, limits)
    figure, axes = pyplot.subplots(figsize=(6, 3.6))
    axes.step([o.coverage for o in curve], [o.risk for o in curve], color="#1f5f8b")
    axes.plot(here.coverage, here.risk, "o", color="#b3402a", label=f"answer ≥ {limits.answer}")
    axes.set_xlabel("coverage: share of the questions answered")
    axes.set_ylabel("risk: share of those\nanswered from a wrong paper")
    axes.set_title(f"{model}, {len(reads)} questions, a fifth of them without an answer")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


def main() -> None:
    """Read what is not read yet, then choose."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--readings", type=Path, required=True)
    parser.add_argument("--model", default="")
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    lines = arguments.readings.read_text().splitlines() if arguments.readings.exists() else []
    reads = [Read.model_validate_json(line) for line in lines]
    done = {read.id for read in reads}
    assistant = open_assistant(load(library=arguments.library, model=arguments.model))
    with arguments.readings.open("a", encoding="utf-8") as file:
        for gold in read_gold(arguments.gold):
            if gold.type in {"factual", "unanswerable"} and gold.id not in done:
                reads.append(read_all(assistant, gold))
                file.write(reads[-1].model_dump_json() + "\n")
                file.flush()
    limits = best(reads)
    print(limits, outcome(reads, limits), sep="\n")
    if arguments.plot and assistant.slot.model:
        plot(reads, limits, arguments.plot, assistant.slot.model.name)
    assistant.close()


if __name__ == "__main__":
    main()
