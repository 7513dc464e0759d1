"""How many claims that the library bears out are still judged supported when they are turned round.

    python -m benchmarks.negation --library DIR GOLD.jsonl [--count N] [--show]

The claims are those of the gold file that are labelled SUPPORT, and sentences of its hand-made
answers. Each is judged as it stands; those judged supported are judged again with a "not" put in
or taken out, behind "It is not true that", and with one word made its opposite.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from assistant.citing import draft_sentences
from assistant.desk import Assistant
from assistant.settings import load
from assistant.types import Cancellation, ClaimFinished, ClaimVerdict
from assistant.wiring import open_assistant
from benchmarks.alterations import contrary, negated
from benchmarks.data import lines

_SEED = 11


def denied(claim: str) -> Iterator[str]:
    """The claim as a whole denied."""
    if not NEGATION.search(claim):
        first = claim[0].lower() if claim[1:2].islower() else claim[0]
        yield f"It is not true that {first}{claim[1:]}"


NEGATION = re.compile(r"\b(?:not|never|no|cannot|without)\b", re.IGNORECASE)
_KINDS = {"negated": negated, "denied": denied, "contrary": contrary}


def claims(gold: Path) -> Iterator[str]:
    """Claims that a paper of the library bears out; an answer of several papers says it of none."""
    for item in lines(gold):
        if item["type"] == "claim" and item.get("label") == "SUPPORT":
            yield item["question"]
        elif item["type"] == "factual" and len(item["gold"]) == 1:
            yield from draft_sentences(item["answer"])


def verdict(claim: str, assistant: Assistant) -> ClaimVerdict:
    """What the whole library says to a claim."""
    for event in assistant.support(claim, cancel=Cancellation()):
        if isinstance(event, ClaimFinished):
            return event.report.verdict
    raise AssertionError("the last event is missing")


def main() -> None:
    """Judge the claims, then those that hold turned round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--model", default="")
    parser.add_argument("--count", type=int, default=0, help="at most so many claims")
    parser.add_argument("--show", action="store_true", help="print those that still hold")
    arguments = parser.parse_args()
    rng = random.Random(_SEED)
    wanted = list(claims(arguments.gold))
    rng.shuffle(wanted)
    wanted = wanted[: arguments.count or None]
    assistant = open_assistant(load(library=arguments.library, model=arguments.model))
    supported = [c for c in wanted if verdict(c, assistant) is ClaimVerdict.SUPPORTED]
    denying = [claim for claim in wanted if NEGATION.search(claim)]
    held = sum(claim in supported for claim in denying)
    print(f"{len(wanted)} claims, {len(supported)} judged supported;", end=" ", flush=True)
    print(f"of {len(denying)} that deny something {held}", flush=True)
    found: dict[str, Counter[ClaimVerdict]] = defaultdict(Counter)
    for claim in supported:
        for kind, turn in _KINDS.items():
            if ways := list(turn(claim)):
                turned = rng.choice(ways)
                judged = verdict(turned, assistant)
                found[kind][judged] += 1
                if arguments.show and judged is ClaimVerdict.SUPPORTED:
                    print(f"  {kind}: {turned}", flush=True)
    for kind, counts in found.items():
        total = counts.total()
        told = ", ".join(f"{name} {count / total:.3f}" for name, count in counts.most_common())
        print(f"{kind} ({total}): {told}")
    assistant.close()


if __name__ == "__main__":
    main()
