"""Papers to CSL-JSON, which citation processors and Zotero read. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from store.exporting.bibtex import keys
from store.exporting.lists import joined
from store.types import Paper


def csl_json(papers: Iterable[Paper]) -> str:
    """An array of items, each under its citation key."""
    own = {paper.id: paper for paper in papers}
    named = keys(own.values())
    items = [_item(paper, named[paper.id]) for paper in own.values()]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def _item(paper: Paper, key: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": key,
        "type": "article-journal" if paper.venue else "article",
        "title": paper.title,
        "author": [_name(name) for name in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "DOI": paper.doi,
        "archive": "arXiv" if paper.arxiv_id else "",
        "archive_location": paper.arxiv_id,
        "URL": paper.url,
        "keyword": joined(paper.keywords),
        "abstract": paper.abstract,
    }
    return {name: value for name, value in fields.items() if value}


def _name(name: str) -> dict[str, str]:
    """A name in two parts where these give back the same name, else as it stands.

    >>> _name("Karl von Frisch"), _name("Bee Lab, Inc.")
    ({'family': 'Frisch', 'given': 'Karl von'}, {'literal': 'Bee Lab, Inc.'})
    """
    given, _, family = name.rpartition(" ")
    if "," in name or not given or " ".join(name.split()) != name:
        return {"literal": name}
    return {"family": family, "given": given}
