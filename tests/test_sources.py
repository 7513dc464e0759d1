"""Readers: from files of many kinds, good and bad, to papers and rejections."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import SourceError
from store.sources import read_path
from store.sources.characters import clean, unwrapped
from store.sources.decoding import encoding_of
from store.sources.fields import authors_in, year_in
from store.sources.jsonl import read as read_json
from store.sources.jsonl import sniff as is_json
from store.sources.plain import read as read_plain
from store.types import Paper, Rejected

SHARED = Path(__file__).parents[2] / "shared"

BEES = "Honey bees tell each other where the clover is. We film four hives for a summer."
ANTS = "Ants follow scent. A colony finds the shorter of two bridges within ten minutes."
OWLS = "Barn owls hear in the dark, and we measure how well. The error is two degrees."


def long_line(text: str) -> str:
    return " ".join([text] * 4)


def papers_of(text: str, name: str = "list.txt") -> list[Paper]:
    records = list(read_plain(StringIO(text), name))
    assert not [record for record in records if isinstance(record, Rejected)]
    return [record for record in records if isinstance(record, Paper)]


def records_of_json(text: str) -> list[Paper | Rejected]:
    return list(read_json(StringIO(text), "j.jsonl"))


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# Plain lists


def test_abstracts_are_parted_by_blank_lines_and_numbered_without_the_heading():
    papers = papers_of(f"Zoology Papers\n\n{BEES}\n\n{ANTS}\n")
    assert [(p.abstract, p.source, p.collection) for p in papers] == [
        (BEES, "list.txt#1", "Zoology Papers"),
        (ANTS, "list.txt#2", "Zoology Papers"),
    ]


def test_a_list_needs_no_heading():
    assert [p.collection for p in papers_of(f"{BEES}\n\n{ANTS}")] == ["", ""]


@pytest.mark.parametrize("gap", ["\n\n\n\n", "\r\n\r\n", "\n \t \n", "\n\f\n", "\n\xa0\n", "\r\r"])
def test_every_kind_of_blank_line_parts(gap, tmp_path):
    path = write(tmp_path / "list.txt", f"{BEES}{gap}{ANTS}")
    assert [p.abstract for p in read_path(path)] == [BEES, ANTS]


def test_wrapped_lines_become_one():
    wrapped = BEES.replace("where the", "where\r\nthe").replace("four hives", "four  \n   hives")
    assert [p.abstract for p in papers_of(wrapped)] == [BEES]


def test_a_hyphen_at_the_end_of_a_line_stays_without_a_space():
    assert papers_of("We study a well-\nknown dance of bees.")[0].abstract.startswith(
        "We study a well-known"
    )


def test_long_lines_without_blank_lines_between_are_papers_of_their_own():
    texts = [long_line(BEES), long_line(ANTS), long_line(OWLS)]
    assert [p.abstract for p in papers_of("\n".join(texts))] == texts
    headed = papers_of("\n".join(["Zoology Papers", *texts]))
    assert [p.abstract for p in headed] == texts
    assert headed[2].collection == "Zoology Papers"


def test_a_title_right_above_its_abstract_is_the_title():
    paper = papers_of(f"How bees talk\n{long_line(BEES)}\n\n{ANTS}")[0]
    assert (paper.title, paper.abstract) == ("How bees talk", long_line(BEES))


def test_the_first_line_of_a_wrapped_abstract_is_no_title():
    text = "Honey bees tell each other where the\nclover is. We film four hives for a\nsummer."
    assert papers_of(text)[0].title == ""


def test_titles_between_blank_lines_are_titles_when_all_have_one():
    papers = papers_of(f"Daily List\n\nOn bees\n\n{BEES}\n\nOn ants\n\n{ANTS}\n\nOn owls\n\n{OWLS}")
    assert [p.title for p in papers] == ["On bees", "On ants", "On owls"]
    assert {p.collection for p in papers} == {"Daily List"}


@pytest.mark.parametrize("heading", ["# Birds", "BIRDS", "Session 4: Birds", "Birds:"])
def test_a_heading_in_the_middle_begins_another_collection(heading):
    papers = papers_of(f"Insects\n\n{BEES}\n\n{ANTS}\n\n{heading}\n\n{OWLS}")
    assert [p.collection for p in papers] == ["Insects", "Insects", heading.strip("# :")]
    assert [p.source for p in papers] == ["list.txt#1", "list.txt#2", "list.txt#3"]


def test_a_heading_under_a_heading_keeps_both():
    papers = papers_of(f"Zoology 2026\n\n## Birds\n\n{OWLS}\n\n## Insects\n\n{BEES}\n\n{ANTS}")
    assert [p.collection for p in papers] == ["Zoology 2026 / Birds", "Insects", "Insects"]


@pytest.mark.parametrize("marks", [("- ", "- "), ("1. ", "2. "), ("[1] ", "[2] "), ("* ", "* ")])
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_list_marks_go_and_part_items(marks, gap):
    papers = papers_of(f"{marks[0]}{BEES}{gap}{marks[1]}{ANTS}")
    assert [p.abstract for p in papers] == [BEES, ANTS]


def test_marks_inside_an_abstract_stay():
    text = "Bees - like ants - count. We see 3. Of these, **two** (DG) * are dances."
    assert papers_of(text)[0].abstract == text


def test_rules_part_and_vanish():
    assert [p.abstract for p in papers_of(f"{BEES}\n-----\n{ANTS}\n\n***\n\n{OWLS}")] == [
        BEES,
        ANTS,
        OWLS,
    ]


def test_a_fragment_is_rejected_with_its_line_and_does_not_shift_the_count():
    records = list(read_plain(StringIO(f"{BEES}\n\n{ANTS}\n\nend of list"), "list.txt"))
    assert isinstance(records[2], Rejected)
    assert records[2].source == "list.txt, line 5"
    assert "too short" in records[2].reason
    middle = list(read_plain(StringIO(f"{BEES}\n\nodd bit\nof text\n\n{ANTS}"), "list.txt"))
    assert [r.source for r in middle if isinstance(r, Paper)][-1].startswith("list.txt#")


def test_a_short_abstract_is_a_paper():
    assert [p.abstract for p in papers_of(f"{BEES}\n\nWe prove P = NP.\n\n{ANTS}")][1] == (
        "We prove P = NP."
    )


def test_markup_is_data_and_control_characters_are_not():
    text = "We write $x_1$ & <b>bold</b>\x00 in \\emph{ink}.\u202e It\x1b is \ufeffread."
    assert papers_of(text)[0].abstract == (
        "We write $x_1$ & <b>bold</b> in \\emph{ink}. It is read."
    )


@given(
    st.lists(st.sampled_from([" ", "\n", "\n\n", ". ", ".\n", ".\n\n", "\n- ", "\n2. ", "\n--\n"]))
)
def test_no_word_of_a_list_is_lost(gaps):
    words = [f"word{number}" for number in range(len(gaps) + 1)]
    text = "".join(f"{word}{gap}" for word, gap in zip(words, [*gaps, "."], strict=True))
    kept = ""
    for record in read_plain(StringIO(text), "x"):
        if isinstance(record, Paper):
            kept += f" {record.collection} {record.title} {record.abstract}"
        else:
            kept += f" {record.reason}"
    assert set(words) <= set(kept.replace(".", " ").replace("'", " ").replace("-", " ").split())


@given(st.text())
def test_any_text_can_be_read_as_a_list(text):
    for record in read_plain(StringIO(text), "x"):
        assert isinstance(record, Rejected) or record.abstract.strip()


# Encodings and files


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_encodings_are_told_by_the_bytes(encoding, tmp_path):
    text = "Bienen in Zürich tanzen – wir sehen zu. " + BEES
    path = write(tmp_path / "list.txt", text.encode(encoding))
    assert [p.abstract for p in read_path(path)] == [text]


def test_one_bad_byte_spoils_one_character(tmp_path):
    content = "Zürich hört. ".encode() + b"\xe9" + " Bienen tanzen über allem.".encode()
    (paper,) = read_path(write(tmp_path / "list.txt", content))
    assert paper.abstract == "Zürich hört. é Bienen tanzen über allem."


@pytest.mark.parametrize("name", ["list.txt", "list.jsonl"])
def test_gzip_is_told_by_the_bytes(name, tmp_path):
    text = json.dumps({"abstract": BEES}) if name.endswith("l") else BEES
    (paper,) = read_path(write(tmp_path / name, gzip.compress(text.encode())))
    assert (paper.abstract, paper.source) == (BEES, f"{name}#1")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "PNG"),
        (b"PK\x03\x04\x14\x00", "ZIP"),
        (b"SQLite format 3\x00\x10", "SQLite"),
        (bytes(range(256)) * 4, "binary"),
        (("Пчёлы танцуют. " * 9).encode("cp1251"), "UTF-8"),
        (b"", "No abstract"),
        (b" \n\t\n", "No abstract"),
    ],
)
def test_what_is_no_text_is_one_clear_line(content, says, tmp_path):
    path = write(tmp_path / "thing.txt", content)
    with pytest.raises(SourceError, match=says) as caught:
        list(read_path(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", ["nowhere.txt", "no\0where", "n" * 300])
def test_a_missing_path_is_named_at_once(bad, tmp_path):
    with pytest.raises(SourceError, match="No such file"):
        read_path(tmp_path / bad)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="Neither a file nor a folder"):
        read_path(tmp_path / "pipe")


def test_an_unreadable_file_names_the_cure(tmp_path):
    path = write(tmp_path / "list.txt", BEES)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(SourceError, match="permission"):
        list(read_path(path))


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path):
    for name, text in {"b.txt": ANTS, "a/z.txt": BEES, ".c.txt": OWLS, ".git/d.txt": OWLS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, text)
    assert [p.source for p in read_path(tmp_path)] == ["z.txt#1", "b.txt#1"]


def test_a_bad_file_in_a_folder_is_one_rejection(tmp_path):
    write(tmp_path / "a.txt", BEES)
    write(tmp_path / "b.png", b"\x89PNG\r\n\x1a\n\x00")
    write(tmp_path / "c.txt", ANTS)
    first, second, third = read_path(tmp_path)
    assert (first.source, third.source) == ("a.txt#1", "c.txt#1")
    assert isinstance(second, Rejected)
    assert "PNG" in second.reason


@pytest.mark.parametrize("content", [None, b"\x89PNG\r\n\x1a\n\x00"])
def test_a_folder_without_papers_is_an_error(content, tmp_path):
    if content:
        write(tmp_path / "a.png", content)
    with pytest.raises(SourceError, match="No papers in"):
        list(read_path(tmp_path))


def test_a_damaged_gzip_keeps_what_was_read_before(tmp_path):
    lines = "".join(
        json.dumps({"abstract": f"{BEES} {os.urandom(400).hex()}"}) + "\n" for _ in range(999)
    )
    content = gzip.compress(lines.encode())
    records = list(read_path(write(tmp_path / "a.jsonl.gz", content[: len(content) // 2])))
    assert len(records) > 100
    assert isinstance(records[-1], Rejected)
    assert "damaged" in records[-1].reason
    with pytest.raises(SourceError, match="damaged"):
        list(read_path(write(tmp_path / "b.jsonl.gz", content[:40])))


@given(st.binary(max_size=400))
def test_an_encoding_or_an_error_for_any_bytes(content):
    with contextlib.suppress(SourceError):
        content.decode(encoding_of(content), "replace")


# JSON


def test_fields_of_a_record():
    record = {
        "_id": "7",
        "title": " How bees\n talk ",
        "abstract": BEES,
        "authors": ["K. Frisch", {"given": "Ada", "family": "Wu"}, {"name": "Bo Li"}],
        "year": "2021",
        "venue": "Zoology",
        "url": "https://example.org/7",
        "secret": "x",
    }
    (paper,) = records_of_json(json.dumps(record))
    assert paper == Paper.of(
        BEES,
        title="How bees talk",
        authors=("K. Frisch", "Ada Wu", "Bo Li"),
        year=2021,
        venue="Zoology",
        url="https://example.org/7",
        source="j.jsonl#1",
    )


@pytest.mark.parametrize("field", ["abstract", "text", "Abstract"])
def test_where_the_abstract_may_stand(field):
    (paper,) = records_of_json(json.dumps({field: BEES.split(". ")}))
    assert paper.abstract == BEES.replace(". ", " ")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Perl, A. J.; Sam,K.", ("Perl, A. J.", "Sam,K.")),
        ("Ada Wu and Bo Li", ("Ada Wu", "Bo Li")),
        ("Wu, Ada and Li, Bo", ("Wu, Ada", "Li, Bo")),
        ("Wu, A. and Li, B. and Oh, C.", ("Wu, A.", "Li, B.", "Oh, C.")),
        ("Ada Wu, Bo Li, and Cy Oh", ("Ada Wu", "Bo Li", "Cy Oh")),
        ("Comb, J.P.", ("Comb, J.P.",)),
        ("", ()),
        (7, ()),
        ([None, "", {"name": 3}], ()),
    ],
)
def test_authors(text, names):
    assert authors_in(text) == names


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (1999, 1999),
        (2021.0, 2021),
        ("May 3, 1987", 1987),
        (True, None),
        (12, None),
        ("12019", None),
    ],
)
def test_years(value, year):
    assert year_in(value) == year


def test_only_web_links_are_kept():
    bad, doi = records_of_json(
        json.dumps({"abstract": BEES, "url": "javascript:alert(1)"})
        + "\n"
        + json.dumps({"abstract": ANTS, "doi": "doi:10.1000/182"})
    )
    assert (bad.url, doi.url) == ("", "https://doi.org/10.1000/182")


BAD_RECORDS = [
    '{"abstract": ',
    "nonsense",
    '{"year": 2001}',
    '{"abstract": "  "}',
    "17",
    '{"abstract": {"a": 1}}',
    '{"abstract": ' + "9" * 5000 + "}",
    '{"a":' * 100_000,
]


@pytest.mark.parametrize("bad", BAD_RECORDS)
def test_a_bad_line_costs_itself_alone(bad):
    good = json.dumps({"abstract": BEES})
    first, rejected, last = records_of_json(f"{good}\n{bad}\n\n{good}\n")
    assert (first.source, last.source) == ("j.jsonl#1", "j.jsonl#2")
    assert isinstance(rejected, Rejected)
    assert rejected.source == "j.jsonl, line 2"
    assert rejected.reason
    assert "\n" not in rejected.reason


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrap", [False, True])
def test_arrays_in_any_layout(indent, wrap):
    items = [{"abstract": f"{BEES} {number}"} for number in range(5)]
    text = json.dumps({"papers": items} if wrap else items, indent=indent)
    assert is_json(text)
    assert [p.abstract for p in records_of_json(text)] == [item["abstract"] for item in items]


def test_records_over_several_lines_need_no_array():
    text = (
        json.dumps({"abstract": BEES}, indent=1) + "\n" + json.dumps({"abstract": ANTS}, indent=1)
    )
    assert [p.abstract for p in records_of_json(text)] == [BEES, ANTS]


def test_a_broken_record_in_a_large_array_costs_itself_alone():
    items = [json.dumps({"abstract": f"{long_line(BEES)} {number}"}) for number in range(2000)]
    items[700] = '{"abstract": oops, "title": "x"}'
    records = records_of_json("[" + ",\n".join(items) + "]")
    assert sum(isinstance(record, Paper) for record in records) == 1999
    assert isinstance(records[700], Rejected)
    assert records[700].source == "j.jsonl, record 701"
    cut = records_of_json("[" + ",\n".join(items)[:-9])
    assert [isinstance(r, Rejected) for r in cut[-2:]] == [False, True]


def test_strings_of_json_are_cleaned():
    (paper,) = records_of_json('{"abstract": "Bees\\u0000 \\u202edance\\ud800.\\r\\nSo."}')
    assert paper.abstract == "Bees dance\ufffd. So."


def test_reading_lines_takes_no_more_memory_for_more_lines():
    class Endless(StringIO):
        def __iter__(self):
            while True:
                yield json.dumps({"abstract": BEES})

    reader = read_json(Endless(), "j")
    assert [next(reader).source for _ in range(3)] == ["j#1", "j#2", "j#3"]


def test_a_numbered_list_is_not_json():
    assert not is_json(f"[1] {BEES}")
    assert is_json('\n {"a": 1}\n')
    assert is_json('oops\n{"a": 1}\n{"a": 2}\n{"a": 3}\n')


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["title", "abstract", "authors", "year", "url", "doi", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.lists(json_values, max_size=4), st.text(max_size=20), st.sampled_from([None, 1]))
def test_any_json_and_any_garbage_can_be_read(values, garbage, indent):
    text = "\n".join([*(json.dumps(value, indent=indent) for value in values), garbage])
    for record in read_json(StringIO(text), "j"):
        assert isinstance(record, Rejected) or record.abstract or record.title


@given(st.text())
def test_cleaning_is_done_once_and_for_all(text):
    once = unwrapped(clean(text))
    assert unwrapped(clean(once)) == once
    assert "".join(once.split()) == "".join(clean(text).split())


# The shared collections


@pytest.mark.seeds
def test_the_seed_lists():
    if not (SHARED / "seeds").is_dir():
        pytest.skip("needs the seed lists in ../shared/seeds")
    counts: dict[tuple[str, str], int] = {}
    for record in read_path(SHARED / "seeds"):
        assert isinstance(record, Paper)
        key = (record.source[:3], record.collection)
        counts[key] = counts.get(key, 0) + 1
        assert record.source.endswith(f"#{counts[key]}")
    assert counts == {
        ("000", "NeurIPS 2026 Papers"): 19,
        ("001", "NeurIPS 2026 Papers"): 19,
        ("004", "Daily Papers"): 211,
    }


@pytest.mark.seeds
@pytest.mark.parametrize(
    ("path", "papers", "abstracts", "rejected"),
    [
        ("retrieval/cranfield/corpus.jsonl", 1398, 1398, 2),
        ("retrieval/cisi/corpus.jsonl", 1460, 1460, 0),
        ("retrieval/cacm/corpus.jsonl", 3204, 1583, 0),  # four of its texts are "None"
        ("claims/scifact/corpus.jsonl", 5183, 5183, 0),
    ],
)
def test_the_shared_collections(path, papers, abstracts, rejected):
    if not (SHARED / path).is_file():
        pytest.skip(f"needs ../shared/{path}")
    records = list(read_path(SHARED / path))
    found = [record for record in records if isinstance(record, Paper)]
    assert (len(found), sum(bool(paper.abstract) for paper in found)) == (papers, abstracts)
    reasons = [record.reason for record in records if isinstance(record, Rejected)]
    assert len(reasons) == rejected
    assert all(reason.startswith("neither title nor abstract") for reason in reasons)
