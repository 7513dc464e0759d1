"""Results of questions to figures: the end of what ``evaluating`` began. Pure.

A share is a mean over questions, not over sentences or papers: questions are what was sampled, and
so they are what the bootstrap draws from.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.gold import TYPES, Type
from assistant.measuring import DEPTH, Result
from assistant.types import Status, Verdict

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over ``n`` questions with its 95 % interval; a share unless the name says seconds."""

    name: str
    value: float
    low: float
    high: float
    n: int


def scores(results: Sequence[Result]) -> dict[Type, list[Score]]:
    """The scores of each type of question; one that no question has a bearing on is left out."""
    found = {
        kind: [score for score in _scores(kind, own) if score.n]
        for kind, own in _by_type(results).items()
    }
    return {kind: own for kind, own in found.items() if own}


def counts(results: Sequence[Result]) -> dict[Type, dict[str, int]]:
    """What the answers of each type came to, in plain numbers of questions and of sentences."""
    return {
        kind: _counts(asked)
        for kind, own in _by_type(results).items()
        if (asked := [result for result in own if result.status is not None])
    }


def _counts(asked: Sequence[Result]) -> dict[str, int]:
    statuses = Counter(result.status for result in asked)
    verdicts = sum((Counter(result.verdicts) for result in asked), Counter[str]())
    return {
        **{status.value: statuses[status] for status in Status},
        "sentences": sum(result.sentences for result in asked),
        **{verdict.value: verdicts[verdict.value] for verdict in Verdict},
        "quoted instead": sum(result.replaced for result in asked),
        "without citation": sum(result.bare for result in asked),
        "numbers outside the evidence": sum(result.outside for result in asked),
    }


def _by_type(results: Sequence[Result]) -> dict[Type, list[Result]]:
    grouped = {kind: [r for r in results if r.type == kind] for kind in TYPES}
    return {kind: own for kind, own in grouped.items() if own}


def _scores(kind: Type, results: Sequence[Result]) -> Iterator[Score]:
    yield from _retrieval(kind, [r for r in results if r.gold])
    asked = [r for r in results if r.status is not None or r.verdict]
    if kind == "claim":
        yield from _claims(asked)
    elif kind == "unanswerable":
        yield from _refusals(asked)
    elif kind == "topic":
        yield from _summaries(asked)
    else:
        yield from _answers(asked)
    yield from _always(asked)


def _retrieval(kind: Type, results: Sequence[Result]) -> Iterator[Score]:
    """Where one paper answers: is it there; where several do: how many of them are."""
    if kind in {"compare", "topic"}:
        for most in (5, DEPTH):
            yield _share(f"right papers in the first {most}", (_part(r, most) for r in results))
        return
    for most, name in ((1, "first"), (5, "in the first 5"), (DEPTH, f"in the first {DEPTH}")):
        within = (bool(r.ranks) and min(r.ranks) <= most for r in results)
        yield _share(f"right paper {name}", within)


def _part(result: Result, most: int) -> float:
    return sum(rank <= most for rank in result.ranks) / result.gold


def _refusals(asked: Sequence[Result]) -> Iterator[Score]:
    near = [r for r in asked if r.near_first is not None]
    off = [r for r in asked if r.near_first is None]
    yield _share("not answered", (r.status is not Status.ANSWERED for r in asked))
    yield _share("about a paper: not_stated", (r.status is Status.NOT_STATED for r in near))
    yield _share("about a paper: named first", (bool(r.near_first) for r in near))
    yield _share("off-topic: not_in_library", (r.status is Status.NOT_IN_LIBRARY for r in off))


def _answers(asked: Sequence[Result]) -> Iterator[Score]:
    known = [r for r in asked if r.gold]
    several = [r for r in known if r.gold > 1]
    cited = [r for r in known if r.cited_gold + r.cited_other]
    yield _share("refused", (r.status is not Status.ANSWERED for r in asked))
    yield _share("right paper read", (r.in_evidence for r in known))
    yield _share("right paper cited", (r.cited_gold > 0 for r in known))
    yield _share("all right papers cited", (r.cited_gold >= r.gold for r in several))
    right = (r.cited_gold / (r.cited_gold + r.cited_other) for r in cited)
    yield _share("cited papers that are right", right)
    held = (r.evidence_holds for r in asked if r.evidence_holds is not None)
    yield _share("evidence holds it", held)
    yield _share("must_include met", (r.holds for r in asked if r.holds is not None))
    quoted = (r.replaced / r.sentences for r in asked if r.sentences)
    yield _share("sentences quoted instead", quoted)


def _summaries(asked: Sequence[Result]) -> Iterator[Score]:
    known = [r for r in asked if r.gold]
    cited = [r for r in known if _right(r) + r.cited_other]
    yield _share("nothing found", (r.status is not Status.ANSWERED for r in asked))
    yield _share("right papers used", (r.used_gold / r.gold for r in known))
    yield _share("right papers cited", (r.cited_gold / r.gold for r in known))
    right = (_right(r) / (_right(r) + r.cited_other) for r in cited)
    yield _share("cited papers that are right or optional", right)
    yield _share("must_include met", (r.holds for r in asked if r.holds is not None))
    quoted = (r.replaced / r.sentences for r in asked if r.sentences)
    yield _share("sentences quoted instead", quoted)
    yield _median("model calls, median", (r.model_calls for r in asked))


def _claims(asked: Sequence[Result]) -> Iterator[Score]:
    known = [r for r in asked if r.verdict_right is not None]
    yield _share("verdict right", (bool(r.verdict_right) for r in known))
    for label in ("SUPPORT", "CONTRADICT", "NOINFO"):
        own = (bool(r.verdict_right) for r in known if r.label == label)
        yield _share(f"verdict right: {label}", own)
    stances = (r.stance_right for r in asked if r.stance_right is not None)
    yield _share("stance of the right paper", stances)


def _right(result: Result) -> int:
    return result.cited_gold + result.cited_optional


def _always(asked: Sequence[Result]) -> Iterator[Score]:
    shown = [r for r in asked if r.sentences]
    yield _share("sentences supported", (_supported(r) for r in shown))
    yield _share("answers with a number outside the evidence", (r.outside > 0 for r in shown))
    yield _share("answers with an uncited sentence", (r.bare > 0 for r in shown))
    yield _share("time spent on proof", (r.proof_s / r.total_s for r in shown if r.total_s))
    yield _median("seconds, median", (r.total_s for r in asked))
    yield _median("seconds to the sources, median", (r.evidence_s for r in asked))
    first = (r.first_token_s for r in asked if r.first_token_s)
    yield _median("seconds to the first word, median", first)


def _supported(result: Result) -> float:
    return result.verdicts.get(Verdict.SUPPORTED.value, 0) / result.sentences


def _share(name: str, values: Iterable[float]) -> Score:
    """The mean with its interval.

    >>> _share("x", [True, True])
    Score(name='x', value=1.0, low=1.0, high=1.0, n=2)
    """
    return _score(name, values, statistics.fmean, lambda draws: draws.mean(axis=1))


def _median(name: str, values: Iterable[float]) -> Score:
    return _score(name, values, statistics.median, lambda draws: np.median(draws, axis=1))


def _score(
    name: str,
    values: Iterable[float],
    middle: Callable[[list[float]], float],
    of_each: Callable[[np.ndarray], np.ndarray],
) -> Score:
    """The interval is that of the percentile bootstrap (Efron & Tibshirani 1993, ch. 13).

    The seed is fixed: the same results give the same figures. No values, no score: ``n`` is 0.
    """
    given = [float(value) for value in values]
    if not given:
        return Score(name, 0.0, 0.0, 0.0, 0)
    draws = np.random.default_rng(0).choice(given, size=(_RESAMPLES, len(given)))
    low, high = np.percentile(of_each(draws), [2.5, 97.5])
    return Score(name, middle(given), float(low), float(high), len(given))
