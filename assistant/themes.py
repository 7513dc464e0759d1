"""Papers to themes: which belong together, and what to call that.

Papers are grouped by Ward's hierarchical clustering of their vectors (Ward 1963); of one to six
groups, the number whose silhouette is best is taken (Rousseeuw 1987). A theme is called by the
terms that are frequent in its papers and rare elsewhere (class-based TF-IDF: Grootendorst 2022,
arXiv:2203.05794): "elsewhere" is the other themes and the rest of the library. So a title says
nothing that its papers do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from assistant.citing import content_words
from store.embedding import Vectors
from store.labels import label
from store.plaintext import plain
from store.types import Paper

MOST = 6
_ALONE = 3  # so few papers are one theme
_LARGEST, _SMALLEST = 10, 2.5  # papers that a theme has on average, at most and at least
_DISTINCT = 0.05  # a silhouette below it is no structure

_RUN = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?(?: [^\W_](?:[\w'’-]*[^\W_])?)*")
_LONGEST_TERM = 3
_SHORTEST_WORD = 3
_SECOND = 0.55  # a second term joins the title with this share of the first one's score
_PHRASE = 2.0  # a phrase says more than a word
_ELSEWHERE = 0.6  # how much it counts against a term that other themes hold it too
_LEAST_RARITY = 1.0
_NO_NOUN = re.compile(
    r"(?:ly|ed|ous|ive|able|ible|ful|less|ic|ical|nal|ral|tal|cal|ary|ant|ent|er|est|ing)$"
)
_NOUN = re.compile(
    r"(?:[mg]ent|ariant|\w[aeiou]r[^aeiou]er|learning|training|sampling|pruning|forecasting"
    r"|modeling|modelling|clustering|planning|ranking|reasoning|transformer|signal|metric"
    r"|dynamic|topic|matching|embedding|parameter|layer|agent|client|order|optimizer)s?$"
)
# Words of papers about themselves. What is common in the library is found out by counting.
_REGISTER = content_words(
    "paper papers work study studies propose proposed present introduce show method methods"
    " approach novel new result results existing based using use demonstrate develop provide"
    " consider problem problems experiments achieve significantly state-of-the-art respectively"
    " performance framework recent prior first different various many several well known often"
    " however effective efficient efficiently important setting code available two three given"
    " leads improve improves better best high large small general standard called via case et al"
    " et-al among across within increasingly showcase"
    " towards toward thus therefore address aim enable extensive empirical number under"
)

Rarity = Callable[[Sequence[str]], Sequence[float]]
"""How rare each word is in the whole library."""


def group(vectors: Vectors) -> list[list[int]]:
    """Row numbers of ``vectors`` (shape ``(papers, d)``, best paper first), theme by theme.

    Within a theme the best paper stands first, and themes in the order of their best papers.
    """
    count = len(vectors)
    if count <= _ALONE:
        return [list(range(count))] if count else []
    few, many = min(MOST, -(-count // _LARGEST)), min(MOST, int(count / _SMALLEST))
    own = _apart(vectors)
    best, labels = _DISTINCT, np.zeros(count, dtype=int)
    for themes in range(max(2, few), many + 1):
        score, found = _clustered(own, themes)
        if score > best or (few > 1 and not labels.any()):
            best, labels = score, found
    groups: dict[int, list[int]] = {}
    for row, name in enumerate(labels):
        groups.setdefault(int(name), []).append(row)
    return list(groups.values())


def _apart(vectors: Vectors) -> Vectors:
    """What sets each paper apart from the others: on one topic, all point much the same way."""
    own = vectors - vectors.mean(axis=0)
    lengths = np.linalg.norm(own, axis=1, keepdims=True)
    apart: Vectors = own / np.maximum(lengths, 1e-9)
    return apart


def _clustered(vectors: Vectors, themes: int) -> tuple[float, np.ndarray]:
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.metrics import silhouette_score

    found: np.ndarray = AgglomerativeClustering(themes, linkage="ward").fit_predict(vectors)
    if len(set(found)) < 2:
        return -1.0, found
    return float(silhouette_score(vectors, found, metric="cosine")), found


def titles(groups: Sequence[Sequence[Paper]], subject: str, rarity: Rarity) -> list[str]:
    """A title for each group; a single group is the topic itself."""
    if len(groups) == 1:
        return [_capital(subject)]
    terms = [[_terms(paper) for paper in papers] for papers in groups]
    found: list[str] = []
    for at, papers in enumerate(groups):
        others = [own for i, group in enumerate(terms) if i != at for own in group]
        title = _title(terms[at], others, rarity)
        if len(papers) == 1 or not title or title in found:
            title = label(papers[0])
        found.append(title)
    return found


def _terms(paper: Paper) -> dict[frozenset[str], str]:
    """The words and phrases of a paper: stems, and how they are written there first."""
    found: dict[frozenset[str], str] = {}
    for words in _phrases(plain(f"{paper.title}. {paper.abstract}")):
        stems = frozenset[str]().union(*map(_stems, words))
        if stems.isdisjoint(_REGISTER):
            found.setdefault(stems, " ".join(words))
    return found


def _phrases(text: str) -> Iterator[list[str]]:
    """Runs of one to three words with no stopword and no punctuation among them."""
    for run in _RUN.findall(text):
        words = run.split(" ")
        for start in range(len(words)):
            for end in range(start + 1, min(start + _LONGEST_TERM, len(words)) + 1):
                if not _tells(words[end - 1]):
                    break
                if _names_something(words[end - 1]) and not words[start].endswith("ly"):
                    yield words[start:end]


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST_WORD and not word[0].isdigit() and bool(_stems(word))


@lru_cache(maxsize=1 << 14)  # a phrase is made of words that were seen before
def _stems(word: str) -> frozenset[str]:
    return content_words(word)


def _names_something(word: str) -> bool:
    """Whether a word may be a noun, judged by its ending."""
    low = word.lower()
    return not _NO_NOUN.search(low) or bool(_NOUN.search(low))


def _title(
    own: Sequence[dict[frozenset[str], str]],
    others: Sequence[dict[frozenset[str], str]],
    rarity: Rarity,
) -> str:
    """The best term, with a second one that shares no word with it."""
    held = Counter(stems for paper in own for stems in paper)
    elsewhere = Counter(stems for paper in others for stems in paper if stems in held)
    least = min(2, len(own))
    terms = [stems for stems, count in held.items() if count >= least]
    words = sorted({stem for stems in terms for stem in stems})
    rare = dict(zip(words, rarity(words), strict=True))
    scored: list[tuple[float, str, frozenset[str]]] = []
    for stems in terms:
        mean = sum(rare[stem] for stem in stems) / len(stems)
        if min(rare[stem] for stem in stems) < _LEAST_RARITY and mean < 2 * _LEAST_RARITY:
            continue
        other = elsewhere[stems] / max(1, len(others))
        phrase = _PHRASE if len(stems) > 1 else 1.0
        score = held[stems] / len(own) * mean * (1 - _ELSEWHERE * other) * phrase
        surface = Counter(paper[stems] for paper in own if stems in paper).most_common(1)[0][0]
        scored.append((score, surface, stems))
    scored.sort(key=lambda term: (-term[0], term[1]))
    if not scored:
        return ""
    first = scored[0]
    second = next((t for t in scored if len(t[2]) > 1 and t[2].isdisjoint(first[2])), None)
    parts = [first[1]]
    if second and second[0] >= _SECOND * first[0]:
        parts.append(second[1])
    return _capital(" and ".join(_lowered(part) for part in parts))


def _lowered(term: str) -> str:
    """A term with a capital only where its word has more than one, or a digit."""
    return " ".join(w.lower() if w[1:].islower() or w[1:] == "" else w for w in term.split())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text.split(" ")[0].islower() else text
