"""Labels: the name by which a person knows a paper; and plain text, which they are made of."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.labels import label, opening
from store.plaintext import plain
from store.sources import read_path
from store.types import Paper

SHARED = Path(__file__).parents[2] / "shared"


def label_of(abstract: str) -> str:
    return label(Paper.of(abstract))


def test_a_title_is_the_label():
    paper = Paper.of("We present BeeNet, a net.", title=r"On \emph{bees}")
    assert label(paper) == "On bees"


@pytest.mark.parametrize(
    ("abstract", "name"),
    [
        ("We present Weigh Any Hive (WAH), a scale.", "Weigh Any Hive (WAH)"),
        ("Bees are many. To count them, we introduce HiveCount. HiveCount sees.", "HiveCount"),
        (r"In this work, we propose \textbf{HiveFlow}, a pump.", "HiveFlow"),
        ("This paper presents WAGGLE, a map of dances.", "WAGGLE"),
        ("We propose a method called Bee E-CLIP, which sees.", "Bee E-CLIP"),
        ("We give a scale, dubbed Nectar, that weighs.", "Nectar"),
        ("We introduce a test, namely Sting Rate Ratio (SRR).", "Sting Rate Ratio (SRR)"),
        ("We propose a robust model named HiVeS to count.", "HiVeS"),
        ("We introduce MAP (Metadata of Apian Papers), a list.", "MAP (Metadata of Apian Papers)"),
        (
            "We develop a novel noise, buzzing bee noise (BBN), which hums.",
            "buzzing bee noise (BBN)",
        ),
        ("We introduce honey ripeness analysis (HRA).", "honey ripeness analysis (HRA)"),
        ("We term this **false dancing** (FD): a fault.", "false dancing (FD)"),
        ("We film bees, and propose Hive Motion Score (HMS).", "Hive Motion Score (HMS)"),
        ("We present HOney NEtwork Yields (HONEY), a net.", "HOney NEtwork Yields (HONEY)"),
        ("We use a prior. We propose a simple rule $\\texttt{B2H}$, which wins.", "B2H"),
        (
            "We present the first way to measure Comb Wall Strength (CWS).",
            "Comb Wall Strength (CWS)",
        ),
        ("We propose Mellis (Measuring Every Living Little Insect), a count.", "Mellis"),
    ],
)
def test_the_name_of_what_is_introduced(abstract, name):
    assert label_of(abstract) == name


@pytest.mark.parametrize(
    "abstract",
    [
        "Here bees are shown to dance. We propose a novel method.",
        "Recent works propose BeeNet, a net for hives that many use at home.",
        "Wu et al. introduce HiveCount, which we show to be wrong in many hives.",
        "Bees learn. We present an RL agent for the hive and LLM-based bees.",
        "Bees learn. We propose Bayesian methods for hives.",
        "Bees learn. We propose a model for reinforcement learning (RL).",
        "Bees learn. We introduce new differentially private (DP) hives.",
    ],
)
def test_common_words_are_no_names(abstract):
    assert label_of(abstract) == opening(abstract)


def test_without_a_name_the_opening_words_are_the_label():
    text = "Honey bees of the mountains dance more slowly, it seems, than all the others do."
    assert label_of(text) == "Honey bees of the mountains dance more slowly, it seems…"
    assert label_of("In this paper, we study the problem of bees in the rain.") == (
        "Bees in the rain."
    )
    assert label_of("Bees dance.") == "Bees dance."


@given(st.text(min_size=1))
def test_any_abstract_gets_a_label_of_one_line(text):
    found = label_of("We propose " + text)
    assert found
    assert "\n" not in found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\textbf{Bees} and \emph{ants \textit{too}}", "Bees and ants too"),
        (r"regret $\tilde{O}(\sqrt{T})$ in $L_\infty$", "regret Õ(√(T)) in L_∞"),
        (r"$\alpha \leq 1$", "α≤ 1"),
        (r"up by 5\% \& more~than 5% of ~7", "up by 5% & more than 5% of ~7"),
        ("costs $5 or $6", "costs $5 or $6"),
        ("``bees'' and `ants'", "“bees” and ‘ants’"),
        (r"Bees~\cite{a,b}, as in \ref{x}.", "Bees, as in."),
        (r"Bees\footnote{See \url{b.org}.} dance", "Bees (See b.org.) dance"),
        (r"{\em Bees} {dance well}", "Bees dance well"),
        ("**bold** *it* _em_ `code` [page](https://b.org)", "bold it em code page"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("H<sub>2</sub>O &amp; a < b", "H2O & a < b"),
        (r"Fr\'echet and Erd\H{o}s and \'{e}", "Fréchet and Erdős and é"),
        (r"our \bert model", "our bert model"),
        ("a\x1b[31m\n\n b\u202e", "a[31m b"),
        (r"open \textbf{bees and $x", r"open \textbf{bees and $x"),
    ],
)
def test_plain_text(text, shown):
    assert plain(text) == shown


markup = st.lists(
    st.sampled_from([*r"a $\{}[]()*_`~^&<>%'", r"\frac", r"\textbf{", r"\begin{x}", "$$", "&lt;"])
).map("".join)


@given(st.text() | markup)
def test_plain_takes_any_text(text):
    assert "\n" not in plain(text)


@pytest.mark.parametrize(
    "unit", ["$ $", "$a", "{", "**", "`", "\\textbf{", "[](", "  ", "\\a", "<i"]
)
def test_time_grows_with_the_text_alone(unit):
    text = unit * (200_000 // len(unit))
    begin = time.perf_counter()
    plain(text)
    assert time.perf_counter() - begin < 5


@pytest.mark.seeds
def test_the_seed_lists_have_telling_labels():
    if not (SHARED / "seeds").is_dir():
        pytest.skip("needs the seed lists in ../shared/seeds")
    labels = {
        p.source[:3] + p.source[p.source.index("#") :]: label(p)
        for p in read_path(SHARED / "seeds")
    }
    assert len(set(labels.values())) == 249
    assert labels["000#2"] == "Register Anything Model (RAM)"
    assert labels["000#7"] == "RollVerify"
    assert labels["001#15"] == "DeFlowCritic"
    assert sum(not text.endswith("…") for text in labels.values()) > 85
