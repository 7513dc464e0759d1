"""Trains what tells support from contradiction, and measures it on claims it has not seen.

    python -m benchmarks.stance train SCIFACT --library DIR --opinions FILE
    python -m benchmarks.stance test SCIFACT --library DIR --claims 150 --results FILE

SCIFACT is a folder with ``corpus.jsonl`` and ``claims_train.jsonl``; DIR the library that
``benchmarks.ranking --keep`` made of it. A fixed half of the claims trains, the other is held out.
What the model says is kept in FILE, so that a stopped run goes on. ``test`` gives the measures of
the data's authors (Wadden et al. 2020, section 5): a paper counts when its label is right, a
sentence when its paper counts and it is part of a rationale.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from assistant import prompting, trained
from assistant.llm import ChatModel, Opinion
from assistant.rationale import sentence_features
from assistant.settings import load
from assistant.stance import LABELS, checks, excerpt, nearness
from assistant.supporting import support_claim
from assistant.types import Cancellation, ClaimFinished, Receipt, Stance
from assistant.wiring import open_library, open_model
from benchmarks.data import lines
from store.chunking import sentences
from store.library import Library
from store.types import Hit

_SEED = 5
_DEPTH = 50  # papers looked through for those that the data names
_OTHER_EVERY = 6  # every so many claims, a found paper that the data does not name
_RIDGE = 3.0
_FOLDS = 8
_STANCES = {"SUPPORT": Stance.SUPPORTS, "CONTRADICT": Stance.CONTRADICTS}

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and a paper that a search for it found, with the paper's true stance."""

    claim: str
    group: str  # the claim's id: pairs of one claim stay on one side of a split
    hit: Hit
    stance: Stance
    marked: frozenset[int]  # the sentences of the rationales, by their place in the abstract

    @property
    def key(self) -> str:
        """Names the pair in the file of opinions."""
        return f"{self.group}/{self.hit.paper.source}"


def halves(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The claims, in two fixed halves."""
    claims = list(lines(folder / "claims_train.jsonl"))
    random.Random(_SEED).shuffle(claims)
    return claims[: len(claims) // 2], claims[len(claims) // 2 :]


def pairs(claims: Sequence[dict[str, Any]], library: Library) -> Iterator[Pair]:
    """Each claim with the papers that the data names; some also with the best of the others.

    Those others are related at most. They are what most papers of a search are, so the regression
    must have seen them.
    """
    for number, claim in enumerate(claims):
        wants_other = number % _OTHER_EVERY == 0
        for hit in library.search(claim["claim"], _DEPTH):
            name = hit.paper.source
            marks = claim["evidence"].get(name)
            if marks:
                stance = _STANCES[marks[0]["label"]]
            elif name in claim["cited_doc_ids"] or wants_other:
                wants_other &= name in claim["cited_doc_ids"]
                stance = Stance.RELATED
            else:
                continue
            marked = frozenset(n for mark in marks or () for n in mark["sentences"])
            yield Pair(claim["claim"], str(claim["id"]), hit, stance, marked)


# -- opinions: what the model says, kept


def opinions(wanted: Sequence[Pair], model: ChatModel, kept: Path) -> list[Opinion]:
    """The model's opinion on each pair: from the file, else asked for and written there."""
    done = {line["key"]: _opinion(line) for line in lines(kept)} if kept.is_file() else {}
    with kept.open("a", encoding="utf-8") as file:
        for number, pair in enumerate(wanted):
            if pair.key in done:
                continue
            prompt = prompting.weighing(pair.claim, pair.hit.paper, excerpt(pair.hit))
            found = model.opinion(prompt, cancel=Cancellation())
            assert found is not None
            assert found.state is not None
            state = base64.b64encode(found.state.astype(np.float16).tobytes()).decode()
            file.write(json.dumps({"key": pair.key, "yes": found.yes, "state": state}) + "\n")
            file.flush()
            done[pair.key] = found
            if number % 50 == 0:
                print(f"{number} of {len(wanted)}", flush=True)
    return [done[pair.key] for pair in wanted]


def _opinion(line: dict[str, Any]) -> Opinion:
    state = np.frombuffer(base64.b64decode(line["state"]), np.float16).astype(np.float32)
    return Opinion(line["yes"], state)


# -- training


def train(known: Sequence[Pair], said: Sequence[Opinion], model: str) -> dict[str, Table]:
    """All tables: see :mod:`assistant.trained`."""
    checked = np.array([checks(pair.claim, pair.hit) for pair in known])
    near = np.hstack([[nearness(pair.claim, pair.hit) for pair in known], checked])
    yes = np.array([[opinion.yes] for opinion in said])
    labels = np.array([LABELS.index(pair.stance) for pair in known])
    groups = np.array([hash_of(pair.group) for pair in known]) % _FOLDS
    states = np.array([opinion.state for opinion in said], dtype=np.float64)
    both = np.hstack([checked, yes])
    full = np.hstack([both, out_of_fold(states, labels, groups)])
    report("before", near, labels, groups)
    report("said", both, labels, groups)
    report("with state", full, labels, groups)
    return {
        "before": regression(near, labels),
        "said": regression(both, labels),
        f"{model}.state": ridge(states, labels),
        f"{model}.stance": regression(full, labels),
        "rationale": rationale_line([pair for pair in known if pair.marked]),
    }


def hash_of(group: str) -> int:
    """A number that is the same in every run."""
    return int.from_bytes(group.encode(), "big") * 2654435761 >> 7


def ridge(states: Table, labels: NDArray[np.int64]) -> Table:
    """The probe: ridge regression on one-hot labels (Hoerl & Kennard 1970), in its dual form.

    There are more dimensions than examples. The scaling of the inputs is folded in.
    """
    middle, spread = states.mean(axis=0), states.std(axis=0) + 1e-3
    inputs = (states - middle) / spread
    targets = np.eye(len(LABELS))[labels]
    kernel = inputs @ inputs.T
    penalty = _RIDGE * len(inputs) * inputs.shape[1] / 1000
    dual = np.linalg.solve(kernel + penalty * np.eye(len(inputs)), targets - targets.mean(axis=0))
    weights = (inputs.T @ dual) / spread[:, None]
    return np.vstack([weights, targets.mean(axis=0) - middle @ weights])


def out_of_fold(states: Table, labels: NDArray[np.int64], groups: NDArray[np.int64]) -> Table:
    """What the probe says of each example when it was trained without its fold."""
    read = np.zeros((len(labels), len(LABELS)))
    for fold in range(_FOLDS):
        out = groups == fold
        table = ridge(states[~out], labels[~out])
        read[out] = states[out] @ table[:-1] + table[-1]
    return read


def regression(inputs: Table, labels: NDArray[np.int64], weights: str | None = "balanced") -> Table:
    """Multinomial logistic regression, its scaling folded in: rows are inputs and a constant.

    Labels count alike, however many there are of each: how many papers contradict a claim is
    another thing in each library.
    """
    line = LogisticRegression(C=0.3, max_iter=1000, class_weight=weights)
    fitted = make_pipeline(StandardScaler(), line)
    fitted.fit(inputs, labels)
    scale = fitted[0]
    table = (line.coef_ / scale.scale_).T
    return np.vstack([table, line.intercept_ - scale.mean_ @ table])


def rationale_line(known: Sequence[Pair]) -> Table:
    """The line through sentences that people marked, and those they did not."""
    tables, labels = [], []
    for pair in known:
        tables.append(sentence_features(pair.claim, pair.hit))
        labels += [int(place in pair.marked) for place in places(pair.hit)]
    return regression(np.vstack(tables), np.array(labels), weights=None)


def places(hit: Hit) -> list[int]:
    """Where the sentences of a hit stand in the abstract, counted from 0."""
    starts = sorted(sentence.start for sentence in hit.sentences)
    return [starts.index(sentence.start) for sentence in hit.sentences]


def report(name: str, inputs: Table, labels: NDArray[np.int64], groups: NDArray[np.int64]) -> None:
    """Accuracy and F1 of each label, over folds of claims."""
    guessed = np.zeros(len(labels), dtype=np.int64)
    for fold in range(_FOLDS):
        out = groups == fold
        table = regression(inputs[~out], labels[~out])
        guessed[out] = (inputs[out] @ table[:-1] + table[-1]).argmax(axis=1)
    scores = {
        label.value: f1(
            int(((guessed == i) & (labels == i)).sum()),
            int((guessed == i).sum()),
            int((labels == i).sum()),
        )
        for i, label in enumerate(LABELS)
    }
    told = ", ".join(f"{label} {value:.3f}" for label, value in scores.items())
    print(f"{name:12} accuracy {(guessed == labels).mean():.3f}; F1 {told}")


# -- testing


def f1(right: int, given: int, wanted: int) -> float:
    """The harmonic mean of precision and recall.

    >>> f1(1, 2, 2)
    0.5
    """
    return 2 * right / (given + wanted) if right else 0.0


@dataclass(slots=True)
class Tally:
    """Counts over papers and sentences, from which the measures are made."""

    papers: list[int]  # right, given, wanted
    sentences: list[int]
    seconds: list[float]


def judged(claim: dict[str, Any], library: Library, model: ChatModel | None) -> dict[str, Any]:
    """What `support` says to a claim, as a line of the results file."""
    receipt = Receipt(library.fingerprint, library.encoder, model.name if model else "")
    *_, last = support_claim(
        claim["claim"], library=library, model=model, receipt=receipt, cancel=Cancellation()
    )
    assert isinstance(last, ClaimFinished)
    return {
        "id": claim["id"],
        "verdict": last.report.verdict.value,
        "seconds": last.report.timings.total_s,
        "papers": [
            {
                "source": found.paper.source,
                "stance": found.stance.value,
                "confidence": found.confidence,
                "marked": [_place(found.paper.abstract, s.start) for s in found.rationale],
            }
            for found in last.report.papers
        ],
    }


def _place(abstract: str, start: int) -> int:
    return next(n for n, (first, _) in enumerate(sentences(abstract)) if first == start)


def tally(claims: Sequence[dict[str, Any]], results: dict[str, dict[str, Any]]) -> Tally:
    """Count what is right, given and wanted."""
    counts = Tally([0, 0, 0], [0, 0, 0], [])
    for claim in claims:
        result = results[str(claim["id"])]
        counts.seconds.append(result["seconds"])
        gold = claim["evidence"]
        counts.papers[2] += len(gold)
        counts.sentences[2] += sum(
            len({n for m in ms for n in m["sentences"]}) for ms in gold.values()
        )
        for paper in result["papers"]:
            if paper["stance"] == Stance.RELATED.value:
                continue
            marks = gold.get(paper["source"], [])
            right = bool(marks) and _STANCES[marks[0]["label"]].value == paper["stance"]
            given = set(paper["marked"])
            whole = {n for m in marks if set(m["sentences"]) <= given for n in m["sentences"]}
            counts.papers[0] += right
            counts.papers[1] += 1
            counts.sentences[0] += len(whole) if right else 0
            counts.sentences[1] += len(given)
    return counts


def test(folder: Path, library: Library, model: ChatModel | None, count: int, kept: Path) -> None:
    """A fixed random choice of claims, half of it from each half of the data."""
    chosen = [random.Random(_SEED).sample(half, count // 2) for half in halves(folder)]
    done = {str(line["id"]): line for line in lines(kept)} if kept.is_file() else {}
    with kept.open("a", encoding="utf-8") as file:
        for claim in (claim for half in chosen for claim in half):
            if str(claim["id"]) not in done:
                done[str(claim["id"])] = judged(claim, library, model)
                file.write(json.dumps(done[str(claim["id"])]) + "\n")
                file.flush()
    parts = {"trained on": chosen[0], "held out": chosen[1], "both": [*chosen[0], *chosen[1]]}
    for name, half in parts.items():
        counts = tally(half, done)
        print(
            f"{name:10} {len(half)} claims: abstract label F1 {f1(*counts.papers):.3f}, "
            f"rationale sentence F1 {f1(*counts.sentences):.3f}, "
            f"median {float(np.median(counts.seconds)):.1f} s"
        )


def main() -> None:
    """Train or test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["train", "test"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--model", default="")
    parser.add_argument("--opinions", type=Path, default=Path("opinions.jsonl"))
    parser.add_argument("--claims", type=int, default=150)
    parser.add_argument("--results", type=Path, default=Path("stance.jsonl"))
    arguments = parser.parse_args()
    settings = load(library=arguments.library, model=arguments.model)
    library, model = open_library(settings), open_model(settings)
    if arguments.what == "test":
        test(arguments.folder, library, model, arguments.claims, arguments.results)
        return
    assert model is not None, "training needs a model"
    known = list(pairs(halves(arguments.folder)[0], library))
    tables = train(known, opinions(known, model, arguments.opinions), model.name)
    place = Path(trained.__file__).with_name("stance.npz")
    small: dict[str, Any] = {name: table.astype(np.float32) for name, table in tables.items()}
    np.savez_compressed(place, **small)
    print(f"{place}: {place.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
