"""Claims with their papers to HTML: columns for and against, and a paragraph with its marks. Pure.

Buttons carry a :func:`assistant.web.places.place`; every word that is not ours goes through
``rendering``.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant import marking
from assistant.types import ClaimReport, ClaimVerdict, Stance, Weighed
from assistant.web.markup import Label, imprint
from assistant.web.places import place
from assistant.web.progress import progress, saves, trouble
from assistant.web.rendering import plain, render
from assistant.web.turns import Phase
from assistant.web.weighing import Check

WELCOME = (
    '<section class="welcome"><h2>Find what your papers say to a claim.</h2>'
    "<p>Give one sentence: you get the papers for it and against it, each with the sentence that "
    "says so. Or paste a paragraph that you are writing: you get it back with citations, and a "
    "warning wherever a paper says otherwise.</p></section>"
)

_COLUMNS = (
    (Stance.SUPPORTS, "For", "No paper here bears it out."),
    (Stance.CONTRADICTS, "Against", "No paper here speaks against it."),
    (Stance.RELATED, "Only related", "None."),
)
_VERDICTS = {
    ClaimVerdict.SUPPORTED: ("✓", "Supported"),
    ClaimVerdict.CONTRADICTED: ("✕", "Contradicted"),
    ClaimVerdict.MIXED: ("⇄", "Mixed"),
    ClaimVerdict.NO_EVIDENCE: ("–", "No evidence"),
}
_EXPLAINED = {
    ClaimVerdict.SUPPORTED: "Papers of this library say so.",
    ClaimVerdict.CONTRADICTED: "Papers of this library say otherwise.",
    ClaimVerdict.MIXED: "Papers of this library stand on both sides.",
    ClaimVerdict.NO_EVIDENCE: "No paper of this library decides it.",
}
_NOTHING = "Nothing in this library is about that."
_KINDS = {".md": "Markdown", ".tex": "LaTeX", ".bib": "BibTeX", ".json": "JSON"}


# -- one claim


def claim(check: Check, label: Label) -> str:
    """A claim with its columns; while it is being weighed, with the papers so far."""
    report = check.reports[0] if check.reports else None
    found = report.papers if report else check.weighed
    body = _columns(found, label) if found else ""
    if report:
        body = _verdict(report) + (body or f'<p class="refusal">{_NOTHING}</p>') + _notes(report)
    return _article(check, f'<h2 class="question">{plain(check.text)}</h2>{_state(check)}{body}')


def _article(check: Check, body: str) -> str:
    busy = "false" if check.phase.is_final else "true"
    saved = saves(_KINDS) if check.reports and check.phase.is_final else ""
    return f'<article class="check" aria-busy="{busy}">{body}{saved}</article>'


def _state(check: Check) -> str:
    """How far it has come, or why it came no further."""
    done = len(check.reports)
    told = "Looking for papers …"
    if check.phase is Phase.READING:
        told = f"Weighing papers: {len(check.weighed)} of {check.of}"
    if check.is_paragraph:
        told = f"Sentence {done + 1} of {len(check.claims)}. {told}"
    share = done + len(check.weighed) / (check.of or 1)
    return progress(check.phase, check.ahead, told, share / max(1, len(check.claims))) + trouble(
        check.trouble
    )


def _verdict(report: ClaimReport) -> str:
    sign, name = _VERDICTS[report.verdict]
    counts = [
        f"{count} {told}"
        for stance, told in (
            (Stance.SUPPORTS, "for"),
            (Stance.CONTRADICTS, "against"),
            (Stance.RELATED, "only related"),
        )
        if (count := sum(w.stance is stance for w in report.papers))
    ]
    listed = f' <span class="fine">{" · ".join(counts)}</span>' if counts else ""
    return (
        f'<p class="verdict {report.verdict}" role="status"><b><span aria-hidden="true">{sign}'
        f"</span> {name}</b> <span>{_EXPLAINED[report.verdict]}</span>{listed}</p>"
    )


def _notes(report: ClaimReport) -> str:
    return "".join(f'<p class="fine">{render(note)}</p>' for note in report.notes)


def _columns(found: Sequence[Weighed], label: Label) -> str:
    return f'<div class="stances">{"".join(_column(*one, found, label) for one in _COLUMNS)}</div>'


def _column(
    stance: Stance, title: str, nothing: str, found: Sequence[Weighed], label: Label
) -> str:
    own = [weighed for weighed in found if weighed.stance is stance]
    cards = "".join(_card(weighed, label) for weighed in own)
    listed = f"<ul>{cards}</ul>" if own else f'<p class="fine">{nothing}</p>'
    return (
        f'<section class="stance {stance}" aria-label="{title}">'
        f'<h3>{title} <span class="count">{len(own)}</span></h3>{listed}</section>'
    )


def _card(weighed: Weighed, label: Label) -> str:
    paper = weighed.paper
    quote = f"<blockquote>{render(weighed.rationale[0].text)}</blockquote>"
    return (
        f'<li class="weighed"><h4><button type="button" data-open="{plain(_place(weighed))}">'
        f"{plain(label(paper))}</button></h4>{imprint(paper)}"
        f"{quote if weighed.rationale else ''}{_bar(weighed)}</li>"
    )


def _place(weighed: Weighed) -> str:
    return place(weighed.paper.id, [(s.start, s.end) for s in weighed.rationale[:3]])


def _bar(weighed: Weighed) -> str:
    """How sure the stance is. That a paper is only related is no finding, so it has no bar."""
    if weighed.stance is Stance.RELATED:
        return ""
    percent = round(100 * weighed.confidence)
    return (
        f'<p class="sure"><span class="bar" aria-hidden="true"><span style="width:{percent}%">'
        f"</span></span>{percent} % sure</p>"
    )


# -- a paragraph


def paragraph(check: Check, label: Label) -> str:
    """The text with its marks, the warnings, the references, and each sentence's papers."""
    sentences = marking.marked(check.reports)
    numbers = {p.id: n for n, p in enumerate(marking.cited(sentences), start=1)}
    text = [_marked(s, r, numbers, label) for s, r in zip(sentences, check.reports, strict=True)]
    text += [f'<span class="waiting">{plain(c)}</span>' for c in check.claims[len(text) :]]
    return _article(
        check,
        f'{_state(check)}{_summed(check)}<p class="answer marked">{" ".join(text)}</p>'
        + _warnings(sentences, numbers, label)
        + _references(sentences, numbers, label)
        + _each(check, label)
        + (_notes(check.reports[0]) if check.reports else ""),
    )


def _marked(
    sentence: marking.Marked, report: ClaimReport, numbers: dict[str, int], label: Label
) -> str:
    cites = "".join(_cite(w, numbers, label, "cite", "Supported by") for w in sentence.support)
    cites += "".join(
        _cite(w, numbers, label, "cite against", "Contradicted by") for w in sentence.against
    )
    shown = render(sentence.text) + (f'<span class="cites">{cites}</span>' if cites else "")
    return f'<span class="sentence is-{report.verdict}">{shown}</span>'


def _cite(weighed: Weighed, numbers: dict[str, int], label: Label, classes: str, told: str) -> str:
    number, name = numbers[weighed.paper.id], plain(label(weighed.paper))
    sign = '<span aria-hidden="true">✕ </span>' if "against" in classes else ""
    said = plain(weighed.rationale[0].text) if weighed.rationale else ""
    return (
        f'<button type="button" class="{classes}" data-open="{plain(_place(weighed))}" '
        f'title="{name}: {said}" aria-label="{told} {number}: {name}">{sign}{number}</button>'
    )


def _summed(check: Check) -> str:
    """How many of the sentences came out how."""
    counts = [
        f'<span class="verdict {verdict}"><b><span aria-hidden="true">{sign}</span> {count} '
        f"{name.lower()}</b></span>"
        for verdict, (sign, name) in _VERDICTS.items()
        if (count := sum(report.verdict is verdict for report in check.reports))
    ]
    return f'<p class="summed" role="status">{" ".join(counts)}</p>' if counts else ""


def _warnings(sentences: Sequence[marking.Marked], numbers: dict[str, int], label: Label) -> str:
    warned = "".join(
        f"<li><p>{render(s.text)}</p>"
        + "".join(
            f"<blockquote>{render(w.rationale[0].text) if w.rationale else ''} "
            f"{_cite(w, numbers, label, 'cite against', 'Contradicted by')}</blockquote>"
            for w in s.against
        )
        + "</li>"
        for s in sentences
        if s.against
    )
    if not warned:
        return ""
    return (
        f'<section class="warnings"><h3>Papers that say otherwise</h3><ul>{warned}</ul></section>'
    )


def _references(sentences: Sequence[marking.Marked], numbers: dict[str, int], label: Label) -> str:
    first: dict[str, Weighed] = {}
    for sentence in sentences:
        for weighed in (*sentence.support, *sentence.against):
            first.setdefault(weighed.paper.id, weighed)
    listed = "".join(
        f'<li><button type="button" data-open="{plain(_place(first[name]))}"><b>{number}</b> '
        f"{plain(label(first[name].paper))}</button></li>"
        for name, number in numbers.items()
    )
    return f'<h3>References</h3><ul class="near">{listed}</ul>' if listed else ""


def _each(check: Check, label: Label) -> str:
    """Every sentence with its papers, folded."""
    reports = list(check.reports)
    folded = "".join(
        f'<details class="sentence-papers"><summary><span class="verdict {r.verdict}"><b>'
        f'<span aria-hidden="true">{_VERDICTS[r.verdict][0]}</span> {_VERDICTS[r.verdict][1]}</b>'
        f"</span> {plain(r.claim)}</summary>"
        f"{_columns(r.papers, label) if r.papers else f'<p class=fine>{_NOTHING}</p>'}</details>"
        for r in reports
    )
    return (
        f'<section class="each"><h3>Sentence by sentence</h3>{folded}</section>' if folded else ""
    )
