"""How good it is: a gold file through the whole assistant, question by question, to scores.

A gold file names the right papers of each question, and what an answer must hold. One question
gives one :class:`Result`, which is kept as a line of a file, so that a long run can be stopped and
goes on later; the results give :class:`Score` s, each with its 95 % interval.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.conversation import standalone
from assistant.desk import Assistant
from assistant.errors import GoldError
from assistant.types import Answer, Finished, Status
from store.types import Paper

Type = Literal["factual", "claim", "topic", "compare", "unanswerable", "followup"]
ANSWERED_TYPES = ("factual", "compare", "followup", "unanswerable")  # what `ask` is for

_FOUND = 10  # papers looked through for the right ones
_RESAMPLES = 2000


class Gold(BaseModel):
    """A question, the papers that answer it, and what the answer must hold."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    type: Type
    question: str
    turns: tuple[str, ...] | None = None
    gold: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    near: tuple[str, ...] | None = None
    must_include: tuple[str, ...] | None = None

    @property
    def before(self) -> tuple[str, ...]:
        """The questions asked before it."""
        return (self.turns or ())[:-1]

    def held_by(self, text: str) -> bool:
        """Whether a text holds one wording of everything that an answer must hold.

        >>> gold = Gold(id="1", type="factual", question="?", must_include=("bees|wasps", "sting"))
        >>> gold.held_by("Wasps sting."), gold.held_by("Wasps fly.")
        (True, False)
        """
        low = text.lower()
        entries = self.must_include or ()
        return all(any(way.lower() in low for way in entry.split("|")) for entry in entries)


def read_gold(path: Path) -> list[Gold]:
    """The questions of a gold file; raises :class:`GoldError` naming the first bad line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as fault:
        raise GoldError(f"{path.name} is not UTF-8 text. Save it as UTF-8.") from fault
    questions = [_question(path, n, line) for n, line in enumerate(lines, 1) if line.strip()]
    if not questions:
        raise GoldError(f"{path.name} holds no questions: one JSON object a line is expected.")
    if twice := [i for i, count in Counter(q.id for q in questions).items() if count > 1]:
        raise GoldError(f"{path.name}: the id {twice[0]!r} stands there twice. Give each its own.")
    return questions


def _question(path: Path, number: int, line: str) -> Gold:
    try:
        return Gold.model_validate_json(line)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise GoldError(f"{path.name} line {number}: {where}: {first['msg']}.") from fault


class Result(BaseModel):
    """What became of one question. The fields of the answer are None when none was asked for."""

    id: str
    type: Type
    ranks: tuple[int, ...]  # of the right papers among the first ten
    gold: int  # how many right papers there are
    status: Status | None = None
    text: str = ""
    cited_gold: int = 0
    cited_other: int = 0
    in_evidence: bool = False
    evidence_holds: bool = False
    holds: bool = False
    near_first: bool | None = None  # None: no near paper is known
    outside: int = 0  # citation numbers that are not in the evidence
    bare: int = 0  # sentences without a citation
    sentences: int = 0
    replaced: int = 0  # sentences that stand in for one that failed
    verdicts: dict[str, int] = {}
    evidence_s: float = 0.0
    first_token_s: float = 0.0
    proof_s: float = 0.0
    total_s: float = 0.0


def read_results(path: Path) -> dict[str, Result]:
    """The results in a file, by question; a line that was cut off in writing is left out."""
    found: dict[str, Result] = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(ValidationError):
                result = Result.model_validate_json(line)
                found[result.id] = result
    return found


def measure(assistant: Assistant, gold: Gold, *, answers: bool) -> Result:
    """Search for one question and, for ``answers``, ask it."""
    hits = assistant.search(standalone(gold.question, gold.before), _FOUND)
    ranks = tuple(hit.rank for hit in hits if _named(hit.paper, gold.gold))
    result = Result(id=gold.id, type=gold.type, ranks=ranks, gold=len(gold.gold))
    if not answers or gold.type not in ANSWERED_TYPES:
        return result
    *_, last = assistant.ask(gold.question, after=gold.before)
    assert isinstance(last, Finished)
    return result.model_copy(update=_of_answer(last.answer, gold))


def _of_answer(answer: Answer, gold: Gold) -> dict[str, object]:
    papers = {item.number: item.paper for item in answer.evidence}
    numbers = {number for sentence in answer.sentences for number in sentence.numbers}
    cited = [papers[number] for number in numbers if number in papers]
    right = [paper for paper in cited if _named(paper, gold.gold)]
    fine = [paper for paper in cited if _named(paper, (*gold.gold, *gold.optional))]
    shown = " ".join(s.text for item in answer.evidence for s in item.sentences)
    nearest = answer.nearest[:1]
    return {
        "status": answer.status,
        "text": answer.text,
        "cited_gold": len(right),
        "cited_other": len(cited) - len(fine),
        "in_evidence": any(_named(paper, gold.gold) for paper in papers.values()),
        "evidence_holds": gold.held_by(shown),
        "holds": gold.held_by(answer.text),
        "near_first": any(_named(p, gold.near) for p in nearest) if gold.near else None,
        "outside": len(numbers - papers.keys()),
        "bare": sum(not sentence.citations for sentence in answer.sentences),
        "sentences": len(answer.sentences),
        "replaced": sum(bool(sentence.note) for sentence in answer.sentences),
        "verdicts": dict(Counter(sentence.verdict.value for sentence in answer.sentences)),
        "evidence_s": answer.timings.evidence_s,
        "first_token_s": answer.timings.first_token_s,
        "proof_s": answer.timings.proof_s,
        "total_s": answer.timings.total_s,
    }


def _named(paper: Paper, names: Sequence[str]) -> bool:
    return paper.source in names or paper.id in names


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over ``n`` questions with its 95 % interval; a share unless the name says seconds."""

    name: str
    value: float
    low: float
    high: float
    n: int


def scores(results: Sequence[Result]) -> dict[str, list[Score]]:
    """The scores of each type of question, in the order of the contract."""
    order = [t for t in Type.__args__ if any(r.type == t for r in results)]  # type: ignore[attr-defined]
    return {kind: list(_scores(kind, [r for r in results if r.type == kind])) for kind in order}


def _scores(kind: str, results: list[Result]) -> Iterator[Score]:
    found = [r for r in results if r.gold]
    if kind in {"compare", "topic"}:
        yield _share("right papers in the first 5", (_part(r, 5) for r in found))
        yield _share("right papers in the first 10", (_part(r, _FOUND) for r in found))
    elif found:
        for most, name in ((1, "first"), (5, "in the first 5"), (_FOUND, "in the first 10")):
            within = (bool(r.ranks) and r.ranks[0] <= most for r in found)
            yield _share(f"right paper {name}", within)
    asked = [r for r in results if r.status is not None]
    if asked:
        yield from _refusals(asked) if kind == "unanswerable" else _answers(asked)
        yield from _always(asked)


def _part(result: Result, most: int) -> float:
    return sum(rank <= most for rank in result.ranks) / result.gold


def _refusals(results: list[Result]) -> Iterator[Score]:
    yield _share("not answered", (r.status is not Status.ANSWERED for r in results))
    near = [r for r in results if r.near_first is not None]
    off = [r for r in results if r.near_first is None]
    yield _share("about a paper: not_stated", (r.status is Status.NOT_STATED for r in near))
    yield _share("about a paper: named first", (bool(r.near_first) for r in near))
    yield _share("off-topic: not_in_library", (r.status is Status.NOT_IN_LIBRARY for r in off))


def _answers(results: list[Result]) -> Iterator[Score]:
    cited = [r for r in results if r.cited_gold + r.cited_other]
    yield _share("refused", (r.status is not Status.ANSWERED for r in results))
    yield _share("right paper read", (r.in_evidence for r in results))
    yield _share("right paper cited", (r.cited_gold > 0 for r in results))
    if any(r.gold > 1 for r in results):
        yield _share("all right papers cited", (r.cited_gold >= r.gold for r in results))
    right = (1 - r.cited_other / (r.cited_gold + r.cited_other) for r in cited)
    yield _share("cited papers that are right", right)
    yield _share("evidence holds it", (r.evidence_holds for r in results))
    yield _share("must_include met", (r.holds for r in results))
    quoted = (r.replaced / r.sentences for r in results if r.sentences)
    yield _share("sentences quoted instead", quoted)


def _always(results: list[Result]) -> Iterator[Score]:
    shown = [r for r in results if r.sentences]
    yield _share("sentences supported", (_supported(r) for r in shown))
    yield _share("answers with a number outside the evidence", (r.outside > 0 for r in shown))
    yield _share("answers with an uncited sentence", (r.bare > 0 for r in shown))
    yield _share("time spent on proof", (r.proof_s / r.total_s for r in shown if r.total_s))
    yield _score("seconds, median", [r.total_s for r in results], statistics.median)
    first = [r.first_token_s for r in results if r.first_token_s]
    yield _score("seconds to the first word, median", first, statistics.median)


def _supported(result: Result) -> float:
    return result.verdicts.get("supported", 0) / result.sentences


def _share(name: str, values: Iterable[float]) -> Score:
    return _score(name, [float(value) for value in values], statistics.fmean)


def _score(name: str, values: list[float], mean: Callable[[list[float]], float]) -> Score:
    """A mean or median with the interval of the percentile bootstrap (Efron & Tibshirani 1993).

    >>> _score("x", [1.0, 1.0], statistics.fmean)
    Score(name='x', value=1.0, low=1.0, high=1.0, n=2)
    """
    if not values:
        return Score(name, 0.0, 0.0, 0.0, 0)
    draws = np.random.default_rng(0).choice(values, size=(_RESAMPLES, len(values)))
    resampled = np.median(draws, axis=1) if mean is statistics.median else draws.mean(axis=1)
    low, high = np.percentile(resampled, [2.5, 97.5])
    return Score(name, float(mean(values)), float(low), float(high), len(values))
