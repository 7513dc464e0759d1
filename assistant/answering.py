"""A question to a proven answer: the whole way, told in events.

``retrieval`` finds evidence, ``prompting`` puts it before the model, the model says whether the
answer is there and writes a draft, ``citing`` ties each sentence to its sources and ``verifying``
holds it against them. What does not hold is replaced by the source's own words or left out. Without
a model the answer is the best sentences themselves.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant import calibration, prompting
from assistant.citing import Source, Tie, content_words, draft_sentences, sources_of, tie
from assistant.conversation import standalone
from assistant.errors import QuestionError
from assistant.llm import ChatModel
from assistant.retrieval import choose_evidence
from assistant.types import (
    Answer,
    Cancellation,
    Cancelled,
    Citation,
    DraftGrew,
    Event,
    EvidenceFound,
    Finished,
    Receipt,
    Sentence,
    Status,
    Timings,
    Verdict,
)
from assistant.verifying import verify
from store.library import Library
from store.types import Hit, ScoredSentence

MAX_QUESTION = 2000  # characters; a longer text is not a question
NO_MODEL = "No answer model is on this machine: these are the best sentences of the papers."
_QUOTES = 3
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
    text = " ".join(question.split())
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
    evidence = choose_evidence(question, hits, budget=limits.evidence_tokens, count_tokens=count)
    notes: list[str] = []
    if model and evidence:
        evidence, dropped = prompting.fit(
            question, evidence, model, answer_tokens=limits.answer_tokens
        )
        if dropped:
            notes.append(f"{dropped} sentences were left out: {model.name} can read no more.")
    clock.timings = replace(clock.timings, evidence_s=clock.passed())
    draft = Answer(
        question=asked,
        standalone_question=question,
        status=_status_without_model(hits),
        sentences=(),
        evidence=evidence,
        nearest=(),
        receipt=receipt,
        timings=clock.timings,
        notes=tuple(notes),
    )
    yield EvidenceFound(question, evidence)
    if cancel.is_set:
        raise Cancelled
    if model is None or draft.status is Status.NOT_IN_LIBRARY:
        yield _finished(_quoting(draft) if model is None else draft, hits, clock)
        return
    yield from _with_model(draft, hits, model, limits, clock, cancel)


def _with_model(
    draft: Answer,
    hits: Sequence[Hit],
    model: ChatModel,
    limits: Limits,
    clock: _Clock,
    cancel: Cancellation,
) -> Iterator[Event]:
    """Ask whether the answer is there; write it and check it if so."""
    judge = prompting.build("judge", draft.standalone_question, draft.evidence)
    yes = model.prefers_yes(judge, cancel=cancel)
    if yes is not None and yes < calibration.thresholds(model.name).answer:
        off = hits[0].score < calibration.ON_TOPIC
        status = Status.NOT_IN_LIBRARY if off else Status.NOT_STATED
        yield _finished(replace(draft, status=status), hits, clock)
        return
    prompt = prompting.build("answer", draft.standalone_question, draft.evidence)
    read = sum(map(model.count_tokens, (prompt.system, prompt.context, prompt.instruction)))
    clock.timings = replace(clock.timings, prompt_tokens=read)
    text = ""
    for piece in model.stream(prompt, max_tokens=limits.answer_tokens, cancel=cancel):
        if not text:
            clock.timings = replace(clock.timings, first_token_s=clock.passed())
        text += piece
        yield DraftGrew(text)
        if _loops(text):
            break
    clock.timings = replace(clock.timings, answer_tokens=model.count_tokens(text))
    yield _finished(_proven(draft, text), hits, clock)


def _finished(answer: Answer, hits: Sequence[Hit], clock: _Clock) -> Finished:
    nearest = (
        () if answer.status is Status.ANSWERED else tuple(hit.paper for hit in hits[:_NEAREST])
    )
    timings = replace(clock.timings, total_s=clock.passed())
    return Finished(replace(answer, nearest=nearest, timings=timings))


def _status_without_model(hits: Sequence[Hit]) -> Status:
    """Whether anything here is about the question at all."""
    if not hits or hits[0].score < calibration.OFF_TOPIC:
        return Status.NOT_IN_LIBRARY
    return Status.ANSWERED


def _loops(text: str) -> bool:
    """Whether a draft has begun to say the same again, as very small models do."""
    ended = [line.strip() for line in text.replace("\n", ". ").split(". ") if line.strip()]
    return len(ended) > 2 and ended[-2] in ended[:-2]


def _proven(draft: Answer, text: str) -> Answer:
    """Tie each sentence of the model's draft to its sources, and keep what holds."""
    sources = sources_of(draft.evidence)
    known = content_words(draft.standalone_question)
    kept: list[Sentence] = []
    left_out: list[str] = []
    for sentence in draft_sentences(text):
        tied = tie(sentence, sources, known)
        check = verify(sentence, tied, draft.evidence, draft.standalone_question)
        if check.verdict is Verdict.SUPPORTED:
            kept.append(Sentence(sentence, tied.citations, check.verdict, round(tied.coverage, 3)))
        elif (quote := _instead(tied, check.reason)) and quote.text not in {s.text for s in kept}:
            kept.append(quote)
        else:
            left_out.append(check.reason)
    notes = [*draft.notes]
    if left_out:
        plural = "s were" if len(left_out) > 1 else " was"
        notes.append(f"{len(left_out)} sentence{plural} left out: {left_out[0]}.")
    if not kept:
        return replace(_quoting(draft, _QUOTES - 1), notes=tuple(notes))
    return replace(draft, sentences=tuple(kept), notes=tuple(notes))


def _instead(tied: Tie, reason: str) -> Sentence | None:
    """The source's own words in place of a sentence that failed, if they are about the same."""
    if not tied.sources or tied.coverage < 0.3:
        return None
    return _quote(tied.sources[0], f"Quoted from the abstract instead of the draft: {reason}.")


def _quoting(draft: Answer, count: int = _QUOTES) -> Answer:
    """An answer made of the best sentences of the evidence, in their own words."""
    best = sorted(
        (
            (
                item.score + sentence.score,
                Source(item.number, sentence.text, sentence.start, sentence.end),
            )
            for item in draft.evidence
            for sentence in item.sentences
        ),
        key=lambda pair: -pair[0],
    )
    chosen = sorted((source for _, source in best[:count]), key=lambda s: (s.number, s.start))
    quotes = tuple(_quote(source) for source in chosen)  # in the order in which they were written
    return replace(draft, sentences=quotes)


def _place(sentence: ScoredSentence) -> tuple[str, int, int]:
    return sentence.text, sentence.start, sentence.end


def _quote(source: Source, note: str = "") -> Sentence:
    citation = Citation(source.number, source.start, source.end)
    return Sentence(source.text, (citation,), Verdict.SUPPORTED, 1.0, note)


def _guessed_tokens(text: str) -> int:
    """About what a tokenizer would count, for when no model is there to ask."""
    return len(text) // 4 + 1
