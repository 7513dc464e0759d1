"""Summaries as files: what is written can be read again, whatever stood in the papers."""

from __future__ import annotations

import json
import re

import bibtexparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pylatexenc.latexwalker import LatexWalker
from typer.testing import CliRunner

from assistant import terminal_summary
from assistant.cli import app
from assistant.summaries import NOTHING, exported, latex, markdown
from assistant.summary import Coverage, Passed, Summary, Theme
from assistant.tabulating import row
from assistant.types import Citation, Evidence, Receipt, Sentence, Status, Timings, Verdict
from store.exporting.bibtex import keys
from store.types import Paper, ScoredSentence
from tests.test_summarizing import ATTACK, HONEY

pytestmark = pytest.mark.filterwarnings("error")


def summary_of(papers: list[Paper], title: str = "Drying", topic: str = "honey") -> Summary:
    """A summary with a quote of each paper, and a sentence on the first."""
    evidence = tuple(
        Evidence(n, p, (ScoredSentence(p.abstract, 0, len(p.abstract), 1.0),), 1.0)
        for n, p in enumerate(papers, start=1)
    )
    told = tuple(
        Sentence(
            item.paper.abstract,
            (Citation(item.number, 0, len(item.paper.abstract)),),
            Verdict.SUPPORTED,
            1.0,
        )
        for item in evidence
    )
    own = Sentence("Honey & fans.", told[0].citations, Verdict.SUPPORTED, 0.9)
    return Summary(
        topic=topic,
        subject=topic,
        status=Status.ANSWERED,
        themes=(Theme(title, (own, *told), tuple(item.number for item in evidence)),),
        evidence=evidence,
        coverage=Coverage(9, 5, len(papers), (Passed(HONEY[0], 0.6),), 1, 1, len(papers)),
        receipt=Receipt("l", "e", "m"),
        timings=Timings(),
        table=tuple(map(row, evidence)),
        open_questions=told[:1],
        notes=("A note with 5% & more.",),
    )


def strictly(written: str) -> None:
    """LaTeX that a strict parser takes, with braces and environments in balance."""
    LatexWalker(written, tolerant_parsing=False).get_latex_nodes()


def test_markdown_has_numbered_references():
    text = markdown(summary_of(HONEY))
    assert "## Drying" in text
    assert "Honey \\& fans [1]." in text
    for number, paper in enumerate(HONEY, start=1):
        assert f"[{number}]" in text
        source = re.escape(paper.source.replace("#", "\\#"))
        assert re.search(rf"^{number}\. .*{source}$", text, re.M)


def test_latex_cites_the_keys_of_the_bibtex():
    found = summary_of(HONEY)
    entries = {entry.key for entry in bibtexparser.parse_string(exported(found, ".bib")).entries}
    cited = set(re.findall(r"\\cite\{([^}]*)\}", latex(found)))
    assert cited == entries == set(keys(HONEY).values())
    strictly(latex(found))
    assert r"Honey \& fans~\cite" in latex(found)


def test_an_attack_stays_text_in_every_format():
    found = summary_of([ATTACK], title=ATTACK.title, topic=ATTACK.title)
    written = latex(found)
    strictly(written)
    for command in (r"\input{/", r"\end{document}", r"\textbf"):
        assert command not in written
        assert command not in exported(found, ".bib")
    text = markdown(found)
    assert "<script" not in text.replace(r"\<", "")
    assert not re.search(r"(?<!\\)<img", text)
    table = [line for line in text.splitlines() if line.startswith("| 1 ")]
    assert len(re.findall(r"(?<!\\)\|", table[0])) == 6  # its own bars, and no other
    assert json.loads(exported(found, ".json"))["evidence"][0]["paper"]["title"] == ATTACK.title


def test_nothing_found_is_said_in_every_format():
    empty = Summary(
        "bees",
        "bees",
        Status.NOT_IN_LIBRARY,
        (),
        (),
        Coverage(9, 5, 0, (Passed(ATTACK, 0.4),)),
        Receipt("l", "e", ""),
        Timings(),
    )
    assert NOTHING in markdown(empty)
    assert NOTHING in latex(empty)
    assert exported(empty, ".bib") == ""
    assert json.loads(exported(empty, ".json"))["status"] == "not_in_library"


texts = st.text(min_size=1, max_size=60) | st.text(
    alphabet="\\{}$%&#_^~|<>[]*`\"'.! aé中½√\n", min_size=1, max_size=60
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.builds(Paper.of, texts, title=texts | st.just(""), authors=st.tuples(texts)),
        min_size=1,
        max_size=3,
        unique_by=lambda paper: paper.id,
    ),
    texts,
)
def test_any_summary_can_be_read_again(papers, title):
    found = summary_of(papers, title=title, topic=title)
    strictly(latex(found))
    assert latex(found).isascii()
    library = bibtexparser.parse_string(exported(found, ".bib"))
    assert not library.failed_blocks
    assert len(library.entries) == len(papers)
    assert json.loads(exported(found, ".json"))["coverage"]["used"] == len(papers)
    rows = [line for line in markdown(found).splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == len(papers)
    for line in rows:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 6


def test_at_a_terminal_papers_can_move_no_cursor(capsys):
    bad = Paper.of("We propose Bee\x1b[2JNet, a map of the hive.", title="Red\x1b[31m")
    terminal_summary.show_summary(summary_of([bad]))
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "Drying" in shown
    assert "Just below the cut" in shown


# -- the command


def test_the_command_tells_json_and_writes_files(opened, tmp_path):
    opened.reply = "AntWalk needs 40 sensors."
    file = tmp_path / "ants.MD"
    words = ["summarize", "AntWalk trails at night", "--json", "--export", str(file)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout.splitlines()[0])
    assert data["topic"] == "AntWalk trails at night"
    assert data["themes"][0]["sentences"][0]["text"] == "AntWalk needs 40 sensors."
    assert file.read_text(encoding="utf-8").startswith("# AntWalk trails at night")


def test_the_command_shows_a_summary(opened):
    opened.reply = "AntWalk needs 40 sensors."
    done = CliRunner().invoke(app, ["summarize", "AntWalk trails at night"])
    assert "“AntWalk needs 40 sensors.” [1]" in done.output


def test_a_batch_is_one_object_a_line(opened, tmp_path):
    file = tmp_path / "topics.txt"
    file.write_text("AntWalk trails\nxylophone quartz\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["summarize", "--batch", str(file)])
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == [
        "answered",
        "not_in_library",
    ]


@pytest.mark.parametrize(
    ("file", "complaint"), [("a.doc", "written as .md, .bib"), ("none/a.md", "There is no folder")]
)
def test_a_file_that_cannot_be_written_is_said_at_once(opened, tmp_path, file, complaint):
    done = CliRunner().invoke(app, ["summarize", "ants", "--export", str(tmp_path / file)])
    assert complaint in str(done.exception)
    assert opened.prompts == []
