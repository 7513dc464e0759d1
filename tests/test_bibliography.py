"""Papers to BibTeX that other programs read, whatever stands in the papers."""

from __future__ import annotations

import bibtexparser
from hypothesis import given, settings
from hypothesis import strategies as st
from pylatexenc.latexwalker import LatexWalker

from store.exporting.bibtex import bibtex, escaped, keys
from store.types import Paper
from tests.conftest import ANTS, BEES, WHALES

NASTY = (
    r"100% of $x_1$ & \textbf{bees} # _ ~ ^ \input{/etc/passwd} } { \end{document} <b>é</b> 中 ½"
)


def parsed(text: str):
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks
    return library.entries


def test_each_paper_is_one_entry_that_is_read_again():
    bees, ants, whales = parsed(bibtex([BEES, ANTS, WHALES, ANTS]))
    fields = {name: field.value for name, field in ants.fields_dict.items()}
    assert ants.key.startswith("ant2021walking-")
    assert fields["title"] == "{Walking with ants}"
    assert fields["author"] == "Ada Ant and Bo Beetle"
    assert fields["year"] == "2021"
    assert bees.fields_dict["title"].value == "{BeeNet}"
    assert whales.entry_type == "misc"


def test_a_key_depends_on_the_paper_alone_and_keys_never_clash():
    alone = keys([ANTS])
    assert keys([WHALES, BEES, ANTS])[ANTS.id] == alone[ANTS.id]
    one = Paper("aaaaaa01" + "0" * 8, "Dances", "Text.", ("A Bee",), 2020)
    two = Paper("aaaaaa02" + "0" * 8, "Dances", "Text.", ("A Bee",), 2020)
    named = keys([one, two])
    assert len(set(named.values())) == 2
    assert all(key.startswith("bee2020dances-aaaaaa") for key in named.values())


def test_a_meeting_a_journal_and_neither():
    kinds = [
        parsed(bibtex([Paper.of("Bees dance.", title="T", venue=venue)]))[0].entry_type
        for venue in ("Proc. of the Hive", "NeurIPS 2020", "Journal of Bees", "")
    ]
    assert kinds == ["inproceedings", "inproceedings", "article", "misc"]


def test_an_institution_stays_one_author():
    paper = Paper.of("Bees.", title="T", authors=("Institute of Bees and Wasps", "A. Bee"))
    assert "{Institute of Bees and Wasps} and A. Bee" in bibtex([paper])


def test_only_addresses_of_the_web_become_urls():
    good = Paper.of("A.", url="https://example.org/a_b%20c}{?x=1#y")
    bad = Paper.of("B.", url="javascript:alert(1)")
    assert "url = {https://example.org/a_b%20c%7D%7B?x=1#y}" in bibtex([good])
    assert "url" not in bibtex([bad])


def test_nothing_in_a_paper_runs_or_breaks_out():
    (entry,) = parsed(bibtex([Paper.of(NASTY, title=NASTY, authors=(NASTY,), venue=NASTY)]))
    text = " ".join(str(field.value) for field in entry.fields)
    for command in (r"\input", r"\end{", r"\textbf"):
        assert command not in text
    assert "[U+4E2D]" in escaped(NASTY)
    assert "中" in text


@settings(max_examples=200)
@given(
    st.builds(
        Paper.of,
        st.text(min_size=1),
        title=st.text(),
        authors=st.lists(st.text(max_size=30), max_size=4).map(tuple),
        year=st.none() | st.integers(0, 3000),
        venue=st.text(max_size=40),
        url=st.text(max_size=40) | st.text(max_size=40).map("http://".__add__),
    )
)
def test_any_paper_becomes_an_entry_that_is_read(paper):
    (entry,) = parsed(bibtex([paper]))
    assert entry.key == keys([paper])[paper.id]


@settings(max_examples=300)
@given(st.text() | st.text(alphabet=r"\{}$%&#_^~ab <>[]", max_size=60))
def test_any_text_is_latex_that_parses_strictly(text):
    written = escaped(text)
    LatexWalker(written, tolerant_parsing=False).get_latex_nodes()
    assert all(char.isascii() for char in written)
    depth = 0
    for char in written:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
