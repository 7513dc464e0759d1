"""Words to scores. The only module that imports ``bm25s``.

Stands beside the vectors: it finds what a name, a number or a rare word points to, where vectors
only know what a text is like. The index is a copy that can be made anew from Chroma at any time, so
it carries the revision of the library it was made from, and an old one is simply not loaded.

Scores are BM25 (Robertson & Zaragoza 2009; k1 0.9, b 0.4, stems) divided by what a paper would get
that held *every* word of the query: the share of the query that was met, weighed by rarity. The
usual division by the best score found gives full marks to the best paper even when it shares but a
stray word with the query; this share stays small then, and the vectors decide.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_K1, _B = 0.9, 0.4
_NAMED = 0.8
_STATE = "state.json"
_COINED = re.compile(r"\b\w*[a-z][A-Z]\w*")  # BeeNet, mRNA
_ACRONYM = re.compile(r"\b[A-Z][A-Z\d]+\b")  # RAM is one paper's; "GPU" is anybody's


class KeywordIndex:
    """BM25 over the whole papers of a library, by paper id."""

    def __init__(self, ids: Sequence[str], bm25: Any, frequencies: NDArray[np.int64]) -> None:
        self._ids = list(ids)
        self._bm25 = bm25
        self._frequencies = frequencies  # in how many papers each word of the vocabulary stands

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str]) -> KeywordIndex:
        """Index ``texts``; an empty library gives an index that finds nothing."""
        import bm25s

        words = [_words(text) for text in texts]
        if not any(words):
            return cls([], None, np.zeros(0, dtype=np.int64))
        bm25 = bm25s.BM25(k1=_K1, b=_B, method="lucene")
        bm25.index(words, show_progress=False)
        frequencies = np.zeros(len(bm25.vocab_dict), dtype=np.int64)
        for text in words:
            frequencies[[bm25.vocab_dict[word] for word in set(text)]] += 1
        return cls(ids, bm25, frequencies)

    def coverage(self, query: str) -> dict[str, float]:
        """The share of the query that each paper meets, 0 to 1; papers that meet none left out.

        A coined name ("BeeNet") is what a query is about, and vectors do not know it: papers that
        hold the query's names get up to ``_NAMED`` more, the rarer the names the more (acronyms
        only where they are rare indeed).
        """
        words = _words(query)
        if self._bm25 is None or not words:
            return {}
        known = [word for word in words if word in self._bm25.vocab_dict]
        if not known:
            return {}
        scores = self._bm25.get_scores(known) / sum(self._rarity(word) for word in words)
        for pattern, power in ((_COINED, 2), (_ACRONYM, 4)):
            named = set(_words(" ".join(pattern.findall(query))))
            for word in named.intersection(self._bm25.vocab_dict):
                share = (self._rarity(word) / self._rarity("")) ** power / len(named)
                scores = scores + _NAMED * share * (self._bm25.get_scores([word]) > 0)
        return {self._ids[i]: float(scores[i]) for i in np.flatnonzero(scores > 0)}

    def rarity(self, words: Sequence[str]) -> list[float]:
        """The rarity of each word by its stem; 0 for a stopword, and where nothing is indexed."""
        if self._bm25 is None:
            return [0.0] * len(words)
        return [self._rarity(stems[0]) if (stems := _words(word)) else 0.0 for word in words]

    def _rarity(self, word: str) -> float:
        """BM25's inverse document frequency; a word that no paper holds counts as the rarest."""
        number = self._bm25.vocab_dict.get(word)
        found = 0 if number is None else int(self._frequencies[number])
        return float(np.log(1 + (len(self._ids) - found + 0.5) / (found + 0.5)))

    def save(self, folder: Path, revision: int, papers: int) -> None:
        """Write the index beside ``folder`` and put it in its place, the state file last.

        ``papers`` is the size of the library that it was made from.
        """
        draft = folder.with_name(folder.name + ".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        if self._bm25 is not None:
            self._bm25.save(draft, show_progress=False)
        np.save(draft / "frequencies.npy", self._frequencies)
        state = {"revision": revision, "papers": papers, "ids": self._ids}
        (draft / _STATE).write_text(json.dumps(state), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        draft.replace(folder)

    @classmethod
    def load(cls, folder: Path, revision: int, papers: int) -> KeywordIndex | None:
        """The saved index, or None where it is missing, damaged or of another state.

        The revision alone would not do: it is raised when a long ``add`` begins, and an index that
        was made while that went on, or was killed, lacks the papers that came later.
        """
        import bm25s

        try:
            state = json.loads((folder / _STATE).read_text(encoding="utf-8"))
            if (state["revision"], state["papers"]) != (revision, papers):
                return None
            ids = state["ids"]
            bm25 = bm25s.BM25.load(folder, mmap=True) if ids else None
            if bm25 is not None and bm25.scores["num_docs"] != len(ids):
                return None
            return cls(ids, bm25, np.load(folder / "frequencies.npy"))
        except (OSError, EOFError, ValueError, LookupError, TypeError):
            return None


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
