"""The reader for PubMed's XML, as its web page saves it and as ``efetch`` sends it.

Beside ``nbib``, the same service's tagged text. A structured abstract becomes one text with its
headings before the parts; an author can be a group; a book's chapter is a record like an article.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO
from xml.etree.ElementTree import Element

from store.sources.xml_records import Fields, first_of, line_of, lines_of, read_records, root_of
from store.types import Paper, Rejected

_ROOTS = {"PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle"}
_RECORDS = {"PubmedArticle", "PubmedBookArticle"}
_ABSTRACTS = (".//Article/Abstract", "./BookDocument/Abstract", ".//OtherAbstract")


def sniff(head: str) -> bool:
    """Whether the outermost element is PubMed's."""
    return root_of(head) in _ROOTS


def read(stream: TextIO, name: str) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every article and book chapter, in order."""
    return read_records(stream, name, _RECORDS, _fields)


def _fields(articles: Iterator[Element]) -> Iterator[Fields]:
    for article in articles:
        pmid = first_of(article, "./MedlineCitation/PMID", "./BookDocument/PMID")
        yield {
            "title": _title(article),
            "abstract": _abstract(article),
            "authors": _authors(article),
            "year": _year(article),
            "venue": first_of(article, ".//Journal/Title", ".//MedlineTA", ".//Book/BookTitle"),
            "doi": first_of(
                article,
                ".//Article/ELocationID[@EIdType='doi']",
                "./PubmedData/ArticleIdList/ArticleId[@IdType='doi']",
                "./BookDocument/ArticleIdList/ArticleId[@IdType='doi']",
            ),
            "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdigit() else "",
            "keywords": [
                *lines_of(article, ".//KeywordList/Keyword"),
                *lines_of(article, ".//MeshHeading/DescriptorName"),
            ],
        }


def _title(article: Element) -> str:
    return first_of(
        article,
        ".//Article/ArticleTitle",
        ".//Article/VernacularTitle",
        "./BookDocument/ArticleTitle",
        ".//Book/BookTitle",
    )


def _abstract(article: Element) -> str:
    """The parts of the abstract, each after its heading."""
    for path in _ABSTRACTS:
        if (abstract := article.find(path)) is not None:
            parts = [_with_label(part) for part in abstract.iterfind("AbstractText")]
            if text := " ".join(filter(None, parts)):
                return text
    return ""


def _with_label(part: Element) -> str:
    text, label = line_of(part), part.get("Label", "").strip().rstrip(":")
    return f"{label}: {text}" if text and label not in ("", "UNLABELLED") else text


def _authors(article: Element) -> list[str]:
    """The names of the first list that says whose they are; editors of a book come after it."""
    lists = article.iterfind(".//AuthorList")
    chosen = next((names for names in lists if names.get("Type") != "editors"), None)
    return [] if chosen is None else [_name(author) for author in chosen.iterfind("Author")]


def _name(author: Element) -> str:
    given = first_of(author, "ForeName", "FirstName", "Initials")
    parts = (given, first_of(author, "LastName"), first_of(author, "Suffix"))
    return " ".join(filter(None, parts)) or first_of(author, "CollectiveName")


def _year(article: Element) -> str:
    return first_of(
        article,
        ".//JournalIssue/PubDate/Year",
        ".//JournalIssue/PubDate/MedlineDate",
        ".//Article/ArticleDate/Year",
        ".//Book/PubDate/Year",
        ".//PubMedPubDate[@PubStatus='pubmed']/Year",
    )
