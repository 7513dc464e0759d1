"""The library's list, a paper of it, and its figures as HTML. Pure; ``library_tab`` asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.catalog import Entry, Numbers
from assistant.web.rendering import link, plain, render, web_address
from store.exporting.bibtex import bibtex

PAGE = 60  # rows that are sent at a time
_BARS = 12


def rows(entries: Sequence[Entry]) -> str:
    """Rows of the table; each title opens its paper."""
    return "".join(_row(entry) for entry in entries)


def _row(entry: Entry) -> str:
    paper = entry.paper
    authors = ", ".join(paper.authors[:2]) + (" et al." if len(paper.authors) > 2 else "")
    return (
        f'<tr><td><button type="button" data-paper="{plain(paper.id)}">{plain(entry.label)}'
        f"</button></td><td>{plain(authors)}</td><td>{paper.year or ''}</td>"
        f"<td>{plain(paper.venue)}</td></tr>"
    )


def found(count: int, total: int) -> str:
    """How many papers a search has left.

    >>> found(3, 1200), found(1200, 1200)
    ('3 of 1,200 papers', '1,200 papers')
    """
    return f"{total:,} papers" if count == total else f"{count:,} of {total:,} papers"


def choices(values: Sequence[tuple[str, int]], everything: str) -> str:
    """The options of a filter."""
    offered = "".join(
        f'<option value="{plain(name)}">{plain(name)} ({count:,})</option>'
        for name, count in values[:500]
    )
    return f'<option value="">{everything}</option>{offered}'


def paper_page(entry: Entry, similar: Sequence[Entry]) -> str:
    """A paper whole, with what can be done with it."""
    paper = entry.paper
    name = plain(paper.id)
    heading = render(paper.title) if paper.title.strip() else plain(entry.label)
    imprint = [", ".join(paper.authors), str(paper.year or ""), paper.venue]
    facts = [plain(paper.source), plain(paper.collection), *map(plain, paper.keywords)]
    address = link(paper.url, plain(paper.url)) if web_address(paper.url) else ""
    near = "".join(
        f'<li><button type="button" data-paper="{plain(one.paper.id)}">{plain(one.label)}</button>'
        for one in similar
    )
    question = plain(f"What does “{entry.label}” show?")
    return (
        f'<article class="paper" tabindex="-1" aria-label="Paper" data-id="{name}">'
        '<button type="button" class="back" data-list>Back</button>'
        f'<h2>{heading}</h2><p class="imprint">{_joined(map(render, imprint))}</p>'
        f'<p class="abstract">{render(paper.abstract) or "<em>No abstract</em>"}</p>'
        f'<p class="fine">{_joined([address, *facts])}</p><p class="actions">'
        f'<button type="button" data-question="{question}">Ask about this paper</button>'
        f'<button type="button" data-copy="{plain(bibtex([paper]))}">Copy BibTeX</button>'
        f'<button type="button" data-remove="{name}">Remove</button></p>'
        + (f'<h3>Similar papers</h3><ul class="near">{near}</ul>' if near else "")
        + "</article>"
    )


def removed(entry: Entry) -> str:
    """That a paper was taken out, and how to have it back."""
    return (
        f'<p role="status">Removed: {plain(entry.label)} '
        f'<button type="button" data-undo="{plain(entry.paper.id)}">Undo</button></p>'
    )


def figures(numbers: Numbers) -> str:
    """The library in numbers, with bars by year and by venue where they are known."""
    return (
        f"<p>{numbers.papers:,} papers; the year is known of {numbers.with_year:,}, the venue of "
        f"{numbers.with_venue:,}.</p>"
        + _bars("Papers by year", [(str(year), n) for year, n in numbers.years[-40:]])
        + _bars("Papers by venue", numbers.venues[:_BARS])
        + _bars("Collections", numbers.collections[:_BARS])
    )


def _bars(title: str, values: Sequence[tuple[str, int]]) -> str:
    if not values:
        return ""
    most = max(count for _, count in values)
    bars = "".join(
        f"<tr><th>{plain(name)}</th><td>{count:,}</td>"
        f'<td><span style="width:{100 * count / most:.1f}%"></span></td></tr>'
        for name, count in values
    )
    return f'<table class="bars"><caption>{title}</caption>{bars}</table>'


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part.strip())
