"""A draft to cited sentences: which source sentences each sentence of the answer rests on.

The model writes freely; what it writes is tied to the evidence afterwards. (Forcing a marker into
every sentence makes small models loop, and markers of their own are often wrong: they are removed.)
A sentence rests on the smallest set of source sentences that holds its words: greedy set cover
(Chvátal 1979), each word weighed by what it tells. Pure: no input or output.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from assistant.types import Citation, Evidence
from store.chunking import sentences
from store.plaintext import plain

_MARKER = re.compile(
    r"\s*(?:\[(?:\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]|\((?:excerpts?|sources?)\s*\[?\d+\]?\))", re.I
)
_LEAD = re.compile(
    r"^(?:according to|as (?:stated|described|reported) in|based on|in)\s+(?:the\s+)?"
    r"(?:provided\s+)?(?:excerpts?|abstracts?|sources?|papers?)(?:\s*\[?\d+\]?)?\s*,\s*",
    re.I,
)
# A bare yes or no cannot be held against a source, and small models begin with either: what follows
# it can be, and answers the question.
_YES_OR_NO = re.compile(r"^(?:yes|no)\s*(?:[,.:;!–—-]\s*|$)", re.I)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+", re.M)
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*(?:[-–'][^\W_]+)*")
_ENDED = re.compile(r"[.!?…:][\"'”’)\]\s\d]*$|\]\s*$")
_STOPWORDS = frozenset(
    "a an the this that these those it its they their them he she his her we our you your i of in"
    " on at by for from with without to into onto as is are was were be been being has have had do"
    " does did can could may might will would shall should and or but nor so if then than when"
    " while where which who whom whose what how why not no also such there here both each all any"
    " more most other some very only own same too just about between through during over under"
    " again once because until against up down out off above below".split()
)
_ENOUGH = 0.12  # a further source must hold this much of the sentence's weight
_MAX_SOURCES = 3


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence of the evidence with the paper's number."""

    number: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tie:
    """What a sentence rests on, and the share of its words that stands there (0 to 1)."""

    sources: tuple[Source, ...]
    coverage: float

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The sources as spans in their abstracts."""
        return tuple(Citation(s.number, s.start, s.end) for s in self.sources)


def sources_of(evidence: Sequence[Evidence]) -> tuple[Source, ...]:
    """The sentences of the evidence, one by one."""
    return tuple(
        Source(item.number, sentence.text, sentence.start, sentence.end)
        for item in evidence
        for sentence in item.sentences
    )


def draft_sentences(draft: str) -> list[str]:
    """The sentences of a draft without markers, bullets and openings like "According to [1],".

    >>> draft_sentences("According to excerpt [1], bees dance [2]. They sing (source 3).")
    ['Bees dance.', 'They sing.']
    >>> draft_sentences("Yes, bees dance. No bee sings.")
    ['Bees dance.', 'No bee sings.']
    >>> draft_sentences("[1]")
    []
    """
    text = _BULLET.sub("", draft)
    spans = sentences(text)
    if len(spans) > 1 and not _ENDED.search(text):
        spans = spans[:-1]  # the model was cut off in the middle of its last sentence
    found: list[str] = []
    for start, end in spans:
        sentence = _YES_OR_NO.sub("", _LEAD.sub("", text[start:end]))
        sentence = _MARKER.sub("", sentence).strip()
        sentence = " ".join(re.sub(r"\s+([.,;:!?])", r"\1", sentence).split())
        if content_words(sentence) and sentence not in found:
            found.append(sentence[0].upper() + sentence[1:] if _may_rise(sentence) else sentence)
    return found


def _may_rise(sentence: str) -> bool:
    """Whether the first word is a plain lower-case word, not a name like "k-means" or "iPhone"."""
    first = sentence.split()[0]
    return first.isalpha() and first.islower()


def content_words(text: str) -> frozenset[str]:
    """Stems, numbers and names that carry the meaning of a text.

    >>> sorted(content_words("The bees danced for 1,000 days."))
    ['1000', 'bee', 'danc', 'day']
    """
    return _content_words(text)


@lru_cache(maxsize=4096)
def _content_words(text: str) -> frozenset[str]:
    stem = Stemmer.Stemmer("english").stemWord
    words = (w.lower() for w in _WORD.findall(_without_accents(plain(text))))
    parts = (part for word in words for part in _parts(word))
    return frozenset(stem(part) for part in parts if part not in _STOPWORDS)


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _parts(word: str) -> list[str]:
    """A number without its thousands separators; a compound as its parts."""
    if word[0].isdigit():
        return [re.sub(r"(?<=\d),(?=\d{3})", "", word)]
    return re.split(r"[-–']", word)


def weight(word: str) -> float:
    """Numbers and words with digits tell most; short words little."""
    if any(letter.isdigit() for letter in word):
        return 2.0
    return 1.0 if len(word) > 3 else 0.7


def tie(sentence: str, sources: Sequence[Source], known: frozenset[str] = frozenset()) -> Tie:
    """The sources that a sentence rests on, the strongest first.

    ``known`` are words of the question: an answer may repeat them whatever its source says, so they
    count half.
    """
    words = {w: weight(w) * (0.5 if w in known else 1.0) for w in content_words(sentence)}
    total = sum(words.values()) or 1.0
    chosen: list[Source] = []
    covered: set[str] = set()
    while len(chosen) < _MAX_SOURCES:
        gains = [
            (sum(words[w] for w in words.keys() & content_words(s.text) - covered), -i)
            for i, s in enumerate(sources)
        ]
        gain, position = max(gains, default=(0.0, 0))
        if gain <= 0 or (chosen and gain / total < _ENOUGH):
            break
        chosen.append(sources[-position])
        covered |= words.keys() & content_words(sources[-position].text)
    return Tie(tuple(chosen), sum(words[w] for w in covered) / total)
