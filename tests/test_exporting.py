"""Papers to files and back: 500 records with everything in them that records are known to hold."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import bibtexparser
import pytest
from pylatexenc.latex2text import LatexNodes2Text

from store.exporting import COLUMNS, FormatError, exported, format_of
from store.types import Paper

_TEXTS = (
    "Bees dance, and Ångström's ruler tells how far -- 50% of them to the north.",
    r"We bound $\mathcal{O}(n^2)$ for \emph{every} hive; see {\bf the} note at ~3 km & more.",
    "A <i>small</i> wasp & its nest: x < 3, y > 4. ``Quoted'' and \"quoted\" #1 'words'.",
    "The first line ends here.\nThe second one begins.\n\nTY  - is no tag in here.",
    "=SUM(A1:A9) is no formula, @home neither; 数学 and Ελληνικά are letters.",
    "",
)
_TITLES = ("", "Dances of the {Apis} bee", "Über Bienen: 100% & mehr", "A_b^c~d\\e", "Is -- it?")
_AUTHORS = (
    "Karl von Frisch",
    "Wu, Ada",
    "Łukasz Ćwik",
    "Bees and Wasps Society",
    "Plato",
    "D. O'X",
)
_KEYWORDS = ("dance", "honey & wax", "C#", "größe", "one, two")
_VENUES = ("", "Journal of Hives & Nests", "NeurIPS 2021 Workshop", "Honing_2")


def mixed(count: int = 500) -> list[Paper]:
    chance = random.Random(7)
    papers = []
    for number in range(count):
        text = chance.choice(_TEXTS)
        papers.append(
            Paper.of(
                f"{text} Hive {number}." if text else "",
                title=f"{chance.choice(_TITLES)} {number}".strip()
                if number % 5 or not text
                else "",
                authors=tuple(chance.sample(_AUTHORS, chance.randrange(5)))
                if number % 50
                else tuple(f"Worker {n} Bee" for n in range(120)),
                year=chance.choice((None, 1665, 1999, 2024)),
                venue=chance.choice(_VENUES),
                url=chance.choice(("", "https://hives.example/a_b?c=1%202&d=~e")),
                source=f"hive & nest_{number}.txt#1",
                doi=chance.choice(("", f"10.1000/hive_(x)<{number}>")),
                arxiv_id=chance.choice(("", f"2401.{number:05}v2")),
                keywords=tuple(chance.sample(_KEYWORDS, chance.randrange(4))),
                collection=chance.choice(("", "Hives: old; new")),
            )
        )
    return papers


def flat(text: str) -> str:
    return " ".join(text.split())


def parted(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.removesuffix(";").split("; ")))


def test_json_lines_hold_everything():
    papers = mixed()
    for paper, line in zip(papers, exported(papers, "jsonl").splitlines(), strict=True):
        found = json.loads(line)
        found.pop("label")
        for name in ("authors", "keywords"):
            found[name] = tuple(found[name])
        assert Paper(**found) == paper


def test_csv_holds_everything():
    papers = mixed()
    rows = list(csv.DictReader(io.StringIO(exported(papers, "csv"), newline="")))
    assert tuple(rows[0]) == COLUMNS
    for paper, row in zip(papers, rows, strict=True):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())
        for name in ("id", "title", "venue", "doi", "arxiv_id", "url", "source", "abstract"):
            assert row[name].strip() == getattr(paper, name)
        assert row["collection"] == paper.collection
        assert row["year"] == str(paper.year or "")
        assert parted(row["authors"]) == paper.authors
        assert parted(row["keywords"]) == paper.keywords


def test_bibtex_gives_back_what_was_written():
    papers = mixed()
    entries = bibtexparser.parse_string(exported(papers, "bibtex")).entries
    latex = LatexNodes2Text(keep_comments=True)

    def decoded(text: str) -> str:
        return latex.latex_to_text(text).replace("ˆ", "^")  # \textasciicircum, to pylatexenc

    for paper, entry in zip(papers, entries, strict=True):

        def field(*names: str, entry=entry) -> str:
            return next((decoded(entry[n]) for n in names if n in entry.fields_dict), "")

        assert field("title") == paper.title
        assert field("abstract") == flat(paper.abstract)
        assert field("booktitle", "journal", "howpublished") == paper.venue
        assert (field("doi"), field("eprint")) == (paper.doi, paper.arxiv_id)
        assert field("note") == paper.source
        assert field("year") == str(paper.year or "")
        assert parted(field("keywords")) == paper.keywords
        assert entry.fields_dict["url"].value if paper.url else "url" not in entry.fields_dict
        for name in paper.authors:
            assert name in field("author")


def test_ris_holds_one_value_a_line():
    papers = mixed()
    records = exported(papers, "ris").split("\r\nER  - \r\n\r\n")[:-1]
    for paper, record in zip(papers, records, strict=True):
        found: dict[str, list[str]] = {}
        for line in record.split("\r\n"):
            tag, dash, value = line.partition("  - ")
            assert dash
            found.setdefault(tag, []).append(value)
        for tag, value in (
            ("TI", paper.title),
            ("AB", flat(paper.abstract)),
            ("T2", paper.venue),
            ("DO", paper.doi),
            ("UR", paper.url),
            ("PY", str(paper.year or "")),
            ("AN", paper.arxiv_id and f"arXiv:{paper.arxiv_id}"),
        ):
            assert found.get(tag, [""]) == [value]
        assert tuple(found.get("AU", ())) == paper.authors
        assert tuple(found.get("KW", ())) == paper.keywords


def test_csl_json_holds_names_in_parts():
    papers = mixed()
    items = json.loads(exported(papers, "csl"))
    assert len({item["id"] for item in items}) == len(papers)
    for paper, item in zip(papers, items, strict=True):
        names = tuple(
            n.get("literal") or f"{n['given']} {n['family']}" for n in item.get("author", ())
        )
        assert names == paper.authors
        for key, value in (
            ("title", paper.title),
            ("abstract", paper.abstract),
            ("container-title", paper.venue),
            ("DOI", paper.doi),
            ("URL", paper.url),
            ("archive_location", paper.arxiv_id),
        ):
            assert item.get(key, "") == value
        assert parted(item.get("keyword", "")) == paper.keywords
        assert item.get("issued", {"date-parts": [[None]]})["date-parts"] == [[paper.year]]


def test_the_format_is_told_by_the_name_or_by_hand():
    assert format_of(Path("a.BIB")) == "bibtex"
    assert format_of(Path("a.txt"), "ris") == "ris"
    assert format_of(Path("-")) == "jsonl"
    with pytest.raises(FormatError, match="--format"):
        format_of(Path("a.docx"))
