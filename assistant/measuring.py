"""One question of a gold file through the whole assistant, to one :class:`Result`.

A question is asked, a topic is summarized, a claim is held against the papers: each as a user would
have it done. ``evaluating`` does so for a file, ``scoring`` makes figures of the results.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from pydantic import BaseModel

from assistant.conversation import standalone
from assistant.desk import Assistant
from assistant.gold import Gold, Type
from assistant.summary import Summary, SummaryFinished
from assistant.types import (
    Answer,
    ClaimFinished,
    ClaimReport,
    ClaimVerdict,
    Finished,
    Sentence,
    Stance,
    Status,
)
from store.types import Paper

DEPTH = 10  # papers looked through for the right ones

# What the labels of gold claims mean for the verdict, and for the paper that it rests on.
_VERDICTS = {
    "SUPPORT": ClaimVerdict.SUPPORTED,
    "CONTRADICT": ClaimVerdict.CONTRADICTED,
    "NOINFO": ClaimVerdict.NO_EVIDENCE,
}
_STANCES = {"SUPPORT": Stance.SUPPORTS, "CONTRADICT": Stance.CONTRADICTS}


class Result(BaseModel):
    """What became of one question. ``status`` is None when no answer was asked for.

    ``inputs`` tells results of the same question apart: see :func:`inputs_of`.
    """

    id: str
    type: Type
    ranks: tuple[int, ...]  # of the right papers among the first ten
    gold: int  # how many right papers there are
    inputs: str = ""
    status: Status | None = None
    text: str = ""
    cited_gold: int = 0
    cited_other: int = 0
    in_evidence: bool = False
    evidence_holds: bool | None = None  # None: nothing is asked of the answer
    holds: bool | None = None
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
    used_gold: int = 0  # of a summary: right papers among those that it used
    cited_optional: int = 0
    model_calls: int = 0
    verdict: str = ""  # of a claim
    label: str = ""
    verdict_right: bool | None = None
    stance_right: bool | None = None  # of the right paper; None: no paper decides it


def measure(assistant: Assistant, gold: Gold, *, answers: bool) -> Result:
    """Search for one question, whose papers stand there by id, and, for ``answers``, ask it."""
    hits = assistant.search(standalone(gold.question, gold.before), DEPTH)
    ranks = tuple(hit.rank for hit in hits if hit.paper.id in gold.gold)
    result = Result(id=gold.id, type=gold.type, ranks=ranks, gold=len(gold.gold))
    if not answers:
        return result
    match gold.type:
        case "topic":
            *_, summarized = assistant.summarize(gold.question)
            assert isinstance(summarized, SummaryFinished)
            found = _of_summary(summarized.summary, gold)
        case "claim":
            *_, weighed = assistant.support(gold.question)
            assert isinstance(weighed, ClaimFinished)
            found = _of_claim(weighed.report, gold)
        case _:
            *_, answered = assistant.ask(gold.question, after=gold.before)
            assert isinstance(answered, Finished)
            found = _of_answer(answered.answer, gold)
    return result.model_copy(update=found)


def _of_answer(answer: Answer, gold: Gold) -> dict[str, object]:
    papers = {item.number: item.paper for item in answer.evidence}
    numbers = _numbers(answer)
    cited = [papers[number] for number in numbers & papers.keys()]
    shown = " ".join(s.text for item in answer.evidence for s in item.sentences)
    return {
        "status": answer.status,
        "text": answer.text,
        "cited_gold": _count(cited, gold.gold),
        "cited_other": len(cited) - _count(cited, (*gold.gold, *gold.optional)),
        "in_evidence": _count(papers.values(), gold.gold) > 0,
        "evidence_holds": gold.held_by(shown),
        "holds": gold.held_by(answer.text),
        "near_first": _count(answer.nearest[:1], gold.near) > 0 if gold.near else None,
        "outside": len(numbers - papers.keys()),
        **_of_sentences(answer.sentences),
        "evidence_s": answer.timings.evidence_s,
        "first_token_s": answer.timings.first_token_s,
        "proof_s": answer.timings.proof_s,
        "total_s": answer.timings.total_s,
    }


def _of_summary(summary: Summary, gold: Gold) -> dict[str, object]:
    papers = {item.number: item.paper for item in summary.evidence}
    cited = [papers[number] for number in summary.cited if number in papers]
    told = [sentence for theme in summary.themes for sentence in theme.sentences]
    text = " ".join(sentence.text for sentence in told)
    return {
        "status": summary.status,
        "text": text,
        "used_gold": _count(papers.values(), gold.gold),
        "cited_gold": _count(cited, gold.gold),
        "cited_optional": _count(cited, gold.optional),
        "cited_other": len(cited) - _count(cited, (*gold.gold, *gold.optional)),
        "holds": gold.held_by(text),
        "outside": len(set(summary.cited) - papers.keys()),
        **_of_sentences(told),
        "model_calls": summary.coverage.model_calls,
        "evidence_s": summary.timings.evidence_s,
        "first_token_s": summary.timings.first_token_s,
        "proof_s": summary.timings.proof_s,
        "total_s": summary.timings.total_s,
    }


def _of_claim(report: ClaimReport, gold: Gold) -> dict[str, object]:
    stances = [w.stance for w in report.papers if w.paper.id in gold.gold]
    wanted = _STANCES.get(gold.label or "")
    return {
        "verdict": report.verdict.value,
        "label": gold.label or "",
        "verdict_right": report.verdict is _VERDICTS[gold.label] if gold.label else None,
        "stance_right": wanted in stances if wanted else None,
        "evidence_s": report.timings.evidence_s,
        "first_token_s": report.timings.first_token_s,
        "total_s": report.timings.total_s,
    }


def _of_sentences(sentences: Sequence[Sentence]) -> dict[str, object]:
    return {
        "bare": sum(not sentence.citations for sentence in sentences),
        "sentences": len(sentences),
        "replaced": sum(bool(sentence.note) for sentence in sentences),
        "verdicts": dict(Counter(sentence.verdict.value for sentence in sentences)),
    }


def _numbers(answer: Answer) -> set[int]:
    """The numbers that a reader of the text meets: the ties, and any left in the words."""
    return {int(number) for number in re.findall(r"\[(\d+)\]", answer.text)}


def _count(papers: Collection[Paper], ids: Sequence[str]) -> int:
    return sum(paper.id in ids for paper in papers)
