"""A text given back with its citations: as Markdown and as LaTeX."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assistant.marking import latex, markdown
from assistant.types import ClaimReport, ClaimVerdict, Receipt, Stance, Timings, Weighed
from store.types import Paper, ScoredSentence


def paper(text: str, title: str = "") -> Weighed:
    return Weighed(
        Paper.of(text, title=title, authors=("Ada Ant",), year=2021),
        Stance.SUPPORTS,
        0.9,
        (ScoredSentence(text, 0, len(text), 0.9),),
    )


def report(claim: str, *found: Weighed) -> ClaimReport:
    return ClaimReport(claim, ClaimVerdict.SUPPORTED, found, Receipt("l", "e", "m"), Timings())


FOR = paper("Ants walk at night.", "Night walks")
AGAINST = Weighed(
    Paper.of("Ants sleep at night.", title="Sleep"),
    Stance.CONTRADICTS,
    0.8,
    (ScoredSentence("Ants sleep at night.", 0, 20, 0.9),),
)


def test_a_supported_sentence_gets_its_mark_and_a_reference():
    text = markdown([report("Ants walk at night.", FOR)])
    assert text.startswith("Ants walk at night [1].\n")
    assert "## References\n\n1. Ada Ant. Night walks. 2021" in text


def test_a_contradicted_sentence_gets_a_warning_and_no_mark():
    text = markdown([report("Ants walk.", AGAINST)])
    assert text.startswith("Ants walk.\n")
    assert "Contradicted by [1]" in text
    assert "Ants sleep at night." in text
    tex = latex([report("Ants walk.", AGAINST)])
    assert "\\cite" not in tex
    assert tex.splitlines()[1].startswith("% Contradicted by ")


def test_a_paper_has_one_number_through_the_text():
    text = markdown([report("Ants walk.", FOR), report("They walk at night.", FOR, AGAINST)])
    assert "Ants walk [1]. They walk at night [1]." in text
    assert text.count("Night walks") == 1


def test_a_text_without_papers_has_no_references():
    assert markdown([report("Bees sing.")]) == "Bees sing.\n"


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_of_a_text_runs(claim, quote):
    against = replace(AGAINST, rationale=(ScoredSentence(quote, 0, len(quote), 0.9),))
    found = [report(claim, FOR, against)]
    shown = MarkdownIt("commonmark", {"html": True}).render(markdown(found))
    assert not re.search(r"<(?!/?(?:p|strong|blockquote|h2|ol|li)\b)", shown)
    comments = [line for line in latex(found).splitlines() if "Contradicted by" in line]
    assert len(comments) == 1


def test_html_of_a_text_is_shown_as_it_is():
    shown = MarkdownIt("commonmark", {"html": True}).render(markdown([report("<b>Bees</b>", FOR)]))
    assert "&lt;b&gt;Bees&lt;/b&gt;" in shown
