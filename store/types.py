"""The values that flow through the store: what a reader yields and what a search returns.

A :class:`Paper` comes out of ``sources``; ``chunking`` cuts it into :class:`Chunk` s; ``library``
keeps both and answers a query with :class:`Hit` s. All are frozen: a changed text is another paper.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Paper:
    """One record of the library. ``abstract`` is the original text, which all spans point into.

    An ``abstract`` of "" is a record that is known by its title alone. ``doi`` and ``arxiv_id`` are
    bare ("10.1000/x", "2401.01234v2"), so that two records of a paper can be told by them.
    ``source`` is ``FILE NAME#N``, N counting the papers of that file from 1. ``collection`` is the
    heading of the list it stood in, or "".
    """

    id: str
    title: str
    abstract: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    url: str = ""
    source: str = ""
    collection: str = ""
    doi: str = ""
    arxiv_id: str = ""
    keywords: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        abstract: str,
        *,
        title: str = "",
        authors: tuple[str, ...] = (),
        year: int | None = None,
        venue: str = "",
        url: str = "",
        source: str = "",
        collection: str = "",
        doi: str = "",
        arxiv_id: str = "",
        keywords: tuple[str, ...] = (),
    ) -> Paper:
        """A paper whose id is made from its content."""
        return cls(
            content_id(title, abstract),
            title,
            abstract,
            authors,
            year,
            venue,
            url,
            source,
            collection,
            doi,
            arxiv_id,
            keywords,
        )


def content_id(title: str, abstract: str) -> str:
    r"""Sixteen hex digits that depend on the wording alone, not on case, line breaks or the file.

    >>> content_id("", "Bees  dance.") == content_id("", "bees\ndance.")
    True
    """
    wording = "\n".join(_SPACE.sub(" ", part).strip().casefold() for part in (title, abstract))
    return hashlib.sha256(wording.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that a reader could not take, and why, in words for the user."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of an abstract: ``text == paper.abstract[start:end]``, offsets in characters."""

    paper_id: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of an abstract and how near it is to the query (higher is nearer)."""

    text: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper that a search found, with all its sentences, the nearest to the query first."""

    rank: int
    paper: Paper
    score: float
    sentences: tuple[ScoredSentence, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """A record that was the same work as a paper of the library: ``source`` went into ``into``.

    ``why`` is "doi", "arxiv", "source" or "text": what told that the two are one.
    """

    source: str
    into: str
    why: str


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of the records of one ``add``.

    ``papers`` is the size of the library afterwards; ``merged`` counts records that were already
    there under another source, ``updated`` those that made one richer or replaced its text.
    ``merges`` are those of either kind whose wording was another.
    """

    papers: int
    added: int = 0
    unchanged: int = 0
    updated: int = 0
    merged: int = 0
    rejected: tuple[Rejected, ...] = ()
    merges: tuple[Merge, ...] = ()
