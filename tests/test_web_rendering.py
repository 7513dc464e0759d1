"""Nothing of a text may become markup that is not ours, and no word of it may be lost."""

from __future__ import annotations

import re
import string
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.web.mathml import mathml
from assistant.web.rendering import link, plain, render, web_address

OURS = {"strong", "em", "code", "u", "sup", "sub", "small", "mark", "a", "br"}
MATH = {
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup",
    "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded",
    "mphantom", "menclose",
}  # fmt: skip


class Reader(HTMLParser):
    """What a browser would make of it: tags, attributes, visible text; complains of bad nesting."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.text = ""
        self.marked = ""
        self.stack: list[str] = []
        self.feed(html)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}
        if tag != "br":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.text += data
        if "mark" in self.stack:
            self.marked += data

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


SNIPPETS = st.sampled_from(
    [
        "<script>alert(1)</script>", "<img src=x onerror=a>", "&lt;b&gt;", "&#60;", "<!--",
        "]]>", "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\textbf{", "\\emph{", "\\href{", "\\url{",
        "}", "{", "\\text{<b>}", "\\href{javascript:a}{b}", "\\frac{a}{b}", "x^2", "_i", "\\sum",
        "\\begin{a}", "**", "*", "`", "``", "''", "~", "[a](", "https://a.b/c",
        "javascript:a", "\x00", "\ud800", "{\\em ", "{\\eta}",
        "\u202e", "\n\n", " ", "\\", "\\$", "\\footnote{", "5", "word", '"', "'", "\\mbox{",
        "script", "style=", "onload=", "\\style{a}{b}", "\\class{x}{y}", "\\color{red}",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(SNIPPETS, max_size=25).map("".join),
    st.text(st.characters(), max_size=60),
    st.text(string.printable, max_size=80),
)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 120)), max_size=3))
def test_no_text_makes_a_tag_that_is_not_ours(text, spans):
    marks = [(min(span), max(span)) for span in spans]
    html = render(text, marks)
    html.encode("utf-8")
    seen = Reader(html)
    assert seen.tags <= OURS | MATH
    for name, value in seen.attributes:
        assert not name.startswith("on")
        assert name not in {"style", "src", "srcset", "id", "class", "formaction"}
        if name == "href":
            assert web_address(value)


@given(st.lists(st.text(string.ascii_letters + string.digits, min_size=1, max_size=8), min_size=1))
def test_plain_words_come_out_as_they_are(words):
    text = " ".join(words)
    assert Reader(render(text)).text == text


WORDS = st.lists(st.text("abcdefghij", min_size=2, max_size=6), min_size=1, max_size=4).map(
    " ".join
)
DRESSED = st.recursive(
    WORDS,
    lambda inner: st.one_of(
        inner.map(lambda t: f"\\textbf{{{t}}}"),
        inner.map(lambda t: f"\\emph{{{t}}}"),
        WORDS.map(lambda t: f"*{t}*"),
        WORDS.map(lambda t: f"**{t}**"),
        WORDS.map(lambda t: f"`{t}`"),
        WORDS.map(lambda t: f"<i>{t}</i>"),
        st.lists(inner, min_size=1, max_size=3).map(" ".join),
    ),
    max_leaves=8,
)


@given(DRESSED)
def test_every_word_stays_visible_whatever_it_wears(text):
    def words(some: str) -> list[str]:
        return re.findall("[a-j]{2,}", some)

    assert words(Reader(render(text)).text) == words(re.sub(r"\\textbf|\\emph", "", text))


@given(DRESSED, st.data())
def test_a_mark_covers_just_the_words_of_its_span(text, data):
    words = list(
        re.finditer("[a-j]{2,}", re.sub(r"\\textbf|\\emph", lambda m: " " * len(m[0]), text))
    )
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(words) - 1)] * 2)))
    span = (words[first].start(), words[last].end())
    marked = Reader(render(text, [span])).marked
    assert re.findall("[a-j]{2,}", marked) == [word[0] for word in words[first : last + 1]]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**bold** and *it*", "<strong>bold</strong> and <em>it</em>"),
        (r"\textbf{L}azy", "<strong>L</strong>azy"),
        (r"\emph{a \textbf{b}}", "<em>a </em><em><strong>b</strong></em>"),
        (r"\texttt{P2P} `x`", "<code>P2P</code> <code>x</code>"),
        ("A* search and C* trees; 5 * 3 * 2", "A* search and C* trees; 5 * 3 * 2"),
        ("snake_case_name", "snake_case_name"),
        ("Fig.~3 in ~50 ms", "Fig.&nbsp;3 in ~50 ms"),
        (r"50\% of R\&D", "50% of R&amp;D"),
        (r"{\em entropy} {\bf x}", "<em>entropy</em> <strong>x</strong>"),
        ("``quoted''", "“quoted”"),
        (r"\textbf{never closed", r"\textbf{never closed"),
        ("<sup>2</sup>", "&lt;sup&gt;2&lt;/sup&gt;"),
        ("one\n\ntwo", "one<br><br>two"),
        ("bell\x07 and \u202eturned", "bell and turned"),
        ("half \ud83d pair", "half \ufffd pair"),
    ],
)
def test_how_text_is_shown(text, shown):
    assert render(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "From $5 to $10 a day.",
        "US$5 and CA$ 6",
        "$5-$10",
        "a $ b $ c",
        "between $3 million and nearly 4$ more",
        r"only \$5 and \$6",
        "one $ alone",
    ],
)
def test_money_is_no_formula(text):
    assert "<math" not in render(text)
    assert Reader(render(text)).text == text.replace("\\$", "$")


@pytest.mark.parametrize(
    "text",
    ["$x^2$", r"$\tilde{O}(\sqrt{L^\star})$", "$12$ bits", "$Q$-learning", "$$a+b$$",
     r"\(a<b\)", r"\[ \sum_{i=1}^n x_i \]", r"$f \in C^3(\mathcal{M})$", r"rate {\eta}", "$50%$"],
)  # fmt: skip
def test_formulas_are_drawn(text):
    assert render(text).count("<math") == 1


def test_a_formula_that_cannot_be_drawn_is_shown_as_written():
    assert render(r"$\nosuchthing{x}$ &") == r"<code>$\nosuchthing{x}$</code> &amp;"
    assert mathml("x" * 5000) is None


@pytest.mark.parametrize(
    "latex",
    [r"\text{<script>a</script>}", r"\text{&lt;script&gt;}", r"\href{javascript:a}{x}", "a<b>c",
     r'\style{"onload=a}{x}', r"\class{x}{y}", r"\mbox{<img src=x>}", r"\unicode{x3c}b"],
)  # fmt: skip
def test_a_formula_carries_nothing_but_mathml(latex):
    seen = Reader(mathml(latex) or "")
    assert seen.tags <= MATH
    harmless = {"alttext", "stretchy", "mathvariant", "displaystyle", "scriptlevel"}
    assert {name for name, _ in seen.attributes} <= harmless


def test_a_mark_may_begin_and_end_within_styles_and_takes_a_formula_whole():
    text = "An **important result** of $x^2$ size."
    start, end = text.index("result"), text.index("$x") + 2
    assert re.sub("<math.*</math>", "M", render(text, [(start, end)])) == (
        "An <strong>important </strong><mark><strong>result</strong> of M</mark> size."
    )


def test_only_web_addresses_become_links():
    assert 'href="https://a.b/c"' in render("See https://a.b/c.")
    assert 'rel="noopener noreferrer"' in render(r"\url{https://a.b}")
    assert render(r"\href{javascript:a}{here}") == "here"
    assert render(r"\href{script}{here}") == "here"
    assert "<a" not in render("[x](javascript:a) data:text/html,a file:///etc/passwd")
    assert link("javascript:a", "x") == "x"
    assert web_address("https://") is None
    assert web_address("https://[") is None
    assert render("(see https://x.org/a_(b)).").count("a_(b)</a>).") == 1


def test_names_are_one_line_of_text():
    assert plain(' "a"\n<b>\x00 ') == "&quot;a&quot; &lt;b&gt;"


@pytest.mark.parametrize(
    "piece", ["\\textbf{", "$a ", "*a ", "\\[", "[", "http://", "`", "{}", "**a"]
)
def test_no_text_takes_long(piece):
    started = time.perf_counter()
    render(piece * (20_000 // len(piece)))
    assert time.perf_counter() - started < 3
