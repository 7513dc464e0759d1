"""Numbers with what they count: part of ``verifying``, which holds a sentence against its source.

People write one quantity in many ways ("34k", "34,000", "thirty-four thousand") and round it when
they tell it ("about 35%" for 34.8%). So a quantity is a value, its kind when that is known (a share
in per cent, a factor, money, a time), the nouns it counts, and how it is bounded ("over", "at
most", "about"). ``agreeing`` says whether what is stated keeps the truth of what is held.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import Stemmer

from store.plaintext import plain

Bound = Literal["", "about", "over", "under"]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: value for value, word in enumerate(_ONES)} | {
    word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)
}
_LARGE = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SUFFIX = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "bn": 1e9, "T": 1e12}
_FACTORS = {"twice": 2, "double": 2, "doubl": 2, "tripl": 3, "quadrupl": 4, "thrice": 3}
_SHARES = {"half": 50.0, "halv": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0}
_UNITS = {
    word: (kind, scale)
    for kind, scale, words in (
        ("%", 1.0, "% percent percentage pp point points"),
        ("×", 1.0, "× x X times fold"),
        ("money", 1.0, "USD usd dollar dollars EUR eur euro euros"),
        ("time", 1e-3, "ms millisecond milliseconds"),
        ("time", 1.0, "sec second seconds"),
        ("time", 60.0, "min minute minutes"),
        ("time", 3600.0, "hour hours"),
        ("time", 86400.0, "day days"),
        ("time", 604800.0, "week weeks"),
        ("time", 2629800.0, "month months"),
        ("time", 31557600.0, "year years"),
        ("bytes", 1e6, "MB megabytes"),
        ("bytes", 1e9, "GB gigabytes"),
        ("length", 1e-2, "cm centimetres centimeters"),
        ("length", 1.0, "metre metres meter meters"),
        ("length", 1e3, "km kilometres kilometers"),
    )
    for word in words.split()
}
_WORD = r"(?:" + "|".join((*_ONES, *_TENS, *_LARGE)) + r")"
_NUMBER = re.compile(
    rf"""(?<![\w.^/])(?<!(?-i:[A-Z])-)(?<!\w_)(?P<money>[$€£]\s?)?
        (?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)
            (?:\s?[×x*]\s?(?P<ten>10)\^?\{{?(?P<power>[-–−]?\d+)\}}?
              |(?P<exponent>[eE][-–−+]?\d+)
              |\^\{{?(?P<raised>[-–−]?\d+)\}}?)?
            (?P<suffix>(?-i:k|K|M|B|bn|T)(?![a-zA-Z]))?
            (?:[\s-](?P<scale>hundred|thousand|million|billion|trillion)s?\b)?
          |\b(?P<words>{_WORD}(?:[\s-](?:and\s)?{_WORD})*|a\s(?:hundred|thousand|million|billion))\b
            (?![\s-]?(?:third|quarter|fifth|fold)s?\b))
        (?!(?:st|nd|rd|th)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_DERIVED = re.compile(
    r"\b(?P<factor>twice(?!\s?[,:;.])|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|ed|es)|thrice)\b"
    r"|\b(?P<small>two|three|four|five|six|seven|eight|nine|ten|hundred)-?fold\b"
    r"|(?<!first )(?<!second )(?<!other )(?<!one-)\b(?:(?P<of>one|two|three)[ -]|a )?"
    r"(?P<share>half|halv(?:e|es|ed|ing)|(?<=one[ -])(?:third|quarter|fifth)"
    r"|(?<=\ba )(?:third|quarter|fifth)(?= of)|(?:third|quarter|fifth)s)\b(?![-\w])",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s~-]{0,2}(?P<unit>%|×(?!\s?\d)|[xX](?![\w-])|percentage points?|per cent|[a-zA-Z]+)?"
)
_LINK = re.compile(r"\s?(?:-|–|—|to|and|or|,|/)\s?(?:and\s|or\s)?[~$]?")
# "Up to 5" is the 5 itself: nobody says it of 4.
_LESS, _MORE = r"(?:less|fewer|smaller|lower|shorter) than", r"(?:more|greater|larger|longer) than"
_BOUNDED: tuple[tuple[Bound, str], ...] = (
    ("", rf"\b(?:no|not) {_MORE}|\bat most|\b(?:no|not) {_LESS}|\bat least|\bup to"),
    ("over", rf"\b(?:over|above|exceed(?:s|ed|ing)?|beyond|{_MORE})|[>≥≳]"),
    ("under", rf"\b(?:under|below|within|{_LESS})|[<≤≲]"),
    ("about", r"\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa"
              r"|close to|on average)|[~≈∼≃]"),
)  # fmt: skip
_BOUNDS = tuple((bound, re.compile(rf"(?:{words})\s?$", re.I)) for bound, words in _BOUNDED)
_NO_NOUN = frozenset(
    "of in on at by for from with to and or than as is are was were be been has have the a an per"
    " over across via using while when which that but respectively each both more less fewer higher"
    " lower faster slower better smaller larger cheaper different new known total such".split()
)
SHARE, TIMES = "%", "×"


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value`` in its own unit, ``scale`` to the base unit of ``kind``; ``shown`` as written.

    ``at`` is where it stands in the :func:`legible` text.
    """

    value: float
    shown: str
    kind: str = ""
    scale: float = 1.0
    nouns: frozenset[str] = frozenset()
    bound: Bound = ""
    spelled: bool = False
    at: tuple[int, int] = (0, 0)


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text, in order.

    >>> [(q.value, q.kind) for q in quantities("About 34k bees dance 3.5x faster, for $1.5M.")]
    [(34000.0, ''), (3.5, '×'), (1500000.0, 'money')]
    >>> [(q.value, q.bound) for q in quantities("over twenty-one hives, at most 5 percent of 2-3")]
    [(21.0, 'over'), (5.0, ''), (2.0, ''), (3.0, '')]
    """
    return _quantities(text)


@lru_cache(maxsize=4096)
def _quantities(text: str) -> tuple[Quantity, ...]:
    text = legible(text)
    found: list[tuple[int, int, Quantity]] = []
    for match in _NUMBER.finditer(text):
        found.append((match.start(), match.end(), _read(text, match)))
    for match in _DERIVED.finditer(text):
        if not any(start <= match.start("share") < end for start, end, _ in found):
            found.append((match.start(), match.end(), _derived(match)))
    found.sort(key=lambda item: item[0])
    return tuple(_with_shared_units(text, found))


def legible(text: str) -> str:
    """One line without markup, thin spaces within numbers, and signs that have a twin."""
    text = re.sub(r"(?<=\d)(?:\\,|\{,\}|\\ |[\u2009\u202f\u00a0])(?=\d{3})", ",", text)
    text = re.sub(r"\\times(?![a-zA-Z])", "×", text)
    return plain(text).replace("−", "-").replace("per cent", "percent")


def _read(text: str, match: re.Match[str]) -> Quantity:
    words = match.group("words")
    value = _spelled(words) if words else _digits(match)
    tail = _TAIL.match(text, match.end())
    unit = (tail.group("unit") or "") if tail else ""
    kind, scale = _kind(unit)
    nouns = _nouns(text[match.end() :])
    if match.group("money"):
        kind, scale = "money", 1.0
    elif not kind and (timed := next((u for u in nouns if u in _TIME_STEMS), "")):
        kind, scale = _TIME_STEMS[timed]  # "GPU hours", "weeks" behind an adjective
    shown = match.group().strip() + (unit if unit in {"%", "×", "x", "X"} else "")
    bound = _bound(text[: match.start()])
    if text[match.end() : match.end() + 1] == "+":
        bound = "over"
    return Quantity(value, shown, kind, scale, nouns, bound, spelled=bool(words))


def _digits(match: re.Match[str]) -> float:
    written = match.group("digits")
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", written)
    value = float(written.replace(",", "" if grouped else "."))
    if match.group("ten"):
        value *= 10.0 ** _integer(match.group("power"))
    elif match.group("exponent"):
        value *= 10.0 ** _integer(match.group("exponent")[1:])
    elif match.group("raised"):
        power = _integer(match.group("raised"))
        value = value**power if value and abs(power) < 30 else value
    value *= _SUFFIX.get(match.group("suffix") or "", 1.0)
    return value * _LARGE.get((match.group("scale") or "").lower(), 1.0)


def _integer(text: str) -> int:
    """A power of ten, within what a float can hold."""
    return max(-300, min(300, int(text.replace("–", "-").replace("−", "-"))))


def _spelled(words: str) -> float:
    """A number in words.

    >>> _spelled("two hundred and twenty-one thousand"), _spelled("a million")
    (221000.0, 1000000.0)
    """
    total = current = 0.0
    for word in re.split(r"[\s-]+", words.lower()):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = max(current, 1.0) * 100
        elif word in _LARGE:
            total += max(current, 1.0) * _LARGE[word]
            current = 0.0
    return total + current


def _derived(match: re.Match[str]) -> Quantity:
    """Read "twice" and "threefold" as factors, "half" as a share."""
    shown = match.group().strip()
    if factor := match.group("factor"):
        value = next(v for stem, v in _FACTORS.items() if factor.lower().startswith(stem))
        return Quantity(float(value), shown, TIMES, spelled=True)
    if small := match.group("small"):
        return Quantity(_spelled(small), shown, TIMES, spelled=True)
    share = next(v for stem, v in _SHARES.items() if match.group("share").lower().startswith(stem))
    many = _SMALL.get((match.group("of") or "one").lower(), 1)
    return Quantity(share * many, shown, SHARE, spelled=True)


def _kind(unit: str) -> tuple[str, float]:
    first = unit.split(" ")[0]
    return _UNITS.get(first) or _UNITS.get(first.lower() if len(first) > 2 else "", ("", 1.0))


def _nouns(after: str) -> frozenset[str]:
    """Stems of the words that a number counts: those up to the next preposition or stop."""
    stem = Stemmer.Stemmer("english").stemWord
    found: list[str] = []
    for word in re.findall(r"[a-zA-Z]+|\S", after[:60].lstrip(" -~"))[:3]:
        if not word.isalpha() or word.lower() in _NO_NOUN:
            if word == "-" and found:
                continue
            break
        if word.lower() not in _UNITS or word.lower() in _TIME_WORDS:
            found.append(stem(word.lower()))
    return frozenset(found)


def _bound(before: str) -> Bound:
    for bound, pattern in _BOUNDS:
        if pattern.search(before[-40:]):
            return bound
    return ""


def _with_shared_units(text: str, found: list[tuple[int, int, Quantity]]) -> list[Quantity]:
    """In "2-3x" and "from 10 to 20%" the unit behind the last number belongs to all of them."""
    shared: list[Quantity] = []
    following: tuple[int, Quantity] | None = None
    for start, end, quantity in reversed(found):
        if following and _LINK.fullmatch(text, end, following[0]) and not quantity.kind:
            last = following[1]
            quantity = replace(quantity, kind=last.kind, scale=last.scale, nouns=last.nouns)
        following = start, quantity
        shared.append(replace(quantity, at=(start, end)))
    return shared[::-1]


_TIME_WORDS = frozenset(word for word, (kind, _) in _UNITS.items() if kind == "time")
_TIME_STEMS = {Stemmer.Stemmer("english").stemWord(w): _UNITS[w] for w in _TIME_WORDS if len(w) > 3}
