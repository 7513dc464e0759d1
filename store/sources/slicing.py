"""XML, one record at a time: the way of all readers whose formats are XML.

The stream is cut where a record's element begins and ends, and each piece is parsed for itself: so
the memory needed doesn't grow with the file, and a broken record costs itself alone. Declarations
of entities stand outside of the pieces and are never read; the parser (defusedxml) refuses them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from store.sources.characters import clean
from store.sources.fields import Unusable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_BLOCK = 1 << 16
_LONGEST = 1 << 23  # characters; a longer record is none
_NAMESPACE = re.compile(r"""\sxmlns(:[\w.-]+)?\s*=\s*("[^"<]*"|'[^'<]*')""")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(\w{1,32};)?")


class Piece(NamedTuple):
    """The text of one element, or of what is left of it."""

    tag: str
    text: str


def elements(stream: TextIO, tags: Sequence[str]) -> Iterator[tuple[str, Element | Unusable]]:
    """The elements with one of these names, none inside another, each with its place."""
    cutter = _Cutter(stream, tags)
    for number, piece in enumerate(cutter.pieces(), 1):
        yield f"record {number}", _parsed(piece.text, cutter.namespaces)


def pattern_of(tags: Sequence[str]) -> re.Pattern[str]:
    """Finds the opening of an element of one of these names, whatever its prefix."""
    return re.compile(rf"<((?:[\w.-]+:)?(?:{'|'.join(tags)}))(?=[\s>/])")


class _Cutter:
    """A sliding part of a file, cut at the openings and ends of records."""

    def __init__(self, stream: TextIO, tags: Sequence[str]) -> None:
        self._stream, self._opening, self._text = stream, pattern_of(tags), ""
        self.namespaces: dict[str, str] = {}

    def pieces(self) -> Iterator[Piece]:
        """Each record's text, from its opening to its end or to the next opening."""
        while self._find_opening():
            yield self._take()

    def _grow(self) -> bool:
        block = self._stream.read(_BLOCK)
        self._text += block
        return bool(block)

    def _find_opening(self) -> bool:
        """Let go of what stands before the next record."""
        while not (match := self._opening.search(self._text)):
            self._note_namespaces(self._text)
            self._text = self._text[-256:]
            if not self._grow():
                return False
        self._note_namespaces(self._text[: match.start()])
        self._text = self._text[match.start() :]
        return True

    def _note_namespaces(self, before: str) -> None:
        if len(self.namespaces) < 32:
            self.namespaces.update(_NAMESPACE.findall(before))

    def _take(self) -> Piece:
        opening = self._opening.match(self._text)
        tag = opening[1] if opening else ""
        ending = re.compile(rf"</{re.escape(tag)}\s*>|<{re.escape(tag)}(?=[\s>/])")
        at = len(tag)
        while not (end := ending.search(self._text, at)):
            at = max(len(tag), len(self._text) - len(tag) - 16)
            if len(self._text) > _LONGEST or not self._grow():
                break
        stop = len(self._text) if end is None else end.end() if end[0][1] == "/" else end.start()
        text, self._text = self._text[:stop], self._text[stop:]
        return Piece(tag, text)


def _parsed(text: str, namespaces: dict[str, str]) -> Element | Unusable:
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    declared = "".join(f" xmlns{prefix}={value}" for prefix, value in namespaces.items())
    text = _ENTITY.sub(_character, clean(text))
    try:
        root: Element = fromstring(f"<all{declared}>{text}</all>", forbid_dtd=True)
    except ParseError as fault:
        return Unusable(f"not well-formed XML: {fault.msg}")
    except (DefusedXmlException, ValueError):
        return Unusable("not usable XML: it declares entities or is broken")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "-"
    return root[0] if len(root) else Unusable("an empty record")


def _character(entity: re.Match[str]) -> str:
    """HTML's name of a character as that character; any other stays the letters that it is."""
    if entity[1] and (char := html.unescape(entity[0])) != entity[0]:
        return html.escape(char)
    return "&amp;" + (entity[1] or "")


def words(element: Element | None) -> str:
    """All text in an element, its white space made single.

    Formulas of TeX stand in dollars; what is raised stays so, for 10³ is not 103.
    """
    if element is None:
        return ""
    for inner in element.iter():
        if inner.tag == "sup" or (inner.tag == "style" and inner.get("face") == "superscript"):
            inner.text = raised(inner.text or "")
    if any(inner.tag == "tex-math" for inner in element.iter()):
        for inner in element.iter("tex-math"):
            inner.text, inner.tag = f"${(inner.text or '').strip('$ ')}$", "math"
    return " ".join("".join(element.itertext()).split())


_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_CAN_BE_RAISED = re.compile(r"[\d+−n-]+")


def raised(text: str) -> str:
    """An exponent; what is no number stays as it is.

    >>> raised("-3"), raised("th")
    ('⁻³', 'th')
    """
    return text.translate(_RAISED) if _CAN_BE_RAISED.fullmatch(text) else text


def texts(element: Element, path: str) -> list[str]:
    """The text of all elements at a path, without empty ones."""
    return [text for inner in element.findall(path) if (text := words(inner))]


def first(element: Element, *paths: str) -> str:
    """The text of the first element that has any, the best path first."""
    return next((text for path in paths for text in texts(element, path)), "")
