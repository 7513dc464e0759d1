"""Sentences all of whose words the source has, in the wrong places: part of ``attacks``.

Where ``alterations`` puts in what a source does not have, these give one thing's number, name or
condition to another. The last two leave a sentence true and tell it differently: who looks at the
places of words must not take those for the others.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

# Not years, references, list numbers or parts of names and addresses.
_NUMBER = re.compile(
    r"(?<![\w.,$^{/'’@=-])(?!(?:19|20)\d\d\b|\d{1,2}\))(?<!\[)(?<!\d, )"
    r"(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\d,.^]*\d|\w*-\d)"
    r"(\s?\\?%|\s?[x×](?!\w)|\s?(?:hours|days|minutes|seconds|ms|GB|points)\b|(?:[kKMB])\b|)"
)
_SET = re.compile(r"[^\w(]*(?:and|or|to|through|[-–,/&])?[^\w(]*")
_APART = re.compile(r"\b(?!and\b|or\b|both\b|as\b)[a-z]{2,}")
_CONDITION = re.compile(
    r"\b(?:under|with|without|during|in|on|for) (?!which|the\b|this|these|that|its|our|a\b|an\b)"
    r"(?:[a-z-]+ )?[a-z-]{5,} [a-z-]{5,}(?=[,.;])"
)


def _numbers(text: str) -> list[tuple[re.Match[str], float, str]]:
    """The numbers with their values and units."""
    found = _NUMBER.finditer(text)
    return [(m, float(m[1].replace(",", "")), m[2].strip().lstrip("\\")) for m in found]


def numbers_swapped(sentence: str) -> Iterator[str]:
    """Two numbers of one unit that change places, unless they stand as a set or a range."""
    ordered = "respectively" in sentence
    for (a, low, unit), (b, high, other) in combinations(_numbers(sentence), 2):
        between = sentence[a.end() : b.start()]
        moved = re.search(r"\bfrom (?:about |around |~)?$", sentence[: a.start()])
        if unit != other or low == high or (_SET.fullmatch(between) and not (ordered or moved)):
            continue
        yield (
            f"{sentence[: a.start(1)]}{b[1]}{sentence[a.end(1) : b.start(1)]}"
            f"{a[1]}{sentence[b.end(1) :]}"
        )


def number_of_another(sentence: str, elsewhere: str, rng: random.Random) -> Iterator[str]:
    """A number made that of another thing in the abstract, in the same unit."""
    own = {value for _, value, _ in _numbers(sentence)}
    for match, value, unit in _numbers(sentence):
        others = [
            m[1]
            for m, other, same in _numbers(elsewhere)
            if same == unit and other not in own and abs(other - value) > 0.12 * value
        ]
        if others:
            yield sentence[: match.start(1)] + rng.choice(others) + sentence[match.end(1) :]


def asked_for(sentence: str) -> Iterator[tuple[str, re.Match[str]]]:
    """A question in the sentence's own words for a number in it, and the number."""
    for match, _, _ in _numbers(sentence):
        told = f"{sentence[: match.start(1)]}how much{sentence[match.end(1) :]}"
        yield f"Is it the case that {told.rstrip('.')}?", match


def names_swapped(sentence: str, names: Sequence[str]) -> Iterator[str]:
    """Two names that change places, unless they stand in one list."""
    for one, other in combinations(names, 2):
        pattern = re.compile(rf"(?<![\w-])(?:{re.escape(one)}|{re.escape(other)})(?![\w-])")
        places = list(pattern.finditer(sentence))
        if len(places) != 2 or one in other or other in one:
            continue
        a, b = places
        between = sentence[a.end() : b.start()]
        unnamed = re.sub("|".join(map(re.escape, names)), "", between)
        if a.group() != b.group() and _APART.search(unnamed):
            yield sentence[: a.start()] + b.group() + between + a.group() + sentence[b.end() :]


def conditions(text: str) -> list[str]:
    """Phrases such as "under heavy rain" that end a clause."""
    return [match.group() for match in _CONDITION.finditer(text)]


def with_condition(sentence: str, foreign: Sequence[str], rng: random.Random) -> Iterator[str]:
    """A condition of another paper put behind the first clause, or at the end."""
    if not foreign:
        return
    phrase = rng.choice(foreign)
    if sentence.endswith("."):
        yield f"{sentence[:-1]} {phrase}."
    yield f"{phrase[0].upper()}{phrase[1:]}, {sentence[0].lower()}{sentence[1:]}"


_DENIALS = (
    (r"\b(does|do|did|is|are|was|were|has|have|could|would) not\b", r"\1n't"),
    (r"\bcannot\b", "is not able to"), (r"\bcannot\b", "can not"), (r"\bwithout\b", "with no"),
    (r"\b(?:does|do) not (?:need|require)\b", "needs no"), (r"\bneeds? no\b", "does not need"),
    (r"\bfails? to\b", "does not"), (r"\bfailing to\b", "not managing to"),
    (r"\b(?:eliminat|remov)\w+ the need for\b", "does not need"),
    (r"\b(?:rather than|instead of)\b", "and not"), (r"\bunable to\b", "not able to"),
    (r"\bimpossible\b", "not possible"), (r"\bunnecessary\b", "not necessary"),
    (r"\binsufficient\b", "not sufficient"), (r"\binefficient\b", "not efficient"),
    (r"\bunstable\b", "not stable"), (r"\bunreliable\b", "not reliable"),
    (r"\blacks?\b", "does not have"), (r"\bno longer\b", "not any more"),
    (r"\bwithout (?:requiring|needing|using)\b", "and does not need"),
    (r"\bnot (?:necessary|needed|required)\b", "unnecessary"), (r"\bavoids\b", "does without"),
    (r"\btraining-free\b", "without training"), (r"\bunknown\b", "not known"),
    (r"\binvisible\b", "not visible"), (r"\bnever\b", "at no time"), (r"\brarely\b", "not often"),
    (r"\bdo(?:es)? not\b", "fails to"), (r"\bunlike\b", "which is not so for"),
)  # fmt: skip


def denials_retold(sentence: str) -> Iterator[str]:
    """What is denied, denied in other words."""
    for pattern, replacement in _DENIALS:
        if re.search(pattern, sentence, re.IGNORECASE):
            yield re.sub(pattern, replacement, sentence, count=1, flags=re.IGNORECASE)


def reordered(sentence: str) -> Iterator[str]:
    """The same clauses in another order."""
    body = sentence.rstrip(".")
    if match := re.fullmatch(
        r"((?:On|In|For|With|Under|At|By|Across|When|While) [^,]+), (.+)", body
    ):
        yield f"{_capital(match[2])}, {_lower(match[1])}."
    if match := re.fullmatch(r"(.+?),? (while|whereas|when|because) ([^;:]+)", body):
        yield f"{_capital(match[2])} {match[3]}, {_lower(match[1])}."
    if match := re.fullmatch(r"([^;()]+); ([^;()]+)", body):
        yield f"{_capital(match[2])}; {_lower(match[1])}."
    if match := re.fullmatch(r"(.+) ((?:on|across|over|in|for) [^,;]{8,60})", body):
        yield f"{_capital(match[2])}, {_lower(match[1])}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _lower(text: str) -> str:
    """Lower case at the start, unless it is a name."""
    first = text.split()[0]
    return text[0].lower() + text[1:] if first[1:].islower() or len(first) == 1 else text
