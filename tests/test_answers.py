"""Answers as Markdown and LaTeX, and whole documents made with them."""

from __future__ import annotations

import re
import shutil
import subprocess

import bibtexparser
import pytest
from markdown_it import MarkdownIt
from pylatexenc.latexwalker import LatexWalker
from typer.testing import CliRunner

from assistant.answers import latex, markdown, references
from assistant.cli import app
from tests.conftest import ANTS
from tests.fakes import ScriptedModel
from tests.test_answering import QUESTION, answer

DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amssymb,mathrsfs,textcomp}
\begin{document}
%s
\bibliographystyle{plain}
\bibliography{answer}
\end{document}
"""


def keys_of(tex: str) -> set[str]:
    return {key for keys in re.findall(r"\\cite\{([^}]*)\}", tex) for key in keys.split(",")}


def test_each_key_of_the_text_is_an_entry_and_no_other(library):
    found = answer(library, ScriptedModel("AntWalk needs only 40 sensors."))
    tex, entries = latex(found), bibtexparser.parse_string(references(found))
    assert not entries.failed_blocks
    assert keys_of(tex) == {entry.key for entry in entries.entries}
    assert entries.entries[0]["title"] == "{Walking with ants}"
    assert re.search(r"AntWalk needs (only )?40 sensors", tex)


def test_quotes_stand_in_quotation_marks_and_nothing_of_a_paper_runs(library):
    library.add([ANTS.of(r"AntWalk & 50% of \input{x} need 41 sensors_now.", title="Evil_{ants")])
    found = answer(library, None)
    tex = latex(found)
    assert r"\input" not in tex
    assert tex.count("``") == tex.count("''") > 0
    LatexWalker(DOCUMENT % tex, tolerant_parsing=False).get_latex_nodes()
    assert keys_of(tex) == {e.key for e in bibtexparser.parse_string(references(found)).entries}


def test_footnotes_are_those_that_are_called(library):
    text = markdown(answer(library, ScriptedModel("AntWalk needs 40 sensors.")))
    body, notes = re.split(r"\n\n(?=\[\^)", text, maxsplit=1)
    assert set(re.findall(r"\[\^(\d+)\]", body)) == set(re.findall(r"^\[\^(\d+)\]:", notes, re.M))
    assert "Ada Ant, Bo Beetle. Walking with ants. 2021" in notes
    assert "<script" not in MarkdownIt().render(text)


def test_no_answer_is_a_comment_that_a_document_can_hold(library):
    found = answer(library, ScriptedModel(), "Which telescopes saw quasars?")
    assert latex(found).startswith("% Nothing in this library")
    assert references(found) == ""
    assert "Nothing in this library" in markdown(found)


@pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("bibtex")), reason="no LaTeX on this machine"
)
def test_a_document_with_an_answer_compiles(library, tmp_path):
    found = answer(library, ScriptedModel("AntWalk needs 40 sensors."))
    (tmp_path / "paper.tex").write_text(DOCUMENT % latex(found), "utf-8")
    (tmp_path / "answer.bib").write_text(references(found), "utf-8")
    pdflatex = ("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper")
    for command in (pdflatex, ("bibtex", "paper"), pdflatex, pdflatex):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)
    assert "undefined" not in (tmp_path / "paper.log").read_text("utf-8", "replace").lower()


def test_the_command_prints_one_and_writes_both(opened, tmp_path):
    words = ["ask", QUESTION, "--format", "latex", "--export", str(tmp_path / "answer.tex")]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    tex = (tmp_path / "answer.tex").read_text("utf-8")
    assert ran.stdout == tex  # and nothing else: it may go into a file
    entries = bibtexparser.parse_file(str(tmp_path / "answer.bib")).entries
    assert keys_of(tex) == {entry.key for entry in entries} != set()


@pytest.mark.parametrize(
    "words", [["--format", "word"], ["--export", "a.doc"], ["--export", "no/a.md"]]
)
def test_what_cannot_be_written_is_refused_first(opened, words):
    ran = CliRunner().invoke(app, ["ask", QUESTION, *words])
    assert ran.exit_code == 2
    assert not opened.prompts
