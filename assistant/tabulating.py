r"""An abstract to what it tells: its most telling sentence, the cells of the table, open questions.

All by cues in the wording, without a model, and all of it spans of the abstract: whoever doubts a
cell can look it up. A cell for which there is no cue stays empty.

>>> text = "Bees are lost. We propose BeeNet, a map of dances. It finds 87% of the food."
>>> span = proposes(text); text[span.start : span.end]
'BeeNet, a map of dances'
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.citing import Source, content_words
from assistant.framing import gives_orders
from assistant.proving import quote
from assistant.summary import Row
from assistant.types import Citation, Evidence, Sentence
from store.chunking import Span, sentences
from store.types import ScoredSentence

_OFFERS = (
    r"(?:propose|introduce|present|develop|devise|design|describe|build|release|construct|formulate"
    r"|provide|establish|derive|offer)"
)
_SELF = r"(?:[Ww]e|[Tt]his (?:paper|work|study|article)|[Oo]ur (?:paper|work|study)|[Hh]erein)"
_PROPOSES = re.compile(rf"\b{_SELF}\b[^.;:]{{0,60}}?\b{_OFFERS}s?\b\s+(?:and \w+ )?")
_FINDS = re.compile(
    rf"\b(?:{_SELF}|[Rr]esults|[Ee]xperiments|[Tt]heory|[Aa]nalysis)\b[^.;:]{{0,60}}?\b(?:show|find"
    r"|prove|demonstrate|observe|reveal|suggest|achieve|obtain|discover|establish|indicate)s?\b"
)
_RESULT = re.compile(
    r"\b(?:achiev|improv|outperform|reduc|increas|surpass|exceed|accelerat|attain|obtain|yield"
    r"|match|speed|gain|faster|bound|regret|accuracy|state-of-the-art|prove|converge)\w*",
    re.I,
)
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*\s?(?:%|\\%|×|x\b|times|percent|points)?")
_MEASURE = re.compile(r"\d\s?(?:%|\\%|×|x\b|times\b|percent|points)")
_CLAUSE_END = re.compile(
    r",\s+(?:which|that|where|and|by|in|whose|as|with|while|so|to|for|based)\b|[;:]|\.(?=\s|$)|\s--"
)
_DATA = re.compile(
    r"\b(?:on|across|over|using|from)\s+(?P<on>(?:[^.;:,()]{0,90}?)\b(?:data ?sets?|benchmarks?"
    r"|corpus|corpora|environments?|suites?|tasks|games|domains|data)\b(?:\s*\([^()]{1,60}\))?)"
)
_PROBLEM = re.compile(
    r"\b(?:problems?|tasks?|study|setting|case)\s+of\s+(?P<on>[^.;:,]{4,110}?)(?=[.;:,]|\s(?:that"
    r"|which|where|in which|by|using|with)\b)"
)
_LINK = re.compile(r"https?://|\bwww\.|\bgithub\b|\bcode is\b", re.I)
_LEANS = re.compile(
    r"\W*(?:it|its|this|these|those|they|their|however|moreover|furthermore|additionally|further"
    r"|also|thus|hence|therefore|specifically|then|finally|to this end"
    r"|(?:for|to \w+) (?:this|these|such)|for example|such)\b",
    re.I,
)
_NO_THING = re.compile(r"(?:that|how|why|whether|upon|on|it|them)\b")
_JUST_DATA = content_words("data dataset datasets benchmark corpus environment suite task domain")
_OF_OTHERS = re.compile(
    r"\W*(?:however|prior|previous|existing|recent|traditional|current|while|despite|although"
    r"|unfortunately|many|most)\b",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:open (?:problem|question|challenge|issue)s?|remains? (?:open|unclear|unknown|elusive"
    r"|unresolved|to be)|(?:leave|left) (?:\w+ ){0,6}(?:open|(?:for|to) future)|future (?:work"
    r"|research|directions?|stud(?:y|ies)))\b",
    re.I,
)
_CLOSED = re.compile(
    r"\b(?:resolv|answer|solv|settl|address|clos|we (?:show|prove|propose|introduce|study))\w*",
    re.I,
)
_LATE = 0.5  # an open question of the first half is most often the one that the paper answers
_LONGEST_CELL = 160
_SHORTEST_CELL = 4
_OPEN_QUESTIONS = 4


def readable(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences without those that give orders to a machine; all, where nothing else is."""
    return [s for s in sentences if not gives_orders(s.text)] or list(sentences)


def telling(sentence: ScoredSentence) -> float:
    """How well a sentence alone says what its paper does: its nearness, and what it speaks of."""
    text = sentence.text
    score = sentence.score + 0.3 * bool(_PROPOSES.search(text)) + 0.2 * bool(_FINDS.search(text))
    score += 0.05 * bool(_MEASURE.search(text)) - 0.15 * (sentence.start == 0)  # mostly background
    return score - 0.5 * bool(_LINK.search(text)) - 0.15 * bool(_LEANS.match(text))


def row(item: Evidence) -> Row:
    """The cells of a paper."""
    text = item.paper.abstract
    own, on, best = proposes(text), studied(text), result(text)
    return Row(item.number, *(_cited(item.number, span) for span in (own, on, best)))


def _cited(number: int, span: Span | None) -> Citation | None:
    return Citation(number, span.start, span.end) if span else None


def proposes(abstract: str) -> Span | None:
    """What the authors say that they propose, up to the end of the clause."""
    for start, end in sentences(abstract):
        cue = _PROPOSES.search(abstract, start, end)
        if cue and not _NO_THING.match(abstract, cue.end()):
            return _cell(abstract, cue.end(), end)
    return None


def studied(abstract: str) -> Span | None:
    """The data or tasks that something was tried on, else the problem that is studied."""
    for cue in (_DATA, _PROBLEM):
        for found in cue.finditer(abstract):
            if len(content_words(found["on"]) - _JUST_DATA) > 1:  # "sufficient data" tells nothing
                return _cell(abstract, found.start("on"), found.end("on"))
    return None


def result(abstract: str) -> Span | None:
    """The sentence that tells most of what came of it; one with measured numbers before others."""
    best: tuple[float, Span] | None = None
    spans = sentences(abstract)
    for place, span in enumerate(spans):
        text = abstract[span.start : span.end]
        if (
            _LINK.search(text)
            or _OF_OTHERS.match(text)
            or not (_RESULT.search(text) or _FINDS.search(text))
        ):
            continue
        numbers = 2.0 * bool(_MEASURE.search(text)) + 0.5 * bool(_NUMBER.search(text))
        cues = bool(_RESULT.search(text)) + bool(_FINDS.search(text))
        score = numbers + cues + place / len(spans)
        if best is None or score > best[0]:
            best = (score, span)
    return best[1] if best else None


def _cell(abstract: str, start: int, end: int) -> Span | None:
    """A stretch up to the end of its clause, cut between words where it is long."""
    if stop := _CLAUSE_END.search(abstract, start, end):
        end = stop.start()
    if end - start > _LONGEST_CELL:
        end = abstract.rfind(" ", start, start + _LONGEST_CELL)
    text = abstract[start : max(start, end)]
    trimmed = text.strip(" ,.")
    if len(trimmed) < _SHORTEST_CELL:
        return None
    begin = start + text.index(trimmed)
    return Span(begin, begin + len(trimmed))


def timeline(evidence: Sequence[Evidence]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Years with the numbers of their papers, ascending; papers without a year are left out."""
    years = sorted({item.paper.year for item in evidence if item.paper.year is not None})
    return tuple(
        (year, tuple(item.number for item in evidence if item.paper.year == year)) for year in years
    )


def open_questions(evidence: Sequence[Evidence]) -> tuple[Sentence, ...]:
    """Quotes of what abstracts call open, and do not go on to answer."""
    found: list[Sentence] = []
    for item in evidence:
        text = item.paper.abstract
        for start, end in sentences(text):
            said = text[start:end]
            late = start >= _LATE * len(text)
            if late and _OPEN.search(said) and not _CLOSED.search(said):
                found.append(quote(Source(item.number, said, start, end)))
                break
    return tuple(found[:_OPEN_QUESTIONS])
