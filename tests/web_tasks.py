"""What the tests of the tabs Summarize and Support share: a served page and its visitors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.test_web_page import expect, sync_api
from tests.web_desk import ScriptedDesk, served_at


@dataclass
class Served:
    """A page, its desk, and what holds the desk back while it is clear."""

    desk: ScriptedDesk
    url: str
    hold: threading.Event


@contextmanager
def served_with(**told: Any) -> Iterator[Served]:
    hold = threading.Event()
    hold.set()
    desk = ScriptedDesk({}, papers=3, hold=hold, **told)
    with served_at(desk) as url:
        yield Served(desk, url, hold)
    hold.set()


@contextmanager
def visits(browser, url, watched, tab: str) -> Iterator[Callable[..., sync_api.Page]]:
    """Opens the page at a tab, as often as wanted; everything is closed in the end."""
    contexts = []

    def go(width=1440, height=900, scheme="light"):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=scheme, accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        watched.over(page)
        page.goto(url)
        page.get_by_role("tab", name=tab).click(timeout=30_000)
        expect(page.locator(f"#cw-{tab.lower()} .welcome")).to_be_visible()
        return page

    yield go
    for context in contexts:
        context.close()
