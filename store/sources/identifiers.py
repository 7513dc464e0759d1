"""What names a paper everywhere: its DOI, its arXiv id, its address on the web.

Asked by ``fields``. Identifiers come bare, as links, with labels before and after; they are kept
bare, so that two records of a paper can be told by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_LINK = re.compile(r"https?://[^\s;]\S*", re.IGNORECASE)
_NUMBER = r"(?P<id>\d{4}\.\d{4,5}(?:v\d{1,3})?|[a-z][a-z-]{1,15}(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,3})?)"
_BARE = re.compile(rf"{_NUMBER}(?![\d/])")
_LABELLED = re.compile(rf"(?i:arxiv)(?:\.(?i:org)/(?:abs|pdf)/|[.:]\s?){_NUMBER}")


def _strings(value: object, key: str) -> Iterator[str]:
    """The strings that a value holds; of an object only the one under ``key``."""
    if isinstance(value, str):
        yield value[:2000]
    elif isinstance(value, list):
        yield from (item[:2000] for item in value if isinstance(item, str))
    elif isinstance(value, Mapping):
        found = next((v for k, v in value.items() if str(k).casefold() == key), None)
        yield from _strings(found, key) if not isinstance(found, Mapping) else ()


def doi_in(value: object) -> str:
    """A DOI without what stands around it.

    >>> doi_in("https://doi.org/10.1000/182."), doi_in({"DOI": "10.1000/182"}), doi_in("PMC1")
    ('10.1000/182', '10.1000/182', '')
    """
    found = (match.group() for text in _strings(value, "doi") if (match := _DOI.search(text)))
    return next(found, "").rstrip(".,;")


def arxiv_in(value: object) -> str:
    """An arXiv id, with its version if that is told: the whole of a field, or behind its label.

    >>> arxiv_in("2401.01234v2"), arxiv_in("https://arxiv.org/abs/hep-th/9901001")
    ('2401.01234v2', 'hep-th/9901001')
    >>> arxiv_in("10.48550/arXiv.2401.01234"), arxiv_in("PMC 2401.01234")
    ('2401.01234', '')
    """
    for text in _strings(value, "arxiv"):
        if match := _BARE.fullmatch(text.strip()) or _LABELLED.search(text):
            return match["id"]
    return ""


def link_in(text: str) -> str:
    """A web address, the only kind of link that is safe to show.

    >>> link_in("https://bees.example/1"), link_in("javascript:alert(1)")
    ('https://bees.example/1', '')
    """
    match = _LINK.match(text)
    return match.group() if match else ""
