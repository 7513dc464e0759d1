"""The tab Summarize as a reader meets it: themes one by one, Stop, the papers, the downloads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import bibtexparser
import pytest

from assistant import tabulating
from assistant.answering import NO_MODEL
from assistant.summary import Coverage, Passed, Summary, Theme
from assistant.types import Receipt, Sentence, Status, Timings, Verdict
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
from tests.web_desk import cite, evidence, nothing_on, supported
from tests.web_tasks import Served, served_with, visits

INSECTS = "How insects find their way"
EVIL = "<img src=x onerror=window.pwned=1>"
CARS = "Cars"
QUOTE = "BeeNet finds the food in 87.5% of all cases, for $5 or $10 a hive."
TRAILS = "We propose AntWalk, which follows trails at night."
SLEEPER = Paper.of(
    "Bees sleep. We study the case of bees that sleep upside down. It is unclear why.",
    title="Sleeping bees",
    year=2025,
    source="insects.txt#4",
)

bee = evidence(1, BEENET, QUOTE)
ant = evidence(2, ANTWALK, TRAILS)
asleep = evidence(3, SLEEPER, "We study the case of bees that sleep upside down.")
evil = evidence(1, HOSTILE, "The hive stays calm.")


def quotation(source) -> Sentence:
    (chosen,) = source.sentences
    return supported(chosen.text, cite(source))


def summary(topic: str, *themes: Theme, sources, calls: int = 0) -> Summary:
    told = [s for theme in themes for s in theme.sentences]
    below = (Passed(Paper.of("Moths fly to lamps.", title="Moths"), 0.64),)
    return Summary(
        topic=topic,
        subject=topic,
        status=Status.ANSWERED,
        themes=themes,
        evidence=tuple(sources),
        coverage=Coverage(1249, 300, len(sources), below, calls, calls, len(told) - calls),
        receipt=Receipt("library", "encoder", "scripted"),
        timings=Timings(),
        table=tuple(map(tabulating.row, sources)),
        timeline=tabulating.timeline(sources),
        open_questions=(supported("It is unclear why.", replace(cite(asleep), start=62, end=80)),)
        if asleep in sources
        else (),
    )


def summaries() -> dict[str, Summary]:
    dances = Theme(
        "waggle dances",
        (
            supported("BeeNet finds the food most of the time.", cite(bee)),
            replace(quotation(asleep), note="The draft gave a number that is not there."),
        ),
        (1, 3),
    )
    trails = Theme("trails at night", (quotation(ant),), (2,))
    hostile = Theme(EVIL, (Sentence(EVIL, (cite(evil),), Verdict.UNSUPPORTED, 0.1, EVIL),), (1,))
    bees = "Bees, quoted"
    extractive = summary(bees, Theme("dances", (quotation(bee),), (1,)), sources=[bee])
    nearest = Coverage(3, 3, 0, (Passed(BEENET, 0.3), Passed(ANTWALK, 0.2)))
    return {
        INSECTS: summary(INSECTS, dances, trails, sources=[bee, ant, asleep], calls=1),
        EVIL: summary(EVIL, hostile, sources=[evil]),
        bees: replace(extractive, notes=(NO_MODEL,)),
        CARS: replace(nothing_on(CARS), coverage=nearest),
    }


@pytest.fixture
def served() -> Iterator[Served]:
    with served_with(summaries=summaries()) as found:
        yield found


@pytest.fixture
def visit(browser, served, watched) -> Iterator[Callable[..., sync_api.Page]]:  # noqa: F811
    with visits(browser, served.url, watched, "Summarize") as go:
        yield go


def summarize(page, topic: str) -> None:
    page.get_by_label("A topic, in a few words").fill(topic)
    page.get_by_role("button", name="Summarize").click()


def test_themes_come_one_by_one_and_the_rest_at_the_end(visit, served):
    served.hold.clear()
    page = visit()
    summarize(page, INSECTS)
    expect(page.locator(".digest .theme")).to_have_count(1)  # the second is being written
    expect(page.locator(".coverage")).to_have_text("3 papers in 2 themes")
    expect(page.locator(".going")).to_contain_text("sentence 2 of 2")
    expect(page.locator(".theme.coming")).to_contain_text("trails at night")
    expect(page.locator(".theme.coming .draft-text")).to_contain_text("We propose AntWalk")
    expect(page.locator("#cw-summarize-stop")).to_be_visible()
    shot(page, "summarize-going")
    served.hold.set()

    expect(page.locator(".digest .theme")).to_have_count(2)
    expect(page.locator(".theme.coming")).to_have_count(0)
    expect(page.locator(".coverage")).to_have_text(
        "3 of 1,249 papers are about this; a model wrote 1 of 3 sentences in 1 call."
    )
    rows = page.locator(".quotes tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0).locator("td").first).to_contain_text("BeeNet, a model of bee dances")
    expect(rows.nth(1).locator("td").nth(2)).to_be_empty()  # AntWalk reports no result
    expect(page.locator(".timeline li")).to_have_text(["2021 2", "2025 13"])
    expect(page.locator("#cw-summarize-rest .told")).to_contain_text("It is unclear why.")
    expect(page.locator(".below")).to_contain_text("Moths")
    expect(page.locator("#cw-summarize-send")).to_be_visible()
    shot(page, "summarize-done")


def test_every_sentence_wears_its_verdict(visit):
    page = visit()
    summarize(page, INSECTS)
    told = page.locator(".digest .told li")
    expect(told).to_have_count(3)
    expect(told.nth(0)).to_contain_text("Checked against its source.")
    expect(told.nth(0).locator("q")).to_have_count(0)
    expect(told.nth(1)).to_contain_text("The paper's own words.")
    expect(told.nth(1).locator(".remark")).to_have_text(
        "The draft gave a number that is not there."
    )
    expect(told.nth(2).locator("q")).to_have_text(TRAILS)


def test_a_citation_opens_the_paper_at_its_words(visit):
    page = visit()
    summarize(page, INSECTS)
    expect(page.locator("#cw-summarize-side .card")).to_have_count(3)
    expect(page.locator("#cw-summarize-side .card").last).to_be_in_viewport()
    first = page.locator(".digest .cite").first
    assert QUOTE in first.get_attribute("title")
    first.click()
    mark = page.locator("#cw-summarize-paper mark")
    expect(mark).to_have_text(QUOTE)
    expect(mark).to_be_in_viewport()
    expect(page.locator("#cw-summarize-paper h2")).to_contain_text("1 BeeNet")
    page.keyboard.press("Escape")
    expect(mark).to_have_count(0)
    expect(first).to_be_focused()
    page.locator(".quotes .quoted").nth(1).click()
    expect(mark.first).to_be_in_viewport()
    page.get_by_role("button", name="Close").click()
    page.locator(".below button").click()
    expect(page.locator("#cw-summarize-paper .abstract")).to_have_text("Moths fly to lamps.")


def saved(page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    assert download.value.suggested_filename.startswith("citewell-summarize.")
    return download.value.path().read_text(encoding="utf-8")


def test_the_summary_can_be_taken_away(visit):
    page = visit()
    summarize(page, INSECTS)
    text = saved(page, "Markdown")
    assert text.startswith(f"# {INSECTS}")
    assert "## References" in text
    keys = {entry.key for entry in bibtexparser.parse_string(saved(page, "BibTeX")).entries}
    latex = saved(page, "LaTeX")
    assert len(keys) == 3
    assert all(key in latex for key in keys)
    assert len(json.loads(saved(page, "JSON"))["themes"]) == 2


def test_stop_keeps_the_finished_themes_and_frees_the_model(visit, served):
    served.hold.clear()
    page = visit()
    summarize(page, INSECTS)
    expect(page.locator(".theme.coming .draft")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge.stopped")).to_be_visible()
    expect(page.locator("#cw-summarize-send")).to_be_visible()
    expect(page.locator(".digest .theme")).to_have_count(1)
    expect(page.locator(".draft")).to_have_count(0)  # it was never checked
    expect(page.locator(".theme.coming .cite")).to_have_count(1)
    expect(page.get_by_role("button", name="Save as Markdown")).to_have_count(0)
    until(page, lambda: served.desk.active == 0)
    served.hold.set()
    summarize(page, INSECTS)
    expect(page.locator(".digest .theme")).to_have_count(2)


def test_leaving_frees_the_model(visit, served):
    served.hold.clear()
    page = visit()
    summarize(page, INSECTS)
    expect(page.locator(".theme.coming .draft")).to_be_visible()
    page.close()
    other = visit()
    until(other, lambda: served.desk.active == 0)


def test_a_topic_that_no_paper_is_about_has_a_page_of_its_own(visit):
    page = visit()
    summarize(page, CARS)
    refusal = page.locator(".digest .refusal")
    expect(refusal).to_contain_text("Nothing in this library is about that.")
    expect(page.locator(".quotes, .saves, .theme")).to_have_count(0)
    shot(page, "summarize-nothing")
    refusal.get_by_text("Walking with ants").click()
    expect(page.locator("#cw-summarize-paper .abstract")).to_contain_text("Ants leave trails.")


def test_without_a_model_the_papers_speak_for_themselves(visit):
    page = visit()
    summarize(page, "Bees, quoted")
    expect(page.locator(".digest .told q")).to_have_text(QUOTE)
    expect(page.locator(".coverage")).to_have_text("1 of 1,249 papers are about this.")
    expect(page.locator(".digest > .fine")).to_have_text(NO_MODEL)


def test_what_cannot_be_summarized_is_one_line(visit):
    page = visit()
    summarize(page, "  ")
    expect(page.get_by_role("alert")).to_contain_text("empty")
    summarize(page, "x " * 3000)
    expect(page.get_by_role("alert")).to_contain_text("at most")


def test_nothing_of_a_topic_or_a_paper_runs(visit):
    page = visit(390, 844, "dark")
    summarize(page, EVIL)
    expect(page.locator(".digest .told")).to_contain_text("<img")
    page.locator(".digest .cite").first.click()
    expect(page.locator("#cw-summarize-paper .abstract")).to_contain_text("The hive stays calm.")
    assert page.evaluate("window.pwned") is None
    assert page.locator("#cw-summarize img, #cw-summarize script, #cw-summarize svg").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
def test_it_fits_the_screen(visit, size, scheme):
    page = visit(*size, scheme)
    shot(page, f"summarize-{size[0]}-{scheme}-welcome")
    summarize(page, INSECTS)
    table = page.locator(".quotes")
    expect(table).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    empty = page.locator(".quotes td:empty").first
    expect(empty).to_be_visible() if size[0] == 1440 else expect(empty).to_be_hidden()
    wide = page.evaluate(
        "[...document.querySelectorAll('#cw-summarize .cw-results *')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).length"
    )
    assert wide == 0
    shot(page, f"summarize-{size[0]}-{scheme}")
    name = page.get_by_role("heading", name="citewell").bounding_box()
    assert name
    assert name["x"] >= 28  # the button of the side bar takes the corner
    table.scroll_into_view_if_needed()
    shot(page, f"summarize-{size[0]}-{scheme}-table")
    page.locator(".quotes .quoted").first.click()
    expect(page.locator("#cw-summarize-paper mark").first).to_be_in_viewport()
    shot(page, f"summarize-{size[0]}-{scheme}-paper")
