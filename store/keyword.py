"""Words to scores. The only module that imports ``bm25s``, which cuts texts into words.

Stands beside the vectors: it finds what a name, a number or a rare word points to, where vectors
only know what a text is like. The index is a copy that can be made anew from Chroma at any time. It
is kept in pieces (``postings``), as Lucene keeps its segments: new papers make a new piece, small
pieces are merged, and what all papers have in common (how rare a word is, how long a paper is on
average) is worked out when a query asks. So papers that come or go cost what they cost, not what
the library costs, and the scores are those of an index made anew.

Scores are BM25 (Robertson & Zaragoza 2009; k1 0.9, b 0.4, stems) divided by what a paper would get
that held *every* word of the query: the share of the query that was met, weighed by rarity. The
usual division by the best score found gives full marks to the best paper even when it shares but a
stray word with the query; this share stays small then, and the vectors decide.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from store.postings import Postings, build, hashed, merge

_K1, _B = 0.9, 0.4
_NAMED = 0.8
_STATE = "state.json"
_FORMAT = 2
_COINED = re.compile(r"\b\w*[a-z][A-Z]\w*")  # BeeNet, mRNA
_ACRONYM = re.compile(r"\b[A-Z][A-Z\d]+\b")  # RAM is one paper's; "GPU" is anybody's
_TOKENIZED = 4096  # texts cut into words at a time
_LARGEST = 1 << 17  # papers of a piece that is merged no more: bounds the memory of a merge


class KeywordIndex:
    """BM25 over the whole papers of a library, by paper id. Never changed: ``put`` gives another.

    ``names`` are the folders of the pieces that are on disk, "" for one that is not yet.
    """

    def __init__(self, pieces: Sequence[Postings] = (), names: Sequence[str] = ()) -> None:
        self._pieces = list(pieces)
        self._names = list(names) or [""] * len(self._pieces)
        self._papers = sum(map(len, self._pieces))
        words = sum(int(piece.lengths.sum(dtype=np.int64)) for piece in self._pieces)
        mean = words / max(1, self._papers)
        # What the length of each paper makes of its words' counts; the mean is the library's own.
        self._norms = [
            (_K1 * (1 - _B + _B * piece.lengths / max(1e-9, mean))).astype(np.float32)
            for piece in self._pieces
        ]

    def __len__(self) -> int:
        return self._papers

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str]) -> KeywordIndex:
        """Index ``texts``; an empty library gives an index that finds nothing."""
        return cls().put(dict(zip(ids, texts, strict=True)))

    def put(self, texts: Mapping[str, str], gone: Iterable[str] = ()) -> KeywordIndex:
        """The index with papers added or replaced, and those in ``gone`` left out."""
        pieces, names = [], []
        changed = [*texts, *gone]
        for piece, name in zip(self._pieces, self._names, strict=True):
            rest = piece.without(changed) if changed else piece
            if len(rest):
                pieces.append(rest)
                names.append(name if rest is piece else "")
        for new in _indexed(texts):
            pieces.append(new)
            names.append("")
            _merge_last(pieces, names)
        return KeywordIndex(pieces, names)

    def outdated(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Those of the papers that are not indexed, or with another text."""
        return {name: text for name, text in texts.items() if self._check(name) != hashed(text)}

    def ids(self) -> set[str]:
        """The ids of all papers."""
        return {name.decode() for piece in self._pieces for name in piece.ids.tolist()}

    def _check(self, name: str) -> int | None:
        for piece in self._pieces:
            if (row := piece.row(name)) is not None:
                return int(piece.checks[row])
        return None

    def coverage(self, query: str) -> Coverage:
        """The share of the query that each paper meets, 0 to 1; papers that meet none left out.

        A coined name ("BeeNet") is what a query is about, and vectors do not know it: papers that
        hold the query's names get up to ``_NAMED`` more, the rarer the names the more (acronyms
        only where they are rare indeed).
        """
        words = _words(query)
        whole = sum(self._rarity(word) for word in words)
        scores = [np.zeros(len(piece), dtype=np.float32) for piece in self._pieces]
        for word, times in Counter(words).items():
            self._add_word(scores, word, times * self._rarity(word) / whole)
        for pattern, power in ((_COINED, 2), (_ACRONYM, 4)):
            named = set(_words(" ".join(pattern.findall(query))))
            for word in named:
                share = (self._rarity(word) / self._rarity("")) ** power / len(named)
                for piece, own in zip(self._pieces, scores, strict=True):
                    own[piece.holding(hashed(word))[0]] += _NAMED * share
        return Coverage(self._pieces, scores)

    def _add_word(self, scores: Sequence[NDArray[np.float32]], word: str, weight: float) -> None:
        """BM25's saturating count of a word, in every paper that holds it."""
        for piece, norm, own in zip(self._pieces, self._norms, scores, strict=True):
            papers, counts = piece.holding(hashed(word))
            own[papers] += np.float32(weight) * counts / (norm[papers] + counts)

    def rarity(self, words: Sequence[str]) -> list[float]:
        """The rarity of each word by its stem; 0 for a stopword, and where nothing is indexed."""
        if not self._papers:
            return [0.0] * len(words)
        return [self._rarity(stems[0]) if (stems := _words(word)) else 0.0 for word in words]

    def _rarity(self, word: str) -> float:
        """BM25's inverse document frequency; a word that no paper holds counts as the rarest."""
        found = sum(len(piece.holding(hashed(word))[0]) for piece in self._pieces)
        return float(np.log(1 + (self._papers - found + 0.5) / (found + 0.5)))

    def save(self, folder: Path, revision: int, papers: int) -> None:
        """Write the pieces that are new, then the state that names them, then sweep out old ones.

        ``revision`` and ``papers`` tell which state of the library this is the index of.
        """
        folder.mkdir(parents=True, exist_ok=True)
        for number, piece in enumerate(self._pieces):
            if not self._names[number]:
                name = f"piece-{uuid4().hex[:12]}"
                piece.save(folder / name)
                self._names[number] = name
        state = {
            "format": _FORMAT,
            "revision": revision,
            "papers": papers,
            "pieces": self._names,
        }
        draft = folder / (_STATE + ".new")
        draft.write_text(json.dumps(state), encoding="utf-8")
        draft.replace(folder / _STATE)
        for old in folder.iterdir():
            if old.name not in (_STATE, *self._names):
                shutil.rmtree(old, ignore_errors=True) if old.is_dir() else old.unlink()

    @classmethod
    def load(cls, folder: Path, revision: int, papers: int) -> KeywordIndex | None:
        """The saved index, or None where it is missing, damaged or of another state.

        The revision alone would not do: it is raised when a long ``add`` begins, and an index that
        was made while that went on, or was killed, lacks the papers that came later.
        """
        index, *state = cls.latest(folder)
        return index if state == [revision, papers] else None

    @classmethod
    def latest(cls, folder: Path) -> tuple[KeywordIndex, int, int]:
        """What is on disk, with the revision and number of papers it was made of.

        An empty index of revision -1 where it is missing or damaged.
        """
        try:
            state = json.loads((folder / _STATE).read_text(encoding="utf-8"))
            if state["format"] != _FORMAT:
                return cls(), -1, 0
            names = [Path(name).name for name in state["pieces"]]
            pieces = [Postings.load(folder / name) for name in names]
            return cls(pieces, names), int(state["revision"]), int(state["papers"])
        except (OSError, EOFError, ValueError, LookupError, TypeError):
            return cls(), -1, 0


class Coverage(Mapping[str, float]):
    """Scores above 0 by paper id; looked up in the index, for a dictionary of all would be slow."""

    def __init__(self, pieces: Sequence[Postings], scores: Sequence[NDArray[np.float32]]) -> None:
        self._pieces = pieces
        self._scores = scores

    def __getitem__(self, name: str) -> float:
        for piece, scores in zip(self._pieces, self._scores, strict=True):
            row = piece.row(name)
            if row is not None and scores[row] > 0:
                return float(scores[row])
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for piece, scores in zip(self._pieces, self._scores, strict=True):
            yield from (name.decode() for name in piece.ids[scores > 0].tolist())

    def __len__(self) -> int:
        return sum(int(np.count_nonzero(scores)) for scores in self._scores)

    def best(self, count: int, among: Collection[str] | None = None) -> list[str]:
        """The ids of the papers with the highest scores, best first; of all, or of some."""
        if among is not None:
            found = [(-score, name) for name in among if (score := self.get(name, 0.0))]
        else:
            found = [row for number in range(len(self._pieces)) for row in self._top(number, count)]
        return [name for _, name in sorted(found)[:count]]

    def _top(self, number: int, count: int) -> Iterator[tuple[float, str]]:
        scores, ids = self._scores[number], self._pieces[number].ids
        rows = np.arange(len(scores))
        if count < len(scores):
            rows = np.argpartition(-scores, count)[:count]
        return ((-float(scores[row]), ids[row].decode()) for row in rows if scores[row])


def _indexed(texts: Mapping[str, str]) -> Iterator[Postings]:
    """Texts as pieces, some thousand papers each."""
    import bm25s

    rows = list(texts.items())
    for at in range(0, len(rows), _TOKENIZED):
        page = rows[at : at + _TOKENIZED]
        cut: Any = bm25s.tokenize(
            [text for _, text in page],
            stopwords="en",
            stemmer=_stemmer(),
            show_progress=False,
            allow_empty=False,
        )
        vocabulary = [0] * (max(cut.vocab.values(), default=-1) + 1)
        for word, number in cut.vocab.items():
            vocabulary[number] = hashed(word)
        ids, checks = [name for name, _ in page], [hashed(text) for _, text in page]
        yield build(ids, checks, cut.ids, vocabulary)


def _merge_last(pieces: list[Postings], names: list[str]) -> None:
    """Merge the last pieces while they are of like size, so that there are few of them.

    Each paper is so merged again only when its piece has doubled.
    """
    while len(pieces) > 1:
        last, before = len(pieces[-1]), len(pieces[-2])
        if 2 * last < before or last + before > _LARGEST:
            return
        pieces[-2:] = [merge(pieces[-2:])]
        names[-2:] = [""]


def _words(text: str) -> list[str]:
    """Stems of the words that carry meaning, with repeats.

    >>> _words("The bees and the dances")
    ['bee', 'danc']
    """
    import bm25s

    found = bm25s.tokenize(
        [text],
        stopwords="en",
        stemmer=_stemmer(),
        return_ids=False,
        show_progress=False,
    )
    return list(found[0])


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
