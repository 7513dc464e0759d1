"""The tabs **Library** and **Map**: what the browser asks for while the reader types and points.

Each tab is one HTML part whose script (``library.js``, ``map.js``) calls the methods named
``server_functions`` directly, past the queue in which questions wait. What comes from the browser
is an object of anything; :func:`_text` and :func:`_number` take from it what can be used.
"""

from __future__ import annotations

import array
import base64
import html
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Protocol

import gradio as gr

from assistant.atlas import Atlas
from assistant.catalog import Catalog, Column, Entry, Filter
from assistant.web import listing
from store.errors import StoreError

_HERE = Path(__file__).parent
_LONGEST = 500
_SIMILAR = 6

Reply = dict[str, Any]


class Shelved(Protocol):
    """A library to walk through; ``assistant.shelf`` is one."""

    def catalog(self) -> Catalog:
        """All papers as they are now."""
        ...

    def atlas(self) -> Atlas:
        """The map of all papers."""
        ...

    def similar(self, paper_id: str, count: int) -> list[Entry]:
        """The papers nearest to one."""
        ...

    def remove(self, paper_id: str) -> bool:
        """Take a paper out."""
        ...

    def restore(self, paper_id: str) -> bool:
        """Put it back."""
        ...


class LibraryTab:
    """The list, and a paper of it."""

    key, title = "library", "Library"

    def __init__(self, shelf: Shelved) -> None:
        self._shelf = shelf
        self.part = _part(
            "library", [self.find, self.paper, self.remove, self.restore, self.figures]
        )

    def find(self, asked: Any) -> Reply:
        """The rows of a search from some row on, with what the filters offer."""
        catalog = self._shelf.catalog()
        start = _number(asked, "start") or 0
        try:
            column = Column(_text(asked, "order"))
        except ValueError:
            column = Column.ADDED
        entries = catalog.find(
            Filter(
                words=_text(asked, "words"),
                collection=_text(asked, "collection"),
                venue=_text(asked, "venue"),
                since=_number(asked, "since"),
                until=_number(asked, "until"),
                order=column,
                descending=bool(_number(asked, "descending")),
            )
        )
        return {
            "rows": listing.rows(entries[start : start + listing.PAGE]),
            "next": start + listing.PAGE if len(entries) > start + listing.PAGE else 0,
            "found": listing.found(len(entries), len(catalog.entries)),
        }

    def figures(self, asked: Any) -> Reply:
        """The library's numbers, and the options of the filters."""
        numbers = self._shelf.catalog().numbers()
        return {
            "figures": listing.figures(numbers),
            "collections": listing.choices(numbers.collections, "All collections"),
            "venues": listing.choices(numbers.venues, "All venues"),
        }

    def paper(self, asked: Any) -> Reply:
        """A paper's page."""
        return paper_page(self._shelf, asked)

    def remove(self, asked: Any) -> Reply:
        """Take a paper out of the library."""
        entry = self._shelf.catalog().get(_text(asked, "id"))
        try:
            gone = entry is not None and self._shelf.remove(entry.paper.id)
        except StoreError as fault:
            return {"told": f'<p role="alert">{html.escape(str(fault))}</p>'}
        return {"told": listing.removed(entry) if entry and gone else ""}

    def restore(self, asked: Any) -> Reply:
        """Put it back."""
        try:
            back = self._shelf.restore(_text(asked, "id"))
        except StoreError as fault:
            return {"told": f'<p role="alert">{html.escape(str(fault))}</p>'}
        return {"told": '<p role="status">It is back.</p>' if back else ""}


class MapTab:
    """Every paper a point."""

    key, title = "map", "Map"

    def __init__(self, shelf: Shelved) -> None:
        self._shelf = shelf
        self.part = _part("map", [self.points, self.called, self.paper])

    def points(self, asked: Any) -> Reply:
        """All points: places as 16-bit numbers, x and y by turns, and the names of the regions."""
        atlas = self._shelf.atlas()
        places = array.array(
            "H", (value for pair in zip(atlas.x, atlas.y, strict=True) for value in pair)
        )
        if sys.byteorder == "big":
            places.byteswap()
        return {
            "places": base64.b64encode(places.tobytes()).decode(),
            "regions": base64.b64encode(bytes(atlas.region)).decode(),
            "names": list(atlas.names),
            "ids": list(atlas.ids),
        }

    def called(self, asked: Any) -> Reply:
        """What a point is called; shown as text."""
        entry = self._shelf.catalog().get(_text(asked, "id"))
        return {"label": entry.label if entry else ""}

    def paper(self, asked: Any) -> Reply:
        """A paper's page."""
        return paper_page(self._shelf, asked)


def paper_page(shelf: Shelved, asked: Any) -> Reply:
    """The page of the paper that is asked for; empty when it is gone."""
    entry = shelf.catalog().get(_text(asked, "id"))
    if entry is None:
        return {"page": ""}
    return {"page": listing.paper_page(entry, shelf.similar(entry.paper.id, _SIMILAR))}


def _part(name: str, functions: list[Callable[[Any], Reply]]) -> gr.HTML:
    return gr.HTML(
        (_HERE / f"{name}.html").read_text(encoding="utf-8"),
        elem_id=f"cw-{name}",
        js_on_load=(_HERE / f"{name}.js").read_text(encoding="utf-8"),
        server_functions=[_plain(function) for function in functions],
        apply_default_css=False,
        container=False,
    )


def _plain(method: Callable[[Any], Reply]) -> Callable[[Any], Reply]:
    """A function of that name: gradio marks what may be called, and no method can be."""

    @wraps(method)
    def called(asked: Any) -> Reply:
        return method(asked)

    return called


def _text(asked: Any, name: str) -> str:
    value = asked.get(name) if isinstance(asked, dict) else None
    return value[:_LONGEST] if isinstance(value, str) else ""


def _number(asked: Any, name: str) -> int | None:
    value = asked.get(name) if isinstance(asked, dict) else None
    return value if isinstance(value, int) and 0 <= value < 10_000_000 else None
