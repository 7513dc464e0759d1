"""What the fields of a record are called, in the many exports of the field.

Asked by ``fields``. Names are compared by their letters and digits alone, so that "Article Title",
"article_title" and "ArticleTitle" are one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from store.errors import SourceError

Names = Mapping[str, tuple[str, ...]]

_NO_PART_OF_A_NAME = re.compile(r"[\W_]+")

# For each field of a paper the names under which it may stand, the best ones first.
GUESSED: Names = {
    "title": (
        "title", "primarytitle", "articletitle", "documenttitle", "papertitle", "ti", "t1",
        "booktitle", "translatedtitle", "originaltitle", "alternatetitle1",
    ),
    "abstract": (
        "abstract", "abstracttext", "paperabstract", "ab", "abstractnote", "n2", "notesabstract",
        "text", "summary", "description", "originalabstract",
    ),
    "authors": (
        "authors", "author", "authorfullname", "authorfullnames", "authorname", "authornames",
        "fullauthors", "firstauthors", "au", "a1", "af", "creators", "creator", "groupauthors",
    ),
    "year": (
        "year", "publicationyear", "pubyear", "py", "y1", "date", "published", "publicationdate",
        "publishedat", "dateofpublication", "coverdate", "issued", "da", "dp",
    ),
    "venue": (
        "venue", "journal", "journaltitle", "containertitle", "booktitle", "sourcetitle",
        "secondarytitle", "publicationname", "publicationtitle", "publication", "journalname",
        "alternatetitle3", "alternatetitle2", "journalabbreviation", "conference",
        "conferencename", "so", "jf", "jo", "t2", "eventtitle", "journalref", "publicationvenue",
        "howpublished", "school", "institution",
    ),
    "url": ("url", "urls", "link", "links", "ur", "pageurl", "pdfurl", "openaccesspdf"),
    "doi": (
        "doi", "do", "di", "doinumber", "articledoi", "doilink", "digitalobjectidentifier",
        "externalids",
    ),
    "arxiv_id": (
        "arxivid", "arxiv", "externalids", "eprint", "archivelocation", "accessionnumber",
    ),
    "keywords": (
        "keywords", "keyword", "authorkeywords", "kw", "de", "indexkeywords", "keywordsplus",
        "manualtags", "tags", "subject", "subjects", "emtreemedicalindextermsmajorfocus",
        "fieldsofstudy",
    ),
    "collection": ("collection", "collections"),
}  # fmt: skip


def folded(name: str) -> str:
    """A field's name by its letters and digits.

    >>> folded("Article Title"), folded("container-title")
    ('articletitle', 'containertitle')
    """
    return _NO_PART_OF_A_NAME.sub("", name).casefold()


def naming(given: Mapping[str, str]) -> Names:
    """The guessed names, but for the fields whose name in the file is ``given``.

    Raises :class:`SourceError` for a field that papers do not have.
    """
    for field in given:
        if field not in GUESSED:
            raise SourceError(f"A paper has no field {field!r}: name one of {', '.join(GUESSED)}.")
    return {**GUESSED, **{field: (folded(name),) for field, name in given.items()}}
