"""Where a click leads: a paper and stretches of its abstract, as ``data-open`` of a button.

>>> place("3f2a", [(0, 12), (40, 66)])
'3f2a:0-12,40-66'
>>> parsed("3f2a:0-12,40-66")
('3f2a', ((0, 12), (40, 66)))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assistant.web.turns import OpenedPaper, Span
from store.types import Paper

_PLACE = re.compile(r"([^:]{1,200}):((?:\d{1,7}-\d{1,7}(?:,|$)){0,20})", re.ASCII)

Shown = Mapping[str, tuple[int | None, Paper]]  # by id: the number of a paper, if any, and it


def place(paper_id: str, spans: Iterable[Span]) -> str:
    """A place in words; the browser gives it back at a click."""
    return f"{paper_id}:{','.join(f'{start}-{end}' for start, end in spans)}"


def parsed(text: str) -> tuple[str, tuple[Span, ...]] | None:
    """Read what :func:`place` wrote; None for anything else (it comes from a browser)."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    spans = (span.split("-") for span in match[2].split(",") if span)
    return match[1], tuple((int(start), int(end)) for start, end in spans)


def opened(shown: Shown, text: str, why: str) -> OpenedPaper | None:
    """The paper of a place, if it is among those shown; ``why`` tells what its marks are."""
    found = parsed(text)
    if found is None or found[0] not in shown:
        return None
    number, paper = shown[found[0]]
    return OpenedPaper(paper, number, found[1], why if found[1] else "")
