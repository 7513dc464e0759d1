"""The tab Support as a reader meets it: a claim, a paragraph, Stop, the paper, the downloads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import bibtexparser
import pytest

from assistant.types import Stance
from store.types import Paper
from tests.test_web_page import (  # noqa: F401 - fixtures and marks are used by name
    ANTWALK,
    BEENET,
    HOSTILE,
    browser,
    expect,
    pytestmark,
    shot,
    sync_api,
    until,
    watched,
)
from tests.web_desk import weighed
from tests.web_tasks import Served, served_with, visits

FOOD = "BeeNet finds the food in 87.5% of all cases."
NIGHT = "AntWalk is blind at night."
RAIN = "Rain stops all bees."
EVIL = "<img src=x onerror=window.pwned=1> is calm."
SLEEPER = Paper.of(
    "Bees sleep. In our trials BeeNet found the food in a third of all cases only.",
    title="Sleeping bees",
    year=2026,
    source="insects.txt#4",
)
QUOTE = "BeeNet finds the food in 87.5% of all cases, for $5 or $10 a hive."
TRAILS = "We propose AntWalk, which follows trails at night."


def papers() -> dict[str, list]:
    return {
        FOOD: [
            weighed(BEENET, Stance.SUPPORTS, 0.93, QUOTE),
            weighed(SLEEPER, Stance.CONTRADICTS, 0.61, SLEEPER.abstract[12:]),
            weighed(ANTWALK, Stance.RELATED, 0.88, "It needs 40 sensors."),
        ],
        NIGHT: [weighed(ANTWALK, Stance.CONTRADICTS, 0.84, TRAILS)],
        EVIL: [weighed(HOSTILE, Stance.SUPPORTS, 0.7, "The hive stays calm.")],
    }


@pytest.fixture
def served() -> Iterator[Served]:
    with served_with(claims=papers()) as found:
        yield found


@pytest.fixture
def visit(browser, served, watched) -> Iterator[Callable[..., sync_api.Page]]:  # noqa: F811
    with visits(browser, served.url, watched, "Support") as go:
        yield go


def check(page, text: str) -> None:
    page.get_by_label("A claim, or a paragraph").fill(text)
    page.get_by_role("button", name="Check").click()


def test_a_claim_has_its_papers_in_columns_with_quotes_and_how_sure_they_are(visit, served):
    served.hold.clear()
    page = visit()
    check(page, FOOD)
    expect(page.locator(".stance.supports .weighed")).to_have_count(1)  # as soon as it is weighed
    expect(page.locator(".going")).to_contain_text("1 of 3")
    expect(page.locator("#cw-support-stop")).to_be_visible()
    shot(page, "support-going")
    served.hold.set()

    expect(page.locator("p.verdict")).to_contain_text("Supported")
    expect(page.locator("p.verdict")).to_contain_text("1 for · 1 against · 1 only related")
    expect(page.locator(".stance.supports blockquote")).to_have_text(QUOTE)
    expect(page.locator(".stance.supports .sure")).to_have_text("93 % sure")
    expect(page.locator(".stance.contradicts .weighed")).to_contain_text("Sleeping bees")
    expect(page.locator(".stance.related .sure")).to_have_count(0)
    widths = [
        page.locator(f".stance.{side} .bar").bounding_box()["width"]
        * float(page.locator(f".stance.{side} .bar span").get_attribute("style")[6:-1])
        for side in ("supports", "contradicts")
    ]
    assert widths[0] > 1.4 * widths[1]
    expect(page.locator("#cw-support-send")).to_be_visible()
    shot(page, "support-claim")


def test_a_click_opens_the_paper_at_the_marked_sentence(visit):
    page = visit()
    check(page, FOOD)
    page.locator(".stance.supports .weighed button").click()
    mark = page.locator("#cw-support-paper mark")
    expect(mark).to_have_text(QUOTE)
    expect(mark).to_be_in_viewport()
    expect(page.locator(".stance.supports .weighed")).to_be_in_viewport()
    shot(page, "support-paper")
    page.keyboard.press("Escape")
    expect(mark).to_have_count(0)
    expect(page.locator(".stance.supports .weighed button")).to_be_focused()


def test_a_paragraph_comes_back_with_citations_and_warnings(visit):
    page = visit()
    check(page, f"{FOOD} {NIGHT} {RAIN}")
    text = page.locator(".answer.marked")
    expect(text).to_have_text(f"{FOOD}1✕ 2 {NIGHT}✕ 3 {RAIN}")
    expect(page.locator(".summed")).to_have_text("✓ 1 supported ✕ 1 contradicted – 1 no evidence")
    expect(page.locator(".warnings")).to_contain_text(TRAILS)
    expect(page.locator(".check > .near li")).to_have_count(3)
    page.locator(".warnings .cite").last.click()
    expect(page.locator("#cw-support-paper mark")).to_have_text(TRAILS)
    expect(page.locator("#cw-support-paper h2")).to_contain_text("3 Walking with ants")
    shot(page, "support-paragraph")
    page.get_by_text("Contradicted " + NIGHT).click()
    expect(page.locator("details[open] .stance.contradicts .weighed")).to_be_visible()


def saved(page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    return download.value.path().read_text(encoding="utf-8")


def test_what_was_found_can_be_taken_away(visit):
    page = visit()
    check(page, f"{FOOD} {NIGHT}")
    text = saved(page, "Markdown")
    assert text.startswith("BeeNet finds the food in 87.5% of all cases [1]. AntWalk is blind")
    assert "**Contradicted by" in text
    keys = {entry.key for entry in bibtexparser.parse_string(saved(page, "BibTeX")).entries}
    latex = saved(page, "LaTeX")
    assert len(keys) == 3
    assert any(f"\\cite{{{key}}}" in latex for key in keys)
    told = json.loads(saved(page, "JSON"))
    assert [one["verdict"] for one in told["sentences"]] == ["supported", "contradicted"]


def test_stop_keeps_what_was_found_and_frees_the_model(visit, served):
    served.hold.clear()
    page = visit()
    check(page, f"{NIGHT} {FOOD}")
    expect(page.locator(".going")).to_contain_text("Sentence 1 of 2")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge.stopped")).to_be_visible()
    expect(page.locator("#cw-support-send")).to_be_visible()
    until(page, lambda: served.desk.active == 0)
    served.hold.set()
    check(page, FOOD)
    expect(page.locator("p.verdict")).to_contain_text("Supported")


def test_leaving_frees_the_model(visit, served):
    served.hold.clear()
    page = visit()
    check(page, FOOD)
    expect(page.locator(".going")).to_contain_text("1 of 3")
    page.close()
    other = visit()
    until(other, lambda: served.desk.active == 0)


def test_what_cannot_be_checked_is_one_line(visit):
    page = visit()
    check(page, "  ")
    expect(page.get_by_role("alert")).to_contain_text("The claim is empty.")
    check(page, "x " * 1500)
    expect(page.get_by_role("alert")).to_contain_text("at most 2,000")
    check(page, "Bees dance. " * 41)
    expect(page.get_by_role("alert")).to_contain_text("has 41 sentences; at most 40")
    check(page, RAIN)
    expect(page.locator(".refusal")).to_have_text("Nothing in this library is about that.")
    expect(page.locator("p.verdict")).to_contain_text("No evidence")


def test_nothing_of_a_claim_or_a_paper_runs(visit):
    page = visit(390, 844, "dark")
    check(page, EVIL)
    page.locator(".weighed button").click()
    expect(page.locator("#cw-support-paper .abstract")).to_contain_text("The hive stays calm.")
    assert page.evaluate("window.pwned") is None
    assert page.locator("#cw-support img, #cw-support script, #cw-support svg").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
def test_it_fits_the_screen(visit, size, scheme):
    page = visit(*size, scheme)
    shot(page, f"support-{size[0]}-{scheme}-welcome")
    check(page, FOOD)
    expect(page.locator("p.verdict")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    wide = page.evaluate(
        "[...document.querySelectorAll('#cw-support .cw-results *')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).length"
    )
    assert wide == 0
    shot(page, f"support-{size[0]}-{scheme}")
    page.locator(".stance.contradicts .weighed button").click()
    expect(page.locator("#cw-support-paper mark")).to_be_in_viewport()
    shot(page, f"support-{size[0]}-{scheme}-paper")
    check(page, f"{FOOD} {NIGHT} {RAIN}")
    expect(page.locator(".warnings")).to_be_visible()
    shot(page, f"support-{size[0]}-{scheme}-paragraph")
