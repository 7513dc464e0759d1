r"""LaTeX formulas to MathML, which every current browser draws itself: no script, no font to fetch.

``rendering`` finds the formulas, this module turns one into markup. ``latex2mathml`` only builds
the tree: its own way of writing it out un-escapes the text (``\text{<script>}`` comes out as a
tag) and lets ``\href{javascript:…}`` through, so the tree is written here, known names only.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from xml.etree.ElementTree import Element

from latex2mathml.converter import Converter

LONGEST = 1000  # characters; longer ones stay as they are written
# fmt: off
_TAGS = {
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub",
    "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle",
    "mpadded", "mphantom", "menclose",
}
_ATTRIBUTES = {
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "separator",
    "form", "accent", "accentunder", "movablelimits", "linethickness", "lspace", "rspace",
    "width", "height", "depth", "minsize", "maxsize", "columnalign", "rowlines", "columnlines",
    "columnspacing", "rowspacing", "notation",
}
# fmt: on
_CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2}
_CHILDREN |= {"msubsup": 3, "munderover": 3}
_VALUE = re.compile(r"[\w .,%+#-]*")
_BARE_PERCENT = re.compile(r"(?<!\\)%")


class _NotDrawn(Exception):  # noqa: N818 - never leaves this module
    """The formula holds something that would be drawn wrongly or is not known here."""


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: bool = False) -> str | None:
    r"""The formula as a ``<math>`` element, or None when it can't be drawn faithfully.

    >>> mathml("a<b")
    '<math alttext="a&lt;b"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>'
    >>> mathml(r"\frac{1}") is None
    True
    """
    if len(latex) > LONGEST:
        return None
    try:
        converter = Converter(display="block" if display else "inline")
        tree = converter.convert_to_element(_BARE_PERCENT.sub(r"\\%", latex))
        body = "".join(_written(child) for child in tree)
    except _NotDrawn:
        return None
    except Exception:  # noqa: BLE001 - the library raises a dozen kinds on a formula it can't read
        return None
    shape = ' display="block"' if display else ""
    return f'<math{shape} alttext="{html.escape(latex)}">{body}</math>'


def _written(element: Element) -> str:
    """An element and all in it, escaped; anything unknown makes the whole formula fail."""
    text = html.unescape(element.text or "")
    if element.tag not in _TAGS or "\\" in text or "href" in element.attrib:
        raise _NotDrawn
    if _CHILDREN.get(element.tag, len(element)) != len(element):
        raise _NotDrawn
    attributes = "".join(
        f' {name}="{html.escape(value)}"'
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES and _VALUE.fullmatch(value)
    )
    inside = html.escape(text, quote=False) + "".join(_written(child) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"
