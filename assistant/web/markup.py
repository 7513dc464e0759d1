"""Turns to HTML: every word that is not ours goes through ``rendering``.

Buttons carry what they lead to in ``data-open`` (a :class:`Reference`) or ``data-ask`` (a
question); ``page.js`` reports the click, the page answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.types import Answer, Evidence, Sentence, Status, Verdict
from assistant.web.rendering import link, plain, render, web_address
from assistant.web.turns import OpenedPaper, Phase, Reference, Turn
from store.types import AddReport, Paper

Label = Callable[[Paper], str]

_NOTES = {
    Verdict.MISATTRIBUTED: "said of another paper or system",
    Verdict.UNSUPPORTED: "not backed by a source",
}
_REFUSALS = {
    Status.NOT_STATED: "The papers of this library do not say.",
    Status.NOT_IN_LIBRARY: "Nothing in this library is about that.",
}
_PROGRESS = {
    Phase.SEARCHING: "Looking through the library …",
    Phase.READING: "Sources found. Reading them …",
}


def conversation(turns: Sequence[Turn], label: Label) -> str:
    """All turns, oldest first."""
    return "".join(turn_article(turn, label) for turn in turns)


def turn_article(turn: Turn, label: Label) -> str:
    """A question with whatever is known of its answer."""
    busy = "false" if turn.phase.is_final else "true"
    return (
        f'<article class="turn {turn.phase}" aria-busy="{busy}" data-turn="{turn.number}">'
        f'<h2 class="question">{plain(turn.question)}</h2>'
        f"{_rewritten(turn)}{_source_line(turn, label)}"
        f'<div class="reply">{_reply(turn, label)}</div></article>'
    )


def _rewritten(turn: Turn) -> str:
    if turn.standalone.strip() in {"", turn.question.strip()}:
        return ""
    understood = plain(turn.standalone)
    edit = f'<button type="button" class="edit" data-edit="{understood}">Change it</button>'
    return f'<p class="fine">Understood as: {understood} {edit}</p>'


def _source_line(turn: Turn, label: Label) -> str:
    """The sources as small buttons; once the answer is checked, only those it rests on."""
    shown = [e for e in turn.evidence if turn.answer is None or e.number in turn.cited]
    if not shown:
        return ""
    buttons = "".join(f"<li>{_source_button(turn, e, label)}</li>" for e in shown)
    return f'<ul class="source-line" aria-label="Sources">{buttons}</ul>'


def _button(reference: Reference, number: str, name: str) -> str:
    figure = f"<b>{number}</b> " if number else ""
    return f'<button type="button" data-open="{reference}">{figure}{plain(name)}</button>'


def _source_button(turn: Turn, source: Evidence, label: Label) -> str:
    reference = Reference(turn.number, False, source.number)
    return _button(reference, str(source.number), label(source.paper))


def _reply(turn: Turn, label: Label) -> str:
    match turn.phase:
        case Phase.WAITING:
            before = "one question is" if turn.ahead == 1 else f"{turn.ahead} questions are"
            return f'<p class="progress">In line: {before} before yours.</p>'
        case Phase.SEARCHING | Phase.READING:
            return f'<p class="progress">{_PROGRESS[turn.phase]}</p>'
        case Phase.DRAFTING:
            return _draft(turn, "Draft, being checked")
        case Phase.STOPPED:
            return _draft(turn, "Stopped. Not checked" if turn.draft else "Stopped")
        case Phase.FAILED:
            trouble = f'<p class="trouble" role="alert">{plain(turn.trouble)}</p>'
            return (_draft(turn, "Unfinished. Not checked") if turn.draft else "") + trouble
        case Phase.ANSWERED:
            return _answer(turn.answer, turn, label) if turn.answer else ""


def _draft(turn: Turn, badge: str) -> str:
    text = f'<p class="draft-text">{render(turn.draft)}</p>' if turn.draft else ""
    return f'<div class="draft"><p class="badge">{badge}</p>{text}</div>'


def _answer(answer: Answer, turn: Turn, label: Label) -> str:
    notes = "".join(f'<p class="fine">{render(note)}</p>' for note in answer.notes)
    if answer.status is not Status.ANSWERED:
        return _refusal(answer, turn, label) + notes
    body = " ".join(
        _sentence(sentence, index, turn, label) for index, sentence in enumerate(answer.sentences)
    )
    return f'<p class="answer">{body}</p>{notes}'


def _sentence(sentence: Sentence, index: int, turn: Turn, label: Label) -> str:
    names = {item.number: label(item.paper) for item in turn.evidence}
    markers = "".join(
        f'<button type="button" class="cite" data-open="{Reference(turn.number, False, n, index)}"'
        f' title="{plain(names[n])}" aria-label="Source {n}: {plain(names[n])}">{n}</button>'
        for n in sentence.numbers
        if n in names
    )
    text = render(sentence.text) + (f'<span class="cites">{markers}</span>' if markers else "")
    note = sentence.note or _NOTES.get(sentence.verdict, "")
    remark = f' <small class="remark">{render(note)}</small>' if note else ""
    return f'<span class="sentence {sentence.verdict}">{text}</span>{remark}'


def _refusal(answer: Answer, turn: Turn, label: Label) -> str:
    said = "".join(f"<p>{render(sentence.text)}</p>" for sentence in answer.sentences)
    said = said or f"<p>{_REFUSALS[answer.status]}</p>"
    near = "".join(
        f"<li>{_button(Reference(turn.number, True, place), '', label(paper))}</li>"
        for place, paper in enumerate(answer.nearest, start=1)
    )
    listed = f'<p class="fine">The nearest papers:</p><ul class="near">{near}</ul>' if near else ""
    return f'<div class="refusal">{said}{listed}</div>'


def sources(turn: Turn, label: Label) -> str:
    """The numbered source cards of a turn for the panel."""
    if not turn.evidence:
        return no_sources()
    cited = turn.cited if turn.phase is Phase.ANSWERED else None
    cards = "".join(
        f'<li class="card{"" if cited is None or item.number in cited else " unused"}"'
        f' data-of="{plain(item.paper.id)}">'
        f"<h3>{_source_button(turn, item, label)}</h3>{imprint(item.paper)}"
        + "".join(f"<blockquote>{render(s.text)}</blockquote>" for s in item.nearest())
        + "</li>"
        for item in turn.evidence
    )
    return f'<h2>Sources</h2><ol class="cards">{cards}</ol>'


def no_sources() -> str:
    """The panel before anything was asked."""
    return '<h2>Sources</h2><p class="fine">The papers an answer rests on appear here.</p>'


def imprint(paper: Paper) -> str:
    """Authors · year · venue, as far as they are known."""
    authors = ", ".join(paper.authors[:3]) + (" et al." if len(paper.authors) > 3 else "")
    known = [authors, str(paper.year or ""), paper.venue]
    line = " · ".join(render(part) for part in known if part.strip())
    return f'<p class="imprint">{line}</p>' if line else ""


def paper_article(shown: OpenedPaper, label: Label, back: str = "Back to the sources") -> str:
    """A paper whole, with its marks; ``back`` is the button that closes it."""
    paper = shown.paper
    number = "" if shown.number is None else f'<b class="number">{shown.number}</b> '
    heading = render(paper.title) if paper.title.strip() else plain(label(paper))
    away = link(paper.url, plain(paper.url)) if web_address(paper.url) else ""
    why = f'<p class="fine">{shown.why}</p>' if shown.why else ""
    return (
        '<article class="paper" tabindex="-1" aria-label="Paper">'
        '<button type="button" class="back" data-close>' + back + "</button>"
        f"<h2>{number}{heading}</h2>{imprint(paper)}{why}"
        f'<p class="abstract">{render(paper.abstract, shown.marks)}</p>'
        f'<p class="fine">{" · ".join(part for part in (away, plain(paper.source)) if part)}</p>'
        "</article>"
    )


def welcome(examples: Sequence[str], papers: int) -> str:
    """What stands there before the first question."""
    if not papers:
        return (
            '<section class="welcome"><h2>The library is empty.</h2>'
            "<p>Add papers with the button above: a list of abstracts, or an export of your "
            "reference manager.</p></section>"
        )
    chips = "".join(
        f'<li><button type="button" data-ask="{plain(text)}">{plain(text)}</button></li>'
        for text in examples
    )
    listed = f'<p class="fine">For example:</p><ul class="chips">{chips}</ul>' if chips else ""
    return (
        '<section class="welcome"><h2>Ask your papers.</h2><p>Every sentence of an answer names the'
        f" source sentence it rests on, and says so where it rests on none.</p>{listed}</section>"
    )


def header(papers: int, model_state: str) -> str:
    """The name, the size of the library, and what the reader should know of the model."""
    count = "1 paper" if papers == 1 else f"{papers:,} papers"
    state = f'<p class="state" role="status">{plain(model_state)}</p>' if model_state else ""
    return f'<h1>citewell</h1><p class="count">{count}</p>{state}'


def added(report: AddReport) -> str:
    """What became of the records of an upload, in one line, with the reasons of the rejected."""
    counts = {
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "merged": report.merged,
        "rejected": len(report.rejected),
    }
    line = ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "No papers found"
    reasons = "".join(
        f"<li>{plain(bad.source)}: {plain(bad.reason)}</li>" for bad in report.rejected[:20]
    )
    more = len(report.rejected) - 20
    reasons += f"<li>and {more} more</li>" if more > 0 else ""
    listed = f"<details><summary>Why</summary><ul>{reasons}</ul></details>" if reasons else ""
    return f'<div class="report" role="status"><p>{line}.</p>{listed}</div>'


def trouble(message: str) -> str:
    """One clear line about what could not be done."""
    return f'<div class="report trouble" role="alert"><p>{plain(message)}</p></div>'
