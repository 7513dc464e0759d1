"""The form of the sample library; whether its facts are true, no test can tell."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest

from store.sample import PATH

FIELDS = {"title", "authors", "year", "venue", "url", "abstract"}
SENTENCE_END = re.compile(r"[.!?](?=\s+[\"A-ZÅa-z$]|$)")
ARXIV = re.compile(r"https://arxiv\.org/abs/(\d{2})(0[1-9]|1[0-2])\.(\d{4,5})")

LINES = PATH.read_text(encoding="utf-8").splitlines()
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in LINES]

each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["title"][:40])


def strings_of(record: dict[str, Any]) -> list[str]:
    return [record["title"], record["venue"], record["url"], record["abstract"], *record["authors"]]


def test_there_are_enough_records_and_no_blank_lines() -> None:
    assert len(RECORDS) >= 60
    assert all(line.strip() for line in LINES)


def test_titles_are_unique() -> None:
    titles = [re.sub(r"\W+", " ", record["title"]).casefold() for record in RECORDS]
    assert len(set(titles)) == len(titles)


def test_urls_are_unique_where_there_is_one() -> None:
    urls = [record["url"] for record in RECORDS if record["url"]]
    assert len(set(urls)) == len(urls)


def test_abstracts_share_no_sentence() -> None:
    sentences = [s for r in RECORDS for s in re.split(r"(?<=[.!?])\s+", r["abstract"])]
    assert len(set(sentences)) == len(sentences)


@each_record
def test_fields_and_their_types(record: dict[str, Any]) -> None:
    assert set(record) == FIELDS
    assert type(record["year"]) is int
    assert isinstance(record["authors"], list)
    assert all(isinstance(text, str) for text in strings_of(record))


@each_record
def test_title_venue_and_authors_are_filled_in(record: dict[str, Any]) -> None:
    assert record["title"].strip()
    assert record["venue"].strip()
    assert record["authors"]
    assert len(set(record["authors"])) == len(record["authors"])
    assert all(len(name.split()) >= 2 for name in record["authors"])


@each_record
def test_year_is_plausible(record: dict[str, Any]) -> None:
    assert 1950 <= record["year"] <= 2026


@each_record
def test_url_is_an_arxiv_page_of_no_later_year(record: dict[str, Any]) -> None:
    if not record["url"]:
        assert record["venue"] != "arXiv"
        return
    match = ARXIV.fullmatch(record["url"])
    assert match
    year = 2000 + int(match[1])
    assert 2007 <= year <= record["year"]
    assert len(match[3]) == (4 if year < 2015 else 5)
    if record["venue"] == "arXiv":
        assert year == record["year"]


@each_record
def test_abstract_has_four_to_eight_sentences(record: dict[str, Any]) -> None:
    abstract = record["abstract"]
    assert 4 <= len(SENTENCE_END.findall(abstract)) <= 8
    assert abstract.endswith(".")
    assert len(abstract) <= 1400


@each_record
def test_text_is_clean(record: dict[str, Any]) -> None:
    for text in strings_of(record):
        assert text == text.strip()
        assert text.isprintable()
        assert "  " not in text
        assert unicodedata.is_normalized("NFC", text)
    assert record["abstract"].count("$") % 2 == 0
    assert not re.search(r"[*`#]|\]\(|__", record["abstract"])
