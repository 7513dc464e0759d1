"""How many altered sentences the verifier catches, and how many true ones it fails.

    python -m benchmarks.attacks --library DIR GOLD.jsonl [--show KIND] [--no-meaning]
    python -m benchmarks.attacks --scifact FOLDER

Altered and true sentences are made by program from the abstracts of a library and from the
hand-made answers of a gold file, with a fixed seed. They are tied and verified as a draft would be,
against the paper whole. Half of them, by hash, are held out: ``--show`` never prints those.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from assistant.citing import content_words, draft_sentences, sources_of, tie
from assistant.naming import aliases, names
from assistant.settings import load
from assistant.types import Evidence, Verdict
from assistant.verifying import Check, Similarity, verify
from assistant.wiring import open_library
from benchmarks import alterations, misplacements
from benchmarks.data import lines
from store.chunking import sentences
from store.labels import introduced
from store.library import Library
from store.plaintext import plain
from store.types import Paper, ScoredSentence

_SEED = 7
_DEFAULT_QUESTION = "What do the authors show?"


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with its evidence. ``true`` sentences should pass; ``held_out`` are not shown."""

    kind: str
    sentence: str
    question: str
    evidence: tuple[Evidence, ...]
    true: bool
    held_out: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """A true sentence, the papers it is of, and what it answers."""

    sentence: str
    question: str
    evidence: tuple[Evidence, ...]
    papers: tuple[Paper, ...]
    held_out: bool


def whole(number: int, paper: Paper) -> Evidence:
    """All sentences of a paper as evidence."""
    abstract = paper.abstract
    spans = sentences(abstract)
    return Evidence(
        number, paper, tuple(ScoredSentence(abstract[a:b], a, b, 0) for a, b in spans), 0
    )


def evidence_of(papers: Sequence[Paper]) -> tuple[Evidence, ...]:
    """The papers whole: what a draft is written from, and held against."""
    return tuple(whole(number, paper) for number, paper in enumerate(papers, 1))


def in_other_half(name: str) -> bool:
    """Whether a paper or question is held out."""
    return sha256(name.encode()).digest()[0] % 2 == 1


def from_abstracts(library: Library, rng: random.Random, per_paper: int = 2) -> list[Origin]:
    """Some sentences of every abstract, the telling ones first."""
    found = []
    for paper in library.papers():
        spans = [paper.abstract[a:b] for a, b in sentences(paper.abstract)]
        spans = [text for text in spans if 60 < len(text) < 400]
        rng.shuffle(spans)
        spans.sort(key=lambda text: -bool(re.search(r"\d|[a-z][A-Z]", text)))
        for text in spans[:per_paper]:
            evidence = evidence_of([paper])
            out = in_other_half(paper.id)
            found.append(Origin(text, _DEFAULT_QUESTION, evidence, (paper,), out))
    return found


def from_answers(gold: Path, library: Library) -> list[Origin]:
    """The sentences of the hand-made answers that papers settle."""
    found = []
    for item in lines(gold):
        if item["type"] == "unanswerable" or item.get("label") == "NOINFO" or not item["gold"]:
            continue
        papers = [library.get(name) for name in item["gold"]]
        evidence = evidence_of(papers)
        answer = re.sub(r"^(?:Supported|Contradicted): ", "", item["answer"])
        question = " ".join((*item.get("turns", [])[:-1], item["question"]))
        for sentence in draft_sentences(answer):
            out = in_other_half(item["id"])
            found.append(Origin(sentence, question, evidence, tuple(papers), out))
    return found


def true_cases(origins: Sequence[Origin], kind: str) -> Iterator[Case]:
    """The sentences as they stand."""
    for o in origins:
        yield Case(kind, o.sentence, o.question, o.evidence, true=True, held_out=o.held_out)


def retold_cases(origins: Sequence[Origin]) -> Iterator[Case]:
    """Fair paraphrases made by program."""
    for o in origins:
        known = aliases(" ".join(paper.abstract for paper in o.papers))
        ways = list(alterations.retold(o.sentence))
        for long, short in known.items():
            if re.search(rf"\b{re.escape(short)}\b", o.sentence) and long not in o.sentence.lower():
                ways.append(re.sub(rf"\b{re.escape(short)}\b", long, o.sentence))
        for way in ways:
            yield Case("retold", way, o.question, o.evidence, true=True, held_out=o.held_out)


def altered_cases(origins: Sequence[Origin], rng: random.Random) -> Iterator[Case]:
    """At most two alterations of each kind from a sentence."""
    everyone = sorted({_system(p) for o in origins for p in o.papers} - {""})
    for o in origins:
        abstracts = plain(" ".join(e.paper.abstract for e in o.evidence))
        named = sorted(names(o.sentence))
        unknown = [name for name in everyone if name not in abstracts]
        kinds = {
            "number": list(alterations.other_number(o.sentence, rng)),
            "direction": list(alterations.contrary(o.sentence)),
            "negation": list(alterations.negated(o.sentence)),
            "name": [
                way for n in named for way in alterations.other_name(o.sentence, n, unknown, rng)
            ],
            "same abstract": list(_of_another_in_it(o, rng)),
        }
        for kind, ways in kinds.items():
            for way in rng.sample(ways, min(2, len(ways))):
                yield Case(kind, way, o.question, o.evidence, true=False, held_out=o.held_out)


def misplaced_cases(origins: Sequence[Origin], rng: random.Random) -> Iterator[Case]:
    """What the abstract has, given to another thing in it; and conditions that it does not have."""
    papers = {paper.id: paper for o in origins for paper in o.papers}
    phrases = {n: misplacements.conditions(plain(paper.abstract)) for n, paper in papers.items()}
    for o in origins:
        text = plain(o.sentence)
        abstracts = " ".join(plain(paper.abstract) for paper in o.papers)
        held = content_words(f"{abstracts} {o.question}")
        foreign = [phrase for ways in phrases.values() for phrase in ways]
        foreign = [phrase for phrase in foreign if not content_words(phrase) & held]
        ways = {
            "numbers swapped": misplacements.numbers_swapped(text),
            "another's number": misplacements.number_of_another(text, abstracts, rng),
            "names swapped": misplacements.names_swapped(text, sorted(names(text))),
            "foreign condition": misplacements.with_condition(text, foreign, rng),
        }
        for kind, found in ways.items():
            every = list(found)
            few = int(rng.random() < 0.2) if kind == "foreign condition" else 2
            for way in rng.sample(every, min(few, len(every))):
                yield Case(kind, way, o.question, o.evidence, true=False, held_out=o.held_out)
        for question, match in list(misplacements.asked_for(text))[:1]:
            others = misplacements.number_of_another(text, abstracts, rng)
            for way in others:
                if way[: match.start(1)] == text[: match.start(1)]:
                    yield Case(
                        "in the question's words", way, question, o.evidence, False, o.held_out
                    )
                    break


def told_otherwise_cases(origins: Sequence[Origin]) -> Iterator[Case]:
    """True sentences with their denials in other words, or their clauses in another order."""
    for o in origins:
        for kind, make in (
            ("denials retold", misplacements.denials_retold),
            ("reordered", misplacements.reordered),
        ):
            for way in make(plain(o.sentence)):
                yield Case(kind, way, o.question, o.evidence, true=True, held_out=o.held_out)


_SELF = re.compile(r"^(?:[A-Z][a-z]+, )?(?:[Ww]e|[Oo]ur \w+|[Ii]t|[Tt]his \w+|[Tt]he \w+ method)\b")
_TOLD = re.compile(r"^(?:the authors|we) (?:also )?(?:show|find|prove|demonstrate) that ", re.I)


def _system(paper: Paper) -> str:
    """The one-word name of what a paper introduces, or ""."""
    named = introduced(plain(paper.abstract))
    inner = re.search(r"\(([\w-]+)\)$", named)
    name = inner.group(1) if inner else named
    return name if name in names(name) else ""


def _said_of(sentence: str, own: str, other: str) -> str:
    """The sentence told of another system, or "" where that cannot be done by program."""
    if (
        own
        and own != other
        and (places := re.search(rf"(?<![\w-]){re.escape(own)}(?![\w-])", sentence))
    ):
        return (
            sentence[: places.start()] + other + sentence[places.end() :]
            if places.start() < 60
            else ""
        )
    if _TOLD.search(sentence):
        return ""
    if (match := _SELF.search(sentence)) and re.match(r" [a-z]+s\b", sentence[match.end() :]):
        return other + sentence[match.end() :]
    return ""


def _of_another_in_it(o: Origin, rng: random.Random) -> Iterator[str]:
    """A finding told of a system that the same abstract names elsewhere."""
    for paper in o.papers:
        own = _system(paper)
        others = sorted(names(paper.abstract) - names(o.sentence) - {own})
        others = [n for n in others if n not in own and own not in n and len(n) > 3]
        if own and others and (way := _said_of(plain(o.sentence), own, rng.choice(others))):
            yield way


def swapped_cases(
    origins: Sequence[Origin], rng: random.Random, library: Library
) -> Iterator[Case]:
    """A finding of one paper told of the system of another, both papers being evidence."""
    papers = {paper: name for paper in library.papers() if (name := _system(paper))}
    for o in origins:
        near = [e.paper for e in o.evidence if e.paper in papers and e.paper not in o.papers]
        other = near[0] if near else rng.choice(sorted(papers, key=lambda p: p.id))
        own = _system(o.papers[0])
        if other in o.papers or papers[other] in plain(o.papers[0].abstract):
            continue
        evidence = (*o.evidence, whole(len(o.evidence) + 1, other))
        if way := _said_of(plain(o.sentence), own, papers[other]):
            yield Case("swapped paper", way, o.question, evidence, true=False, held_out=o.held_out)
        if not names(o.sentence):  # the sentence alone is true: what was asked makes it wrong
            question = f"What is known of {papers[other]}?"
            yield Case("asked of another", o.sentence, question, evidence, False, o.held_out)


def judged(case: Case, similarity: Similarity | None) -> Check:
    """Tie and verify, as ``answering`` does."""
    tied = tie(case.sentence, sources_of(case.evidence), content_words(case.question))
    return verify(case.sentence, tied, case.evidence, case.question, similarity)


def report(cases: Sequence[Case], similarity: Similarity | None, show: str) -> None:
    """Caught share of the altered and failed share of the true, in both halves."""
    wrong: dict[tuple[bool, str, bool], list[bool]] = defaultdict(list)
    unsure: list[bool] = []
    seconds = []
    for case in cases:
        start = time.perf_counter()
        check = judged(case, similarity)
        seconds.append(time.perf_counter() - start)
        failed = check.verdict is not Verdict.SUPPORTED
        unsure.append(not check.sure)
        for kind in (case.kind, "all"):
            wrong[case.true, kind, case.held_out].append(failed)
        if show in (case.kind, "all") and failed == case.true and not case.held_out:
            tied = tie(case.sentence, sources_of(case.evidence), content_words(case.question))
            print(f"[{case.kind}] {case.sentence}\n    Q {case.question}")
            print(f"    {check}\n    " + "\n    ".join(s.text for s in tied.sources))
    for true, title in ((False, "altered, caught"), (True, "true, wrongly failed")):
        print(f"{title:22} {'seen':>14} {'held out':>16}")
        for kind in dict.fromkeys(k for t, k, _ in wrong if t is true):
            halves = [wrong[true, kind, out] for out in (False, True)]
            shown = (f"{statistics.mean(h or [False]):.3f} (n={len(h)})" for h in halves)
            print(f"  {kind:20} {'   '.join(f'{text:>14}' for text in shown)}")
    print(
        f"unsure {statistics.mean(unsure):.3f}, median {statistics.median(seconds) * 1000:.1f} ms,"
    )
    print(f"slowest twentieth from {statistics.quantiles(seconds, n=20)[-1] * 1000:.1f} ms")


def scifact_cases(folder: Path) -> Iterator[Case]:
    """Claims with the abstract that bears them out or contradicts them."""
    corpus: dict[str, dict[str, Any]] = {d["_id"]: d for d in lines(folder / "corpus.jsonl")}
    for claim in lines(folder / "claims_train.jsonl"):
        for name, rationales in claim["evidence"].items():
            paper = Paper.of(corpus[name]["text"], title=corpus[name]["title"])
            true = rationales[0]["label"] == "SUPPORT"
            kind = "SUPPORT" if true else "CONTRADICT"
            out = in_other_half(claim["id"])
            yield Case(kind, claim["claim"], claim["claim"], (whole(1, paper),), true, out)


def main() -> None:
    """Build the cases, verify them, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, nargs="?")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--scifact", type=Path)
    parser.add_argument("--show", default="", metavar="KIND")
    parser.add_argument("--no-meaning", action="store_true", help="words only, no encoder")
    arguments = parser.parse_args()
    library = open_library(load(library=arguments.library))

    def similarity(sentence: str, sources: Sequence[str]) -> Sequence[float]:
        vectors = library.encode([sentence, *sources])
        return [float(value) for value in vectors[1:] @ vectors[0]]

    if arguments.scifact:
        cases = list(scifact_cases(arguments.scifact))
    else:
        rng = random.Random(_SEED)
        abstracts, answers = from_abstracts(library, rng), from_answers(arguments.gold, library)
        both = [*abstracts, *answers]
        cases = [*altered_cases(both, rng), *swapped_cases(both, rng, library)]
        every = [*from_abstracts(library, random.Random(_SEED), per_paper=9), *answers]
        cases += misplaced_cases(every, random.Random(_SEED))
        cases += true_cases(abstracts, "own sentences")
        for several, kind in ((False, "hand-made answers"), (True, "over many papers")):
            cases += true_cases([o for o in answers if (len(o.papers) > 1) is several], kind)
        cases += [*retold_cases(both), *told_otherwise_cases(both)]
    report(cases, None if arguments.no_meaning else similarity, arguments.show)


if __name__ == "__main__":
    main()
