r"""Papers to BibTeX, and any text to LaTeX that compiles. Pure.

Abstracts and titles hold LaTeX, Markdown and HTML of their own, some of it broken. It is made plain
first (``store.plaintext``) and escaped then, so that nothing of it runs: a ``\input`` in a title
stays six letters.

>>> escaped(r"50% of $x_1$ & \textbf{bees}")
'50\\% of x\\_1 \\& bees'
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from store.exporting.lists import joined
from store.labels import label
from store.plaintext import plain
from store.types import Paper

if TYPE_CHECKING:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

_KEY_HASH = 6  # hex digits of the paper's id in its key
_PROCEEDINGS = re.compile(
    r"\b(?:proc|conference|conf|symposium|workshop|neurips|nips|icml|iclr|aaai|ijcai|acl|emnlp"
    r"|naacl|cvpr|iccv|eccv|kdd|sigir|colt|aistats|uai)\b",
    re.IGNORECASE,
)
_IGNORED = frozenset("a an the on of in for to and with from is are by we this".split())
_SPECIAL = {char: "\\" + char for char in "%&#$_"} | {
    "{": r"{\ensuremath{\lbrace}}",  # \{ would do, but BibTeX counts escaped braces too
    "}": r"{\ensuremath{\rbrace}}",
    "\\": r"{\textbackslash}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
}
_LIGATURE = re.compile(r"[-`',<>?!]{2,}")  # TeX makes one sign of two: dashes, quotation marks
_ONLY_IN_BIBTEX = {"{": r"{\textbraceleft}", "}": r"{\textbraceright}"}


def keys(papers: Iterable[Paper]) -> dict[str, str]:
    """A citation key for each paper, by its id.

    A key is made of the paper alone, so that it is the same in every export; only two whose keys
    would be equal get more digits of their ids.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for paper in papers:
        if paper.id in found:
            continue
        digits = _KEY_HASH
        while (key := _key(paper, digits)) in taken and digits < len(paper.id):
            digits += 2
        taken.add(key)
        found[paper.id] = key
    return found


def _key(paper: Paper, digits: int) -> str:
    """Surname, year, first word of the title, and the beginning of the id.

    >>> _key(Paper("3f2a9c00", "The dances of bees", "", ("Karl von Frisch",), 1927), 6)
    'frisch1927dances-3f2a9c'
    """
    author = paper.authors[0] if paper.authors else ""
    surname = author.split(",")[0] if "," in author else author.rsplit(" ", 1)[-1]
    words = [word for word in _ascii(label(paper)).split() if word not in _IGNORED]
    stem = "".join((*_ascii(surname).split(), str(paper.year or ""), *words[:1]))[:40]
    return f"{stem or 'paper'}-{paper.id[:digits]}"


def _ascii(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return " ".join(re.findall(r"[a-z0-9]+", bare.lower()))


def bibtex(papers: Iterable[Paper], *, exact: bool = False) -> str:
    """One entry a paper, each paper once, in the order given.

    To be cited from, a paper's markup is made plain and a paper without a title is called by its
    label. ``exact`` is for taking a library elsewhere: every letter of its texts comes back.
    """
    own = {paper.id: paper for paper in papers}
    named = keys(own.values())
    return "\n".join(_entry(paper, named[paper.id], exact=exact) for paper in own.values())


def _entry(paper: Paper, key: str, *, exact: bool) -> str:
    kind, venue = "misc", "howpublished"
    if paper.venue:
        meeting = _PROCEEDINGS.search(paper.venue)
        kind, venue = ("inproceedings", "booktitle") if meeting else ("article", "journal")
    field = _exact if exact else _field
    fields = {
        "title": "{" + field(paper.title if exact else label(paper)) + "}",  # with its capitals
        "author": " and ".join(filter(None, (_author(name, field) for name in paper.authors))),
        "year": str(paper.year or ""),
        venue: field(paper.venue),
        "doi": field(paper.doi),
        "eprint": field(paper.arxiv_id),
        "archiveprefix": "arXiv" if paper.arxiv_id else "",
        "url": _url(paper.url),
        "keywords": field(joined(paper.keywords)),
        "abstract": field(paper.abstract),
        "note": field(paper.source),
    }
    return _written(kind, key, fields)


def _written(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = [
        f"  {name} = {{{value}}}," for name, value in fields.items() if value not in {"", "{}"}
    ]
    return "\n".join((f"@{kind}{{{key},", *lines, "}\n"))


def _author(name: str, field: Callable[[str], str]) -> str:
    """A name; one that holds an "and" of its own is an institution, and stays whole."""
    text = field(name)
    whole = re.search(r"\sand\s", text, re.IGNORECASE) or text.count(",") > 2
    return "{" + text + "}" if whole else text


def _url(address: str) -> str:
    """An address that cannot end its field; anything but http(s) is left out."""
    if not address.lower().startswith(("http://", "https://")):
        return ""
    return quote(address, safe="%/:=&?~#+!$,;'@()*[]-._")


def _field(text: str) -> str:
    """Escaped for a field in braces. BibTeX counts even an escaped brace, so there are none."""
    return _converted(plain(text), keep_letters=True)


def _exact(text: str) -> str:
    r"""Text in which LaTeX finds nothing to do, so that a reader gets back what was written.

    >>> _exact(r"50% of $x$ -- bees")
    '50\\% of \\$x\\$ -{}- bees'
    """
    whole = " ".join(text.split())
    shown = "".join(_SPECIAL.get(char, char) for char in whole if char.isprintable())
    return _LIGATURE.sub(lambda run: "{}".join(run.group()), shown)


def escaped(text: str) -> str:
    """Text as LaTeX that shows it; markup in it is made plain first.

    A character that LaTeX has no command for is given by its number: ``[U+4E2D]``.
    """
    return _converted(plain(text), keep_letters=False)


def _converted(text: str, *, keep_letters: bool) -> str:
    encoder = _encoder()
    pieces = (_character(c, encoder, keep_letters) for c in unicodedata.normalize("NFC", text))
    return "".join(pieces)


def _character(char: str, encoder: UnicodeToLatexEncoder, keep_letters: bool) -> str:
    if char in _ONLY_IN_BIBTEX:
        return _ONLY_IN_BIBTEX[char]
    if char.isascii():
        return str(encoder.unicode_to_latex(char)) if char.isprintable() else " "
    for form in (char, unicodedata.normalize("NFKC", char)):
        try:
            return str(encoder.unicode_to_latex(form))
        except ValueError:
            continue  # no command is known for it
    kind = unicodedata.category(char)
    if kind in {"Cc", "Cf", "Cs", "Co", "Cn", "Mn"}:
        return ""
    return char if keep_letters and kind[0] in "LM" else f"[U+{ord(char):04X}]"


@cache
def _encoder() -> UnicodeToLatexEncoder:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(unknown_char_policy="fail", unknown_char_warning=False)
