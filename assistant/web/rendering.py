r"""Text nobody vouches for to HTML that can do nothing: the last step before the screen.

Abstracts, titles and model output hold LaTeX, Markdown, stray HTML and control characters. The
text is cut into :class:`_Piece` s that know where in the original they stand; each piece is escaped
and dressed by itself, so the tags nest by construction and a source span can be marked anywhere.

>>> render("An *odd* <b> and $5 or $10.", [(3, 8)])
'An <mark><em>odd</em></mark> &lt;b&gt; and $5 or $10.'
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from assistant.web.mathml import mathml

Span = tuple[int, int]

_DEEPEST = 6  # styles within styles; deeper ones are shown as written
_STYLES = {
    "textbf": "strong",
    "textit": "em",
    "emph": "em",
    "textsl": "em",
    "texttt": "code",
    "textsc": "",
    "textrm": "",
    "textsf": "",
    "text": "",
    "mbox": "",
    "underline": "u",
    "textsuperscript": "sup",
    "textsubscript": "sub",
    "footnote": "small",
}
_SWITCHES = {"em": "em", "it": "em", "sl": "em", "bf": "strong", "tt": "code", "sc": "", "rm": ""}
_TAGS = frozenset(_STYLES.values()) - {""}
# Control characters, and those that turn the direction of what follows, are dropped; half
# surrogate pairs can't be sent at all.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]")
_HALF_PAIR = re.compile(r"[\ud800-\udfff]")
_TOKEN = re.compile(
    r"""
      \$\$(?P<shown>[^$]{1,1000}?)\$\$
    | \\\[(?P<shown2>.{1,1000}?)\\\]
    | \\\((?P<inline>.{1,1000}?)\\\)
    | (?<![\\$])\$(?P<dollar>(?![\s$])(?:\\.|[^$\\]){0,500}?(?:\\.|[^$\\\s]))\$(?![\d$])
    | \\url\s*\{\s*(?P<url>[^{}\s]{1,1000})\s*\}
    | \\href\s*\{\s*(?P<href>[^{}\s]{1,1000})\s*\}\s*(?=\{)
    | \\(?P<style>STYLES)\s*(?=\{)
    | \{\\(?P<switch>SWITCHES)(?![a-zA-Z])\s*
    | \{(?P<symbol>\\[a-zA-Z]{2,20})\}
    | \[(?P<shown_as>[^\[\]\n]{1,300})\]\((?P<target>https?://[^\s()]{1,1000})\)
    | (?P<bare>https?://[^\s<>"{}|\\^`]{1,1000})
    | \*\*(?=\S)(?P<bold>.{1,500}?)(?<=\S)\*\*
    | (?<![\w*])\*(?=[\w"'(\\$])(?P<italic>[^*\n]{0,500}?[^\s*])\*(?![\w*])
    | ``(?P<quoted>[^`]{1,300}?)''
    | (?<!`)`(?P<code>[^`\n]{1,300})`
    | \\(?P<escaped>[%&_\#${}])
    | (?<=[A-Za-z.)\]}])(?P<tie>~)(?=\S)
    | (?P<blank>\n[ \t]*\n\s*)
    """.replace("STYLES", "|".join(_STYLES)).replace("SWITCHES", "|".join(_SWITCHES)),
    re.VERBOSE | re.DOTALL,
)
_PROSE = re.compile(r"[A-Za-z]{2,}")
_FORMAL = re.compile(r"[\\^_={}<>+|]")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Piece:
    """What the reader sees of ``text[start:end]``; ``html`` is None for the text itself."""

    start: int
    end: int
    wraps: tuple[str, ...] = ()  # tag names, or the address of a link
    html: str | None = None


def render(text: str, marks: Sequence[Span] = ()) -> str:
    """The text as safe HTML, with the parts that stand in ``marks`` (raw offsets) highlighted."""
    pieces = _split_at(sorted({edge for span in marks for edge in span}), _Scan(text).pieces())
    parts: list[str] = []
    inside = False
    for piece in pieces:
        marked = any(piece.start < end and start < piece.end for start, end in marks)
        if marked != inside:
            parts.append("<mark>" if marked else "</mark>")
            inside = marked
        parts.append(_dressed(piece, text))
    return "".join(parts) + ("</mark>" if inside else "")


def plain(text: str) -> str:
    """The text escaped, on one line, nothing in it read as markup: for names and attributes."""
    return html.escape(" ".join(_clean(text).split()))


def web_address(url: str) -> str | None:
    """The address when it is a whole http(s) one, else None.

    >>> web_address("javascript:alert(1)") is None
    True
    """
    url = url.strip()
    if _UNSEEN.search(url) or _HALF_PAIR.search(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme.lower() in {"http", "https"} and parts.netloc else None


def link(url: str, inside: str) -> str:
    """A link to another site around safe HTML; only the HTML when the address is no web address."""
    address = web_address(url)
    if address is None:
        return inside
    href = html.escape(address)
    return f'<a href="{href}" target="_blank" rel="noopener noreferrer">{inside}</a>'


def _clean(text: str) -> str:
    return _HALF_PAIR.sub("\ufffd", _UNSEEN.sub("", text))


def _dressed(piece: _Piece, text: str) -> str:
    inside = piece.html
    if inside is None:
        inside = html.escape(_clean(text[piece.start : piece.end]))
    for wrap in reversed(piece.wraps):
        if wrap in _TAGS:
            inside = f"<{wrap}>{inside}</{wrap}>"
        elif wrap:
            inside = link(wrap, inside)
    return inside


def _split_at(edges: Sequence[int], pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Cut the pieces that are plain text where a mark begins or ends."""
    for piece in pieces:
        start = piece.start
        for edge in edges if piece.html is None else ():
            if start < edge < piece.end:
                yield _Piece(start, edge, piece.wraps)
                start = edge
        yield _Piece(start, piece.end, piece.wraps, piece.html)


class _Scan:
    """One reading of a text from left to right; styles are followed inwards."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.closing = _closing_braces(text)

    def pieces(self) -> Iterator[_Piece]:
        yield from self._within(0, len(self.text), ())

    def _within(self, start: int, end: int, wraps: tuple[str, ...]) -> Iterator[_Piece]:
        at = seek = start
        while at < end and (match := _TOKEN.search(self.text, seek, end)):
            found = self._token(match, end, wraps)
            if found is None:  # it only looked like one: leave its first character as it is
                seek = match.start() + 1
                continue
            if at < match.start():
                yield _Piece(at, match.start(), wraps)
            inner, at = found
            seek = at
            yield from inner
        if at < end:
            yield _Piece(at, end, wraps)

    def _token(
        self, match: re.Match[str], limit: int, wraps: tuple[str, ...]
    ) -> tuple[Iterable[_Piece], int] | None:
        """What a token shows and where the text goes on; None when it is no markup after all."""
        kind, (start, end) = match.lastgroup or "", match.span()
        if kind in {"style", "href", "switch"}:
            return self._command(match, limit, wraps)
        if kind in {"bold", "italic", "target", "quoted"}:
            return self._nested(match, wraps)
        if kind in {"url", "bare"}:
            return self._address(match, wraps)
        if kind == "code":
            return [_Piece(start + 1, end - 1, (*wraps, "code"))], end
        if kind in {"shown", "shown2", "inline", "dollar", "symbol"}:
            shown = _formula(match, kind)
        else:
            shown = {"tie": "&nbsp;", "blank": "<br><br>"}.get(kind) or html.escape(match[kind])
        return None if shown is None else ([_Piece(start, end, wraps, shown)], end)

    def _command(
        self, match: re.Match[str], limit: int, wraps: tuple[str, ...]
    ) -> tuple[Iterable[_Piece], int] | None:
        r"""``\textbf{…}`` and its like, ``{\bf …}`` and ``\href{…}{…}``."""
        switch, name = match["switch"], match["style"]
        opened = match.start() if switch else match.end()
        first = match.end() if switch else opened + 1
        closed = self.closing.get(opened, limit)
        if not first <= closed < limit or len(wraps) >= _DEEPEST:
            return None
        wrap = _SWITCHES[switch] if switch else _STYLES[name] if name else match["href"]
        inner = (*wraps, wrap)
        before, after = (" (", ")") if name == "footnote" else ("", "")
        pieces = [
            _Piece(match.start(), first, inner, before),
            *self._within(first, closed, inner),
            _Piece(closed, closed + 1, inner, after),
        ]
        return [piece for piece in pieces if piece.html != ""], closed + 1

    def _nested(
        self, match: re.Match[str], wraps: tuple[str, ...]
    ) -> tuple[Iterable[_Piece], int] | None:
        if len(wraps) >= _DEEPEST:
            return None
        if match.lastgroup == "quoted":
            (start, end), (first, last) = match.span(), match.span("quoted")
            marks = _Piece(start, first, wraps, "“"), _Piece(last, end, wraps, "”")
            return [marks[0], *self._within(first, last, wraps), marks[1]], end
        if match.lastgroup == "target":
            span, wrap = match.span("shown_as"), match["target"]
        else:
            span = match.span(match.lastgroup or "")
            wrap = "strong" if match.lastgroup == "bold" else "em"
        return self._within(*span, (*wraps, wrap)), match.end()

    def _address(
        self, match: re.Match[str], wraps: tuple[str, ...]
    ) -> tuple[Iterable[_Piece], int]:
        start, end = match.span(match.lastgroup or "")
        address = match[match.lastgroup or ""]
        if match.lastgroup == "bare":
            kept = _without_trailing_stop(address)
            address, end = kept, start + len(kept)
        after = end if match.lastgroup == "bare" else match.end()
        return [_Piece(start, end, (*wraps, address if web_address(address) else ""))], after


def _formula(match: re.Match[str], kind: str) -> str | None:
    """A formula as MathML; as written, in a ``code`` element, when it can't be drawn."""
    latex = match[kind].strip()
    if kind == "dollar" and _is_prose(latex):
        return None
    drawn = mathml(_clean(latex), display=kind.startswith("shown"))
    return drawn or f"<code>{html.escape(_clean(match[0]))}</code>"


def _is_prose(between_dollars: str) -> bool:
    """Whether two dollar signs are sums of money with words between them."""
    if "\n\n" in between_dollars:
        return True
    words = _PROSE.search(between_dollars) and re.search(r"\s", between_dollars)
    return bool(words) and not _FORMAL.search(between_dollars)


def _without_trailing_stop(address: str) -> str:
    """An address in running text without the stop or bracket of the sentence around it."""
    while address:
        last = address[-1]
        opener = {")": "(", "]": "["}.get(last)
        unpaired = opener is not None and address.count(opener) < address.count(last)
        if not unpaired and last not in ".,;:!?'*":
            break
        address = address[:-1]
    return address


def _closing_braces(text: str) -> dict[int, int]:
    """Where each opening brace is closed: one pass, so that no text takes long."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACES.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            closing[opened.pop()] = match.start()
    return closing
