r"""A text that is being written, given back with citations where the library bears it out.

One :class:`ClaimReport` a sentence. A sentence that papers support gets their marks; one that they
contradict gets a warning with their own words, and no mark: that would cite them for what they
deny. As Markdown with a numbered list, or as LaTeX with ``\cite`` keys for ``store.exporting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.markdown import inert
from assistant.types import ClaimReport, Stance, Weighed, with_markers
from store.exporting.bibtex import bibtex, escaped, keys
from store.labels import label
from store.plaintext import plain
from store.types import Paper

_MOST = 3  # papers cited for one sentence


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence of the text, the papers to cite for it, and those that speak against it."""

    text: str
    support: tuple[Weighed, ...]
    against: tuple[Weighed, ...]


def marked(reports: Sequence[ClaimReport]) -> list[Marked]:
    """The sentences with their papers, the surest first."""
    return [
        Marked(report.claim, _with(report, Stance.SUPPORTS), _with(report, Stance.CONTRADICTS))
        for report in reports
    ]


def _with(report: ClaimReport, stance: Stance) -> tuple[Weighed, ...]:
    return tuple(found for found in report.papers if found.stance is stance)[:_MOST]


def cited(sentences: Sequence[Marked]) -> list[Paper]:
    """All papers named, each once, in the order of their first mention."""
    found = (w.paper for s in sentences for w in (*s.support, *s.against))
    return list({paper.id: paper for paper in found}.values())


def markdown(reports: Sequence[ClaimReport]) -> str:
    """The text with numbers, the warnings under it, then the numbered references."""
    sentences = marked(reports)
    papers = cited(sentences)
    numbers = {paper.id: number for number, paper in enumerate(papers, start=1)}
    text = " ".join(
        with_markers(inert(s.text), tuple(numbers[w.paper.id] for w in s.support))
        for s in sentences
    )
    warnings = [
        f"> **Contradicted by [{numbers[w.paper.id]}]:** “{inert(s.text)}” — it says: "
        f"“{inert(_said(w))}”"
        for s in sentences
        for w in s.against
    ]
    references = [f"{numbers[paper.id]}. {inert(_reference(paper))}" for paper in papers]
    parts = [text, *warnings]
    if references:
        parts += ["## References", "\n".join(references)]
    return "\n\n".join(parts) + "\n"


def latex(reports: Sequence[ClaimReport]) -> str:
    r"""The text with ``\cite`` keys; warnings are comments, so that the text compiles as it is."""
    sentences = marked(reports)
    known = keys(cited(sentences))
    return "\n".join(line for s in sentences for line in _latex_lines(s, known)) + "\n"


def _latex_lines(sentence: Marked, known: dict[str, str]) -> Iterator[str]:
    text = escaped(sentence.text)
    names = ",".join(known[w.paper.id] for w in sentence.support)
    if names:
        body, stop = (text[:-1], text[-1]) if text[-1:] in {".", "!", "?"} else (text, "")
        text = f"{body}~\\cite{{{names}}}{stop}"
    yield text
    for w in sentence.against:
        yield f"% Contradicted by {known[w.paper.id]}: {' '.join(escaped(_said(w)).split())}"


SUFFIXES = (".md", ".tex", ".bib")


def written(reports: Sequence[ClaimReport], suffix: str) -> str:
    """The text for a file with one of the known suffixes."""
    ways: dict[str, Callable[[Sequence[ClaimReport]], str]] = {
        ".md": markdown,
        ".tex": latex,
        ".bib": lambda found: bibtex(cited(marked(found))),
    }
    return ways[suffix.lower()](reports)


def _said(found: Weighed) -> str:
    return plain(found.rationale[0].text) if found.rationale else label(found.paper)


def _reference(paper: Paper) -> str:
    who = ", ".join(paper.authors[:3]) + (" et al." if len(paper.authors) > 3 else "")
    parts = (who, label(paper), paper.venue, str(paper.year or ""), paper.url or paper.source)
    return ". ".join(plain(part) for part in parts if part)
