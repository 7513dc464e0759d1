r"""Beside the flow: LaTeX, Markdown and HTML in an abstract become text that a person reads.

``labels`` and the terminal show it, and matching compares it. The abstract itself stays as it was
written: spans point into that, never into what is made here. Nothing here raises: broken markup
is shown as it stands.

>>> plain(r"We bound **regret** by $\tilde{O}(\sqrt{T})$, 5\% below \textbf{Bee}~\cite{frisch}.")
'We bound regret by Õ(√(T)), 5% below Bee.'
"""

from __future__ import annotations

import html
import logging
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from store.formulas import MATH
from store.sources.characters import clean

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

_DELIMITERS = re.compile(r"\A(?:\$\$?|\\[(\[])|(?:\$\$?|\\[)\]])\Z")
_COMMAND = re.compile(r"\\([a-zA-Z]{1,40})\*?((?:\{[^{}]{0,1000}\}){1,3}|(?![a-zA-Z{])\s?)")
_TEXT_IN_FORMULA = re.compile(r"\\(?:text[a-z]{0,6}|mathrm|mathsf|operatorname|mbox)\{([^{}]*)\}")
_SWITCH = re.compile(r"\{\s*\\(?:em|it|bf|tt|sc|rm|sf|sl)(?![a-zA-Z])\s*([^{}]{0,1000})\}")
_ACCENT = re.compile(r"\\[`'^\"~=.](?:\{\\?[a-zA-Z]\}|[a-zA-Z])|\\[cvuHk]\{[a-zA-Z]\}")
_ARGUMENT = re.compile(r"\{([^{}]*)\}")
_UNSEEN = frozenset(
    "cite citep citet citealp ref eqref label autoref cref begin end noindent vspace hspace".split()
)
_CONVERTED = frozenset(
    "frac sqrt mathcal mathbb mathbf mathfrak tilde hat bar widetilde overline vec".split()
)
_MAX_NESTING = 4

_TIDY: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"</?(?:i|b|u|em|strong|sub|sup|p|br|span|tt|code|jats:\w{1,20})\s?/?>", ""),
        (r"!?\[([^\[\]\n]{1,300})\]\((?:https?:|/|#)[^()\s]{0,500}\)", r"\1"),
        (r"``([^`'\"\n]{1,300})(?:''|``|\")", r"“\1”"),
        (r"(?<![\w^_}])\{([^\W\d_][\w -]{0,300})\}", r"\1"),
        (r"(?<![\w`])`([^`'\n]{1,300})'(?!\w)", r"‘\1’"),
        (r"`([^`\n]{1,300})`", r"\1"),
        (r"\*\*([^*\n]{1,300})\*\*", r"\1"),
        (r"(?<![\w_])__([^_\n]{1,300})__(?![\w_])", r"\1"),
        (r"(?<![\w*])\*([^\s*](?:[^*\n]{0,300}[^\s*])?)\*(?![\w*])", r"\1"),
        (r"(?<![\w_])_([^\s_](?:[^_\n]{0,300}[^\s_])?)_(?![\w_])", r"\1"),
        (r"\\([%&_$#{}])", r"\1"),
        (r"(?<=\S)~(?=\S)", " "),
        (r"(?<=\w)---(?=\w)", "—"),
        (r"(?<=\w)--(?=\w)", "–"),
        (r"(?<! ) (?=[.,;:](?: |$))", ""),
    )
)


def plain(text: str) -> str:
    """The text without markup, its white space made single."""
    text = " ".join(clean(text).split())
    if "$" in text or "\\" in text:
        text = _without_commands(MATH.sub(lambda formula: _formula(formula.group()), text))
    for pattern, replacement in _TIDY:
        text = pattern.sub(replacement, text)
    return " ".join(html.unescape(text).split())


def _formula(latex: str) -> str:
    inner = _DELIMITERS.sub("", latex)
    return _unicode("$" + _TEXT_IN_FORMULA.sub(r"\1", inner).strip("$") + "$").strip("$")


def _without_commands(text: str) -> str:
    """The text with its LaTeX commands replaced, the innermost first."""
    text = _ACCENT.sub(lambda accent: _unicode(accent.group()), text)
    for _ in range(_MAX_NESTING):
        before, text = text, _COMMAND.sub(_replacement, _SWITCH.sub(r"\1", text))
        if text == before:
            break
    return text


def _replacement(command: re.Match[str]) -> str:
    """What a reader of the printed page would see in a command's place."""
    name, arguments = command.group(1), _ARGUMENT.findall(command.group(2))
    if name in _UNSEEN:
        return "" if arguments else command.group(2)
    if name == "footnote":
        return f" ({arguments[0].strip()})" if arguments else ""
    if not arguments:  # a symbol, or a macro of the authors', whose name tells more than nothing
        return (_unicode("\\" + name).lstrip("\\") or name) + command.group(2)
    return _unicode(command.group()) if name in _CONVERTED else str(arguments[-1])


@lru_cache(maxsize=4096)
def _unicode(latex: str) -> str:
    """A formula or a symbol in Unicode; what the converter cannot take stays as it is."""
    try:
        return " ".join(_converter().latex_to_text(latex).split()) or latex
    except Exception:  # noqa: BLE001  (a foreign parser on foreign text; showing it raw is right)
        return latex


@cache
def _converter() -> LatexNodes2Text:
    from pylatexenc.latex2text import LatexNodes2Text

    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # broken markup is no news here
    return LatexNodes2Text(math_mode="text", keep_comments=True)
