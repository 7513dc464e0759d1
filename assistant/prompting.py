"""Evidence to prompts that fit the model's context window.

All prompts of a question share system text and evidence, and differ in the instruction alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import prompts
from assistant.errors import QuestionError
from assistant.llm import ChatModel, Prompt
from assistant.types import Evidence
from store.labels import label
from store.types import Paper, ScoredSentence

_MARGIN = 32  # tokens of the chat template around our parts


def build(instruction: str, question: str, evidence: Sequence[Evidence]) -> Prompt:
    """The prompt that puts ``instruction`` (a template without placeholders) to the model."""
    excerpts = "\n\n".join(_excerpt(item) for item in evidence)
    return Prompt(
        system=prompts.load("system").fill(),
        context=prompts.load("evidence").fill(excerpts=excerpts, question=question),
        instruction=prompts.load(instruction).fill(),
    )


def showing(question: str, item: Evidence, sentence: str) -> Prompt:
    """The prompt that asks whether a paper shows a sentence of the draft that was written from it.

    All but its last words is in the model's memory by then.
    """
    asked = prompts.load("claim").fill(claim=sentence)
    return replace(build("judge", question, [item]), instruction=asked)


def weighing(claim: str, paper: Paper, sentences: Sequence[ScoredSentence]) -> Prompt:
    """The prompt that asks whether what is read of a paper shows a claim to be true."""
    text = " ".join(sentence.text for sentence in sentences)
    return Prompt(
        system=prompts.load("system").fill(),
        context=prompts.load("abstract").fill(excerpt=f"{paper.title}\n{text}".strip()),
        instruction=prompts.load("claim").fill(claim=claim),
    )


def _excerpt(item: Evidence) -> str:
    """A numbered paper: what it is called, and its chosen sentences.

    Titles, authors and years are evidence as well: "who wrote it, and when?".
    """
    paper = item.paper
    record = ", ".join((*paper.authors[:3], *([str(paper.year)] if paper.year else [])))
    head = label(paper) if paper.title else ""
    lines = [f"[{item.number}] {head}" + (f" ({record})" if record else "")]
    return "\n".join((lines[0].rstrip(), " ".join(s.text for s in item.sentences)))


def fit(
    question: str, evidence: Sequence[Evidence], model: ChatModel, *, answer_tokens: int
) -> tuple[tuple[Evidence, ...], int]:
    """Drop the weakest sentences of each paper until it can be read; returns how many went, too.

    Raises :class:`QuestionError` when not even one sentence fits beside the question.
    """
    fitting = tuple(_fitting(question, item, model, answer_tokens) for item in evidence)
    pairs = zip(evidence, fitting, strict=True)
    return fitting, sum(len(item.sentences) - len(kept.sentences) for item, kept in pairs)


def _fitting(question: str, item: Evidence, model: ChatModel, answer_tokens: int) -> Evidence:
    while not _fits(question, item, model, answer_tokens):
        if len(item.sentences) <= 1:
            raise QuestionError(
                f"The question is too long for the {model.context_tokens:,} tokens that "
                f"{model.name} can read. Shorten it, or choose a larger model."
            )
        weakest = min(item.sentences, key=lambda sentence: sentence.score)
        item = replace(item, sentences=tuple(s for s in item.sentences if s is not weakest))
    return item


def _fits(question: str, item: Evidence, model: ChatModel, answer_tokens: int) -> bool:
    prompt = build("answer", question, [item])
    used = sum(map(model.count_tokens, (prompt.system, prompt.context, prompt.instruction)))
    return used + answer_tokens + _MARGIN <= model.context_tokens
