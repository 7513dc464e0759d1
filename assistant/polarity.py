"""Yes turned to no, and up to down: part of ``verifying``.

A sentence can repeat all words of its source and say the contrary: "is useful" for "is never
useful", "increases" for "reduces". Two things are looked at, and both have to speak of the same
words: opposites ("faster" where the source has "slower") and negation ("not", "never", "without").
Where the source is worded too differently to tell, nothing is said: a true sentence that is called
false costs as much as a false one that passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.citing import content_words
from assistant.naming import names
from assistant.opposites import ENDS, stem_of
from store.plaintext import plain

_NEGATORS = frozenset("not no never cannot without neither nor none n't".split())
_SOFT = frozenset(
    stem_of(word)
    for word in "fail unable avoid eliminate remove prevent lack free instead rather unlike hardly"
    " rarely seldom only but unless beyond obviate rid absent absence zero little few less lose"
    " unnecessary impossible insufficient omit skip exclude ignore prohibit violate contrary"
    " unaware infeasible barely scarcely stop longer nothing nobody away drop discard bypass"
    " negligible minimal forgo dispense".split()
)
_BREAK = frozenset(
    ", ; : . — ( ) but while whereas although though and which however yet because since if when so"
    " as".split()
)
_TOKEN = re.compile(r"n't\b|[^\W_]+(?:\.\d+)?(?:['’](?:s|re|ve|ll)\b)?|[,;:.()—]")
_ASIDE = re.compile(r"\(([^()]*)\)")
_SAME = 2  # words around an opposite by which it is said of the same; the next one is two
_REACH = 5  # words that a "not" reaches over


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as tokens and telling stems, with the places that a negation reaches.

    ``poles`` are its words on an axis, with the end that they stand for here. Words that something
    like "fails to" or "removes the need for" reaches stand for neither.
    """

    tokens: tuple[str, ...]
    stems: tuple[str, ...]
    negated: frozenset[int]
    poles: tuple[tuple[int, int, int], ...]

    def near(self, place: int, reach: int = 4) -> frozenset[str]:
        """The telling stems around a place, in its own clause."""
        start, stop = max(0, place - reach), min(len(self.tokens), place + reach + 1)
        for at in range(place, start, -1):
            if self.tokens[at - 1] in ",;:.()":
                start = at
                break
        for at in range(place + 1, stop):
            if self.tokens[at] in ",;:.()":
                stop = at
                break
        around = (self.stems[at] for at in range(start, stop) if at != place)
        return frozenset(stem for stem in around if stem and stem not in ENDS)

    def next(self, place: int) -> str:
        """The first telling stem shortly behind a place, or ""."""
        return next((stem for stem in self.stems[place + 1 : place + 4] if stem), "")

    @property
    def denies(self) -> bool:
        """Whether it holds a plain negation or any word that comes near to one."""
        return bool(self.negated) or any(
            t in _NEGATORS or stem_of(t) in _SOFT or t.startswith(("un", "non"))
            for t in self.tokens
        )


@lru_cache(maxsize=4096)
def _words(text: str) -> _Words:
    text = re.sub(r"(?i)\bcan't\b|\bcan not\b", "cannot", plain(text).replace("’", "'"))
    text = re.sub(r"(?i)n't\b", " n't", re.sub(r"(?i)\bnon-", "non", text))
    text = re.sub(r"(?i)\bfew (?=dozen|hundred|thousand|million)", " ", text)  # a number
    text = re.sub(r"(?i)\b(?:not (?:only|just|merely)|no (?:more|less|fewer) than)\b", " ", text)
    text = re.sub(r"(?i)\bin advance\b", " ", text)  # says when, not that it is better
    aside = _ASIDE.findall(text)  # what stands in brackets must not cut a negation off
    text = "; ".join((_ASIDE.sub(" ", text), *aside))
    tokens = tuple(token.lower() for token in _TOKEN.findall(text))
    stems = tuple(
        next(iter(content_words(token)), "") if token[0].isalnum() else "" for token in tokens
    )
    negated = _reached(tokens, lambda token: token in _NEGATORS)
    unclear = _reached(tokens, lambda token: stem_of(token) in _SOFT)
    poles = tuple(
        (place, axis, -sign if place in negated else sign)
        for place, token in enumerate(tokens)
        if place not in unclear
        for axis, sign in ENDS.get(stem_of(token), ())
    )
    return _Words(tokens, stems, negated, poles)


def _reached(tokens: Sequence[str], starts: Callable[[str], bool]) -> frozenset[int]:
    """The places shortly behind certain words, up to the end of the clause."""
    reached: set[int] = set()
    for place, token in enumerate(tokens):
        if starts(token):
            for at in range(place + 1, min(len(tokens), place + 1 + _REACH)):
                if tokens[at] in _BREAK:
                    break
                reached.add(at)
            if place and token == "no":  # "needs no bees" is "does not need bees"
                reached.add(place - 1)
    return frozenset(reached)


def reversal(sentence: str, sources: Sequence[str]) -> str:
    """What a sentence turns round, in words for the reader; "" when nothing is seen.

    >>> reversal("Dancing is useful.", ["Dancing is never useful."])
    'the source denies “useful”'
    >>> reversal("Bees fly slower in rain.", ["In rain, bees fly faster."])
    'the source says “faster”, not “slower”'
    >>> reversal("Rain does not harm the bees.", ["The bees keep well in rain."])
    ''
    """
    said = _words(sentence)
    held = [_words(text) for text in sources]
    return (
        next(_put_in(said, held), "")
        or next(_opposites(said, held), "")
        or next(_negations(said, held), "")
        or next(_swapped(sentence, sources), "")
    )


def _put_in(said: _Words, held: Sequence[_Words]) -> Iterator[str]:
    """Two neighbouring words with a negation between them on one side only."""
    known: dict[tuple[str, str], set[bool]] = {}
    for source in held:
        for pair, denied, _ in _neighbours(source):
            known.setdefault(pair, set()).add(denied)
    for pair, denied, word in _neighbours(said):
        if known.get(pair) == {not denied}:
            yield f"the source {'does not deny' if denied else 'denies'} “{word}”"


def _neighbours(words: _Words) -> Iterator[tuple[tuple[str, str], bool, str]]:
    """Telling words that follow each other, whether a "not" stands between, and the second."""
    before, denied = "", False
    for token, stem in zip(words.tokens, words.stems, strict=True):
        if token in _NEGATORS:
            denied = True
        elif stem:
            if before:
                yield (before, stem), denied, token
            before, denied = stem, False
        elif token in ".;:":
            before, denied = "", False


def _opposites(said: _Words, held: Sequence[_Words]) -> Iterator[str]:
    """Words that stand at one end of an axis where the source, of the same, has the other end."""
    for place, axis, sign in said.poles:
        around = said.near(place)
        best = {1: (0, ""), -1: (0, "")}
        for source in held:
            for at, other, turned in source.poles:
                shared = 0
                if other == axis:  # of the same is most of all what has the same word next
                    shared = len(around & source.near(at))
                    shared += 2 * (said.next(place) == source.next(at) != "")
                best[turned] = max(best[turned], (shared, source.tokens[at]), key=lambda b: b[0])
        (same, _), (contrary, word) = best[sign], best[-sign]
        if contrary > same and contrary >= _SAME:
            own = said.tokens[place]
            if stem_of(own) == stem_of(word):
                yield f"“{own}” is denied on one side only"
            yield f"the source says “{word}”, not “{own}”"


def _negations(said: _Words, held: Sequence[_Words]) -> Iterator[str]:
    """Words that are denied on one side and asserted on the other."""
    if said.negated and not any(source.denies for source in held):
        denied = [at for at in sorted(said.negated) if said.stems[at]]
        if denied and any(_tells_of(source, said, denied[0]) for source in held):
            yield f"the source does not deny “{said.tokens[denied[0]]}”"
    if said.denies:
        return
    free = {s for text in held for at, s in enumerate(text.stems) if at not in text.negated}
    for source in held:
        denied = [at for at in sorted(source.negated) if source.stems[at]][:2]
        if denied and {source.stems[at] for at in denied} <= set(said.stems) - free:
            yield f"the source denies “{source.tokens[denied[0]]}”"


def _tells_of(source: _Words, said: _Words, place: int) -> bool:
    """Whether a source has the word at a place of the sentence, and of the same."""
    stem, around = said.stems[place], said.near(place, reach=6)
    return any(
        own == stem and (not around or around & source.near(at, reach=6))
        for at, own in enumerate(source.stems)
    )


_COMPARES = re.compile(
    r"\b(?:outperform|surpass|exceed|beat|improve[sd]? (?:up)?on|better than|worse than|faster than"
    r"|slower than|superior to|inferior to|dominate|more \w+ than|less \w+ than|higher \w* ?than"
    r"|lower \w* ?than)",
    re.IGNORECASE,
)


def _swapped(sentence: str, sources: Sequence[str]) -> Iterator[str]:
    """Find "A outperforms B" where the source has "B outperforms A", in the same words."""
    verb = _COMPARES.search(sentence)
    if not verb:
        return
    left, right = names(sentence[: verb.start()]), names(sentence[verb.end() :])
    for source in sources:
        other = _COMPARES.search(source)
        if other and other.group().lower()[:6] == verb.group().lower()[:6]:
            before, after = names(source[: other.start()]), names(source[other.end() :])
            if (left & after) and (right & before) and not (left & before) and not (right & after):
                yield f"the source says it of {', '.join(sorted(before))}"
