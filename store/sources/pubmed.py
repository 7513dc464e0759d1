"""The reader for PubMed's XML: articles and book chapters, labelled parts of abstracts included.

Beside the other readers of XML; ``slicing`` cuts the records, ``fields`` makes papers of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from store.sources.fields import Unusable, papers
from store.sources.naming import GUESSED, Names
from store.sources.slicing import elements, first, pattern_of, texts, words
from store.types import Paper, Rejected

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TAGS = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")
_OPENING = pattern_of(_TAGS)


def sniff(head: str) -> bool:
    """Whether the file holds articles of PubMed."""
    return bool(_OPENING.search(head))


def read(stream: TextIO, name: str, names: Names = GUESSED) -> Iterator[Paper | Rejected]:
    """A paper or a rejection for every article, in order."""
    found = elements(stream, _TAGS)
    return papers(((place, _fields(article)) for place, article in found), name, names)


def _fields(article: Element | Unusable) -> object:
    if isinstance(article, Unusable):
        return article
    pmid = first(article, ".//PMID")
    return {
        "title": first(article, ".//ArticleTitle", ".//VernacularTitle", ".//Book/BookTitle"),
        "abstract": _abstract(article),
        "authors": _authors(article),
        "year": [
            *texts(article, ".//JournalIssue/PubDate/Year"),
            *texts(article, ".//JournalIssue/PubDate/MedlineDate"),
            *texts(article, ".//ArticleDate/Year"),
            *texts(article, ".//Book/PubDate/Year"),
        ],
        "venue": first(
            article, ".//Journal/Title", ".//MedlineJournalInfo/MedlineTA", ".//BookTitle"
        ),
        "doi": [
            *texts(article, ".//ELocationID[@EIdType='doi']"),
            *texts(article, "./PubmedData/ArticleIdList/ArticleId[@IdType='doi']"),
            *texts(article, "./*/ArticleIdList/ArticleId[@IdType='doi']"),
        ],
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdecimal() else "",
        "keywords": [
            *texts(article, ".//KeywordList/Keyword"),
            *texts(article, ".//MeshHeading/DescriptorName"),
        ],
    }


def _abstract(article: Element) -> str:
    """The parts of the abstract, each behind its label; one in another language if it is alone."""
    parts = article.findall(".//Abstract/AbstractText") or article.findall(
        ".//OtherAbstract/AbstractText"
    )
    return " ".join(_labelled(part.get("Label", ""), words(part)) for part in parts)


def _labelled(label: str, text: str) -> str:
    """A part behind its label, once.

    >>> _labelled("METHODS:", "We film."), _labelled("UNLABELLED", "We film.")
    ('METHODS: We film.', 'We film.')
    """
    label = label.strip().rstrip(":")
    known = not label or label.casefold() == "unlabelled" or text.startswith(f"{label}:")
    return text if known or not text else f"{label}: {text}"


def _authors(article: Element) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    # A chapter's own authors stand beside its book, which has editors.
    lists = ("./BookDocument/AuthorList", ".//Article/AuthorList", ".//AuthorList")
    own = next((a for path in lists if (a := article.findall(f"{path}/Author"))), [])
    for author in own:
        given = first(author, "ForeName", "FirstName", "Initials")
        family = " ".join(filter(None, (first(author, "LastName"), first(author, "Suffix"))))
        found.append({"given": given, "family": family, "name": first(author, "CollectiveName")})
    return found
