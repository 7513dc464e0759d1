"""Several values in one field, as CSV, BibTeX and CSL-JSON hold names and keywords. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PARTS = re.compile(r"[,|&]|\band\b")


def joined(values: Sequence[str]) -> str:
    """The values parted by semicolons; a lone one that a reader would part elsewhere ends with one.

    >>> joined(["Ada Ant", "Bo; Beetle"]), joined(["honey, wax"]), joined(["honey"])
    ('Ada Ant; Bo, Beetle', 'honey, wax;', 'honey')
    """
    text = "; ".join(value.replace(";", ",") for value in values)
    return text + ";" if len(values) == 1 and _PARTS.search(text) else text
