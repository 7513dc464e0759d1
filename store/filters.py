"""Which papers a question is about: a collection, years, a venue, an author, a keyword.

Stands before the search. A :class:`Filter` is asked of Chroma as a ``where`` over each record's
*facets*, a list of folded words; Chroma can tell that all words are there, not that they belong to
one author, so :meth:`Filter.keeps` has the last word.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, fields
from typing import Any

from store.types import Paper

_WORD = re.compile(r"[^\W_]+")
_EVERY = "*"  # a facet of every paper; one written by an older citewell has none


@dataclass(frozen=True, slots=True)
class Filter:
    """What a paper must be; "" and None ask for nothing. Case and accents do not count.

    An author, venue or keyword is found by any of its words: "Frisch" finds "Karl von Frisch".
    """

    collection: str = ""
    since: int | None = None
    until: int | None = None
    venue: str = ""
    author: str = ""
    keyword: str = ""

    def __bool__(self) -> bool:
        return bool(self.given())

    def given(self) -> dict[str, int | str]:
        """What is asked for, by the names of the fields.

        >>> Filter(venue="NeurIPS", since=2020).given()
        {'since': 2020, 'venue': 'NeurIPS'}
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value not in ("", None)}

    def __str__(self) -> str:
        told = [
            f"{name} {value}"
            for name in ("collection", "venue", "author", "keyword")
            if (value := getattr(self, name))
        ]
        if self.since is not None or self.until is not None:
            told.append(f"year {self.since or ''}-{self.until or ''}")
        return ", ".join(told)

    def keeps(self, paper: Paper) -> bool:
        """Whether a paper is one of those wanted.

        >>> bees = Paper.of("Bees dance.", authors=("Karl Frisch", "Ada Wu"), year=1927)
        >>> Filter(author="frisch", until=1930).keeps(bees), Filter(author="Ada Frisch").keeps(bees)
        (True, False)
        """
        if self.since is not None and (paper.year is None or paper.year < self.since):
            return False
        if self.until is not None and (paper.year is None or paper.year > self.until):
            return False
        if self.collection and folded(self.collection) != folded(paper.collection):
            return False
        return all(
            any(set(folded(wanted)) <= set(folded(value)) for value in values)
            for wanted, values in (
                (self.venue, (paper.venue,)),
                (self.author, paper.authors),
                (self.keyword, paper.keywords),
            )
            if wanted
        )

    def where(self) -> dict[str, Any]:
        """The filter as Chroma's ``where``: it lets through at least what is kept."""
        facets = [
            {"facets": {"$contains": f"{kind}:{word}"}}
            for kind, wanted in (("v", self.venue), ("a", self.author), ("k", self.keyword))
            for word in folded(wanted)
        ]
        if self.collection:
            facets.append({"facets": {"$contains": _collection(self.collection)}})
        years = [
            {"year": {bound: year}}
            for bound, year in (("$gte", self.since), ("$lte", self.until))
            if year is not None
        ]
        if facets:
            years.append(
                _joined("$or", [{"facets": {"$not_contains": _EVERY}}, _joined("$and", facets)])
            )
        return _joined("$and", years)


def _joined(operator: str, conditions: list[dict[str, Any]]) -> dict[str, Any]:
    """Conditions as one; Chroma takes no list of one."""
    return conditions[0] if len(conditions) == 1 else {operator: conditions}


def facets(paper: Paper) -> list[str]:
    """The words by which a paper can be filtered, as Chroma keeps them beside it."""
    words = {
        f"{kind}:{word}"
        for kind, values in (("v", (paper.venue,)), ("a", paper.authors), ("k", paper.keywords))
        for value in values
        for word in folded(value)
    }
    return [_EVERY, _collection(paper.collection), *sorted(words)]


def _collection(name: str) -> str:
    return "c:" + " ".join(folded(name))


def folded(text: str) -> list[str]:
    """The words of a text without case and accents.

    >>> folded("Éva Ångström-Wu, Jr.")
    ['eva', 'angstrom', 'wu', 'jr']
    """
    if not text.isascii():
        bare = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in bare if not unicodedata.combining(char))
    return _WORD.findall(text.casefold())
