"""Results as plain text for another assistant to read; the interfaces for programs send it.

Short, because it is read by a model whose window is not ours: what was found, and of each source
its number, its id (with which the whole abstract can be had) and the very words cited. Everything
that comes from a paper stands on one line, so that no title can pass for a line of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.summary import Summary
from assistant.terminal import HEADINGS, VERDICTS, safe
from assistant.types import Answer, Citation, ClaimReport, Evidence, Sentence, Status, with_markers
from store.labels import label
from store.plaintext import plain
from store.types import Hit, Paper

_QUOTES = 2  # sentences of a paper that a search shows


def hits(found: Sequence[Hit]) -> str:
    """Papers that were found, best first, each with its nearest sentences."""
    if not found:
        return "The library holds no papers."
    lines = []
    for hit in found:
        lines.append(f"{hit.rank}. {named(hit.paper)} · score {hit.score:.3f}")
        lines += [_quote(sentence.text) for sentence in hit.sentences[:_QUOTES]]
    return "\n".join(lines)


def answer(found: Answer) -> str:
    """An answer with its markers and the words that each marker stands for."""
    if found.status is Status.ANSWERED:
        body = [_line(found.text), *(_note(s.note) for s in found.sentences if s.note)]
        body += _sources(found.sentences, found.evidence)
    else:
        body = [HEADINGS[found.status]]
        if found.nearest:
            body += ["", "Nearest papers:", *map(named, found.nearest)]
    return "\n".join([f"status: {found.status.value}", *body, *map(_note, found.notes)])


def summary(found: Summary) -> str:
    """The themes of a topic, and the words that each marker stands for."""
    if found.status is Status.NOT_IN_LIBRARY:
        return "\n".join([HEADINGS[found.status], *map(_note, found.notes)])
    lines = []
    for theme in found.themes:
        lines += [f"## {_line(theme.title)}", *map(_marked, theme.sentences), ""]
    if found.open_questions:
        lines += ["## Open questions", *map(_marked, found.open_questions), ""]
    told = [s for theme in found.themes for s in theme.sentences] + list(found.open_questions)
    lines += _sources(told, found.evidence, quotes=False)
    return "\n".join([*lines, *map(_note, found.notes)]).strip()


def claim(report: ClaimReport) -> str:
    """What the papers say to a claim, with their words."""
    lines = [f"verdict: {report.verdict.value}", VERDICTS[report.verdict]]
    for found in report.papers:
        lines.append(f"{found.stance.value} ({found.confidence:.2f}): {named(found.paper)}")
        lines += [_quote(sentence.text) for sentence in found.rationale[:1]]
    return "\n".join([*lines, *map(_note, report.notes)])


def paper(found: Paper) -> str:
    """A record and its abstract."""
    return f"{named(found)}\n{_line(found.url)}\n\n{_line(found.abstract) or 'No abstract.'}"


def named(found: Paper) -> str:
    r"""The name of a paper with its authors, year, venue and id.

    >>> named(Paper("7f", "On\nbees", "Bees dance.", ("Karl Frisch",), year=1927))
    'On bees · Karl Frisch · 1927 · id 7f'
    """
    record = (label(found), ", ".join(found.authors), str(found.year or ""), found.venue)
    return " · ".join(part for part in (*map(_line, record), f"id {found.id}") if part)


def _sources(
    sentences: Iterable[Sentence], evidence: Sequence[Evidence], *, quotes: bool = True
) -> list[str]:
    cited: dict[int, dict[Citation, None]] = {}
    for sentence in sentences:
        for citation in sentence.citations:
            cited.setdefault(citation.number, {})[citation] = None
    lines = ["", "Sources:"] if cited else []
    for item in evidence:
        if item.number not in cited:
            continue
        lines.append(f"[{item.number}] {named(item.paper)}")
        if quotes:
            spans = cited[item.number]
            lines += [_quote(item.paper.abstract[span.start : span.end]) for span in spans]
    return lines


def _marked(sentence: Sentence) -> str:
    return f"- {_line(with_markers(sentence.text, sentence.numbers))}"


def _quote(text: str) -> str:
    return f"   “{_line(text)}”"


def _note(text: str) -> str:
    return f"note: {_line(text)}"


def _line(text: str) -> str:
    return safe(plain(text))
