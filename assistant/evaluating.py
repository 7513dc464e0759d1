"""How good it is: a gold file through the whole assistant, question by question.

A gold file names the right papers of each question, and what an answer must hold. One question
gives one :class:`Result`, kept as a line of a file as soon as it is there, so that a long run can
be stopped and goes on later; ``scoring`` makes figures of the results.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from assistant.answering import MAX_QUESTION
from assistant.conversation import standalone
from assistant.desk import Assistant
from assistant.errors import GoldError
from assistant.summary import Summary, SummaryFinished
from assistant.types import Answer, Finished, Receipt, Sentence, Status
from store.errors import PaperNotFoundError
from store.library import Library
from store.types import Paper

Type = Literal["factual", "claim", "topic", "compare", "unanswerable", "followup"]
TYPES: tuple[Type, ...] = get_args(Type)
# What `ask` is for. A topic is summarized; claims are searched for, until `support` is measured.
ANSWERED_TYPES = ("factual", "compare", "followup", "unanswerable")

DEPTH = 10  # papers looked through for the right ones

Asked = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION)
]


class Gold(BaseModel):
    """A question, the papers that answer it, and what the answer must hold."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    type: Type
    question: Asked
    turns: tuple[Asked, ...] | None = None
    gold: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    near: tuple[str, ...] | None = None
    must_include: tuple[str, ...] | None = None

    @property
    def before(self) -> tuple[str, ...]:
        """The questions asked before it; the turns of a conversation may end with it or not."""
        turns = self.turns or ()
        return turns[:-1] if turns[-1:] == (self.question,) else turns

    @property
    def papers(self) -> tuple[str, ...]:
        """All papers that it names."""
        return (*self.gold, *self.optional, *(self.near or ()))

    def held_by(self, text: str) -> bool | None:
        """Whether a text holds one wording of everything that an answer must hold.

        None when nothing is asked of it: that is neither a success nor a failure.

        >>> gold = Gold(id="1", type="factual", question="?", must_include=("bees|wasps", "sting"))
        >>> gold.held_by("Wasps sting."), gold.held_by("Wasps fly.")
        (True, False)
        """
        if not self.must_include:
            return None
        low = text.lower()
        return all(any(way.lower() in low for way in e.split("|")) for e in self.must_include)


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


def by_id(questions: Sequence[Gold], library: Library) -> tuple[list[Gold], list[str]]:
    """The questions with their papers by id, and the names that no paper of the library bears."""
    ids: dict[str, str] = {}
    for paper in library.papers():
        ids[paper.id] = paper.id
        ids.setdefault(paper.source, paper.id)
    named = {name for question in questions for name in question.papers}
    for name in named - ids.keys():
        with suppress(PaperNotFoundError):  # a paper that stands in two lists has two sources
            ids[name] = library.get(name).id

    def known(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ids.get(name, name) for name in names))

    found = [
        question.model_copy(
            update={
                "gold": known(question.gold),
                "optional": known(question.optional),
                "near": known(question.near or ()),
            }
        )
        for question in questions
    ]
    return found, sorted(named - ids.keys())


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


def inputs_of(question: Gold, receipt: Receipt, *, answers: bool) -> str:
    """Sixteen hex digits that change with anything a result depends on.

    So a corrected line of the gold file, another model or a new paper is asked anew, and nothing
    else is.
    """
    made_with = json.dumps(asdict(receipt), sort_keys=True)
    parts = (question.model_dump_json(), made_with, str(answers))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def results(
    assistant: Assistant, questions: Sequence[Gold], kept: Path, *, answers: bool
) -> Iterator[Result]:
    """A result for each question: from the file ``kept``, else asked for and written there."""
    receipt = assistant.receipt(assistant.library, assistant.slot.model)
    done = read_results(kept)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8") as file:
        if kept.stat().st_size and not kept.read_bytes().endswith(b"\n"):
            file.write("\n")  # the end of a line that was cut off in writing
        for question in questions:
            inputs = inputs_of(question, receipt, answers=answers)
            if inputs not in done:
                result = measure(assistant, question, answers=answers)
                done[inputs] = result.model_copy(update={"inputs": inputs})
                file.write(done[inputs].model_dump_json() + "\n")
                file.flush()
            yield done[inputs]


def read_results(path: Path) -> dict[str, Result]:
    """The results in a file, by their inputs; a line that was cut off in writing is left out.

    Raises :class:`GoldError` for a file that holds something else: it shall not be written to.
    """
    found: dict[str, Result] = {}
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for line in text.splitlines():
        with suppress(ValidationError):
            result = Result.model_validate_json(line)
            found[result.inputs] = result
    if text.strip() and not found:
        raise GoldError(
            f"{path} holds no results of `citewell eval`. Name another file with --results."
        )
    return found


def measure(assistant: Assistant, gold: Gold, *, answers: bool) -> Result:
    """Search for one question, whose papers stand there by id, and, for ``answers``, ask it."""
    hits = assistant.search(standalone(gold.question, gold.before), DEPTH)
    ranks = tuple(hit.rank for hit in hits if hit.paper.id in gold.gold)
    result = Result(id=gold.id, type=gold.type, ranks=ranks, gold=len(gold.gold))
    if answers and gold.type == "topic":
        *_, end = assistant.summarize(gold.question)
        assert isinstance(end, SummaryFinished)
        return result.model_copy(update=_of_summary(end.summary, gold))
    if not answers or gold.type not in ANSWERED_TYPES:
        return result
    *_, last = assistant.ask(gold.question, after=gold.before)
    assert isinstance(last, Finished)
    return result.model_copy(update=_of_answer(last.answer, gold))


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
