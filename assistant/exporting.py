"""Answers and papers to the JSON of the command line and the HTTP interface.

Pure: the shapes are the contract, and stand here alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from assistant.types import Answer, ClaimReport, ClaimVerdict, Evidence, Sentence, Weighed
from store.exporting import record
from store.types import AddReport, Hit, Paper, ScoredSentence

Json = dict[str, Any]

_SHOWN_SENTENCES = 3


def paper_json(paper: Paper) -> Json:
    """A paper without its abstract."""
    fields = full_paper_json(paper)
    del fields["abstract"]
    return fields


def full_paper_json(paper: Paper) -> Json:
    """A paper with its abstract; what `papers export` writes, `add` reads again."""
    return record(paper)


def sentence_json(sentence: ScoredSentence) -> Json:
    """A sentence of an abstract: offsets in characters."""
    return {
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "score": _rounded(sentence.score),
    }


def hit_json(hit: Hit) -> Json:
    """A paper that was found, with its best sentences."""
    return {
        "rank": hit.rank,
        "paper": paper_json(hit.paper),
        "score": _rounded(hit.score),
        "sentences": [sentence_json(s) for s in hit.sentences[:_SHOWN_SENTENCES]],
    }


def search_json(query: str, hits: Sequence[Hit]) -> Json:
    """The result of a search."""
    return {"query": query, "hits": [hit_json(hit) for hit in hits]}


def answer_json(answer: Answer) -> Json:
    """An answer, whole."""
    return {
        "question": answer.question,
        "standalone_question": answer.standalone_question,
        "status": answer.status.value,
        "text": answer.text,
        "sentences": [sentence_of_answer_json(sentence) for sentence in answer.sentences],
        "evidence": [evidence_json(item) for item in answer.evidence],
        "nearest": [paper_json(paper) for paper in answer.nearest],
        "receipt": asdict(answer.receipt),
        "timings": asdict(answer.timings),
        "notes": list(answer.notes),
    }


def sentence_of_answer_json(sentence: Sentence) -> Json:
    """A sentence that was written, with the papers and spans that it rests on."""
    return {
        "text": sentence.text,
        "citations": list(sentence.numbers),
        "verdict": sentence.verdict.value,
        "score": _rounded(sentence.score),
        "sources": [asdict(citation) for citation in sentence.citations],
        "note": sentence.note,
    }


def evidence_json(item: Evidence) -> Json:
    """A numbered paper, with what was read of it."""
    return {
        "number": item.number,
        "paper": paper_json(item.paper),
        "sentences": [sentence_json(sentence) for sentence in item.sentences],
        "score": _rounded(item.score),
    }


def claim_json(report: ClaimReport) -> Json:
    """What the papers say to a claim."""
    return {
        "claim": report.claim,
        "verdict": report.verdict.value,
        "papers": [_weighed(found) for found in report.papers],
        "receipt": asdict(report.receipt),
        "timings": asdict(report.timings),
        "notes": list(report.notes),
    }


def paragraph_json(text: str, reports: Sequence[ClaimReport]) -> Json:
    """A paragraph: each sentence a claim of its own, and all of them together."""
    sides = {report.verdict for report in reports} - {ClaimVerdict.NO_EVIDENCE}
    together = ClaimVerdict.NO_EVIDENCE if not sides else ClaimVerdict.MIXED
    return {
        "claim": text,
        "verdict": (sides.pop() if len(sides) == 1 else together).value,
        "papers": [_weighed(found) for report in reports for found in report.papers],
        "sentences": [claim_json(report) for report in reports],
    }


def _weighed(found: Weighed) -> Json:
    """A paper's stance; ``quote`` is its most telling sentence, ``rationale`` all of them."""
    return {
        "paper": paper_json(found.paper),
        "stance": found.stance.value,
        "confidence": _rounded(found.confidence),
        "quote": found.rationale[0].text if found.rationale else "",
        "rationale": [sentence_json(sentence) for sentence in found.rationale],
    }


def report_json(report: AddReport) -> Json:
    """What became of the records of an `add`."""
    return asdict(report) | {
        "rejected": [asdict(refused) for refused in report.rejected],
        "merges": [asdict(merge) for merge in report.merges],
    }


def _rounded(score: float) -> float:
    return round(float(score), 4)
