"""A summary to HTML: themes with their proven sentences, the table, the timeline. Pure.

What is finished is in one part and what still grows in another, so that a citation that the reader
points at is not redrawn with every word of a draft.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.summaries import NOTHING, cell_text, coverage_line
from assistant.summary import Passed, Row, Summary, Theme, quoted
from assistant.types import Citation, Evidence, Sentence, Status, Verdict
from assistant.web.gathering import Digest
from assistant.web.markup import Label, imprint
from assistant.web.places import place
from assistant.web.progress import progress, saves, trouble
from assistant.web.rendering import plain, render
from assistant.web.turns import Phase

WELCOME = (
    '<section class="welcome"><h2>Gather what your papers say on a topic.</h2>'
    "<p>All papers on it are found and put in themes. Each gets a sentence that was checked "
    "against it, or its own words, and a line of a table. What you get can be saved for your own "
    "writing.</p></section>"
)

_VERDICTS = {
    Verdict.SUPPORTED: ("✓", "Checked against its source"),
    Verdict.MISATTRIBUTED: ("!", "Said of another paper"),
    Verdict.UNSUPPORTED: ("!", "Not backed by its source"),
}
_QUOTED = ("✓", "The paper's own words")
_KINDS = {".md": "Markdown", ".tex": "LaTeX", ".bib": "BibTeX", ".json": "JSON"}
_SHOWN_BELOW = 8

Sources = Mapping[int, Evidence]


# -- what is finished


def themes(digest: Digest, label: Label) -> str:
    """The topic, how far it has come, and every theme that is finished."""
    busy = "false" if digest.phase.is_final else "true"
    evidence = _by_number(digest)
    told = "".join(_theme(theme, evidence, label) for theme in digest.themes)
    return (
        f'<article class="digest" aria-busy="{busy}">'
        f'<h2 class="question">{plain(digest.topic)}</h2>'
        f"{_state(digest)}{_coverage(digest, label)}{told}</article>"
    )


def _state(digest: Digest) -> str:
    """How far it has come, or why it came no further."""
    told = "Looking for papers …"
    if digest.phase in {Phase.READING, Phase.DRAFTING}:
        told = "Reading them …"
    if digest.total and digest.phase is Phase.DRAFTING:
        told = f"Writing: sentence {min(digest.done + 1, digest.total)} of {digest.total}"
    share = digest.done / (digest.total or 1)
    return progress(digest.phase, digest.ahead, told, share) + trouble(digest.trouble)


def _coverage(digest: Digest, label: Label) -> str:
    """How many papers stand behind it, or that there are none."""
    if digest.summary is None:
        count, groups = len(digest.evidence), len(digest.chosen.themes if digest.chosen else ())
        if not count:
            return ""
        many = f"{count} paper{'s' if count > 1 else ''} in {groups} theme{'s' * (groups > 1)}"
        return f'<p class="coverage" role="status">{many}</p>'
    if digest.summary.status is Status.NOT_IN_LIBRARY:
        return _nothing(digest.summary, label)
    line = f'<p class="coverage" role="status">{plain(coverage_line(digest.summary))}</p>'
    return line + "".join(f'<p class="fine">{render(note)}</p>' for note in digest.summary.notes)


def _nothing(summary: Summary, label: Label) -> str:
    near = _passed(summary.coverage.below, label)
    listed = f'<p class="fine">The nearest papers:</p>{near}' if near else ""
    return f'<div class="refusal"><p>{NOTHING}</p>{listed}</div>'


def _theme(theme: Theme, evidence: Sources, label: Label) -> str:
    told = "".join(_sentence(sentence, evidence, label) for sentence in theme.sentences)
    return _section("theme", theme.title, len(theme.papers), f'<ul class="told">{told}</ul>')


def _section(kind: str, title: str, count: int, inside: str) -> str:
    return (
        f'<section class="{kind}"><h3>{render(title)} <span class="count">{count}'
        f'<span class="spoken"> paper{"s" if count != 1 else ""}</span></span></h3>'
        f"{inside}</section>"
    )


def _sentence(sentence: Sentence, evidence: Sources, label: Label) -> str:
    own = quoted(sentence, dict(evidence))
    sign, verdict = _QUOTED if own else _VERDICTS[sentence.verdict]
    text = f"<q>{render(sentence.text)}</q>" if own else render(sentence.text)
    numbers = (_cite(n, sentence.citations, evidence, label) for n in sentence.numbers)
    note = f' <small class="remark">{render(sentence.note)}</small>' if sentence.note else ""
    return (
        f'<li class="sentence {sentence.verdict}{" own" if own else ""}">'
        f'<span class="sign" aria-hidden="true" title="{verdict}">{sign}</span>'
        f'<span>{text}<span class="cites">{"".join(numbers)}</span>'
        f'<span class="spoken">{verdict}.</span>{note}</span></li>'
    )


def _cite(number: int, citations: Iterable[Citation], evidence: Sources, label: Label) -> str:
    """The number of a source; pointing at it shows the words, a click opens the paper at them."""
    paper = evidence[number].paper
    spans = [(c.start, c.end) for c in citations if c.number == number]
    name = plain(label(paper))
    said = plain(" … ".join(paper.abstract[start:end] for start, end in spans))
    return (
        f'<button type="button" class="cite" data-open="{plain(place(paper.id, spans))}" '
        f'title="{name}: {said}" aria-label="Source {number}: {name}">{number}</button>'
    )


# -- what is on its way, or comes at the end


def rest(digest: Digest, label: Label) -> str:
    """The draft and the themes to come; once it is finished, all that is read beside the themes."""
    evidence = _by_number(digest)
    if digest.summary is None:
        return _coming(digest, evidence, label)
    if digest.summary.status is Status.NOT_IN_LIBRARY:
        return ""
    return (
        _open_questions(digest.summary, evidence, label)
        + _table(digest.summary.table, evidence, label)
        + _timeline(digest.summary, evidence, label)
        + _below(digest.summary, label)
        + saves(_KINDS)
    )


def _coming(digest: Digest, evidence: Sources, label: Label) -> str:
    draft = ""
    if digest.draft:
        draft = (
            '<div class="draft"><p class="badge">Draft, being checked</p>'
            f'<p class="draft-text">{render(digest.draft)}</p></div>'
        )
    shown = []
    for place_, (title, numbers) in enumerate(digest.waiting):
        cites = "".join(_cite(number, (), evidence, label) for number in numbers)
        inside = f'<p class="cites">{cites}</p>{draft if place_ == 0 else ""}'
        shown.append(_section("theme coming", title, len(numbers), inside))
    return "".join(shown)


def _open_questions(summary: Summary, evidence: Sources, label: Label) -> str:
    told = "".join(_sentence(one, evidence, label) for one in summary.open_questions)
    if not told:
        return ""
    return (
        f'<section class="theme"><h3>What they call open</h3><ul class="told">{told}</ul></section>'
    )


def _table(rows: Sequence[Row], evidence: Sources, label: Label) -> str:
    lines = "".join(_row(row, evidence, label) for row in rows)
    return (
        '<section class="side-by-side"><h3>Side by side</h3><p class="fine">Every cell is quoted; '
        'an empty one found nothing to quote.</p><table class="quotes"><thead><tr>'
        '<th scope="col">Paper</th><th scope="col">Proposes</th><th scope="col">On</th>'
        f'<th scope="col">Result</th></tr></thead><tbody>{lines}</tbody></table></section>'
    )


def _row(row: Row, evidence: Sources, label: Label) -> str:
    item = evidence[row.number]
    cells = {"Proposes": row.proposes, "On": row.on, "Result": row.result}
    return (
        f'<tr><th scope="row">{_numbered(item, label)}</th>'
        + "".join(f'<td data-name="{name}">{_cell(c, evidence)}</td>' for name, c in cells.items())
        + "</tr>"
    )


def _cell(cell: Citation | None, evidence: Sources) -> str:
    if cell is None:
        return ""
    where = place(evidence[cell.number].paper.id, [(cell.start, cell.end)])
    words = render(cell_text(cell, dict(evidence)))
    return f'<button type="button" class="quoted" data-open="{plain(where)}">{words}</button>'


def _timeline(summary: Summary, evidence: Sources, label: Label) -> str:
    if not summary.timeline:
        return ""
    years = "".join(
        f"<li><b>{year}</b> <span>{''.join(_cite(n, (), evidence, label) for n in numbers)}"
        "</span></li>"
        for year, numbers in summary.timeline
    )
    return f'<section><h3>By year</h3><ol class="timeline">{years}</ol></section>'


def _below(summary: Summary, label: Label) -> str:
    near = _passed(summary.coverage.below, label)
    if not near:
        return ""
    return (
        '<section class="below"><h3>Just below the cut</h3><p class="fine">The nearest papers that '
        f"were not used.</p>{near}</section>"
    )


def _passed(below: Sequence[Passed], label: Label) -> str:
    listed = "".join(
        f'<li><button type="button" data-open="{plain(place(passed.paper.id, ()))}">'
        f"{plain(label(passed.paper))}</button></li>"
        for passed in below[:_SHOWN_BELOW]
    )
    return f'<ul class="near">{listed}</ul>' if listed else ""


# -- the panel


def sources(digest: Digest, label: Label) -> str:
    """The papers that are used, as numbered cards."""
    cards = "".join(
        f'<li class="card"><h3>{_numbered(item, label)}</h3>{imprint(item.paper)}</li>'
        for item in digest.evidence
    )
    return f'<h2>Papers</h2><ol class="cards">{cards}</ol>' if cards else ""


def _numbered(item: Evidence, label: Label) -> str:
    spans = [(s.start, s.end) for s in item.nearest()]
    return (
        f'<button type="button" data-open="{plain(place(item.paper.id, spans))}">'
        f"<b>{item.number}</b> {plain(label(item.paper))}</button>"
    )


def _by_number(digest: Digest) -> Sources:
    return {item.number: item for item in digest.evidence}
