"""Is it here already? Records that mean the same paper, told apart from those that only look alike.

Asked by ``adding`` for a text that is new. A DOI or an arXiv id names a paper; without them, papers
that share a title, or the first or last words of their abstract, are compared word by word. So
each new record meets a handful of others, whatever the size of the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from store.filters import folded
from store.records import Record, merged
from store.types import Paper, content_id

_EDGE = 12  # words of the beginning and the end of an abstract
_CROWD = 12  # a title that so many share ("Editorial") tells nothing
_LONG_TITLE = 4  # words
_SAME_TITLE, _LIKE_TITLE = 0.35, 0.6  # how much of the texts' runs of words must then be shared
_ANY_TITLE = 0.8
_UNTITLED_WORDS = 25  # a text without a title must be so long to be known by its wording
_RUN = 3
_PREPRINT_DOI = "10.48550/"
_PART = re.compile(r"^(?:\d+|i{1,3}|iv|vi{0,3})$")


def works(paper: Paper) -> list[str]:
    """The names under which a paper is known everywhere; versions of it share them.

    >>> works(Paper.of("", title="Bees", doi="10.1/A", arxiv_id="2401.00001v3"))
    ['doi:10.1/a', 'arxiv:2401.00001']
    """
    found = []
    doi = paper.doi.casefold()
    if doi.startswith(_PREPRINT_DOI + "arxiv."):
        found.append("arxiv:" + _unversioned(doi.split("arxiv.", 1)[1]))
    elif doi:
        found.append("doi:" + doi)
    if paper.arxiv_id:
        found.append("arxiv:" + _unversioned(paper.arxiv_id))
    return list(dict.fromkeys(found))


def _unversioned(arxiv_id: str) -> str:
    return re.sub(r"v\d+$", "", arxiv_id.casefold())


def version(paper: Paper) -> int:
    """The version that an arXiv id names; 0 where it names none."""
    found = re.search(r"v(\d+)$", paper.arxiv_id)
    return int(found[1]) if found else 0


def _blocks(paper: Paper) -> Iterator[str]:
    """The keys that a paper shares with whatever it is compared with."""
    title = " ".join(folded(paper.title))
    if title:
        yield "title:" + title
    words = folded(paper.abstract[:200])[:_EDGE]
    if len(words) == _EDGE:
        yield "begins:" + " ".join(words)
        yield "ends:" + " ".join(folded(paper.abstract[-200:])[-_EDGE:])


class Known:
    """What is in the library, by every key that a double could share with it."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._keys: dict[str, list[str]] = {}
        for record in records:
            self.learn(record)

    def learn(self, record: Record) -> None:
        """Take note of a record, and of the papers that went into it."""
        own = record.paper
        keys = [*works(own), *_blocks(own), *(f"source:{source}" for source in record.sources)]
        keys += [f"part:{part.id}" for part in record.parts]
        for key in keys:
            names = self._keys.setdefault(key, [])
            if own.id not in names and len(names) <= _CROWD:
                names.append(own.id)

    def candidates(self, paper: Paper) -> list[str]:
        """The ids of the papers worth comparing, those that are surest first."""
        keys = [f"part:{paper.id}", *works(paper), f"source:{paper.source}", *_blocks(paper)]
        found = (self._keys.get(key, []) for key in keys)
        return list(
            dict.fromkeys(name for names in found if len(names) <= _CROWD for name in names)
        )


def joined(record: Record, paper: Paper, why: str) -> Record:
    """A record with a double of it taken in; the text is the newer one's.

    Both papers are kept as they came, for ``papers split``. Ids come from the text, so a record
    whose text is replaced gets another id.
    """
    old = record.paper
    parts = record.parts or (old,)
    if paper.id not in (part.id for part in parts):
        parts = (*parts, paper)
    richer = merged(record, paper)
    if why != "known" and _newer(record, paper, why):
        text = replace(
            richer.paper,
            id=paper.id,
            title=paper.title or old.title,
            abstract=paper.abstract,
            year=paper.year or old.year,
            arxiv_id=paper.arxiv_id or old.arxiv_id,
        )
        richer = replace(richer, paper=replace(text, id=content_id(text.title, text.abstract)))
    elif not old.title and paper.title:
        titled = replace(richer.paper, title=paper.title)
        richer = replace(
            richer, paper=replace(titled, id=content_id(titled.title, titled.abstract))
        )
    return replace(richer, parts=parts)


def _newer(record: Record, paper: Paper, why: str) -> bool:
    """Whether a double's text takes the place of the one that is here."""
    old = record.paper
    if not paper.abstract or not old.abstract:
        return bool(paper.abstract)
    if version(paper) != version(old) and why == "arxiv":
        return version(paper) > version(old)
    return why != "text" and (paper.year or 0) >= (old.year or 0)


def reason(record: Record, paper: Paper) -> str:
    """Why a record and a paper are the same work; "" when they are not."""
    old = record.paper
    if paper.id in record.apart:
        return ""
    if paper.id in (part.id for part in record.parts):
        return "known"
    text = _likeness(folded(old.abstract), folded(paper.abstract))
    title = _overlap(folded(old.title), folded(paper.title))
    if common := set(works(old)) & set(works(paper)):
        # A volume's DOI is given to each of its papers now and then: their titles tell.
        strangers = old.title and paper.title and title < 0.3 and text < 0.1
        return "" if strangers else min(common).split(":")[0]
    if paper.source and paper.source in record.sources and text >= _LIKE_TITLE:
        return "source"
    return "text" if not _differ(old, paper) and _alike(old, paper, title, text) else ""


def _differ(one: Paper, other: Paper) -> bool:
    """Whether something says that two papers are two: their ids, parts or authors."""
    for kind in ("doi:", "arxiv:"):
        ids = [{work for work in works(paper) if work.startswith(kind)} for paper in (one, other)]
        if all(ids) and not ids[0] & ids[1]:
            return True
    if one.title and other.title and _parts(one.title) != _parts(other.title):
        return True
    names = [{word for name in paper.authors for word in folded(name)} for paper in (one, other)]
    return all(names) and not names[0] & names[1]


def _parts(title: str) -> list[str]:
    """The numbers in a title: "Bees II" is not "Bees I"."""
    return [word for word in folded(title) if _PART.match(word)]


def _alike(one: Paper, other: Paper, title: float, text: float) -> bool:
    if not one.abstract or not other.abstract:  # one is known by its title alone
        long = len(folded(one.title)) >= _LONG_TITLE
        return title == 1.0 and long and bool(one.authors and other.authors)
    if title == 1.0:  # "Preface" is the title of many
        return text >= (_SAME_TITLE if len(folded(one.title)) > 2 else _LIKE_TITLE)
    if title >= 0.5:
        return text >= _LIKE_TITLE
    shorter = min(len(folded(paper.abstract)) for paper in (one, other))
    untitled = not one.title or not other.title
    return untitled and shorter >= _UNTITLED_WORDS and text >= _ANY_TITLE


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of the shorter text's runs of three words that the other has, 0 to 1."""
    runs = [
        {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
        for words in (one, other)
    ]
    fewest = min(map(len, runs))
    return (
        len(runs[0] & runs[1]) / fewest if fewest else float(bool(one) and list(one) == list(other))
    )


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of words that two titles have in common, 0 to 1."""
    words = set(one) | set(other)
    return len(set(one) & set(other)) / len(words) if words else 0.0
