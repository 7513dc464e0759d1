"""Cited sentences to proven ones: does the source hold what the sentence says, and of the same?

Each check knows one way in which an answer goes wrong and gives a reason that a person
understands. ``attributing``: is it said of this system at all? ``counting``: do the numbers stand
there, with their units, for the same things? ``polarity``: is a yes turned to a no? At last, is
enough of it in the source: by its words or, where it is told in others, by its meaning. Only that
last one is a matter of degree, so only there a check is unsure and the caller may ask further. A
sentence that fails is not shown as fact (see ``answering``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from assistant.attributing import check_conditions, check_names, check_places, check_subject
from assistant.checking import Case, Check
from assistant.citing import Source, Tie, content_words, tie
from assistant.counting import check_numbers
from assistant.entailing import Entailment
from assistant.framing import framed, without_orders
from assistant.naming import aliases, names, with_short_forms
from assistant.polarity import reversal
from assistant.types import Evidence, Verdict
from store.plaintext import plain

__all__ = ["Check", "Entails", "Similarity", "verify"]

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of a sentence with source sentences."""

Entails = Callable[[str, str], Entailment]
"""Whether a text bears out a sentence."""

MIN_COVERAGE = 0.55  # below it a sentence says more than its sources, or says it in other words
SURE_COVERAGE = 0.7
MIN_SIMILARITY = 0.6
MIN_SAME_WORDS = 0.25  # however near in meaning

_TITLE = re.compile(r"[“\"][^”\"]{20,}[”\"]")


def verify(
    sentence: str,
    tied: Tie,
    evidence: Sequence[Evidence],
    question: str,
    similarity: Similarity | None = None,
    judge: Entails | None = None,
) -> Check:
    """Hold a sentence against the sources that it was tied to.

    ``similarity``, or the ``judge`` if there is one, is asked only for a sentence that is told in
    other words than its source.
    """
    if not tied.sources:
        return Check(Verdict.UNSUPPORTED, "no source sentence speaks of this")
    cited = {source.number for source in tied.sources}
    case = Case(
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
        check_names(case)
        or check_subject(case)
        or check_places(case)
        or check_numbers(case)
        or _check_direction(case)
        or check_conditions(case)
        or _check_coverage(case, similarity, judge)
    )


# -- is a yes turned to a no?


def _check_direction(case: Case) -> Check | None:
    if reason := reversal(case.sentence, [source.text for source in case.tied.sources]):
        return Check(Verdict.UNSUPPORTED, reason)
    return None


# -- does the source say as much?


def _check_coverage(case: Case, similarity: Similarity | None, judge: Entails | None) -> Check:
    """Most of the words stand in the sources, or its meaning does."""
    known = aliases(" ".join((*case.records.values(), case.question)))
    held = with_short_forms(plain(f"{case.heads} {case.source}"), known)
    # A title in quotation marks fills a sentence with words that are no claim.
    bare = _TITLE.sub(" ", plain(case.sentence))
    said = with_short_forms(bare, known)
    covered = tie(said, [Source(0, held, 0, 0)], content_words(case.question)).coverage
    if covered >= SURE_COVERAGE:
        return Check(Verdict.SUPPORTED)
    if judge and covered >= MIN_SAME_WORDS:
        return _judged(judge(case.source, bare))
    if covered >= MIN_COVERAGE:
        return Check(Verdict.SUPPORTED, sure=False)
    if similarity and covered >= MIN_SAME_WORDS:
        texts = [source.text for source in case.tied.sources]
        if max(similarity(bare, texts), default=0.0) >= MIN_SIMILARITY:
            return Check(Verdict.SUPPORTED, sure=False)
    return Check(
        Verdict.UNSUPPORTED, "the source says less than this", sure=covered < MIN_SAME_WORDS
    )


def _judged(found: Entailment) -> Check:
    if found.holds:
        return Check(Verdict.SUPPORTED)
    reason = "the judge finds that the source " + (
        "denies it" if found.denies else "leaves it open"
    )
    return Check(Verdict.UNSUPPORTED, reason)


def _record(item: Evidence) -> str:
    return f"{_head(item)} {without_orders(item.paper.abstract)}"


def _head(item: Evidence) -> str:
    """What is known of a paper beside its abstract."""
    paper = item.paper
    return plain(" ".join((paper.title, *paper.authors, str(paper.year or ""), paper.venue)))
