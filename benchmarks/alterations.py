"""Sentences changed by program: so that they become false, and so that they stay true.

Every function gives all ways in which it can change a sentence; ``attacks`` draws from them. Its
lists are its own, not those of the verifier that is measured with them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_NUMBER = re.compile(
    r"(?<![\w.,$^{/-])\d{1,3}(?:,\d{3})+(?![\w,])|(?<![\w.,$^{/-])\d+(?:\.\d+)?(?![\d,.^]*\d)"
)
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_SPELLED = re.compile(rf"\b({'|'.join(_WORDS)})\b(?! of\b)")
_UNITS = (
    (r"(?<=\d)\\?%", "x"), (r"(?<=\d)x\b", "%"), (r"\bhours\b", "days"), (r"\bminutes\b", "hours"),
    (r"\bmillion\b", "billion"), (r"\bthousand\b", "million"), (r"(?<=\d)K\b", "M"),
    (r"(?<=\d)B\b", "M"), (r"(?<=\d)k\b", "M"), (r"\bseconds\b", "minutes"),
)  # fmt: skip

_CONTRARY = """
    improves worsens|improve worsen|improving worsening|improved degraded|increases decreases
    increase decrease|increasing decreasing|reduces raises|reduce raise|reducing raising
    reduced increased|outperforms underperforms|outperform underperform
    outperforming underperforming|higher lower|lower higher|faster slower|slower faster
    better worse|superior inferior|more less|fewer more|larger smaller|smaller larger
    stronger weaker|possible impossible|sufficient insufficient|stable unstable|without with
    efficient inefficient|accurate inaccurate|enables prevents|enable prevent|allows forbids
    preserving destroying|preserves destroys|maintaining losing|maintains loses|always never
    effective ineffective|effectively ineffectively|robust fragile|high low|low high
    easy hard|strong weak|cheaper costlier|accelerates slows|mitigates aggravates
    mitigate aggravate|surpasses trails|surpassing trailing|succeed fail|successfully unsuccessfully
    minimizes maximizes|minimize maximize|before after|consistent inconsistent|optimal suboptimal
    reliable unreliable|necessary unnecessary|positive negative|all none|many few
"""
CONTRARY = dict(pair.split() for pair in _CONTRARY.replace("\n", "|").split("|") if pair.strip())
_VERBS = (
    "improves achieves outperforms requires provides reduces increases leads enables demonstrates"
    " reaches uses generalizes converges preserves captures supports matches gives allows yields"
    " learns introduces depends remains suffers trains makes holds exists"
).split()


def other_number(sentence: str, rng: random.Random) -> Iterator[str]:
    """A number made another one by an eighth or more, or given another unit."""
    for match in _NUMBER.finditer(sentence):
        written = match.group()
        value = float(written.replace(",", ""))
        decimals = len(written.partition(".")[2])
        factor = rng.choice((0.3, 0.5, 0.75, 1.3, 1.5, 2, 10))
        changed = round(value * factor, decimals)
        if abs(changed - value) < 0.12 * value or value == 0:
            changed = value + 1
        text = f"{changed:,.{decimals}f}" if "," in written else f"{changed:.{decimals}f}"
        yield sentence[: match.start()] + text + sentence[match.end() :]
    for match in _SPELLED.finditer(sentence):
        place = _WORDS.index(match.group(1))
        word = _WORDS[(place + rng.choice((1, 2, 3))) % len(_WORDS)]
        yield sentence[: match.start()] + word + sentence[match.end() :]
    for pattern, unit in _UNITS:
        if re.search(pattern, sentence):
            yield re.sub(pattern, unit, sentence, count=1)


def other_name(sentence: str, name: str, others: list[str], rng: random.Random) -> Iterator[str]:
    """A name made another one: of another paper, of another version, or of a like sound."""
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    if not re.search(pattern, sentence):
        return
    ways = [rng.choice(others), f"{name}-2", name[:1] + "elta" + name[1:]]
    if name[-1].isdigit():
        ways.append(name[:-1] + str((int(name[-1]) + 1) % 10))
    yield re.sub(pattern, lambda _: rng.choice(ways), sentence)


def contrary(sentence: str) -> Iterator[str]:
    """One word made its opposite."""
    for word, opposite in CONTRARY.items():
        for match in re.finditer(rf"\b{word}\b(?! than (?:one|two|three|\d))", sentence):
            yield sentence[: match.start()] + opposite + sentence[match.end() :]


def negated(sentence: str) -> Iterator[str]:
    """A "not" put in or taken out, where it turns what is told."""
    for match in re.finditer(r"\b(?:does|do|did|is|are|was|were|can) not (?!only)", sentence):
        yield sentence[: match.end() - 5] + " " + sentence[match.end() :].lstrip()
    for match in re.finditer(r"\b(cannot|never )", sentence):
        yield (
            sentence[: match.start()]
            + match.group().replace("cannot", "can").replace("never ", "")
            + sentence[match.end() :]
        )
    if re.search(r"\b(?:not|never|cannot|no)\b", sentence):
        return
    for match in re.finditer(r"\b(?:is|are|was|were|can|may|will)\b(?= [a-z])", sentence):
        yield sentence[: match.end()] + " not" + sentence[match.end() :]
    for verb in _VERBS:
        base = verb[:-2] if verb in {"reaches", "matches"} else verb.removesuffix("s")
        base = {"make": "make", "use": "use"}.get(base, base)
        for match in re.finditer(rf"\b{verb}\b", sentence):
            yield f"{sentence[: match.start()]}does not {base}{sentence[match.end() :]}"


def retold(sentence: str) -> Iterator[str]:
    """The same in other words, as a fair writer would have it."""
    for pattern, replacement in (
        (r"\b[Ww]e (show|find|prove|propose|introduce|present|observe)\b", r"the authors \1"),
        (r"\b[Oo]ur (method|approach|framework|model|results)\b", r"the \1"),
        (r"(?<=\d)\\?%", " percent"),
        (r"(?<=\d)(?:x|\$?\\times\$?)(?= )", " times"),
        (r"^(?:Specifically|Furthermore|Moreover|In addition|However|Finally), ", ""),
        (r", (?:which|thereby|thus)\b[^,.]*(?=\.$)", ""),
        (r" \([^()]*\)", ""),
        (r"\bstate-of-the-art\b", "best known"),
        (r"\bdemonstrate that\b", "show that"),
        (r"\bsignificantly\b", "clearly"),
        (r"\bneural networks\b", "nets"),
        (r"\butiliz", "us"),
    ):  # fmt: skip
        if re.search(pattern, sentence):
            changed = re.sub(pattern, replacement, sentence)
            yield changed[0].upper() + changed[1:]
    yield from _numbers_retold(sentence)


def _numbers_retold(sentence: str) -> Iterator[str]:
    for match in _NUMBER.finditer(sentence):
        before, written, after = sentence[: match.start()], match.group(), sentence[match.end() :]
        value = float(written.replace(",", ""))
        if "," in written and value % 1000 == 0:
            yield f"{before}{value / 1000:.0f}k{after}"
        elif "," in written:
            yield f"{before}{value:.0f}{after}"
            yield f"{before}over {value // 1000 * 1000:,.0f}{after}"
        elif "." in written and value >= 10 and not re.search(r"(?:than|over|about|~)\s?$", before):
            yield f"{before}about {value:.0f}{after}"
        elif written.isdigit() and 1 < value <= 12:
            yield f"{before}{_WORDS[int(value) - 2]}{after}"
    for match in _SPELLED.finditer(sentence):
        number = _WORDS.index(match.group(1)) + 2
        yield f"{sentence[: match.start()]}{number}{sentence[match.end() :]}"
