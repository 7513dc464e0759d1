r"""Answers for a person's own writing: Markdown with footnotes, LaTeX with ``\cite`` keys. Pure.

Only the papers that are cited come along. A sentence that is an abstract's own stands in quotation
marks; what is no part of the text (that nothing was found, that a sentence was left out) is a
comment in LaTeX, so that the fragment compiles as it is.
"""

from __future__ import annotations

from assistant.markdown import inert
from assistant.summary import quoted
from assistant.types import Answer, Evidence, Sentence, Status
from store.exporting.bibtex import bibtex, escaped, keys
from store.labels import label
from store.plaintext import plain
from store.types import Paper

_NOTHING = {
    Status.NOT_STATED: "The abstracts do not say.",
    Status.NOT_IN_LIBRARY: "Nothing in this library is about that.",
}
FORMATS = ("markdown", "latex", "bibtex")
SUFFIXES = {".md": "markdown", ".tex": "latex", ".bib": "bibtex"}


def exported(answer: Answer, form: str) -> str:
    """The answer in one of :data:`FORMATS`."""
    return {"markdown": markdown, "latex": latex, "bibtex": references}[form](answer)


def cited(answer: Answer) -> list[Evidence]:
    """The papers that the answer rests on, by their numbers."""
    numbers = {number for sentence in answer.sentences for number in sentence.numbers}
    return [item for item in answer.evidence if item.number in numbers]


def references(answer: Answer) -> str:
    """The BibTeX entries of the papers cited."""
    return bibtex(item.paper for item in cited(answer))


def markdown(answer: Answer) -> str:
    """The answer with footnotes, one a paper."""
    evidence = {item.number: item for item in answer.evidence}
    text = " ".join(_md_sentence(sentence, evidence) for sentence in answer.sentences)
    parts = [text or _NOTHING[answer.status]]
    parts += [f"> {inert(note)}" for note in answer.notes]
    parts += [f"[^{item.number}]: {_footnote(item.paper)}" for item in cited(answer)]
    return "\n\n".join(parts) + "\n"


def _md_sentence(sentence: Sentence, evidence: dict[int, Evidence]) -> str:
    text = inert(plain(sentence.text))
    text = f"“{text}”" if quoted(sentence, evidence) else text
    return text + "".join(f"[^{number}]" for number in sentence.numbers)


def _footnote(paper: Paper) -> str:
    who = ", ".join(paper.authors[:3]) + (" et al." if len(paper.authors) > 3 else "")
    known = (who, label(paper), paper.venue, str(paper.year or ""), paper.url or paper.source)
    return ". ".join(inert(plain(part).rstrip(".")) for part in known if part) + "."


def latex(answer: Answer) -> str:
    r"""A fragment for ``\input``; the keys are those of :func:`references`."""
    evidence = {item.number: item for item in answer.evidence}
    named = keys(item.paper for item in cited(answer))
    lines = [_tex_sentence(sentence, evidence, named) for sentence in answer.sentences]
    comments = answer.notes if lines else (_NOTHING[answer.status], *answer.notes)
    lines += [f"% {' '.join(escaped(note).split())}" for note in comments]
    return "\n".join(lines) + "\n"


def _tex_sentence(sentence: Sentence, evidence: dict[int, Evidence], named: dict[str, str]) -> str:
    text = escaped(sentence.text)
    known = ",".join(named[evidence[n].paper.id] for n in sentence.numbers)
    mark = rf"~\cite{{{known}}}" if known else ""
    if quoted(sentence, evidence):
        return f"``{text}''{mark}"
    body, stop = (text[:-1], text[-1]) if text[-1:] in {".", "!", "?"} else (text, "")
    return f"{body}{mark}{stop}"
