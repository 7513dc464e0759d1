r"""Any text to Markdown that shows it and does nothing else. Pure.

Abstracts, titles and claims hold Markdown and HTML of their own; none of it may make a heading, a
list, an image or a tag in what a reader exports.
"""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$])")
# What is plain in a line but begins a list, a heading's underline or a rule at its start.
_NUMBERED = re.compile(r"\A(\d+)([.)])(?=\s|\Z)")
_RULED = re.compile(r"\A([-=])")


def inert(text: str) -> str:
    r"""The text on one line, with everything that Markdown would act on escaped.

    >>> inert("<b>50</b>\n $x_1$"), inert("- 1"), inert("1. Bees")
    ('\\<b\\>50\\</b\\> \\$x\\_1\\$', '\\- 1', '1\\. Bees')
    """
    line = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    return _RULED.sub(r"\\\1", _NUMBERED.sub(r"\1\\\2", line))
