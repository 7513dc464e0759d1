r"""Summaries to JSON, Markdown, LaTeX and BibTeX. Pure.

The JSON is the contract of the command line. The others are for a person's own writing: Markdown
with numbered references, a fragment of LaTeX whose ``\cite`` keys are those of the BibTeX file.
A sentence that is an abstract's own stands in quotation marks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from assistant.exporting import evidence_json, paper_json, sentence_of_answer_json
from assistant.markdown import inert
from assistant.summary import Coverage, Passed, Row, Summary, Theme, quoted
from assistant.types import Citation, Evidence, Sentence, Status, with_markers
from store.exporting.bibtex import bibtex, escaped, keys
from store.labels import label
from store.plaintext import plain

Json = dict[str, Any]

NOTHING = "Nothing in this library is about that."
_PREAMBLE = (
    "% A fragment for \\input. In the preamble: \\usepackage[utf8]{inputenc}\n"
    "% \\usepackage[T1]{fontenc} \\usepackage{amssymb,mathrsfs,textcomp}\n"
)


def summary_json(summary: Summary) -> Json:
    """A summary, whole."""
    evidence = _by_number(summary)
    return {
        "topic": summary.topic,
        "subject": summary.subject,
        "status": summary.status.value,
        "themes": [_theme_json(theme, evidence) for theme in summary.themes],
        "evidence": [evidence_json(item) for item in summary.evidence],
        "coverage": _coverage_json(summary),
        "table": [_row_json(row, evidence) for row in summary.table],
        "timeline": [{"year": year, "papers": list(own)} for year, own in summary.timeline],
        "open_questions": [_sentence_json(s, evidence) for s in summary.open_questions],
        "receipt": asdict(summary.receipt),
        "timings": asdict(summary.timings),
        "notes": list(summary.notes),
    }


def _theme_json(theme: Theme, evidence: dict[int, Evidence]) -> Json:
    return {
        "title": theme.title,
        "sentences": [_sentence_json(sentence, evidence) for sentence in theme.sentences],
        "papers": list(theme.papers),
    }


def _sentence_json(sentence: Sentence, evidence: dict[int, Evidence]) -> Json:
    return sentence_of_answer_json(sentence) | {"quote": quoted(sentence, evidence)}


def _coverage_json(summary: Summary) -> Json:
    coverage: Coverage = summary.coverage
    return {
        "status": summary.status.value,
        "library": coverage.library,
        "candidates": coverage.candidates,
        "used": coverage.used,
        "cited": len(summary.cited),
        "below": [_passed_json(passed) for passed in coverage.below],
        "model_calls": coverage.model_calls,
        "drafted": coverage.drafted,
        "quoted": coverage.quoted,
    }


def _passed_json(passed: Passed) -> Json:
    return {"paper": paper_json(passed.paper), "relevance": passed.relevance}


def _row_json(row: Row, evidence: dict[int, Evidence]) -> Json:
    paper = evidence[row.number].paper
    cells = {"proposes": row.proposes, "on": row.on, "result": row.result}
    return {"number": row.number, "label": label(paper)} | {
        name: {"text": cell_text(cell, evidence), "start": cell.start, "end": cell.end}
        if cell
        else None
        for name, cell in cells.items()
    }


def cell_text(cell: Citation | None, evidence: dict[int, Evidence]) -> str:
    """The words that a cell of the table quotes; "" for an empty one."""
    return evidence[cell.number].paper.abstract[cell.start : cell.end] if cell else ""


def _by_number(summary: Summary) -> dict[int, Evidence]:
    return {item.number: item for item in summary.evidence}


def coverage_line(summary: Summary) -> str:
    """How much of the library stands behind a summary, in a sentence."""
    own = summary.coverage
    line = f"{own.used} of {own.library:,} papers are about this"
    if own.model_calls:
        line += f"; a model wrote {own.drafted} of {own.drafted + own.quoted} sentences"
        line += f" in {own.model_calls} call{'s' if own.model_calls > 1 else ''}"
    return line + "."


# -- files


def markdown(summary: Summary) -> str:
    """A document with numbered references."""
    evidence = _by_number(summary)
    lines = [f"# {_md(summary.topic)}", ""]
    if summary.status is Status.NOT_IN_LIBRARY:
        near = [f"- {_md(label(passed.paper))}" for passed in summary.coverage.below]
        return "\n".join(
            (*lines, NOTHING, "", *(["The nearest papers:", ""] if near else []), *near)
        )
    lines += [_md(coverage_line(summary)), *(_md(note) for note in summary.notes), ""]
    for theme in summary.themes:
        lines += [f"## {_md(theme.title)}", "", _prose(theme.sentences, evidence), ""]
    if summary.open_questions:
        lines += ["## Open questions", "", _prose(summary.open_questions, evidence), ""]
    lines += [*_md_table(summary, evidence), "", "## References", ""]
    lines += [_reference(item) for item in summary.evidence]
    return "\n".join(lines) + "\n"


def _prose(sentences: Sequence[Sentence], evidence: dict[int, Evidence]) -> str:
    return " ".join(_md_sentence(sentence, evidence) for sentence in sentences)


def _md_sentence(sentence: Sentence, evidence: dict[int, Evidence]) -> str:
    text = _md(sentence.text)
    if quoted(sentence, evidence):
        return f"“{text}” " + "".join(f"[{n}]" for n in sentence.numbers)
    return with_markers(text, sentence.numbers)


def _md(text: str) -> str:
    """A text of a paper, its own markup made plain first."""
    return inert(plain(text))


def _md_table(summary: Summary, evidence: dict[int, Evidence]) -> list[str]:
    lines = ["## Papers", "", "| | paper | proposes | on | result |", "|---|---|---|---|---|"]
    for row in summary.table:
        cells = [cell_text(cell, evidence) for cell in (row.proposes, row.on, row.result)]
        told = (str(row.number), label(evidence[row.number].paper), *cells)
        lines.append("| " + " | ".join(map(_md, told)) + " |")
    return lines


def _reference(item: Evidence) -> str:
    paper = item.paper
    record = (", ".join(paper.authors), str(paper.year or ""), paper.venue, paper.source)
    known = " · ".join(_md(part) for part in (label(paper), *record) if part)
    return f"{item.number}. {known}"


def latex(summary: Summary) -> str:
    r"""A fragment with ``\section``, ``\cite`` and a table; nothing in a paper breaks it."""
    evidence = _by_number(summary)
    named = keys(item.paper for item in summary.evidence)
    lines = [_PREAMBLE, rf"\section*{{{escaped(summary.topic)}}}", ""]
    if summary.status is Status.NOT_IN_LIBRARY:
        return "\n".join((*lines, NOTHING, ""))

    def cited(numbers: Sequence[int]) -> str:
        return rf"~\cite{{{','.join(named[evidence[n].paper.id] for n in numbers)}}}"

    lines += [escaped(coverage_line(summary)), *map(escaped, summary.notes), ""]
    for theme in summary.themes:
        lines += [rf"\subsection*{{{escaped(theme.title)}}}"]
        lines += [_tex_sentence(s, evidence, cited) for s in theme.sentences] + [""]
    if summary.open_questions:
        lines += [r"\subsection*{Open questions}"]
        lines += [_tex_sentence(s, evidence, cited) for s in summary.open_questions] + [""]
    return "\n".join((*lines, *_tex_table(summary, evidence, cited), ""))


def _tex_sentence(
    sentence: Sentence, evidence: dict[int, Evidence], cited: Callable[[Sequence[int]], str]
) -> str:
    text = escaped(sentence.text)
    if quoted(sentence, evidence):
        return f"``{text}''{cited(sentence.numbers)}"
    body, stop = (text[:-1], text[-1]) if text[-1:] in {".", "!", "?"} else (text, "")
    return f"{body}{cited(sentence.numbers)}{stop}"


def _tex_table(
    summary: Summary, evidence: dict[int, Evidence], cited: Callable[[Sequence[int]], str]
) -> list[str]:
    column = r"p{0.22\linewidth}"
    lines = [
        rf"\noindent\begin{{tabular}}{{{column * 4}}}",
        r"\hline",
        r"paper & proposes & on & result \\",
        r"\hline",
    ]
    for row in summary.table:
        cells = [cell_text(cell, evidence) for cell in (row.proposes, row.on, row.result)]
        head = escaped(label(evidence[row.number].paper)) + cited([row.number])
        lines.append(" & ".join((head, *map(escaped, cells))) + r" \\ \hline")
    return [*lines, r"\end{tabular}"]


_FORMATS: dict[str, Callable[[Summary], str]] = {
    ".md": markdown,
    ".bib": lambda summary: bibtex(item.paper for item in summary.evidence),
    ".tex": latex,
    ".json": lambda summary: json.dumps(summary_json(summary), ensure_ascii=False, indent=1) + "\n",
}
SUFFIXES = tuple(_FORMATS)


def exported(summary: Summary, suffix: str) -> str:
    """The summary in the format of a file's suffix, one of :data:`SUFFIXES`."""
    return _FORMATS[suffix](summary)
