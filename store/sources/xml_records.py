"""What the readers of XML share: the records of a file one after another, and the text in them.

Follows ``decoding`` and precedes ``pubmed``, ``atom``, ``endnote`` and ``anthology``. The
characters come already decoded, so the encoding that the file declares no longer matters here. Only
the predefined entities are known, nothing outside the file is read, and an element is dropped as
soon as it has been used, so that the memory needed does not grow with the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import TextIO
from xml.etree.ElementTree import Element, ParseError
from xml.parsers.expat import ErrorString

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from store.errors import SourceError
from store.sources.characters import clean, one_line
from store.sources.fields import Unusable, paper_from
from store.types import Paper, Rejected

Fields = Mapping[str, object]

_PROLOG = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^<>\[]*>\s*)*", re.DOTALL)
_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
_MARKUP = re.compile(r"\s*<(?:\?xml\b|!doctype\b|html\b|rss\b)", re.IGNORECASE)
_MAX_DEPTH = 100  # no record of any known format is a tenth as deep
_EXPONENT = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def root_of(head: str) -> str:
    """The name of the outermost element, or "" for what is no XML.

    >>> root_of('<?xml version="1.0"?><!-- of bees --><hive kind="paper">')
    'hive'
    """
    prolog = _PROLOG.match(head)
    root = _ROOT.match(head, prolog.end() if prolog else 0)
    return root.group(1) if root else ""


def sniff(head: str) -> bool:
    """Whether it is markup at all: asked last, when no reader of XML knows the file."""
    return bool(_MARKUP.match(head))


def read(stream: TextIO, name: str) -> Iterator[Paper | Rejected]:
    """Refuse markup that no reader knows; as a plain list it would be a library of tags."""
    raise SourceError(
        "it is XML or HTML of an unknown kind; the XML of PubMed, arXiv, EndNote and the"
        " ACL Anthology is known"
    )


def read_records(
    stream: TextIO,
    name: str,
    tags: Set[str],
    fields: Callable[[Iterator[Element]], Iterator[Fields]],
) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for each record that ``fields`` finds in the elements so named."""
    count = 0
    try:
        for number, record in enumerate(fields(elements(stream, tags)), 1):
            try:
                paper = paper_from(record, f"{name}#{count + 1}")
            except Unusable as fault:
                yield Rejected(f"{name}, record {number}", str(fault))
            else:
                count += 1
                yield paper
    except ParseError as fault:
        line, _ = fault.position
        reason = f"the rest cannot be read: broken XML, {ErrorString(fault.code)}"
        yield Rejected(f"{name}, line {line}", reason)
    except DefusedXmlException:
        yield Rejected(name, "not read: it defines entities of its own, which can hide a bomb")
    except Unusable as fault:
        yield Rejected(name, f"the rest cannot be read: {fault}")


def elements(stream: TextIO, tags: Set[str]) -> Iterator[Element]:
    """The elements with one of the names, each whole; whatever stands between them is dropped."""
    path: list[Element] = []
    inside = 0  # the depth of the record that is being read, or 0
    for event, element in iterparse(_Cleaned(stream), events=("start", "end")):
        if event == "start":
            path.append(element)
            if len(path) > _MAX_DEPTH:
                raise Unusable("its elements are nested too deep")
            inside = inside or (len(path) if element.tag in tags else 0)
            continue
        path.pop()
        if inside == len(path) + 1:
            yield element
            inside = 0
        if not inside:
            element.clear()
            if path:
                path[-1].remove(element)


class _Cleaned:
    """The stream without characters that XML forbids, which exports hold all the same."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def read(self, size: int) -> str:
        """Some more characters; "" only at the end."""
        while block := self._stream.read(size):
            if text := clean(block):
                return text
        return ""


def text_of(element: Element | None) -> str:
    """All the text in an element, without the marks of italics and the like.

    A raised number is an exponent where it would otherwise run into its base, and TeX keeps the
    dollars that tell it from words.

    >>> from xml.etree.ElementTree import XML
    >>> text_of(XML("<t>In <i>bees</i>, 10<sup>-19</sup> of <tex-math>x^2</tex-math></t>"))
    'In bees, 10⁻¹⁹ of $x^2$'
    """
    if element is None:
        return ""
    text = element.text or ""
    for child in element:
        inner = text_of(child)
        if child.tag == "sup" or child.get("face") == "superscript":
            inner = inner.translate(_EXPONENT) if text[-1:].isdigit() else inner
        elif child.tag == "tex-math":
            inner = f"${inner}$"
        text += inner + (child.tail or "")
    return text


def line_of(element: Element | None) -> str:
    """The text in an element on one line."""
    return one_line(text_of(element))


def lines_of(parent: Element, path: str) -> list[str]:
    """The texts of all elements at a path that have any."""
    return [line for element in parent.iterfind(path) if (line := line_of(element))]


def first_of(parent: Element, *paths: str) -> str:
    """The first text that any of the paths leads to."""
    return next((line for path in paths for line in lines_of(parent, path)), "")
