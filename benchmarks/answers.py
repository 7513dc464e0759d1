"""How well questions are answered: a gold file through the whole assistant.

    python -m benchmarks.answers --library DIR --out FILE GOLD.jsonl [--model M] [--types factual,…]

One JSON object a question goes to ``--out``; what stands there already is not asked again.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

from assistant.desk import Assistant
from assistant.settings import load
from assistant.types import Finished
from assistant.wiring import open_assistant
from benchmarks.data import Gold, gold, lines, mean


def asked(assistant: Assistant, item: Gold) -> dict[str, Any]:
    """One question, and what became of it."""
    *_, last = assistant.ask(item.question, after=item.turns[:-1])
    assert isinstance(last, Finished)
    answer = last.answer
    sources = {e.number: e.paper.source for e in answer.evidence}
    numbers = [n for s in answer.sentences for n in s.numbers]
    return {
        "id": item.id,
        "type": item.type,
        "status": answer.status.value,
        "text": answer.text,
        "cited": sorted({sources[n] for n in numbers if n in sources}),
        "outside": sum(n not in sources for n in numbers),
        "bare": sum(not s.citations for s in answer.sentences),
        "replaced": sum(bool(s.note) for s in answer.sentences),
        "in_evidence": bool(set(item.gold) & set(sources.values())),
        "evidence_holds": item.includes(
            " ".join(s.text for e in answer.evidence for s in e.sentences)
        ),
        "includes": item.includes(answer.text),
        "near_first": bool(answer.nearest) and answer.nearest[0].source in item.near,
        "total_s": answer.timings.total_s,
        "first_token_s": answer.timings.first_token_s,
        "evidence_s": answer.timings.evidence_s,
        "prompt_tokens": answer.timings.prompt_tokens,
    }


def report(rows: list[dict[str, Any]], items: dict[str, Gold]) -> None:
    """The figures of the issue: citations, refusals, what answers include, seconds."""
    print(f"citation numbers outside the evidence: {sum(r['outside'] for r in rows)}")
    print(f"sentences without a citation: {sum(r['bare'] for r in rows)}")
    for kind in sorted({row["type"] for row in rows}):
        own = [row for row in rows if row["type"] == kind]
        print(f"\n{kind} (n={len(own)})  {dict(Counter(row['status'] for row in own))}")
        print(f"  median seconds {statistics.median(row['total_s'] for row in own):.1f}")
        if kind == "unanswerable":
            print(f"  near paper first {mean([r['near_first'] for r in own]):.3f}")
            continue
        cited = [set(row["cited"]) for row in own]
        right = [set(items[row["id"]].gold) for row in own]
        fine = [g | set(items[r["id"]].optional) for g, r in zip(right, own, strict=True)]
        print(f"  gold in evidence  {mean([r['in_evidence'] for r in own]):.3f}")
        print(f"  evidence holds it {mean([r['evidence_holds'] for r in own]):.3f}")
        hit = [bool(c & g) for c, g in zip(cited, right, strict=True)]
        print(f"  gold cited        {mean(hit):.3f}")
        shares = [len(c & f) / len(c) for c, f in zip(cited, fine, strict=True) if c]
        print(f"  cited are gold    {mean(shares):.3f}")
        print(f"  must_include      {mean([r['includes'] for r in own]):.3f}")
        print(f"  quoted instead    {sum(r['replaced'] for r in own)}")


def main() -> None:
    """Ask what is not answered yet, then report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", default="")
    parser.add_argument("--types", default="factual,unanswerable,compare,followup")
    arguments = parser.parse_args()
    items = {item.id: item for item in gold(arguments.gold)}
    rows = list(lines(arguments.out)) if arguments.out.is_file() else []
    done = {row["id"] for row in rows}
    assistant = open_assistant(load(library=arguments.library, model=arguments.model))
    with arguments.out.open("a", encoding="utf-8") as file:
        for item in items.values():
            if item.id not in done and item.type in arguments.types.split(","):
                rows.append(asked(assistant, item))
                file.write(json.dumps(rows[-1], ensure_ascii=False) + "\n")
                file.flush()
    report(rows, items)


if __name__ == "__main__":
    main()
