"""What a number or a name stands for in a sentence: part of ``verifying``.

Two numbers of one source that change places leave all its words standing. But a number is said of
what stands near it: the measure, the data set, the system of its own clause. So each number of a
sentence is looked up in the source by its surroundings. If they are those of another number, and
not those of its own, it has been given to another thing. The same holds of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from assistant.agreeing import agrees
from assistant.citing import content_words, weight
from assistant.naming import named, names, speaks_of
from assistant.quantities import Quantity, legible, quantities
from store.plaintext import plain

Span = tuple[int, int]
Surroundings = Mapping[str, float]
"""The telling words around a place, with how near they stand to it."""
Role = tuple[str, Surroundings]
"""A name and its surroundings."""

_TOKEN = re.compile(r"[^\W_]+|[,;:()]")
_GAPS = {",": 1, "(": 0.5, ")": 1, ":": 0.5, "and": 1.5, ";": 3, "while": 2, "whereas": 2, "but": 2}
_PLACES = frozenset("from to than of by at with per over below above".split())
_ABOUT = r"(?:about |around |roughly |over |~|[$€£])?$"
_FROM = re.compile(rf"\bfrom {_ABOUT}", re.IGNORECASE)
_TO = re.compile(rf"^[^.,;()]{{0,30}}\bto {_ABOUT}", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being)\b[^,.;]*\bby\b")
_FAR = 12  # steps behind which nothing is near any more
_ALONE = 0.5  # how near, where the source sentences do not have the name at all
_LEANS, _LEAST = 1.4, 0.2  # how much nearer a name has to be, and how near at least
_SURER, _BY = 1.3, 0.15  # how much nearer another one has to be


@dataclass(frozen=True, slots=True)
class _Number:
    """A quantity and its surroundings in the sentence ``text``.

    ``ordered``: the sentence says "respectively", so that what is near is not what it is said of.
    ``to``: in "from 10 to 20", the 20 of the 10.
    """

    quantity: Quantity
    near: Surroundings
    text: str
    ordered: bool
    to: Quantity | None


def misplaced(sentence: str, sources: Sequence[str]) -> str:
    """What number a source has where the sentence has another one of its; "" when nothing is seen.

    >>> misplaced("Bees reach 60% and ants 40%.", ["Bees reach 40%, while ants reach 60%."])
    'the source has 60% here, not 40%'
    >>> misplaced("It fell from 9 to 3 hives.", ["The hives rose from 3 to 9."])
    'the source does not go from 9 but to it'
    >>> misplaced("Ants reach 60%, bees 40%.", ["Bees reach 40%, while ants reach 60%."])
    ''
    """
    stated = _numbers(sentence)
    held = [number for source in sources for number in _numbers(source)]
    at_home = [n.quantity for n in stated if not _whose(n, held, at_all=True)]
    for number in stated:
        if _turned(number, held):
            return f"the source does not go from {number.quantity.shown} but to it"
        other = _whose(number, held)
        if other and not any(agrees(quantity, other) for quantity in at_home):
            return f"the source has {other.shown} here, not {number.quantity.shown}"
        for name in names(sentence):
            if other := _of_its_own(name, stated, number, held):
                return f"the source has {other.shown} for {name}, not {number.quantity.shown}"
    return ""


def displaced(sentence: str, sources: Sequence[str], own: str, ours: re.Pattern[str]) -> str:
    """The name that a source has where the sentence has another one of its; "" otherwise.

    ``own`` is what the paper introduces, which goes by "we" and "it" (``ours``) as well.

    >>> displaced("Ant-1 beats Bee-2 by far.", ["Bee-2 beats Ant-1 by far."], "", re.compile("we"))
    'Bee-2'
    """
    if _PASSIVE.search(sentence):
        return ""
    stated = _roles(sentence, "", ours)
    held = [role for source in sources for role in _roles(source, own, ours)]
    at_home = [name for name, near in stated if not _holder(name, near, held, at_all=True)]
    for name, near in stated:
        other = _holder(name, near, held)
        long_form = speaks_of(sentence, other) and not any(_same(n, other) for n, _ in stated)
        if other and not long_form and not any(_same(n, other) for n in at_home):
            return other
    return ""


# -- numbers


@lru_cache(maxsize=2048)
def _numbers(text: str) -> tuple[_Number, ...]:
    found = quantities(text)
    text = legible(text)
    around = _surroundings(text, [q.at for q in found])
    return tuple(
        _Number(
            q, _unsided(near) | _placed(text, q), text, "respectively" in text, _to(text, q, after)
        )
        for q, near, after in zip_longest(found, around, found[1:])
    )


def _placed(text: str, number: Quantity) -> dict[str, float]:
    """The small word right before a number: "from", "to", "than"."""
    before = text[: number.at[0]].lower().split()[-1:]
    return {f"{word} …": 0.5 for word in before if word in _PLACES}


def _to(text: str, first: Quantity, second: Quantity | None) -> Quantity | None:
    """The second number, if they stand as "from 10 to 20"."""
    if not second or not _FROM.search(text[: first.at[0]]):
        return None
    return second if _TO.search(text[first.at[1] : second.at[0]]) else None


def _turned(stated: _Number, held: Sequence[_Number]) -> bool:
    """Whether it goes from 20 to 10 where the source only goes from 10 to 20."""
    last = stated.to
    if not last:
        return False
    pairs = [(h.quantity, h.to) for h in held if h.to]

    def goes(start: Quantity, end: Quantity) -> bool:
        return any(agrees(start, low) and agrees(end, high) for low, high in pairs)

    return goes(last, stated.quantity) and not goes(stated.quantity, last)


def _of_its_own(
    name: str, stated: Sequence[_Number], number: _Number, held: Sequence[_Number]
) -> Quantity | None:
    """The number that a source gives for a name, if it gives the stated one for another name.

    "60% on A and 40% on B" has become "60% on B", where nothing but the name tells.
    """
    found = None
    for own in (h for h in held if agrees(number.quantity, h.quantity)):
        absent = names(own.text) - names(number.text)
        rivals = [h for h in held if h.text == own.text and h.quantity.kind == own.quantity.kind]
        found = next(
            (
                rival.quantity
                for rival in rivals
                if _leans(name, rival, own)
                and any(_leans(other, own, rival) for other in absent)
                and not any(agrees(n.quantity, rival.quantity) for n in stated)
            ),
            None,
        )
        if found is None or "respectively" in own.text:
            return None
    return found


def _leans(name: str, one: _Number, other: _Number) -> bool:
    """Whether a name stands clearly nearer to one of two numbers."""
    stems = content_words(name)
    near, far = (sum(n.near.get(stem, 0.0) for stem in stems) for n in (one, other))
    return near > max(far * _LEANS, _LEAST)


def _whose(stated: _Number, held: Sequence[_Number], *, at_all: bool = False) -> Quantity | None:
    """The number whose surroundings the stated one has clearly, or ``at_all``, if another."""
    same = [h for h in held if agrees(stated.quantity, h.quantity)]
    others = [h for h in held if h.quantity.kind == stated.quantity.kind and h not in same]
    if not same or not others:
        return None
    own = max(same, key=lambda h: _shared(stated.near, h.near))
    best = max(others, key=lambda h: _shared(stated.near, h.near))
    if stated.ordered != own.ordered:
        return None
    share, than = _shared(stated.near, best.near), _shared(stated.near, own.near)
    return best.quantity if (share > than if at_all else _nearer(share, than)) else None


# -- names


@lru_cache(maxsize=2048)
def _roles(text: str, own: str, ours: re.Pattern[str]) -> tuple[Role, ...]:
    """The names of a text, each with what stands before it and what behind."""
    text = plain(text)
    spans = [(name, (at, at + len(name))) for name, at in named(text)]
    if own:
        spans += [(own, match.span()) for match in ours.finditer(text)]
    around = _surroundings(text, [at for _, at in spans])
    return tuple((name, near) for (name, _), near in zip(spans, around, strict=True))


def _holder(name: str, near: Surroundings, held: Sequence[Role], *, at_all: bool = False) -> str:
    """The name whose surroundings this one has clearly, or ``at_all``, if it is another."""
    places = [_shared(near, its) for other, its in held if _same(name, other)]
    others = [(_shared(near, its), other) for other, its in held if not _same(name, other)]
    share, other = max(others, default=(0.0, ""))
    if not places:
        return other if share > _ALONE else ""
    return other if (share > max(places) if at_all else _nearer(share, max(places))) else ""


def _same(name: str, other: str) -> bool:
    return name == other or speaks_of(name, other) or speaks_of(other, name)


# -- what is near


def _nearer(share: float, than: float) -> bool:
    return share > max(than * _SURER, than + _BY)


def _shared(one: Surroundings, other: Surroundings) -> float:
    """How much of what surrounds one surrounds the other, 0 to 1."""
    total = sum(one.values()) or 1.0
    return sum(min(one[word], other[word]) for word in one.keys() & other.keys()) / total


def _unsided(near: Surroundings) -> dict[str, float]:
    """Surroundings without the side: "60% of bees" is "of bees, 60%"."""
    merged: dict[str, float] = {}
    for word, share in near.items():
        merged[word[:-1]] = max(share, merged.get(word[:-1], 0.0))
    return merged


def _surroundings(text: str, spans: Sequence[Span]) -> list[dict[str, float]]:
    """What surrounds each span. A word that stands nearer to another one counts for less here."""
    tokens = [m for m in _TOKEN.finditer(text) if not any(a <= m.start() < b for a, b in spans)]
    all_steps = [dict(_sided(span, tokens)) for span in spans]
    nearest = {
        place: max(s[place][1] for s in all_steps if place in s)
        for place in {place for steps in all_steps for place in steps}
    }
    found = []
    for steps in all_steps:
        near: dict[str, float] = {}
        for place, (word, share) in steps.items():
            near[word] = max(near.get(word, 0.0), share * share / nearest[place])
        found.append(near)
    return found


def _sided(
    span: Span, tokens: Sequence[re.Match[str]]
) -> Iterator[tuple[tuple[int, str], tuple[str, float]]]:
    """Each telling word by its place: the word with its side, and how near it stands."""
    before = [token for token in tokens if token.end() <= span[0]][::-1]
    after = [token for token in tokens if token.start() >= span[1]]
    for side, found in (("<", before), (">", after)):
        steps = 0.0
        for token in found:
            steps += _GAPS.get(token.group().lower(), 0)
            for stem in content_words(token.group()) if token.group()[0].isalnum() else ():
                steps += 1
                if steps <= _FAR:
                    yield (token.start(), stem), (stem + side, weight(stem) / steps)
