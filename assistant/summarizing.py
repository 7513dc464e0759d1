"""A topic to a proven summary: the second job, told in events.

``topics`` takes the request off the topic, ``relevance`` finds the papers, ``themes`` groups them.
Then the model writes a sentence on one paper at a time, so that none can lend its findings to
another; on what two papers share it is shown both, and must be right of each. Every sentence is
proven as those of an answer are. A summary of forty papers must not take forty drafts: the best
papers of each theme are written about, the others are quoted, and ``coverage`` says how many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant import prompting, tabulating, themes
from assistant.answering import checked_question
from assistant.citing import Source, content_words, draft_sentences, sources_of, tie
from assistant.errors import QuestionError
from assistant.llm import ChatModel, Prompt
from assistant.proving import Outcome, prove, quote
from assistant.relevance import Candidate, Selection, select
from assistant.summary import (
    Coverage,
    PapersChosen,
    Passed,
    Summary,
    SummaryEvent,
    SummaryFinished,
    Theme,
    ThemeFinished,
    ThemeGrew,
)
from assistant.topics import topic_of
from assistant.types import (
    Cancellation,
    Cancelled,
    Evidence,
    Receipt,
    Sentence,
    Status,
    Timings,
    Verdict,
)
from assistant.verifying import verify
from store.library import Library
from store.types import ScoredSentence

# On two cores a draft takes about five seconds, one on two papers seven.
DRAFTS = 13  # sentences that the model writes at most, those on two papers among them
SHARED = 3

_PAPER_TOKENS = 170  # read of a paper for one sentence about it
_DRAFT_TOKENS = 80
_ALIKE = 0.5  # cosine of two papers that may have something in common worth saying
_TOLD = 2  # words beyond the topic that a sentence on two papers must tell
_HELD = 0.85  # share of its words that must stand in each of the two
_SAYING = content_words(
    "both papers paper discuss address study explore focus present propose introduce use consider"
)


@dataclass(slots=True)
class _Job:
    """What a summary is written with, and how far it has come."""

    subject: str
    library: Library
    model: ChatModel | None
    cancel: Cancellation
    start: float = field(default_factory=time.perf_counter)
    timings: Timings = field(default_factory=Timings)
    calls: int = 0
    done: int = 0
    total: int = 0

    def passed(self) -> float:
        return round(time.perf_counter() - self.start, 3)

    def look(self) -> None:
        """Stop where the reader wants it."""
        if self.cancel.is_set:
            raise Cancelled


@dataclass(frozen=True, slots=True)
class _Plan:
    """A theme before it is written: its papers, which of them to write about, and two alike."""

    title: str
    items: tuple[Evidence, ...]
    drafted: frozenset[int] = frozenset()
    pair: tuple[Evidence, Evidence] | None = None


def summarize_topic(
    topic: str,
    *,
    library: Library,
    model: ChatModel | None,
    receipt: Receipt,
    cancel: Cancellation,
) -> Iterator[SummaryEvent]:
    """Summarize what the library holds on ``topic``; the last event is :class:`SummaryFinished`.

    Raises :class:`QuestionError` for a topic that is empty or too long, and ``Cancelled`` when
    ``cancel`` is set.
    """
    asked = checked_question(topic)
    job = _Job(topic_of(asked), library, model, cancel)
    chosen = select(job.subject, library)
    evidence = tuple(_evidence(n, c, job) for n, c in enumerate(chosen.used, start=1))
    plans = _plans(chosen, evidence, job)
    below = tuple(Passed(c.paper, round(c.relevance, 3)) for c in chosen.below)
    table = tuple(map(tabulating.row, evidence))
    job.timings = replace(job.timings, evidence_s=job.passed())
    outline = tuple((plan.title, tuple(i.number for i in plan.items)) for plan in plans)
    yield PapersChosen(job.subject, evidence, outline, below, table)
    told: list[Theme] = []
    for position, plan in enumerate(plans):
        theme = yield from _written(position, plan, job)
        told.append(theme)
        yield ThemeFinished(position, theme, job.done, job.total)
    summary = Summary(
        topic=asked,
        subject=job.subject,
        status=Status.ANSWERED if evidence else Status.NOT_IN_LIBRARY,
        themes=tuple(told),
        evidence=evidence,
        coverage=Coverage(len(library), chosen.looked_at, len(evidence), below, job.calls),
        receipt=replace(receipt, evidence=_spans(evidence)),
        timings=replace(job.timings, total_s=job.passed()),
        table=table,
        timeline=tabulating.timeline(evidence),
        open_questions=tabulating.open_questions(evidence),
    )
    yield SummaryFinished(_counted(summary))


def _counted(summary: Summary) -> Summary:
    """With the sentences counted by who wrote them."""
    sentences = [s for theme in summary.themes for s in theme.sentences]
    abstracts = {item.number: item.paper.abstract for item in summary.evidence}
    own = sum(s.text in abstracts[s.citations[0].number] for s in sentences)
    coverage = replace(summary.coverage, drafted=len(sentences) - own, quoted=own)
    return replace(summary, coverage=coverage)


def _spans(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(f"{e.paper.id}:{s.start}-{s.end}" for e in evidence for s in e.sentences)


# -- what is read, and what is written about


def _evidence(number: int, candidate: Candidate, job: _Job) -> Evidence:
    """A paper with its most telling sentences, in reading order."""
    count: Callable[[str], int] = job.model.count_tokens if job.model else len
    budget = _PAPER_TOKENS if job.model else 4 * _PAPER_TOKENS
    taken: list[ScoredSentence] = []
    worth = tabulating.readable(candidate.hit.sentences)
    for sentence in sorted(worth, key=tabulating.telling, reverse=True):
        cost = count(sentence.text)
        if not taken or cost <= budget:
            taken.append(sentence)
            budget -= cost
    taken.sort(key=lambda sentence: sentence.start)
    return Evidence(number, candidate.paper, tuple(taken), candidate.relevance)


def _plans(chosen: Selection, evidence: Sequence[Evidence], job: _Job) -> list[_Plan]:
    """The themes; drafts go round among them, so that each has its best papers written about."""
    groups = themes.group(chosen.vectors)
    papers = [[evidence[i].paper for i in rows] for rows in groups]
    plans = [
        _Plan(title, tuple(evidence[i] for i in rows))
        for title, rows in zip(
            themes.titles(papers, job.subject, job.library.rarity), groups, strict=True
        )
    ]
    if job.model is None:
        return plans
    pairs = [_pair(rows, chosen, evidence) for rows in groups]
    spare = [at for at, pair in enumerate(pairs) if pair][:SHARED]
    rounds = max((len(plan.items) for plan in plans), default=0)
    turns = [plan.items[r].number for r in range(rounds) for plan in plans if r < len(plan.items)]
    drafted = frozenset(turns[: DRAFTS - len(spare)])
    job.total = len(drafted) + len(spare)
    return [
        replace(plan, drafted=drafted, pair=pairs[at] if at in spare else None)
        for at, plan in enumerate(plans)
    ]


def _pair(
    rows: Sequence[int], chosen: Selection, evidence: Sequence[Evidence]
) -> tuple[Evidence, Evidence] | None:
    """The two papers of a theme that are most alike, if they are alike at all."""
    near = [
        (float(chosen.vectors[a] @ chosen.vectors[b]), a, b)
        for place, a in enumerate(rows)
        for b in rows[place + 1 :]
    ]
    cosine, a, b = max(near, default=(0.0, 0, 0))
    return (evidence[a], evidence[b]) if cosine >= _ALIKE else None


# -- writing and proving


def _written(position: int, plan: _Plan, job: _Job) -> Generator[SummaryEvent, None, Theme]:
    """The sentences of a theme; every paper of it is cited by one at least."""
    sentences: list[Sentence] = []
    if plan.pair:
        prompt = _prompt("common", plan.pair, job)
        draft = yield from _draft(prompt, position, job)
        sentences += _shared(draft, plan.pair, job)
    for item in plan.items:
        job.look()
        if item.number in plan.drafted:
            draft = yield from _draft(_prompt("theme", [item], job), position, job)
            sentences.append(_proven(draft, item, job))
        else:
            sentences.append(_most_telling(item))
    return Theme(plan.title, tuple(sentences), tuple(item.number for item in plan.items))


def _prompt(instruction: str, items: Sequence[Evidence], job: _Job) -> Prompt:
    """The prompt of a draft; raises :class:`QuestionError` where the model cannot read it."""
    prompt = prompting.build(instruction, f"What do papers say about {job.subject}?", items)
    model = job.model
    assert model is not None
    read = sum(map(model.count_tokens, (prompt.system, prompt.context, prompt.instruction)))
    if read + _DRAFT_TOKENS > model.context_tokens:
        raise QuestionError(
            f"The topic is too long for the {model.context_tokens:,} tokens that {model.name} can "
            "read. Shorten it, or choose a larger model."
        )
    job.timings = replace(job.timings, prompt_tokens=job.timings.prompt_tokens + read)
    return prompt


def _draft(prompt: Prompt, position: int, job: _Job) -> Generator[SummaryEvent, None, str]:
    """The model's draft, told as it grows; one sentence is enough."""
    assert job.model is not None
    job.calls += 1
    text = ""
    for piece in job.model.stream(prompt, max_tokens=_DRAFT_TOKENS, cancel=job.cancel):
        if not job.timings.first_token_s:
            job.timings = replace(job.timings, first_token_s=job.passed())
        text += piece
        yield ThemeGrew(position, text, job.done, job.total)
        if len(draft_sentences(text)) > 1:
            break  # the second one has begun
    written = job.model.count_tokens(text)
    job.timings = replace(job.timings, answer_tokens=job.timings.answer_tokens + written)
    job.done += 1
    return text


def _proven(draft: str, item: Evidence, job: _Job) -> Sentence:
    """The first sentence of a draft that holds, else the paper's own words."""
    start = job.passed()
    first = " ".join(draft_sentences(draft)[:1])
    proof = prove(first, item, "", job.library.similarity)
    taken = job.timings.proof_s + job.passed() - start
    job.timings = replace(job.timings, proof_s=round(taken, 3))
    told = content_words(first) - content_words(job.subject)
    if proof.outcome is Outcome.HOLDS and told:
        return proof.sentences[0]
    instead = next((s for s in proof.sentences if s.note), None)
    return instead or _most_telling(item)


def _shared(draft: str, pair: Sequence[Evidence], job: _Job) -> list[Sentence]:
    """What is said of both papers, if it is right of each by itself; else nothing.

    "Both speak of bees and wasps" is wrong where one speaks of bees and the other of wasps: nearly
    every word must stand in each of the two. Nearness in meaning is not enough here.
    """
    first = " ".join(draft_sentences(draft)[:1])
    words = content_words(first) - _SAYING
    if len(words - content_words(job.subject)) < _TOLD:
        return []
    for item in pair:
        held = content_words(f"{item.paper.title} {item.paper.abstract}")
        if len(words & held) < _HELD * len(words):
            return []
    ties = [tie(first, sources_of([item])) for item in pair]
    for tied, item in zip(ties, pair, strict=True):
        check = verify(first, tied, [item], "")
        if check.verdict is not Verdict.SUPPORTED:
            return []
    citations = tuple(c for tied in ties for c in tied.citations)
    score = round(min(tied.coverage for tied in ties), 3)
    return [Sentence(first, citations, Verdict.SUPPORTED, score)]


def _most_telling(item: Evidence) -> Sentence:
    best = max(item.sentences, key=tabulating.telling)
    return quote(Source(item.number, best.text, best.start, best.end))
