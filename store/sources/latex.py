r"""LaTeX in the fields of a record to text: for BibTeX, and for arXiv's names and titles.

Titles and names become text, formulas in them staying as they are. In an abstract only what BibTeX
makes its writers escape is undone; the markup stays, for an abstract is kept as it was written and
``store.plaintext`` shows it.

>>> text_of(r"{\"U}ber {BEE}s, $x^2$ \& \textit{Apis}"), unescaped(r"\emph{Apis} by L\"uck: 5\%")
('Über BEEs, $x^2$ & Apis', '\\emph{Apis} by Lück: 5%')
"""

from __future__ import annotations

import logging
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from store.formulas import MATH

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

_LONGEST = 5000  # characters; a longer title or name is none
_MARKED = re.compile(r"[\\{}$~]|--|``|''")
_LETTER = r"(?:\{\\?[a-zA-Z]\}|\\?[a-zA-Z])"
_ESCAPE = re.compile(
    rf"""\\(?P<sign>[%&#$_{{}}])
      | \{{\\ensuremath\{{\\(?P<brace>[lr])brace\}}\}}
      | \{{\\text(?P<name>backslash|asciitilde|asciicircum)\}}
      | (?P<accent>\{{\\[`'^"~=.]{_LETTER}\}}|\\[`'^"~=.]{_LETTER}|\{{\\[cvuHkr]\{{[a-zA-Z]\}}\}}
          |\\[cvuHkr]\{{[a-zA-Z]\}}
          |\{{\\(?:ss|aa|AA|ae|AE|oe|OE|o|O|l|L|i|j)\}}
          |\\(?:ss|aa|AA|ae|AE|oe|OE|o|O|l|L|i|j)(?![a-zA-Z])(?:\{{\}}|\s)?)
      | (?<=[-`',<>?!])(?P<parted>\{{\}})(?=[-`',<>?!])""",
    re.VERBOSE,
)
_NAMED = {"backslash": "\\", "asciitilde": "~", "asciicircum": "^"}
_BRACES = {"l": "{", "r": "}"}


def text_of(latex: str) -> str:
    """A title or a name as text; what cannot be converted stays as it is."""
    if not _MARKED.search(latex):
        return latex
    return _converted(latex) if len(latex) <= _LONGEST else unescaped(latex)


def unescaped(latex: str) -> str:
    """An abstract without the escapes and accents of BibTeX, outside its formulas."""
    if "\\" not in latex and "{}" not in latex:
        return latex
    parts: list[str] = []
    at = 0
    for formula in MATH.finditer(latex):
        parts += [_ESCAPE.sub(_sign, latex[at : formula.start()]), formula.group()]
        at = formula.end()
    return "".join((*parts, _ESCAPE.sub(_sign, latex[at:])))


def _sign(escape: re.Match[str]) -> str:
    if escape["sign"]:
        return escape["sign"]
    if escape["brace"]:
        return _BRACES[escape["brace"]]
    if escape["name"]:
        return _NAMED[escape["name"]]
    return _converted(escape["accent"]) if escape["accent"] else ""


@lru_cache(maxsize=4096)
def _converted(latex: str) -> str:
    try:
        text = str(_converter().latex_to_text(latex))
    except Exception:  # noqa: BLE001  (a foreign parser on foreign text; keeping it raw is right)
        return latex
    return " ".join(text.replace("ˆ", "^").split())  # \textasciicircum, to pylatexenc


@cache
def _converter() -> LatexNodes2Text:
    from pylatexenc.latex2text import LatexNodes2Text

    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # broken markup is no news here
    return LatexNodes2Text(math_mode="verbatim", keep_comments=True)
