"""The readers of XML: each service's own shape, bombs, faults, encodings, memory."""

from __future__ import annotations

import tracemalloc
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import SourceError
from store.sources import anthology, atom, endnote, foreign, pubmed, read_path
from store.types import Paper, Rejected

SHARED = Path(__file__).parents[2] / "shared"
READERS = (pubmed, atom, endnote, anthology)

PUBMED = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.example/p.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID Version="1">11</PMID><Article>
  <Journal><JournalIssue><PubDate><MedlineDate>2019 Nov-Dec</MedlineDate></PubDate></JournalIssue>
    <Title>The Hive</Title></Journal>
  <ArticleTitle>Dances of <i>Apis
    mellifera</i>.</ArticleTitle>
  <ELocationID EIdType="pii" ValidYN="Y">S1</ELocationID>
  <ELocationID EIdType="doi" ValidYN="Y">10.1234/hive.11</ELocationID>
  <Abstract>
    <AbstractText Label="AIM" NlmCategory="AIM">Bees dance at 10<sup>-3</sup> m.</AbstractText>
    <AbstractText Label="FINDINGS:">They find <b>nectar &amp; CO<sub>2</sub></b>.</AbstractText>
    <AbstractText Label="UNLABELLED">So it is.</AbstractText>
    <CopyrightInformation>All rights reserved.</CopyrightInformation>
  </Abstract>
  <AuthorList CompleteYN="Y">
    <Author><LastName>Wu</LastName><ForeName>Ada</ForeName><Suffix>Jr</Suffix>
      <AffiliationInfo><Affiliation>Bee House</Affiliation></AffiliationInfo></Author>
    <Author><CollectiveName>The Swarm Group</CollectiveName></Author>
  </AuthorList></Article>
  <MeshHeadingList><MeshHeading><DescriptorName UI="D1">Bees</DescriptorName></MeshHeading>
  </MeshHeadingList>
  <KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">waggle</Keyword></KeywordList>
 </MedlineCitation>
 <PubmedData><ArticleIdList><ArticleId IdType="doi">10.1234/other</ArticleId></ArticleIdList>
  <ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.9999/cited</ArticleId>
  </ArticleIdList></Reference></ReferenceList></PubmedData>
</PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>12</PMID><Article>
  <ArticleTitle>A letter without an abstract</ArticleTitle></Article></MedlineCitation>
</PubmedArticle>
<PubmedBookArticle><BookDocument><PMID>13</PMID>
  <Book><Publisher><PublisherName>Comb</PublisherName></Publisher>
    <BookTitle>Handbook of Ants</BookTitle><PubDate><Year>2009</Year></PubDate>
    <AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList></Book>
  <ArticleTitle>Trails</ArticleTitle>
  <AuthorList Type="authors"><Author><LastName>Li</LastName><Initials>B</Initials></Author>
  </AuthorList>
  <Abstract><AbstractText>Ants leave trails.</AbstractText></Abstract>
</BookDocument></PubmedBookArticle>
</PubmedArticleSet>
"""

ATOM = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"
      xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query: bees</title>
  <opensearch:totalResults>2</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/2401.01234v2</id>
    <title>Dances
  in $O(n)$</title>
    <summary>  Bees dance
and $a &lt; b$.
</summary>
    <category term="q-bio.PE"/><category term="cs.NE"/>
    <published>2024-01-03T18:00:00Z</published>
    <author><name>Ada Wu</name></author><author><name>Bo Li</name></author>
    <arxiv:doi>10.1234/hive</arxiv:doi><arxiv:journal_ref>The Hive 12 (2025)</arxiv:journal_ref>
  </entry>
  <entry><id>http://arxiv.org/abs/hep-th/9901001v1</id><title>Strings</title>
    <summary>Strings swing.</summary><published>1999-01-01T00:00:00Z</published></entry>
  <entry><id>http://arxiv.org/api/errors#bad</id><title>Error</title>
    <summary>incorrect id format</summary></entry>
</feed>
"""

ENDNOTE = """<?xml version="1.0" encoding="UTF-8" ?><xml><records>
<record><database name="Bees.enl">Bees</database><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal">Wu, Ada</style></author>
<author><style face="normal">Li, Bo</style></author></authors></contributors>
<titles><title><style face="normal">Dances of </style><style face="italic">Apis</style></title>
<secondary-title><style>The Hive</style></secondary-title></titles>
<keywords><keyword><style>waggle</style></keyword></keywords>
<dates><year><style>2003</style></year></dates>
<urls><related-urls><url><style>https://hive.example/1</style></url></related-urls></urls>
<electronic-resource-num><style>10.1234/hive</style></electronic-resource-num>
<abstract><style>At 10</style><style face="superscript">3</style><style> Hz bees dance.</style>
</abstract></record></records></xml>"""

ACL = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2020.insects"><volume id="main" type="proceedings">
<meta><booktitle>Proceedings of Insect Talk</booktitle><year>2020</year></meta>
<frontmatter><url>2020.insects-main.0</url></frontmatter>
<paper id="1"><title><fixed-case>B</fixed-case>ee<fixed-case>N</fixed-case>et</title>
<author><first>Ada</first><last>Wu</last><affiliation>Bee House</affiliation></author>
<author><last>Bo</last></author>
<abstract>Bees reach <tex-math>x^2</tex-math> in <i>dances</i>.</abstract>
<url hash="1f">2020.insects-main.1</url><doi>10.1234/insects.1</doi><bibkey>wu-2020</bibkey></paper>
</volume><volume id="short"><meta><booktitle>Short Talks</booktitle><year>2021</year></meta>
<paper id="1"><title>Trails</title><abstract>Ants walk.</abstract><url>https://a.example/1</url>
</paper></volume></collection>"""


def read(reader, text: str) -> list[Paper | Rejected]:
    assert reader.sniff(text)
    assert not any(other.sniff(text) for other in READERS if other is not reader)
    return list(reader.read(StringIO(text), "hive.xml"))


def papers(records: list[Paper | Rejected]) -> list[Paper]:
    return [record for record in records if isinstance(record, Paper)]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_pubmed_articles_have_labelled_abstracts_groups_and_exponents():
    article = papers(read(pubmed, PUBMED))[0]
    assert article.title == "Dances of Apis mellifera."
    assert article.abstract == (
        "AIM: Bees dance at 10⁻³ m. FINDINGS: They find nectar & CO2. So it is."
    )
    assert article.authors == ("Ada Wu Jr", "The Swarm Group")
    assert (article.year, article.venue) == (2019, "The Hive")
    assert article.url == "https://pubmed.ncbi.nlm.nih.gov/11/"
    assert article.source == "hive.xml#1"


def test_pubmed_book_chapters_name_their_own_authors():
    chapter = papers(read(pubmed, PUBMED))[-1]
    assert (chapter.title, chapter.abstract) == ("Trails", "Ants leave trails.")
    assert (chapter.authors, chapter.year) == (("B Li",), 2009)
    assert chapter.venue == "Handbook of Ants"


def test_arxiv_entries_keep_their_version_and_an_answered_error_is_no_paper():
    records = read(atom, ATOM)
    first, second, fault = records
    assert isinstance(first, Paper)
    assert isinstance(second, Paper)
    assert isinstance(fault, Rejected)
    assert (first.title, first.abstract) == ("Dances in $O(n)$", "Bees dance and $a < b$.")
    assert (first.authors, first.year) == (("Ada Wu", "Bo Li"), 2024)
    assert (first.url, first.venue) == ("https://arxiv.org/abs/2401.01234v2", "The Hive 12")
    assert second.url == "https://arxiv.org/abs/hep-th/9901001v1"


def test_endnote_texts_are_joined_over_their_type_faces():
    (paper,) = papers(read(endnote, ENDNOTE))
    assert (paper.title, paper.abstract) == ("Dances of Apis", "At 10³ Hz bees dance.")
    assert (paper.authors, paper.year, paper.venue) == (("Wu, Ada", "Li, Bo"), 2003, "The Hive")
    assert paper.url == "https://hive.example/1"


def test_anthology_papers_appeared_where_their_volume_says():
    first, second = papers(read(anthology, ACL))
    assert (first.title, first.abstract) == ("BeeNet", "Bees reach $x^2$ in dances.")
    assert (first.authors, first.year) == (("Ada Wu", "Bo"), 2020)
    assert first.venue == "Proceedings of Insect Talk"
    assert first.url == "https://aclanthology.org/2020.insects-main.1/"
    assert (second.venue, second.year, second.url) == ("Short Talks", 2021, "https://a.example/1")


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE a [<!ENTITY a "bee"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]>',
    ],
)
def test_entities_are_never_expanded(declared):
    text = f"{declared}<PubmedArticleSet><PubmedArticle>&a;</PubmedArticle></PubmedArticleSet>"
    (record,) = pubmed.read(StringIO(text), "bomb.xml")
    assert isinstance(record, Rejected)
    assert record.reason == "neither title nor abstract"


def test_what_stands_before_a_fault_is_kept_and_the_fault_told_with_its_line():
    cut = ENDNOTE.replace("</records></xml>", "\n<record><titles></record>")
    paper, fault = read(endnote, cut)
    assert isinstance(paper, Paper)
    assert isinstance(fault, Rejected)
    assert fault.source == "hive.xml, record 2"
    assert fault.reason.startswith("not well-formed XML: mismatched tag")


def test_characters_that_xml_forbids_do_not_spoil_a_file():
    (paper,) = papers(read(endnote, ENDNOTE.replace("bees dance", "bees\x0b\x01dance")))
    assert paper.abstract == "At 10³ Hz bees dance."


def test_a_tower_of_elements_is_refused():
    tower = "<PubmedArticleSet><PubmedArticle>" + "<i>" * 100_000
    (record,) = pubmed.read(StringIO(tower), "tower.xml")
    assert isinstance(record, Rejected)
    assert "not well-formed" in record.reason


@pytest.mark.parametrize("content", ["<?xml version='1.0'?><hive/>", "<!doctype html><p>Bees."])
def test_unknown_markup_is_refused(tmp_path, content):
    with pytest.raises(SourceError, match="XML or HTML without records"):
        list(read_path(write(tmp_path / "a.xml", content)))


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("UTF-8", "utf-8-sig"),
        ("UTF-16", "utf-16"),
        ("UTF-16", "utf-16-le"),
        ("ISO-8859-1", "latin-1"),
        ("iso-8859-2", "iso-8859-2"),
        ("ISO-8859-1", "utf-8"),  # saved anew by an editor
    ],
)
def test_an_encoding_is_told_by_the_bytes_and_the_declaration(tmp_path, declared, encoding):
    name = "Müllerová" if encoding != "iso-8859-2" else "Müllerová Řezníček"
    name = name.replace("ová", "er") if encoding == "latin-1" else name
    text = ENDNOTE.replace("UTF-8", declared).replace("Wu, Ada", name)
    (paper,) = read_path(write(tmp_path / "a.xml", text.encode(encoding)))
    assert isinstance(paper, Paper)
    assert paper.authors[0] == name


class Blocks:
    """A file that is made while it is read."""

    def __init__(self, count: int) -> None:
        block = "\n<record><abstract>Bees dance.</abstract></record><rest/>" * 20
        self._blocks = iter(["<xml><records>", *[block] * count, "</records></xml>"])

    def read(self, size: int) -> str:
        return next(self._blocks, "")


def test_memory_does_not_grow_with_the_file():
    def peak(blocks: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in endnote.read(Blocks(blocks), "big.xml")) == blocks * 20
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(1)
    assert peak(500) < 2 * peak(25)


@pytest.mark.parametrize(
    ("reader", "text"),
    [(pubmed, PUBMED), (atom, ATOM), (endnote, ENDNOTE), (anthology, ACL)],
)
@given(data=st.data())
def test_a_mutated_file_gives_papers_and_reasons_only(reader, text, data):
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 200)))
        piece = data.draw(st.text(max_size=5) | st.sampled_from([text[start:end] * 2, "<", "]]>"]))
        text = text[:start] + piece + text[end:]
    for record in reader.read(StringIO(text), "m.xml"):
        if isinstance(record, Rejected):
            assert "\n" not in record.reason
        else:
            assert record.abstract or record.title


@given(st.text())
def test_sniffing_takes_any_text(text):
    for reader in (*READERS, foreign):
        assert reader.sniff(text) in (True, False)


@pytest.mark.seeds
@pytest.mark.parametrize(
    ("path", "titles", "abstracts"),
    [
        ("arxiv_atom/q_testing_s0_m15_80c242b59d59.xml", 15, 15),
        ("pubmed_xml/biopython_pubmed1.xml", 2, 1),
        ("pubmed_xml/biopython_pubmed4.xml", 1, 1),
        ("pubmed_xml/biopython_pubmed5.xml", 1, 1),
        ("pubmed_xml/biopython_pubmed6.xml", 1, 1),
        ("pubmed_xml/biopython_pubmed7.xml", 1, 1),
        ("pubmed_xml/jabref_MedlineImporterTestArticleItalics.xml", 1, 1),
        ("pubmed_xml/jabref_MedlineImporterTestNbib.xml", 2, 2),
    ],
)
def test_the_shared_files(path, titles, abstracts):
    if not (SHARED / "files" / path).is_file():
        pytest.skip(f"needs ../shared/files/{path}")
    found = papers(list(read_path(SHARED / "files" / path)))
    assert (len(found), sum(bool(p.abstract) for p in found)) == (titles, abstracts)
