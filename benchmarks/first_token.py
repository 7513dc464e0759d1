"""Time to the sources and to the first token, against stuffing five abstracts into the prompt.

    python -m benchmarks.first_token --library DIR GOLD.jsonl [-n 10] [--model M]

Both ways use the same model in the same run, question by question in turn, so that the ratio holds
when the machine's speed drifts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from assistant import prompting
from assistant.desk import Assistant
from assistant.gold import read_gold
from assistant.llm import ChatModel
from assistant.settings import load
from assistant.types import Cancellation, DraftGrew, Evidence, EvidenceFound
from assistant.wiring import open_assistant


def ours(assistant: Assistant, question: str) -> tuple[float, float] | None:
    """Seconds to the sources and to the first token; None when the question was refused."""
    start = time.perf_counter()
    sources = 0.0
    for event in assistant.ask(question):
        if isinstance(event, EvidenceFound):
            sources = time.perf_counter() - start
        elif isinstance(event, DraftGrew):
            return sources, time.perf_counter() - start
    return None


def stuffed(assistant: Assistant, model: ChatModel, question: str) -> float:
    """Seconds to the first token with the five best abstracts whole in the prompt."""
    start = time.perf_counter()
    evidence = [
        Evidence(hit.rank, hit.paper, tuple(sorted(hit.sentences, key=lambda s: s.start)), 1.0)
        for hit in assistant.search(question, 5)
    ]
    prompt = prompting.build("answer", question, evidence)
    next(model.stream(prompt, max_tokens=1, cancel=Cancellation()), "")
    return time.perf_counter() - start


def main() -> None:
    """Print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--model", default="")
    parser.add_argument("-n", type=int, default=10)
    arguments = parser.parse_args()
    assistant = open_assistant(load(library=arguments.library, model=arguments.model))
    model = assistant.slot.model
    assert model, "a model is needed"
    questions = [g.question for g in read_gold(arguments.gold) if g.type == "factual"]
    stuffed(assistant, model, questions[-1])  # warm: everything is loaded
    rows = []
    for question in questions[:: max(1, len(questions) // arguments.n)]:  # from all over the file
        if found := ours(assistant, question):
            rows.append((*found, stuffed(assistant, model, question)))
    ratios = sorted(first / other for _, first, other in rows)
    print(f"questions {len(rows)}")
    print(
        f"sources on screen   median {statistics.median(r[0] for r in rows):.3f} s, "
        f"most {max(r[0] for r in rows):.3f} s"
    )
    print(f"first token, ours   median {statistics.median(r[1] for r in rows):.2f} s")
    print(f"first token, stuffed median {statistics.median(r[2] for r in rows):.2f} s")
    print(f"ratio median {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})")


if __name__ == "__main__":
    main()
