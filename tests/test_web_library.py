"""The tabs Library and Map in a real browser, over a real small library and a large false one."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import gradio as gr
import numpy as np
import pytest

from assistant.atlas import Atlas
from assistant.catalog import Catalog
from assistant.shelf import Shelf
from assistant.web.app import launch
from assistant.web.library_tab import LibraryTab, MapTab
from store.types import Paper
from tests.web_desk import ScriptedDesk

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
SHOTS = os.environ.get("CITEWELL_SHOTS")
WEB = Path(__file__).parents[1] / "assistant" / "web"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: set CHROMIUM to one"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting' is deprecated"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
HOSTILE = Paper.of(
    "<img src=x onerror=window.pwned=1> regret $\\sqrt{T}$",
    title="<script>window.pwned=1</script>",
    year=1999,
    url="javascript:window.pwned=1",
)


class Crowd:
    """As many papers as a large library has."""

    def __init__(self, count: int) -> None:
        papers = [
            Paper.of(str(n), title=f"Study {n} of topic {n % 97}", year=1990 + n % 30)
            for n in range(count)
        ]
        self._catalog = Catalog(papers, lambda paper: paper.title)
        chance = np.random.default_rng(0)
        region = chance.integers(0, 8, count)
        place = (chance.normal(size=(count, 2)) * 5000 + region[:, None] * 6000 + 10000).clip(
            0, 65535
        )
        x, y = (tuple(map(int, place[:, axis])) for axis in (0, 1))
        names = tuple(f"Topic {at}" for at in range(8))
        ids = tuple(paper.id for paper in papers)
        self._atlas = Atlas("f", ids, x, y, tuple(map(int, region)), names)

    def catalog(self):
        return self._catalog

    def atlas(self):
        return self._atlas

    def similar(self, paper_id, count):
        return []

    def remove(self, paper_id):
        return False

    def restore(self, paper_id):
        return False


def free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def visit():
    """A page with both tabs over a shelf; no error, nothing from elsewhere."""
    with sync_api.sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = play.chromium.launch(executable_path=CHROMIUM, args=flags)
        served, faults = [], []

        def go(shelf, whole=False):
            if whole:
                return show(
                    launch(ScriptedDesk({}, papers=3), port=free(), wait=False, shelf=shelf)
                )
            with gr.Blocks(analytics_enabled=False) as blocks, gr.Tabs():
                with gr.Tab("Library"):
                    LibraryTab(shelf)
                with gr.Tab("Map"):
                    MapTab(shelf)
            blocks.launch(
                server_port=free(),
                prevent_thread_lock=True,
                quiet=True,
                ssr_mode=False,
                css_paths=[WEB / "page.css", WEB / "library.css"],
            )
            return show(blocks)

        def show(blocks):
            served.append(blocks)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(15_000)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(blocks.local_url)
            page.get_by_role("tab", name="Library").click()
            expect(page.locator("#cw-library .found")).to_contain_text("papers", timeout=30_000)
            return page

        yield go
        for blocks in served:
            blocks.close(verbose=False)
        browser.close()
        assert faults == []


def shot(page, name):
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def test_a_paper_is_found_opened_removed_and_had_back(visit, library):
    library.add([HOSTILE])
    page = visit(Shelf(library))
    expect(page.locator(".papers tbody tr")).to_have_count(4)
    page.get_by_role("button", name="Year").click()
    expect(page.locator(".papers tbody tr").first).to_contain_text("1999")
    page.get_by_label("Search the list").fill("walking ada")
    expect(page.locator(".found")).to_have_text("1 of 4 papers")
    page.get_by_label("Search the list").fill("script")
    page.locator(".papers tbody button").click()
    expect(page.locator(".opened math msqrt")).to_have_count(1)
    expect(page.locator(".opened .near li")).to_have_count(3)
    assert page.locator(".opened a").count() == 0
    shot(page, "library-paper")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".told")).to_contain_text("Removed")
    assert len(library) == 3
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".told")).to_contain_text("It is back")
    assert len(library) == 4
    assert page.evaluate("window.pwned") is None


def test_a_large_list_follows_each_keystroke(visit):
    page = visit(Crowd(49_091))
    expect(page.locator(".papers tbody tr").first).to_be_visible()
    shot(page, "library-large")
    took = page.evaluate(
        """async () => {
          const box = document.querySelector('#cw-library [name=words]');
          const rows = document.querySelector('#cw-library tbody');
          const times = [];
          for (const text of ['s', 'st', 'stu', 'study 4', 'study 49', 'topic 9']) {
            const begun = performance.now();
            const changed = new Promise((done) => {
              const seen = new MutationObserver(() => { seen.disconnect(); done(); });
              seen.observe(rows, { childList: true });
            });
            box.value = text;
            box.dispatchEvent(new Event('input', { bubbles: true }));
            await changed;
            times.push(performance.now() - begun);
          }
          return times;
        }"""
    )
    print("keystroke to list, ms:", [round(ms) for ms in took])
    assert sorted(took)[len(took) // 2] < 600  # a quarter of it on a machine at rest


def test_a_map_of_a_large_library_moves(visit):
    page = visit(Crowd(49_091))
    page.get_by_role("tab", name="Map").click()
    expect(page.locator("#cw-map .state")).to_have_text("49,091 papers, each a point.")
    canvas = page.locator("#cw-map canvas")
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    rate = page.evaluate(
        """async () => {
          const canvas = document.querySelector('#cw-map canvas');
          const left = { key: 'ArrowLeft' };
          const key = () => canvas.dispatchEvent(new KeyboardEvent('keydown', left));
          const frame = () => new Promise(requestAnimationFrame);
          const begun = performance.now();
          for (let n = 0; n < 60; n += 1) { key(); await frame(); }
          return 60000 / (performance.now() - begun);
        }"""
    )
    print(f"map: {rate:.0f} frames a second")
    assert rate > 5
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "CANVAS":
            break
    for _ in range(60):
        page.keyboard.press("ArrowRight")
    shot(page, "map-large")
    page.mouse.click(x, y)
    expect(page.locator("#cw-map .opened h2")).to_contain_text("Study")


def test_a_question_about_a_paper_goes_to_the_first_tab(visit, library):
    page = visit(Shelf(library), whole=True)
    page.locator(".papers tbody button").first.click()
    page.get_by_role("button", name="Ask about this paper").click()
    expect(page.get_by_label("Your question")).to_have_value("What does “BeeNet” show?")
    shot(page, "whole-ask")
    assert page.locator("#cw-ask").bounding_box()["y"] < 800
    page.get_by_role("tab", name="Map").click()
    expect(page.locator("#cw-map .state")).to_have_text("3 papers, each a point.", timeout=30_000)
    shot(page, "whole-map")


def test_the_papers_of_the_last_answer_light_up(visit, library):
    page = visit(Shelf(library))
    name = library.papers()[0].id
    page.evaluate(
        """(name) => {
          const card = document.createElement('p');
          card.className = 'card';
          card.dataset.of = name;
          document.body.append(card);
          const arc = CanvasRenderingContext2D.prototype.arc;
          window.rings = 0;
          CanvasRenderingContext2D.prototype.arc = function (...given) {
            window.rings += 1;
            arc.apply(this, given);
          };
        }""",
        name,
    )
    page.get_by_role("tab", name="Map").click()
    expect(page.locator("#cw-map .state")).to_have_text("3 papers, each a point.", timeout=30_000)
    page.wait_for_function("window.rings > 0")
