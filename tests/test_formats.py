"""Readers of other programs' formats: one small record each, the real files, damaged files."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from store.errors import SourceError
from store.exporting import FORMATS, exported
from store.sources import read_path
from store.types import Paper, Rejected
from tests.conftest import SHARED
from tests.test_exporting import flat, mixed

DOCUMENT = Path(__file__).parents[1] / "docs" / "formats.md"
_ROW = re.compile(r"^\| ([\w./-]+)(?: \(\d\))? \|((?: \d+ \|){5})$", re.M)


def records_of(folder: Path, content: str | bytes) -> list[Paper | Rejected]:
    path = folder / "nameless"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_path(path))


def paper_of(folder: Path, content: str | bytes) -> Paper:
    (paper,) = records_of(folder, content)
    assert isinstance(paper, Paper)
    return paper


# RIS, MEDLINE, Web of Science


def test_ris_in_two_dialects_with_a_lost_end_and_a_bad_year(tmp_path):
    one, two = records_of(
        tmp_path,
        "\ufeffTY  - JOUR\nTI  - Bees\nAB  - [Abstract not available]\nPY  - 201\n"
        "AN  - arXiv:2401.01234v2\nKW  - dance\nKW  - honey, wax\n\n"
        "TY  - JOUR\nT1  - Ants\nN2  - Ants walk\nslowly.\nY1  - 2001/03//\nER  - \n",
    )
    assert (one.title, one.abstract, one.year, one.arxiv_id) == ("Bees", "", None, "2401.01234v2")
    assert one.keywords == ("dance", "honey, wax")
    assert (two.title, two.abstract, two.year) == ("Ants", "Ants walk slowly.", 2001)
    assert (one.source, two.source) == ("nameless#1", "nameless#2")


def test_medline_with_wrapped_lines(tmp_path):
    one, two = records_of(
        tmp_path,
        "PMID- 1\nTI  - Bees\n      dance.\nAB  - No abstract available.\n"
        "LID - 10.1000/5 [doi]\nDP  - 2001 Mar\nFAU - Frisch, Karl\nAU  - Frisch K\n\n"
        "PMID- 2\nTI  - Ants.\nAB  - They\n      walk.\n",
    )
    assert (one.title, one.abstract, one.doi, one.year) == ("Bees dance.", "", "10.1000/5", 2001)
    assert one.authors == ("Frisch, Karl",)
    assert (two.title, two.abstract) == ("Ants.", "They walk.")


def test_web_of_science(tmp_path):
    paper = paper_of(
        tmp_path,
        "\ufeffFN Clarivate\nVR 1.0\nPT J\nAU Frisch, K\n   Wu, A\nTI Bees\n   dance\nSO HIVE\n"
        "AB We film\n   them.\nDE bee; dance;\n   hive\nPY 2001\nDI 10.1000/1\nER\n\nEF\n",
    )
    assert (paper.title, paper.abstract, paper.venue) == ("Bees dance", "We film them.", "HIVE")
    assert paper.authors == ("Frisch, K", "Wu, A")
    assert (paper.keywords, paper.year) == (("bee", "dance", "hive"), 2001)


# Tables


def test_a_table_of_excel_with_quotes_and_breaks(tmp_path):
    one, two = records_of(
        tmp_path,
        'sep=;\nTitle;Abstract;Authors;Year\nBees;"They ""dance""\nat noon.";Frisch, K.;2001\n'
        " =1+1;x;;\n",
    )
    assert (one.title, one.abstract) == ("Bees", 'They "dance" at noon.')
    assert (one.authors, one.year) == (("Frisch, K.",), 2001)
    assert two.title == "=1+1"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_tables_in_any_encoding_and_delimiter(encoding, mark, tmp_path):
    text = f"Document Title{mark}AB{mark}Source title\r\nÜber Bienen{mark}Sie tanzen.{mark}Hive\r\n"
    paper = paper_of(tmp_path, text.encode(encoding))
    assert (paper.title, paper.abstract, paper.venue) == ("Über Bienen", "Sie tanzen.", "Hive")


def test_the_text_of_a_table_may_look_like_another_format(tmp_path):
    paper = paper_of(tmp_path, 'title,abstract\nTags,"Bees.\nTY  - is a tag.\n@misc{a, b}"\n')
    assert paper.abstract == "Bees. TY  - is a tag. @misc{a, b}"


# BibTeX


def test_bibtex_with_strings_accents_and_a_broken_entry(tmp_path):
    one, broken, two = records_of(
        tmp_path,
        "@string{h={Hive}}\n@comment{nothing}\n"
        '@article{a,title={{\\"U}ber \\textit{Bees}},journal=h # { Letters},year=2001,'
        "author={Fr{\\'e}d{\\'e}ric Wu and {Bees and Wasps}},abstract={5\\% of "
        "{\\textasciicircum}x}}\n@article{b, title={broken\n"
        '@misc{c, title="Ants", eprint={2401.01234}, archiveprefix={arXiv}}\n',
    )
    assert (one.title, one.abstract, one.venue) == ("Über Bees", "5% of ^x", "Hive Letters")
    assert one.authors == ("Frédéric Wu", "Bees and Wasps")
    assert isinstance(broken, Rejected)
    assert broken.source.endswith("line 4")
    assert (two.title, two.arxiv_id) == ("Ants", "2401.01234")


def test_the_title_of_a_book_is_not_that_of_its_chapter(tmp_path):
    paper = paper_of(tmp_path, "@inproceedings{a, booktitle={Hives}, abstract={Bees dance.}}\n")
    assert (paper.title, paper.venue) == ("", "Hives")


# JSON of services


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        (
            {
                "id": "x1",
                "content": {
                    "title": {"value": "Bees"},
                    "abstract": {"value": "They dance."},
                    "authors": {"value": ["Ada Ant", "Bo Beetle"]},
                    "venue": {"value": "Hive 2024"},
                },
            },
            {
                "title": "Bees",
                "abstract": "They dance.",
                "authors": ("Ada Ant", "Bo Beetle"),
                "year": 2024,
                "url": "https://openreview.net/forum?id=x1",
            },
        ),
        (
            {
                "title": "Bees",
                "abstract": None,
                "authors": [{"authorId": "1", "name": "Ada Ant"}],
                "externalIds": {"DOI": "10.1000/1", "ArXiv": "2401.01234"},
                "openAccessPdf": {"url": "https://hive.example/1.pdf"},
            },
            {
                "abstract": "",
                "authors": ("Ada Ant",),
                "doi": "10.1000/1",
                "arxiv_id": "2401.01234",
                "url": "https://hive.example/1.pdf",
            },
        ),
        (
            {
                "id": "0704.0001",
                "title": "Bees\n  dance",
                "abstract": "  They\n dance.\n",
                "authors_parsed": [["B\\'e", "A.", ""]],
                "categories": "cs.CL cs.AI",
                "update_date": "2008-11-26",
            },
            {
                "title": "Bees dance",
                "abstract": "They dance.",
                "authors": ("A. Bé",),
                "keywords": ("cs.CL", "cs.AI"),
                "year": 2008,
                "arxiv_id": "0704.0001",
            },
        ),
        (
            {
                "type": "article",
                "title": "Bees",
                "author": [{"literal": "Bee Lab"}, {"given": "Karl", "family": "von Frisch"}],
                "issued": {"date-parts": [["2001", 3]]},
                "container-title": "Hive",
                "DOI": "10.1000/1",
                "keyword": "dance; wax",
                "archive": "arXiv",
                "archive_location": "2401.01234",
            },
            {
                "authors": ("Bee Lab", "Karl von Frisch"),
                "year": 2001,
                "venue": "Hive",
                "doi": "10.1000/1",
                "arxiv_id": "2401.01234",
                "keywords": ("dance", "wax"),
            },
        ),
    ],
    ids=["openreview", "semantic scholar", "arxiv", "csl"],
)
def test_json_of_services(record, fields, tmp_path):
    paper = paper_of(tmp_path, json.dumps(record) + "\n")
    assert {name: getattr(paper, name) for name in fields} == fields


# There and back


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_exported_is_read_again(form, tmp_path):
    written = mixed()
    read = records_of(tmp_path, exported(written, form).encode())
    for old, new in zip(written, read, strict=True):
        assert isinstance(new, Paper)
        wanted = replace(
            old,
            title=flat(old.title),
            abstract=flat(old.abstract),
            url=old.url or new.url,  # the link that a DOI or an arXiv id gives
            collection=old.collection if form in {"csv", "jsonl"} else "",
            source=new.source,
        )
        assert replace(new, abstract=flat(new.abstract)) == wanted
    again = records_of(tmp_path, exported([p for p in read if isinstance(p, Paper)], form))
    assert again == read


# The real files


def real_files() -> list[Path]:
    return [p for p in sorted((SHARED / "files").glob("*/*")) if p.parent.name != "licences"]


@pytest.mark.seeds
def test_the_table_of_the_document():
    if not real_files():
        pytest.skip("needs the files in ../shared/files")
    rows = dict(_ROW.findall(DOCUMENT.read_text("utf-8")))
    assert set(rows) == {f"{path.parent.name}/{path.name}" for path in real_files()}
    for path in real_files():
        counts = [int(n) for n in re.findall(r"\d+", rows[f"{path.parent.name}/{path.name}"])]
        records, abstracts, papers_read, abstracts_read, rejected = counts
        found = list(read_path(path))
        papers = [record for record in found if isinstance(record, Paper)]
        assert (len(papers), len(found) - len(papers)) == (papers_read, rejected), path.name
        assert sum(bool(paper.abstract) for paper in papers) == abstracts_read, path.name
        assert (papers_read + rejected, abstracts_read) == (records, abstracts), path.name


_INSERTED = (
    b"\0" * 50, b'"', b"{" * 20, b"}", b"<" * 9, b"&x;", b"\n\n", b"\xff\xfe", b"\\" * 30, b"$" * 9,
    b'<!DOCTYPE a [<!ENTITY b "c">]>', b"(" * 2000, b"{" * 5000, b"<a>" * 5000,
)  # fmt: skip
_ENCODINGS = ("utf-16", "latin-1", "utf-32", "cp1252", "utf-16-le", "shift_jis")


def flipped(data: bytes, other: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 5, 50, 500))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def thinned(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return b"".join(line for line in data.splitlines(True) if chance.random() > 0.1)


def doubled(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return b"".join(line * (1 + (chance.random() < 0.1)) for line in data.splitlines(True))


def shuffled(data: bytes, other: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(True)
    chance.shuffle(lines)
    return b"".join(lines)


def cut(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def encoded(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return data.decode("utf-8", "replace").encode(chance.choice(_ENCODINGS), "replace")


def spliced(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))] + other[chance.randrange(len(other)) :]


def stuffed(data: bytes, other: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + chance.choice(_INSERTED) + data[place:]


_MUTATIONS = (flipped, thinned, doubled, shuffled, cut, encoded, spliced, stuffed)


@pytest.mark.seeds
def test_mutated_files_give_papers_and_reasons_only(tmp_path):
    files = real_files()
    if not files:
        pytest.skip("needs the files in ../shared/files")
    chance = random.Random(5)
    for number in range(int(os.environ.get("CITEWELL_MUTATIONS", "150"))):
        path, other, mutation = (chance.choice(of) for of in (files, files, _MUTATIONS))
        data = mutation(path.read_bytes(), other.read_bytes(), chance)
        try:
            records = records_of(tmp_path, data)
        except SourceError as fault:
            records = [Rejected(path.name, str(fault))]
        for record in records:
            if isinstance(record, Rejected):
                assert record.reason, (number, path.name)
                assert "\n" not in record.source + record.reason, (number, path.name)
            else:
                assert record.title or record.abstract, (number, path.name)
