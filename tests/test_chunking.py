"""Sentence spans: where a stop ends a sentence, and where it does not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.chunking import chunks, sentences
from store.sources import read_path
from store.types import Paper

SHARED = Path(__file__).parents[2] / "shared"

# Each line is one text; "|" marks where it is to be cut.
CUTS = r"""
Bees dance.| Ants walk.
Is it so?| It is!| We think...| Perhaps.
Do they dance?!| They do.
She says “bees dance.”| We agree.
Bees dance (as shown before).| Ants walk.
(All of this is old.)| We begin anew.
The code is at https://github.com/hive/dance.| Bees like it.
The code is at https://github.com/hive/dance.v2?x=1.5 for now.| Bees like it.
It fails on iOS.| iPhone users wait.
We cluster.| k-means is slow.| p53 is a gene.| vLLM is fast.
It works.| 3D bees fly.| 2024 was warm.
The cost is high.| $O(n)$ would do.| \textbf{Bees} do it in less.
We beat the old one.| **BeeNet** is new.| [The page](https://b.org/a.b) says so.
The bees\footnote{Our code. See the page.} dance.| We film them.
The rest is high.| $x$ is not.| \emph{we} differ.
We show this.\cite{frisch}| They show that.[12]| All agree.
It is in class A.| The others are not.| Take vitamin C.| We do.
We bound it by $f(x. Y) \le 0.5$.| Then it holds.
It costs $5.| Another costs $6.| We pay.
Foraging bees (see Sec. 2. We explain there) rest.| They sleep.
We do not know the model.|However, it runs.| It ends.
Larger models (LLMs).|We scale them.
bees dance .| they come home .| the hive hums .
bees dance at night.| they sleep by day.
It holds etc.| The rest follows.| Proved by Wu et al.| We extend it.
Three kinds: 1. Bees; 2. Ants; 3. Owls.| We see all.
First we look.| (2) We count.| We stop.
蜜蜂跳舞。|我们观察。| Bees dance.
We propose a net for the hive. |
we propose a map.| this map is new.| The End of it.
"""

NO_CUTS = r"""
Wu et al. show it.
Wu et al. [1995] and Oh et al. (2001) show it.
Insects, e.g. Bees, and birds, i.e. Owls, sing.
As Fig. 3 and Sec. 4.2, cf. Eq. 7, of Dr. Wu vs. Prof. J. R. Smith show.
Approx. 40 hives, No. 5 among them, are in St. Gallen.
It rose by 3.5 points to 7.25 on v1.2.3 of U.S. Census data.
The paths: (i) bees dance. (ii) ants walk. (iii) owls fly.
We call Node.Js and torch.Tensor and nn.Module and github.com/Hive.Bees now.
Bees, e.g.However rare, count.
An i.i.d. sample w.r.t. the hive a.k.a. nest.
Some need >!! 10,000 flights.
Did they ask "is it far?" and leave ... then return?
We write $a. B. C$ and \url{b.org. D} and [a. B](c.org).
We use the dataset of Yahoo! and others.
"""


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize("line", CUTS.strip().splitlines())
def test_where_sentences_end(line):
    expected = [part.strip() for part in line.split("|") if part.strip()]
    assert cut(line.replace("|", "")) == expected


def test_a_footnote_after_a_stop_belongs_to_its_sentence():
    text = r"The bees.\footnote{Our code. See the page.} We film them."
    assert cut(text) == [r"The bees.\footnote{Our code. See the page.}", "We film them."]


@pytest.mark.parametrize("line", NO_CUTS.strip().splitlines())
def test_where_no_sentence_ends(line):
    assert cut(line) == [line]


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not():
    assert cut("Aims\n\nWe film\nbees.") == ["Aims", "We film\nbees."]


def test_stray_marks_stay_with_the_sentence_before():
    assert cut("Bees dance. . .\n\n* * *\n\nAnts.") == ["Bees dance. . .\n\n* * *", "Ants."]


def test_a_long_sentence_is_not_cut():
    text = "Bees " + "and bees " * 500 + "dance."
    assert cut(text) == [text]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_no_text_has_no_sentences(text):
    assert sentences(text) == []


def test_chunks_are_the_sentences_of_the_abstract():
    paper = Paper.of("Bees dance.  Ants walk.", title="No part of it.")
    first, second = chunks(paper)
    assert (first.text, second.text) == ("Bees dance.", "Ants walk.")
    assert paper.abstract[second.start : second.end] == second.text
    assert {first.paper_id, second.paper_id} == {paper.id}


scientific = st.lists(
    st.sampled_from(
        [*'aB1.?!()[]{}$\\"”*_`~ \n', ". ", "et al. ", "e.g. ", "We ", "$x. Y$ ", "(i) "]
    )
).map("".join)


@given(st.text() | scientific)
def test_spans_are_ordered_trimmed_and_lose_nothing(text):
    spans = sentences(text)
    at = 0
    for start, end in spans:
        assert text[at:start].strip() == ""
        assert at <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


@given(
    st.lists(st.sampled_from(["Bees dance.", "We see 3.5 of them.", "Is it so?", "Wu et al. do."]))
)
def test_splitting_a_sentence_again_changes_nothing(parts):
    pieces = cut(" ".join(parts))
    assert pieces == parts
    assert [again for piece in pieces for again in cut(piece)] == pieces


@pytest.mark.parametrize(
    "unit",
    [
        "a.",
        "a.a.a. ",
        "((((",
        "$$$$",
        "$a",
        "{",
        "(a. ",
        "\\(",
        "...",
        "? ",
        ").",
        "  ",
        "\n \n",
        "[1]",
    ],
)
def test_time_grows_with_the_text_alone(unit):
    text = unit * (200_000 // len(unit))
    begin = time.perf_counter()
    sentences(text)
    assert time.perf_counter() - begin < 5


@pytest.mark.seeds
def test_the_seed_lists_fall_into_plausible_sentences():
    if not (SHARED / "seeds").is_dir():
        pytest.skip("needs the seed lists in ../shared/seeds")
    texts = [chunk.text for paper in read_path(SHARED / "seeds") for chunk in chunks(paper)]
    assert 1880 < len(texts) < 1930
    assert sum(len(text) < 25 for text in texts) < 10
    assert sum(len(text) > 450 for text in texts) < 10
    assert sum(text[0].islower() for text in texts) < 10
