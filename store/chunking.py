r"""From a paper to its sentences: what is embedded, found, quoted and cited.

Follows ``sources`` and precedes ``embedding``. Every span points into the original abstract, so a
citation can be checked letter by letter. A stop ends a sentence unless a reason below speaks
against it; in doubt there is no cut, for a sentence too long still proves what it says, while half
a sentence may prove the opposite.

>>> text = "Bees dance (cf. Fig. 2). We count $p < 0.05$. They fly, e.g. Home."
>>> [text[start:end] for start, end in sentences(text)]
['Bees dance (cf. Fig. 2).', 'We count $p < 0.05$.', 'They fly, e.g. Home.']
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from store.formulas import MATH
from store.types import Chunk, Paper


class Span(NamedTuple):
    """A stretch of a text, in characters."""

    start: int
    end: int


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words (lower case, without their last stop) after which a stop never ends a sentence.
_NEVER_LAST = _words(
    "e.g i.e eg ie cf vs viz resp w.r.t wrt dr prof mr mrs ms fig figs eq eqs eqn sec sect secs"
    " ref refs thm prop lem def alg tab vol pp ca approx aka a.k.a incl esp"
)
# Words that may end a sentence, but seldom do: only an opening word after the stop is proof.
_SELDOM_LAST = _words(
    "al etc no nos st mt jr sr inc ltd co corp univ dept ed eds ph.d m.sc u.s u.k i.i.d a.m p.m app"
    " ch chap art est max min avg std jan feb mar apr jun jul aug sep sept oct nov dec p"
)
# Words that open a sentence; they tell "of class A. The" from "by A. Turing".
_OPENERS = _words(
    "a an the this these those that there here it its they their we our i in on at by for from with"
    " without within to of as if when while where whether since because although though despite"
    " unlike under upon through throughout across among after before during however moreover"
    " furthermore additionally also finally first second third lastly then thus therefore hence"
    " consequently accordingly specifically notably importantly instead rather nevertheless"
    " nonetheless meanwhile besides yet but and or so such each every both all some many most few"
    " several other another one two three using based built building given compared experiments"
    " experimental empirically empirical extensive evaluation evaluations results theoretically"
    " existing recent recently current previous prior traditional code while what why how which"
    " overall together beyond motivated inspired crucially interestingly surprisingly unfortunately"
    " concretely code data codes project even still only not no you your"
)

# Those that open a sentence even where its capital was forgotten.
_LOWER_CASE_OPENERS = _words("we our this these the it in however moreover furthermore finally")

# A run of stops, then what belongs to the same sentence: closing quotes and brackets, citations.
_STOPS = re.compile(
    r"""(?<![.!?…])(?P<stops>[.!?…]++)
        (?P<close>["'”’»)\]}*_`$]*+)
        (?:~?\\(?:cite[a-z]{0,3}|footnote)\{[^{}]{0,400}\}|\[\d{1,3}(?:[,–-]\s?\d{1,3}){0,9}\])?+
        (?=\s|$)
      | [。！？]["'”’»）」』]*+
      | (?<=\w\w[\w)])\.(?=[A-Z][a-z]{0,15}+[\s,])
      | \n\s*\n""",
    re.VERBOSE,
)
_BRACKET = re.compile(r"(?<!\\)[(){}\[\]]")
_PARTNER = {")": "(", "]": "(", "}": "{"}
_MAX_BRACKETED = 600  # a longer pair is rather two strays
_OPENING_MARKS = re.compile(r"""(?:\\[a-zA-Z]{1,20}\*?\{|["'“‘«(\[{*_`])*+""")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘,;:~/—]+$")
_NEXT_WORD = re.compile(r"[^\W_][\w'’-]*")
_ENUMERATOR = re.compile(r"\(?(?:[ivx]{1,4}|[a-h]|\d{1,2})\)\s+(?![A-Z\s])")
_ENDS_A_WORD = re.compile(r"""[\w"'”’»)\]}$%*`]$""")
_HAS_LETTER = re.compile(r"\w")


def chunks(paper: Paper) -> list[Chunk]:
    """The sentences of a paper's abstract, in order.

    >>> [chunk.text for chunk in chunks(Paper.of("Bees dance. Ants walk."))]
    ['Bees dance.', 'Ants walk.']
    """
    text = paper.abstract
    return [Chunk(paper.id, text[start:end], start, end) for start, end in sentences(text)]


def sentences(text: str) -> list[Span]:
    """The spans of the sentences, trimmed, in order; together they hold all but white space."""
    spans: list[Span] = []
    begin = 0
    for end in (*_ends(text), len(text)):
        piece = text[begin:end]
        if not (trimmed := piece.strip()):
            continue
        start = begin + len(piece) - len(piece.lstrip())
        span = Span(start, start + len(trimmed))
        if spans and not _HAS_LETTER.search(trimmed):  # stray marks belong to what they follow
            spans[-1] = Span(spans[-1].start, span.end)
        else:
            spans.append(span)
        begin = end
    return spans


def _ends(text: str) -> Iterator[int]:
    enclosed = _enclosed(text)
    starts = [start for start, _ in enclosed]
    lower_case = text.islower()
    for stop in _STOPS.finditer(text):
        end = stop.end()
        index = bisect_right(starts, end - 1) - 1
        if index >= 0 and end < enclosed[index].end:
            continue
        if _is_end(text, stop, lower_case):
            yield end


def _enclosed(text: str) -> list[Span]:
    """The formulas and bracketed parts, none inside another: no sentence ends within them."""
    spans = [Span(*formula.span()) for formula in MATH.finditer(text)]
    opened: list[tuple[str, int]] = []
    for bracket in _BRACKET.finditer(text):
        mark, at = bracket.group(), bracket.start()
        partner = _PARTNER.get(mark)
        if partner is None:
            opened.append(("(" if mark == "[" else mark, at))
        elif opened and opened[-1][0] == partner:
            _, start = opened.pop()
            if at - start < _MAX_BRACKETED:
                spans.append(Span(start, at + 1))
    outer: list[Span] = []
    for span in sorted(spans):
        if not outer or span.start >= outer[-1].end:
            outer.append(span)
        elif span.end > outer[-1].end:
            outer[-1] = Span(outer[-1].start, span.end)
    return outer


def _is_end(text: str, stop: re.Match[str], lower_case: bool) -> bool:
    """Whether these stops end a sentence, judged by the words on both sides."""
    marks = stop.group("stops")
    if marks is None:  # a blank line, an ideographic stop, or "model.However"
        return stop.group() != "." or _is_glued_end(text, stop)
    rest = text[stop.end() : stop.end() + 60].lstrip()
    before = text[max(0, stop.start() - 40) : stop.start()]
    if not rest or (marks == "." and before[-1:].isspace()):  # the tokenised style " . "
        return True
    if _ENUMERATOR.match(rest):
        return False
    following = _next_word(rest)
    word = _last_word(before)
    if marks == ".":
        if word in _NEVER_LAST or _is_number_of_a_list(before, word):
            return False
        if word in _SELDOM_LAST or _is_initial(before):
            return following[:1].isupper() and following.lower() in _OPENERS
    elif not _ENDS_A_WORD.search(before):  # as in "some tasks need >!! steps"
        return False
    return lower_case or _looks_like_a_start(following, len(word) > 2 and marks == ".")


def _last_word(before: str) -> str:
    match = _LAST_WORD.search(before)
    return match.group().lower() if match else ""


def _next_word(rest: str) -> str:
    """The word that follows, past quotes, brackets and commands; "" if a formula follows."""
    marks = _OPENING_MARKS.match(rest)
    match = _NEXT_WORD.match(rest, marks.end() if marks else 0)
    return match.group() if match else ""


def _is_initial(before: str) -> bool:
    """A lone capital, as in "J. Smith"; the stop of "in the U.S." is in the table."""
    return before[-1:].isupper() and not before[-2:-1].isalnum()


def _is_number_of_a_list(before: str, word: str) -> bool:
    """The "2." of "three parts: 1. Bees 2. Ants", not the one of "in Table 2."."""
    if not word.isdecimal() or len(word) > 2:
        return False
    return before[: -len(word)].rstrip()[-1:] in ("", ":", ";", ",", ".")


def _looks_like_a_start(word: str, after_a_word: bool) -> bool:
    """A capital or a digit, a name such as iPhone, k-means or p53, or a forgotten capital."""
    if not word or not word[0].islower():
        return True
    named = any(letter.isupper() or letter.isdecimal() for letter in word)
    return named or word[1:2] == "-" or (after_a_word and word in _LOWER_CASE_OPENERS)


def _is_glued_end(text: str, stop: re.Match[str]) -> bool:
    """A missing space: "the model.However", but neither "torch.Tensor" nor an address."""
    token_start = max(0, stop.start() - 60)
    token = text[token_start : stop.start()].rsplit(None, 1)[-1:]
    in_address = bool(token) and any(mark in token[0] for mark in "/@:._")
    return not in_address and _next_word(text[stop.end() : stop.end() + 30]).lower() in _OPENERS
