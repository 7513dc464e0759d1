"""Connectors: each against a loopback server that answers in its service's own shape."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from assistant import wiring
from assistant.cli import app
from store.connectors import SERVICES, read_source
from store.connectors.paging import papers
from store.connectors.polite import Client
from store.errors import SourceError
from store.types import Paper, Rejected

Reply = tuple[int, dict[str, str], str]


@dataclass
class Fake:
    """A service on loopback: answers by path and query, remembers what it was asked."""

    answer: object
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    address: str = ""

    def reply(self, target: str) -> Reply:
        parts = urlsplit(target)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        self.asked.append(query)
        self.paths.append(parts.path)
        return self.answer(parts.path, query, len(self.asked))


@contextlib.contextmanager
def serving(answer) -> Iterator[Fake]:
    fake = Fake(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, headers, body = fake.reply(self.path)
            content = body.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    fake.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def fetched(fake: Fake, name: str, *, limit: int = 1000, skip: int = 0, waits=None):
    """The records of a name, without the pauses; those that there would be go to ``waits``."""
    key, _, query = name.partition(":")
    service = SERVICES[key]
    sleep = (waits if waits is not None else []).append
    client = Client(service.name, fake.address, service.pause, sleep=sleep)
    return list(papers(service, client, name, query, limit, skip))


def feed(first: int, last: int, total: int) -> str:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/2401.{n:05}v2</id><title>Bees {n}</title>"
        f"<summary>Bees dance {n} times.</summary><published>2024-01-03T18:00:00Z</published>"
        "<author><name>Ada Wu</name></author></entry>"
        for n in range(first, last)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        "<id>http://arxiv.org/api/x</id>"
        f"<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>"
    )


def arxiv(total: int):
    def answer(path, query, count) -> Reply:
        start, size = int(query["start"]), int(query["max_results"])
        return 200, {}, feed(start, min(total, start + size), total)

    return answer


def test_arxiv_is_asked_page_after_page_with_the_pause_it_asks_for():
    waits: list[float] = []
    with serving(arxiv(250)) as fake:
        records = fetched(fake, "arxiv:bee dances", waits=waits)
    assert len({r.source for r in records}) == len(records) == 250
    assert records[0].source == "arxiv:2401.00000"
    assert records[0].collection == "arxiv:bee dances"
    assert records[0].url == "https://arxiv.org/abs/2401.00000v2"
    assert [query["start"] for query in fake.asked] == ["0", "100", "200"]
    assert fake.asked[0]["search_query"] == "all:bee AND all:dances"
    assert len(waits) == 2
    assert all(2.5 < wait <= 3 for wait in waits)


def test_arxiv_numbers_are_looked_up():
    with serving(arxiv(1)) as fake:
        (paper,) = fetched(fake, "arxiv:2401.00000v2")
    assert fake.asked[0]["id_list"] == "2401.00000v2"
    assert paper.abstract == "Bees dance 0 times."


def test_a_limit_is_kept_and_the_rest_told():
    with serving(arxiv(250)) as fake:
        *found, told = fetched(fake, "arxiv:bees", limit=120)
        assert len(found) == 120
        assert told == Rejected("arxiv:bees", "250 match; --skip 120 goes on, --limit takes more")
        rest = fetched(fake, "arxiv:bees", skip=120)
    assert {p.source for p in found}.isdisjoint(p.source for p in rest)
    assert len(rest) == 130


def test_a_busy_service_is_asked_again_when_it_says():
    def answer(path, query, count) -> Reply:
        if count < 3:
            return (429, {"Retry-After": "9"}, "") if count == 1 else (503, {}, "")
        return 200, {}, feed(0, 1, 1)

    waits: list[float] = []
    with serving(answer) as fake:
        assert len(fetched(fake, "arxiv:bees", waits=waits)) == 1
    assert 9.0 in waits


def test_what_came_before_a_fault_is_kept_and_how_to_go_on_is_told():
    def answer(path, query, count) -> Reply:
        return (200, {}, feed(0, 100, 250)) if count == 1 else (503, {}, "")

    with serving(answer) as fake:
        *found, told = fetched(fake, "arxiv:bees")
    assert len(found) == 100
    assert "HTTP 503" in told.reason
    assert told.reason.endswith("--skip 100 goes on")


ERROR_FEED = feed(0, 0, 1).replace(
    "</feed>",
    "<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title>"
    "<summary>malformed</summary></entry></feed>",
)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ((400, {}, "bad"), "refuses the query"),
        ((404, {}, ""), "refuses the query"),
        ((503, {}, ""), "did not answer"),
        ((429, {"Retry-After": "86400"}, ""), "asks to wait 86400 s"),
        ((200, {}, "<!doctype html><p>Down for maintenance."), "something else"),
        ((200, {}, ""), "something else"),
        ((200, {}, ERROR_FEED), "does not understand"),
        ((200, {}, feed(0, 0, 0)), "finds no paper"),
        ((200, {}, feed(0, 0, 40)), "empty page"),
    ],
)
def test_a_service_that_fails_is_one_clear_line(reply, reason):
    with (
        serving(lambda *asked: reply) as fake,
        pytest.raises(SourceError, match=reason) as caught,
    ):
        fetched(fake, "arxiv:bees")
    assert "\n" not in str(caught.value)


def test_a_service_that_is_not_there_is_one_clear_line():
    with pytest.raises(SourceError, match="arXiv did not answer"):
        fetched(Fake(None, address="http://127.0.0.1:9"), "arxiv:bees")


ARTICLE = (
    "<PubmedArticle><MedlineCitation><PMID>{0}</PMID><Article><ArticleTitle>Bees {0}</ArticleTitle>"
    "<Abstract><AbstractText>Bees dance.</AbstractText></Abstract></Article></MedlineCitation>"
    "</PubmedArticle>"
)


def pubmed(path, query, count) -> Reply:
    if path.endswith("esearch.fcgi"):
        found = {"count": "450", "querykey": "1", "webenv": "MCID_1", "idlist": []}
        return 200, {}, json.dumps({"header": {}, "esearchresult": found})
    if "id" in query:
        numbers = query["id"].split(",")
    else:
        assert (query["WebEnv"], query["query_key"]) == ("MCID_1", "1")
        start = int(query["retstart"])
        numbers = [str(n) for n in range(start, min(450, start + int(query["retmax"])))]
    articles = "".join(ARTICLE.format(number) for number in numbers)
    return 200, {}, f"<?xml version='1.0'?><PubmedArticleSet>{articles}</PubmedArticleSet>"


def test_pubmed_keeps_the_hits_and_sends_them_in_pages():
    with serving(pubmed) as fake:
        records = fetched(fake, "pubmed:bee dances")
        assert fake.asked[0]["term"] == "bee dances"
        assert [r.source for r in records] == [f"pubmed:{n}" for n in range(450)]
        assert [p.source for p in fetched(fake, "pubmed:7, 9")] == ["pubmed:7", "pubmed:9"]


def test_pubmed_tells_of_a_query_that_it_does_not_understand():
    body = json.dumps({"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}})
    with (
        serving(lambda *asked: (200, {}, body)) as fake,
        pytest.raises(SourceError, match="PubMed does not understand"),
    ):
        fetched(fake, "pubmed:[")


def test_openreview_notes_have_their_fields_in_values():
    def answer(path, query, count) -> Reply:
        assert query["content.venueid"] == "Bees.cc/2024/Swarm"
        content = {
            "title": {"value": "Dances"},
            "abstract": {"value": "Bees dance."},
            "authors": {"value": ["Ada Wu", "Bo Li"]},
            "keywords": {"value": ["waggle"]},
            "venue": {"value": "Swarm poster"},
        }
        note = {"id": "aB3", "forum": "aB3", "cdate": 1704300000000, "content": content}
        return 200, {}, json.dumps({"notes": [note, {"content": {}}], "count": 2})

    with serving(answer) as fake:
        paper, nameless = fetched(fake, "openreview:Bees.cc/2024/Swarm")
    assert isinstance(nameless, Rejected)
    assert isinstance(paper, Paper)
    assert (paper.title, paper.abstract, paper.year) == ("Dances", "Bees dance.", 2024)
    assert (paper.authors, paper.venue) == (("Ada Wu", "Bo Li"), "Swarm poster")
    assert (paper.source, paper.url) == ("openreview:aB3", "https://openreview.net/forum?id=aB3")


def test_daily_papers_come_day_by_day():
    def answer(path, query, count) -> Reply:
        paper = {
            "id": f"2402.0{count:04}",
            "title": "Dances",
            "summary": "Bees\ndance.",
            "authors": [{"_id": "1", "name": "Ada Wu", "hidden": False}],
            "publishedAt": "2024-02-27T00:00:00.000Z",
            "upvotes": 3,
        }
        return 200, {}, json.dumps([{"paper": paper, "title": "Dances", "numComments": 2}])

    with serving(answer) as fake:
        records = fetched(fake, "hf-daily:2024-02-28..2024-03-01")
    assert [query["date"] for query in fake.asked] == ["2024-02-28", "2024-02-29", "2024-03-01"]
    assert [r.source for r in records] == [f"hf-daily:2402.0{n:04}" for n in (1, 2, 3)]
    assert (records[0].abstract, records[0].authors) == ("Bees dance.", ("Ada Wu",))
    assert (records[0].year, records[0].url) == (2024, "https://arxiv.org/abs/2402.00001")


@pytest.mark.parametrize(
    "days", ["soon", "2024-02-30", "2024-03-01..2024-02-01", "2001-01-01..2024-01-01"]
)
def test_days_that_are_none_are_one_clear_line(days):
    with pytest.raises(SourceError, match="write"):
        fetched(Fake(None, address="http://127.0.0.1:9"), f"hf-daily:{days}")


def test_semantic_scholar_is_searched_by_relevance():
    def answer(path, query, count) -> Reply:
        assert query["query"] == "bee dances"
        start = int(query["offset"])
        found = [
            {
                "paperId": f"p{n}",
                "externalIds": {"ArXiv": "2401.01234", "DOI": "10.1234/hive", "CorpusId": 7},
                "url": f"https://www.semanticscholar.org/paper/p{n}",
                "title": "Dances",
                "abstract": "Bees dance." if n else None,
                "authors": [{"authorId": "1", "name": "Ada Wu"}],
                "year": 2024,
                "venue": "The Hive",
                "fieldsOfStudy": ["Biology"],
            }
            for n in range(start, min(130, start + int(query["limit"])))
        ]
        return 200, {}, json.dumps({"total": 130, "offset": start, "next": 0, "data": found})

    with serving(answer) as fake:
        records = fetched(fake, "semanticscholar:bee dances")
    assert len(records) == 130
    paper = records[1]
    assert (paper.source, paper.year, paper.venue) == ("semanticscholar:p1", 2024, "The Hive")
    assert paper.authors == ("Ada Wu",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "notes",
                    "data",
                    "total",
                    "count",
                    "paper",
                    "id",
                    "content",
                    "esearchresult",
                    "title",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "name", ["openreview:B", "hf-daily:2024-01-01", "semanticscholar:b", "pubmed:b"]
)
@given(value=JSON)
def test_an_answer_of_any_shape_is_papers_or_one_line(name, value):
    class Scripted(Client):
        calls = 0

        def get(self, path, params):
            self.calls += 1
            return json.dumps(value).encode() if self.calls < 4 else b"null"

    key, _, query = name.partition(":")
    client = Scripted(key, "http://127.0.0.1:9", 0.0)
    with contextlib.suppress(SourceError):
        for record in papers(SERVICES[key], client, name, query, 50, 0):
            assert isinstance(record, (Paper, Rejected))


def test_a_name_is_a_service_only_if_it_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match="No such file"):
        read_source("zenodo:bees")
    with pytest.raises(SourceError, match="names no papers: write arxiv:2401"):
        read_source("arxiv: ")
    with pytest.raises(SourceError, match="no address of a service"):
        read_source("arxiv:bees", "zenodo=http://127.0.0.1")
    (tmp_path / "arxiv:bees").write_text("Bees dance on the comb, and we film how they do it.")
    (paper,) = read_source("arxiv:bees")
    assert paper.source == "arxiv:bees#1"


def test_nothing_is_fetched_before_it_is_read():
    with serving(arxiv(1)) as fake:
        records = read_source("arxiv:2401.00000", f"arxiv={fake.address}")
        assert fake.asked == []
        assert len(list(records)) == 1


def test_the_command_adds_from_a_service(tmp_path, embedder, monkeypatch):
    monkeypatch.setattr(wiring, "open_embedder", lambda settings: embedder)
    monkeypatch.setenv("CITEWELL_LIBRARY", str(tmp_path / "library"))
    with serving(arxiv(2)) as fake:
        monkeypatch.setenv("CITEWELL_SERVICES", f"arxiv={fake.address}")
        result = CliRunner().invoke(app, ["add", "arxiv:2401.00000, 2401.00001"])
    assert result.exit_code == 0, result.output
    assert "2 added" in result.output
