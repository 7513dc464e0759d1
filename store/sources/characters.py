r"""Between ``decoding`` and the readers' results: what of a file's characters a paper keeps.

The wording stays as it is, with its HTML, Markdown and LaTeX, for it is data. Only line breaks are
made alike, and characters that nobody can see and that could deceive a reader are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

# Control characters, byte order marks inside the text, and the characters that turn the direction
# of writing.
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
_LINE_BREAK = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_PAGE_BREAK = re.compile(r"[\f\v]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    r"""The text with ``\n`` as its only line break and nothing invisible that could deceive.

    >>> clean("Bees\x00 dance.\r\nAnts\u202e do not.\x0c")
    'Bees dance.\nAnts do not. '
    """
    text = _PAGE_BREAK.sub(" ", _LINE_BREAK.sub("\n", text))
    return _SURROGATE.sub("\ufffd", _UNWANTED.sub("", text))


def one_line(text: str) -> str:
    """The text with every run of white space made one space."""
    return " ".join(text.split())


def unwrapped(text: str) -> str:
    r"""The text with its wrapped lines joined; the blank lines between paragraphs stay.

    >>> unwrapped("Bees\ndance.\n\n\nAnts are well-\nbehaved.")
    'Bees dance.\n\nAnts are well-behaved.'
    """
    lines = (line.strip() for line in text.split("\n"))
    return "\n\n".join(joined(paragraph) for filled, paragraph in groupby(lines, bool) if filled)


def joined(lines: Iterable[str]) -> str:
    """Wrapped lines as one; a hyphen at a line's end is taken to be the word's own."""
    text = ""
    parts: list[str] = []
    for line in lines:
        hyphenated = text[-1:] == "-" and text[-2:-1].islower() and line[:1].islower()
        parts += ["" if hyphenated or not parts else " ", line]
        text = line
    return "".join(parts)
