"""Papers to RIS, the tagged lines that reference managers exchange. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from store.types import Paper


def ris(papers: Iterable[Paper]) -> str:
    """One record a paper; line ends are those that the format asks for."""
    return "".join("".join(f"{line}\r\n" for line in (*_lines(paper), "")) for paper in papers)


def _lines(paper: Paper) -> Iterator[str]:
    yield "TY  - " + ("JOUR" if paper.venue else "GEN")
    for tag, values in (
        ("ID", [paper.id]),
        ("TI", [paper.title]),
        ("AU", paper.authors),
        ("PY", [str(paper.year or "")]),
        ("T2", [paper.venue]),
        ("DO", [paper.doi]),
        ("AN", [f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else ""]),
        ("UR", [paper.url]),
        ("KW", paper.keywords),
        ("AB", [paper.abstract]),
    ):
        # One line a value: a line of its own could pass for a tag.
        yield from (f"{tag}  - {text}" for value in values if (text := " ".join(value.split())))
    yield "ER  - "
