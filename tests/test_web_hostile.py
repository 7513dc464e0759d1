"""Hostile strings as questions, titles, abstracts and answers: nothing runs, nothing leaves."""

from __future__ import annotations

import os
import shutil
import socket
from urllib.parse import urlsplit

import pytest

from assistant.catalog import Catalog
from store.types import Paper
from tests.hostile import STRINGS
from tests.web_desk import Script, ScriptedDesk, answer, cite, evidence, supported

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: set CHROMIUM to one"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting' is deprecated"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
CALM = "The hive stays calm."
STRANGE = (
    "() => document.querySelectorAll(':is(#cw-talk, .cw-panel, #cw-library, #cw-report, #cw-talks)"
    " :is(script, img, svg image, iframe, object, embed, video, audio, form, meta, base, link,"
    " style, template)').length"
)
ADDRESSES = (
    "() => [...document.querySelectorAll('#cw-main a[href], #cw-library a[href]')]"
    ".map(link => link.protocol)"
)
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def paper(text: str, number: int) -> Paper:
    return Paper.of(
        f"{text} {CALM}",
        title=text,
        authors=(text,),
        venue=text,
        url=text,
        source=f"{text}#{number}",
    )


class Shelf:
    """The list of hostile papers; nothing can be done to them."""

    def __init__(self, papers: list[Paper]) -> None:
        self._catalog = Catalog(papers, lambda paper: paper.title)

    def catalog(self):
        return self._catalog

    def similar(self, paper_id, count):
        return list(self._catalog.entries[:count])


def script(question: str, number: int) -> Script:
    source = evidence(1, paper(question, number), CALM)
    said = supported(f"{question} {CALM}", cite(source))
    return Script(answer(question, said, sources=[source], notes=[question]), question[:2000])


@pytest.fixture(scope="module")
def page():
    """The page over hostile papers; at its end, what the browser did is looked at."""
    from assistant.web.app import launch

    papers = [paper(text, number) for number, text in enumerate(STRINGS, start=1)]
    desk = ScriptedDesk({}, questions=STRINGS[:4], papers=len(papers))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    blocks = launch(desk, port=port, wait=False, shelf=Shelf(papers))
    went, faults = [], []
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        page.set_default_timeout(20_000)
        page.on("request", lambda request: went.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append("a dialog"), dialog.dismiss()))
        page.goto(blocks.local_url)
        expect(page.locator("#cw-header")).to_contain_text("papers", timeout=30_000)
        page.desk = desk
        yield page
        browser.close()
    blocks.close(verbose=False)
    assert faults == []
    hosts = {urlsplit(u).hostname for u in went if not u.startswith(("data:", "blob:"))}
    assert hosts == {"127.0.0.1"}


def harmless(page) -> None:
    """Nothing ran, no element or address of theirs is in the page, and it is no wider than it."""
    assert page.evaluate("() => window.pwned === undefined && ({}).pwned === undefined")
    assert page.evaluate(STRANGE) == 0
    assert set(page.evaluate(ADDRESSES)) <= {"http:", "https:"}
    assert page.evaluate(WIDE) <= 0


def test_there_are_two_hundred_different_strings():
    assert len(set(STRINGS)) == len(STRINGS) >= 200


# Not yet asked: the last twenty, which are endless words and names of files.
@pytest.mark.parametrize("start", range(0, len(STRINGS) - 20, 20))
def test_asked_answered_and_opened_they_are_only_words(page, start):
    box = page.get_by_label("Your question")
    for number, text in enumerate(STRINGS[start : start + 20], start=start):
        box.fill(text)
        asked = box.input_value()  # as a browser holds it, line ends and all
        page.desk.scripts[asked] = script(text, number)
        page.locator("#cw-send").click()
        if not asked.strip():
            expect(page.locator("#cw-now .trouble")).to_contain_text("The question is empty")
            page.locator("#cw-fresh").click()
            continue
        expect(page.locator("#cw-now .answer")).to_be_visible()
        page.locator("#cw-now .answer .cite").first.click()
        expect(page.locator("#cw-paper mark")).to_contain_text(CALM)
        harmless(page)
        page.locator("#cw-fresh").click()
        expect(page.locator("#cw-now .welcome")).to_be_visible()
        expect(page.locator("#cw-paper article")).to_have_count(0)
