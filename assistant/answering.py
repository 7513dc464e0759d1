"""A question to a proven answer: the whole way, told in events.

``retrieval`` finds candidates, ``reading`` finds out which of them answers, the model writes a
draft from that paper alone, ``proving`` ties each sentence to its sources and holds it against
them. A question about several papers gets its answer paper by paper, so that none can lend its
findings to another. Without a model the answer is the best sentences themselves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant import calibration, prompting
from assistant.conversation import standalone
from assistant.errors import QuestionError
from assistant.llm import ChatModel, Prompt
from assistant.naming import names, speaks_of
from assistant.proving import Outcome, Proof, prove, quotes
from assistant.reading import Reading, choose, read
from assistant.retrieval import asked_of, candidates
from assistant.types import (
    Answer,
    Cancellation,
    Cancelled,
    DraftGrew,
    Event,
    Evidence,
    EvidenceFound,
    Finished,
    Receipt,
    Status,
    Timings,
)
from assistant.verifying import Entails
from store.library import Library
from store.types import Hit, Paper

MAX_QUESTION = 2000  # characters; a longer text is not a question
NO_MODEL = "No answer model is on this machine: these are the best sentences of the papers."
_QUOTES = 3
_QUOTES_BESIDE = 5  # a model too small to judge is too small to answer: mostly it is quoted
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tokens the evidence and the answer may take."""

    evidence_tokens: int = 460
    answer_tokens: int = 220


@dataclass(slots=True)
class _Clock:
    """Collects the timings of one answer."""

    start: float = field(default_factory=time.perf_counter)
    timings: Timings = field(default_factory=Timings)

    def passed(self) -> float:
        return round(time.perf_counter() - self.start, 3)


def checked_question(question: str) -> str:
    """The question on one line; raises :class:`QuestionError` when it is empty or too long."""
    # Bytes of a command line that are no text come as lone surrogates; nothing can encode those.
    text = " ".join(question.encode("utf-8", "replace").decode().split())
    if not text:
        raise QuestionError("The question is empty. Ask something, for example in one sentence.")
    if len(text) > MAX_QUESTION:
        raise QuestionError(
            f"The question has {len(text):,} characters; at most {MAX_QUESTION:,} can be read. "
            "Ask about one thing at a time."
        )
    return text


def answer_question(
    question: str,
    *,
    after: Sequence[str] = (),
    library: Library,
    model: ChatModel | None,
    limits: Limits,
    receipt: Receipt,
    cancel: Cancellation,
    judge: Entails | None = None,
) -> Iterator[Event]:
    """Answer ``question``, asked ``after`` others; the last event is :class:`Finished`.

    Raises :class:`QuestionError` for a question that cannot be asked, and ``Cancelled`` when
    ``cancel`` is set.
    """
    clock = _Clock()
    asked = checked_question(question)
    question = checked_question(standalone(asked, after))
    hits = library.search(question)
    count = model.count_tokens if model else _guessed_tokens
    evidence = candidates(question, hits, budget=limits.evidence_tokens, count_tokens=count)
    notes: tuple[str, ...] = ()
    if model:
        most = limits.answer_tokens
        evidence, dropped = prompting.fit(question, evidence, model, answer_tokens=most)
        if dropped:
            notes = (f"{dropped} sentences were left out: {model.name} can read no more.",)
    clock.timings = replace(clock.timings, evidence_s=clock.passed())
    draft = Answer(
        question=asked,
        standalone_question=question,
        status=Status.ANSWERED,
        sentences=(),
        evidence=evidence,
        nearest=(),
        receipt=replace(receipt, after=tuple(after)),
        timings=clock.timings,
        notes=notes,
    )
    yield EvidenceFound(question, evidence)
    if cancel.is_set:
        raise Cancelled
    if not hits or hits[0].score < calibration.OFF_TOPIC:
        papers = [hit.paper for hit in hits]
        yield _refused(draft, Status.NOT_IN_LIBRARY, papers, clock)
    elif not evidence:  # titles alone
        yield _refused(draft, Status.NOT_STATED, [hit.paper for hit in hits], clock)
    elif model is None:
        yield _finished(replace(draft, sentences=quotes(evidence, _QUOTES)), clock)
    else:
        job = _Job(library, model, limits, clock, cancel, judge)
        yield from _read_and_answer(draft, hits, job)


@dataclass(frozen=True, slots=True)
class _Job:
    """What an answer is written with."""

    library: Library
    model: ChatModel
    limits: Limits
    clock: _Clock
    cancel: Cancellation
    judge: Entails | None


def _read_and_answer(draft: Answer, hits: Sequence[Hit], job: _Job) -> Iterator[Event]:
    """Find the papers that answer; write from each of them, and check what was written."""
    question = draft.standalone_question
    limits = calibration.thresholds(job.model.name)
    several = asked_of(question) > 1
    readings = list(
        read(question, draft.evidence, job.model, limits, several=several, cancel=job.cancel)
    )
    draft = replace(draft, evidence=tuple(reading.item for reading in readings))
    chosen = choose(readings, limits, most=asked_of(question))
    if not chosen:
        on_topic = hits[0].score >= calibration.ON_TOPIC or _named_in(question, hits)
        status = Status.NOT_STATED if on_topic else Status.NOT_IN_LIBRARY
        yield _refused(draft, status, _nearest(readings, hits), job.clock)
        return
    instruction = "part" if several else "answer"
    written: list[str] = []
    proofs: list[Proof] = []
    for item in chosen:
        text = ""
        for text in _written(prompting.build(instruction, question, [item]), job):
            yield DraftGrew("\n\n".join((*written, text)))
        written.append(text)
        proofs.append(_proven(text, item, question, job))
    tokens = sum(map(job.model.count_tokens, written))
    job.clock.timings = replace(job.clock.timings, answer_tokens=tokens)
    said = {reading.item.number: reading.yes for reading in readings}
    if any(_stands(p, said[i.number], limits) for i, p in zip(chosen, proofs, strict=True)):
        yield _finished(_joined(draft, proofs), job.clock)
    else:
        yield _refused(draft, Status.NOT_STATED, _nearest(readings, hits), job.clock)


def _stands(proof: Proof, yes: float, limits: calibration.Thresholds) -> bool:
    """Whether a draft is an answer: of one that does not hold, what the model said of the paper."""
    least = {
        Outcome.HOLDS: limits.answer,
        Outcome.FAILED: limits.late,
        Outcome.ECHOED: limits.sure,
        Outcome.INVENTED: math.inf if limits.judges else limits.sure,
        Outcome.ELSEWHERE: math.inf if limits.judges else limits.sure,
    }
    return yes >= least[proof.outcome]


def _proven(text: str, item: Evidence, question: str, job: _Job) -> Proof:
    start = job.clock.passed()
    limits = calibration.thresholds(job.model.name)

    def shown(sentence: str) -> bool:
        prompt = prompting.showing(question, item, sentence)
        yes = job.model.prefers_yes(prompt, cancel=job.cancel)
        return yes is None or yes >= limits.shown

    proof = prove(
        text,
        item,
        question,
        job.library.similarity,
        shown=shown if limits.judges else None,
        entails=job.judge,
        beside=0 if limits.judges else _QUOTES_BESIDE,
    )
    taken = round(job.clock.timings.proof_s + job.clock.passed() - start, 3)
    job.clock.timings = replace(job.clock.timings, proof_s=taken)
    return proof


def _nearest(readings: Sequence[Reading], hits: Sequence[Hit]) -> list[Paper]:
    """Papers by what the model made of them, then those that were not read by their rank."""
    read_ones = [r.item.paper for r in sorted(readings, key=lambda reading: -reading.worth)]
    return list(dict.fromkeys((*read_ones, *(hit.paper for hit in hits))))


def _written(prompt: Prompt, job: _Job) -> Iterator[str]:
    """The model's draft as it grows; it ends early where it begins to go in circles."""
    clock = job.clock
    read = sum(map(job.model.count_tokens, (prompt.system, prompt.context, prompt.instruction)))
    clock.timings = replace(clock.timings, prompt_tokens=clock.timings.prompt_tokens + read)
    text = ""
    most = job.limits.answer_tokens
    for piece in job.model.stream(prompt, max_tokens=most, cancel=job.cancel):
        if not clock.timings.first_token_s:
            clock.timings = replace(clock.timings, first_token_s=clock.passed())
        text += piece
        yield text
        if _loops(text):
            return


def _loops(text: str) -> bool:
    """Whether a draft has begun to say the same again, as very small models do."""
    ended = [line.strip() for line in text.replace("\n", ". ").split(". ") if line.strip()]
    return len(ended) > 2 and ended[-2] in ended[:-2]


def _joined(draft: Answer, proofs: Sequence[Proof]) -> Answer:
    """The proven sentences of all papers as one answer, with a word on what was left out."""
    left_out = [reason for proof in proofs for reason in proof.left_out]
    notes = draft.notes
    if left_out:
        plural = "s were" if len(left_out) > 1 else " was"
        notes = (*notes, f"{len(left_out)} sentence{plural} left out: {left_out[0]}.")
    if unknown := _unknown(draft.standalone_question, draft.evidence, proofs):
        notes = (*notes, f"None of the papers cited speaks of {', '.join(unknown)}.")
    return replace(
        draft, sentences=tuple(s for proof in proofs for s in proof.sentences), notes=notes
    )


def _unknown(question: str, evidence: Sequence[Evidence], proofs: Sequence[Proof]) -> list[str]:
    """The names of a question that no cited paper has: the half that is not answered."""
    cited = {number for proof in proofs for s in proof.sentences for number in s.numbers}
    papers = [item.paper for item in evidence if item.number in cited]
    record = " ".join(f"{paper.title} {paper.abstract}" for paper in papers)
    return sorted(name for name in names(question) if not speaks_of(record, name))


def _named_in(question: str, hits: Sequence[Hit]) -> bool:
    """Whether a paper found speaks of something that the question names."""
    asked = names(question)
    records = [f"{hit.paper.title} {hit.paper.abstract}" for hit in hits]
    return any(speaks_of(record, name) for record in records for name in asked)


def _refused(draft: Answer, status: Status, near: Sequence[Paper], clock: _Clock) -> Finished:
    return _finished(replace(draft, status=status, nearest=tuple(near[:_NEAREST])), clock)


def _finished(answer: Answer, clock: _Clock) -> Finished:
    spans = tuple(
        f"{item.paper.id}:{sentence.start}-{sentence.end}"
        for item in answer.evidence
        for sentence in item.sentences
    )
    return Finished(
        replace(
            answer,
            receipt=replace(answer.receipt, evidence=spans),
            timings=replace(clock.timings, total_s=clock.passed()),
        )
    )


def _guessed_tokens(text: str) -> int:
    """About what a tokenizer would count, for when no model is there to ask."""
    return len(text) // 4 + 1
