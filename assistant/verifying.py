"""Cited sentences to proven ones: does the source hold what the sentence says, and of the same?

Each check knows one way in which an answer goes wrong and gives a reason that a person
understands. ``naming``: is it said of this system at all? ``quantities``: do the numbers stand
there, with their units, for the same things? ``polarity``: is a yes turned to a no? At last, is
enough of it in the source: by its words or, where it is told in others, by its meaning. Only that
last one is a matter of degree, so only there a check is unsure and the caller may ask further. A
sentence that fails is not shown as fact (see ``answering``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.binding import displaced, misplaced
from assistant.citing import Source, Tie, content_words, tie
from assistant.framing import framed, without_orders
from assistant.naming import aliases, names, speaks_of, subjects, with_short_forms
from assistant.polarity import reversal
from assistant.quantities import Quantity, agrees, quantities
from assistant.types import Evidence, Verdict
from store.chunking import sentences
from store.labels import introduced
from store.plaintext import plain

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of a sentence with source sentences."""

MIN_COVERAGE = 0.55  # below it a sentence says more than its sources, or says it in other words
SURE_COVERAGE = 0.7
MIN_SIMILARITY = 0.6
MIN_SAME_WORDS = 0.25  # however near in meaning

# A bound or a root: "O(√(T log T))".
_FORMULA = re.compile(r"\b[OΘΩ]\s?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|√\(?\w+")
_TITLE = re.compile(r"[“\"][^”\"]{20,}[”\"]")
_OURS = re.compile(
    r"\b(?:we|our|ours|it|its|this|these|they|their|here|the (?:proposed|resulting|new|former"
    r"|method|model|approach|system|framework|algorithm|technique|paper|authors?))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Check:
    """A verdict and, unless it is ``supported``, the reason; ``sure`` unless it is a near thing.

    ``invented``: it gives a number or formula, and the source has none at all. ``elsewhere``: the
    source does not speak of what the question names.
    """

    verdict: Verdict
    reason: str = ""
    sure: bool = True
    invented: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """A sentence with what it is held against. ``records`` are of the cited papers, by number."""

    sentence: str
    tied: Tie
    question: str
    records: dict[int, str]
    heads: str
    elsewhere: str

    @property
    def source(self) -> str:
        """The sentences it was tied to, as one text."""
        return " ".join(source.text for source in self.tied.sources)


def verify(
    sentence: str,
    tied: Tie,
    evidence: Sequence[Evidence],
    question: str,
    similarity: Similarity | None = None,
) -> Check:
    """Hold a sentence against the sources that it was tied to.

    ``similarity`` is asked only for a sentence that is told in other words than its source.
    """
    if not tied.sources:
        return Check(Verdict.UNSUPPORTED, "no source sentence speaks of this")
    cited = {source.number for source in tied.sources}
    case = _Case(
        sentence,
        tied,
        question,
        records={e.number: _record(e) for e in evidence if e.number in cited},
        heads=" ".join(_head(e) for e in evidence if e.number in cited),
        elsewhere=" ".join(e.paper.abstract for e in evidence if e.number not in cited),
    )
    if frame := framed(sentence, [source.text for source in tied.sources]):
        return Check(Verdict.UNSUPPORTED, f"the source does not assert it: “{frame} …”")
    if any(plain(sentence) in plain(source.text) for source in tied.sources) and not (
        names(question) and not names(sentence)
    ):
        return Check(Verdict.SUPPORTED)  # a quotation
    return (
        _check_names(case)
        or _check_subject(case)
        or _check_places(case)
        or _check_numbers(case)
        or _check_direction(case)
        or _check_coverage(case, similarity)
    )


# -- is it said of this one?


def _check_names(case: _Case) -> Check | None:
    """Every name stands in a cited paper; a sentence without one is about those of the question."""
    record = " ".join(case.records.values())
    asked = names(case.question)
    if missing := {name for name in names(case.sentence) if not speaks_of(record, name)}:
        known = any(speaks_of(f"{case.elsewhere} {case.question}", name) for name in missing)
        verdict = Verdict.MISATTRIBUTED if known else Verdict.UNSUPPORTED
        reason = f"the source does not speak of {_listed(missing)}"
        return Check(verdict, reason, elsewhere=bool(missing & asked))
    if asked and not names(case.sentence) and not any(speaks_of(record, n) for n in asked):
        return Check(
            Verdict.MISATTRIBUTED,
            f"the source speaks of {_topic(record)}, the question asks about {_listed(asked)}",
            elsewhere=True,
        )
    return None


def _check_subject(case: _Case) -> Check | None:
    """What is told stands in a paper, and in a sentence, about those it is told of."""
    told_of = subjects(case.sentence)
    if not told_of:
        return None
    home = {n for n, text in case.records.items() if any(speaks_of(text, s) for s in told_of)}
    at_home = [s for s in case.tied.sources if s.number in home]
    foreign = [s for s in case.tied.sources if s.number not in home]
    if foreign:
        held = content_words(" ".join(s.text for s in at_home) + case.question)
        only = [s for s in foreign if _tells(_common(case.sentence, s.text) - held)]
        if only:
            topic = _topic(case.records[only[0].number])
            return Check(Verdict.MISATTRIBUTED, f"this is said of {topic}, not {_listed(told_of)}")
    for source in at_home[:1]:
        if other := _other_subject(told_of, source, case.records[source.number]):
            return Check(Verdict.MISATTRIBUTED, f"this is said of {other}, not {_listed(told_of)}")
    return None


def _check_places(case: _Case) -> Check | None:
    """No name has the place of another."""
    for number, record in case.records.items():
        told = [s.text for s in case.tied.sources if s.number == number]
        if other := displaced(case.sentence, told, introduced(plain(record)), _OURS):
            return Check(Verdict.MISATTRIBUTED, f"the source says this of {other}")
    return None


def _tells(words: frozenset[str]) -> bool:
    """Whether words are a finding: several, or a number, which the question did not give."""
    return len(words) > 1 or any(letter.isdigit() for word in words for letter in word)


def _common(sentence: str, source: str) -> frozenset[str]:
    """Words of the sentence in a source, its names aside."""
    named = content_words(" ".join(names(sentence)))
    return (content_words(sentence) & content_words(source)) - named


def _other_subject(told_of: frozenset[str], source: Source, record: str) -> str:
    """Whom a source sentence is about, if not about any of ``told_of``; "" otherwise."""
    before = _sentence_before(record, source.text)
    if any(speaks_of(f"{before} {source.text}", name) for name in told_of):
        return ""
    own = introduced(plain(record))
    is_own = not own or any(speaks_of(own, name) or speaks_of(name, own) for name in told_of)
    if is_own:  # sentences of an abstract are about what it introduces, unless they name another
        others = subjects(source.text)
        return "" if not others or _OURS.search(source.text) else _listed(others)
    return own


def _sentence_before(record: str, sentence: str) -> str:
    """The sentence before a given one, which its "it" and "this" may point to."""
    at = record.find(sentence)
    if at <= 0:
        return ""
    spans = sentences(record[:at])
    return record[spans[-1][0] : spans[-1][1]] if spans else ""


def _topic(record: str) -> str:
    named = introduced(plain(record))
    return named or "something else"


# -- do the numbers stand there, for the same things?


def _check_numbers(case: _Case) -> Check | None:
    """Every number stands in a source sentence, or in the record or the question."""
    held = quantities(case.source)
    asked, heads = quantities(case.question), quantities(case.heads)
    for stated in quantities(case.sentence):
        if any(agrees(stated, other) for other in asked):
            continue
        if any(agrees(stated, other) for other in (*held, *heads)):
            if reason := _counts_other(stated, held):
                return Check(Verdict.UNSUPPORTED, reason)
            continue
        if not _may_be_counted(stated, held) and not any(
            agrees(stated, other) for other in _related(case)
        ):
            return Check(
                Verdict.UNSUPPORTED,
                f"the number {stated.shown} is not in the source",
                invented=not held,
            )
    told = [r[a:b] for r in case.records.values() for a, b in sentences(r)]
    if reason := misplaced(case.sentence, told):
        return Check(Verdict.UNSUPPORTED, reason)
    record = " ".join(case.records.values()) + case.question
    for formula in _FORMULA.findall(plain(case.sentence)):
        if _symbols(formula) not in _symbols(record):
            reason = f"the formula {formula} is not in the source"
            return Check(Verdict.UNSUPPORTED, reason, invented=not _FORMULA.search(plain(record)))
    return None


def _symbols(text: str) -> str:
    """Letters and digits alone, the Greek ones by name: T^α is T^alpha."""
    letters = (c for c in plain(text) if c.isalnum())
    return "".join(
        unicodedata.name(c).split()[-1] if "α" <= c <= "ω" else c for c in letters
    ).lower()


def _counts_other(stated: Quantity, held: Sequence[Quantity]) -> str:
    """Whether the number is there, but of other things, whose own number is another."""
    if not stated.nouns or any(agrees(stated, o) and not _apart(stated, o) for o in held):
        return ""
    for other in held:
        if other.nouns & stated.nouns and not agrees(stated, other) and other.kind == stated.kind:
            noun = min(other.nouns & stated.nouns)
            return f"the source has {other.shown} for “{noun}…”, not {stated.shown}"
    return ""


def _apart(stated: Quantity, other: Quantity) -> bool:
    return bool(other.nouns) and not (stated.nouns & other.nouns)


def _may_be_counted(stated: Quantity, held: Sequence[Quantity]) -> bool:
    """Whether a small number in words is the writer's own count: "one", "two ways: a and b"."""
    if not stated.spelled or stated.kind or stated.value > 4:
        return False
    return stated.value <= 1 or not any(
        other.nouns & stated.nouns and other.spelled for other in held
    )


def _related(case: _Case) -> Iterator[Quantity]:
    """Numbers of those sentences of the cited papers that share words with this one."""
    for record in case.records.values():
        for start, end in sentences(record):
            if len(_common(case.sentence, record[start:end])) > 1:
                yield from quantities(record[start:end])


# -- is a yes turned to a no?


def _check_direction(case: _Case) -> Check | None:
    if reason := reversal(case.sentence, [source.text for source in case.tied.sources]):
        return Check(Verdict.UNSUPPORTED, reason)
    return None


# -- does the source say as much?


def _check_coverage(case: _Case, similarity: Similarity | None) -> Check:
    """Most of the words stand in the sources, or its meaning does."""
    known = aliases(" ".join((*case.records.values(), case.question)))
    held = with_short_forms(plain(f"{case.heads} {case.source}"), known)
    # A title in quotation marks fills a sentence with words that are no claim.
    bare = _TITLE.sub(" ", plain(case.sentence))
    said = with_short_forms(bare, known)
    covered = tie(said, [Source(0, held, 0, 0)], content_words(case.question)).coverage
    if covered >= SURE_COVERAGE:
        return Check(Verdict.SUPPORTED)
    if covered >= MIN_COVERAGE:
        return Check(Verdict.SUPPORTED, sure=False)
    if similarity and covered >= MIN_SAME_WORDS:
        texts = [source.text for source in case.tied.sources]
        if max(similarity(bare, texts), default=0.0) >= MIN_SIMILARITY:
            return Check(Verdict.SUPPORTED, sure=False)
    return Check(
        Verdict.UNSUPPORTED, "the source says less than this", sure=covered < MIN_SAME_WORDS
    )


def _record(item: Evidence) -> str:
    return f"{_head(item)} {without_orders(item.paper.abstract)}"


def _head(item: Evidence) -> str:
    """What is known of a paper beside its abstract."""
    paper = item.paper
    return plain(" ".join((paper.title, *paper.authors, str(paper.year or ""), paper.venue)))


def _listed(items: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(items))
