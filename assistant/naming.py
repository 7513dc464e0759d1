"""Names of systems, data sets and methods: part of ``verifying``.

A finding is only true of the one it was found of, so a sentence's names are held against the
names of its source. One thing goes by several: the short form and the long one ("Register Anything
Model", "RAM"), with and without a hyphen or a plural s, in whatever case.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from store.plaintext import plain

_NAME = re.compile(
    r"""(?<![\w-])(?:
        [A-Z]+[a-z]*[A-Z0-9][\w-]*      # BeeNet, RAM, GPT-4, Qwen2
      | [A-Z][a-z]+\d[\w-]*             # Llama3
      | [A-Z][a-z]*-(?:[A-Z]+|\d)[\w-]* # R-Learner, Ant-7
      | [a-z]{1,2}[A-Z][\w-]*           # iBee, mT5
    )(?:[.'’]\d[\w-]*)*                 # Llama-3.1-8B, AIME'24
    """,
    re.VERBOSE,
)
_TOKEN = re.compile(r"[^\W_]+(?:[-–_/.'+*][^\W_]+)*[+*]*")
_URL = re.compile(r"https?://\S+")
_LOWER_TAIL = re.compile(r"(?:-[a-z]+)+$")  # "RAM-based" speaks of RAM
_EDGE = re.compile(r"[\s\-–/]+")
_GREEK = {"λ": "lambda", "α": "alpha", "β": "beta", "γ": "gamma", "ε": "epsilon", "τ": "tau"}

# Words of a whole field: they say what something is, never which one.
_GENERAL = frozenset(
    "ai ml rl dl nlp llm lm slm gpu cpu tpu gan cnn dnn gnn rnn vae mdp mlp lstm sgd vlm mllm mcmc"
    " pde ode sde qa vqa ood rag iid usd eur api id ui ip pca svm hmm ctr mse mae rmse auc f1 kl 2d"
    " 3d 1d i ii iii iv a x y n k dp fl ot cot sota usa uk eu nn dna rna hiv covid-19 3d-2d"
    " l1 l2 phd".split()
)
_PREPOSITION = re.compile(
    r"\b(?:of|in|on|at|by|for|from|with|to|than|over|against|like|unlike|via|using|as|between"
    r"|versus|vs|compared|including|through|across|under|within|into|per|outperform\w*|beat\w*"
    r"|surpass\w*|exceed\w*)\.?(?:\s(?:the|a|an|both|other|existing|standard|such|its))*\s*$",
    re.IGNORECASE,
)


def names(text: str) -> frozenset[str]:
    """Acronyms and names in mixed case, which point to one thing: "RAM", "DeFlow", "GPT-4".

    >>> sorted(names("We show that DeFlow beats GPT-4-based LLMs and R-Learner."))
    ['DeFlow', 'GPT-4', 'R-Learner']
    """
    return frozenset(name for name, _ in named(text))


def subjects(text: str) -> frozenset[str]:
    """Those names that a sentence says something of, not those it only mentions.

    >>> sorted(subjects("On BeeBench, AntWalk and BeeNet dance better than WaspNet."))
    ['AntWalk', 'BeeNet']
    """
    text = plain(text)
    found: list[str] = []
    for name, start in named(text):
        joined = found and re.search(r"(?:,|\band|&)\s*$", text[:start])
        if not _PREPOSITION.search(text[:start]) and (joined or len(text[:start].split()) < 9):
            found.append(name)
        elif found:
            break
    return frozenset(found)


@lru_cache(maxsize=4096)
def named(text: str) -> tuple[tuple[str, int], ...]:
    """Names and where they stand in the plain text."""
    found = []
    for match in _NAME.finditer(_URL.sub("", plain(text))):
        name = _LOWER_TAIL.sub("", match.group()).rstrip("-")
        if len(name) > 1 and not is_general(name):
            found.append((name, match.start()))
    return tuple(found)


def is_general(name: str) -> bool:
    """Whether a name is a word of the field, as LLM and GPU are."""
    low = name.lower()
    return low in _GENERAL or low.removesuffix("s") in _GENERAL


def speaks_of(text: str, name: str) -> bool:
    """Whether a text names it, in whatever form.

    >>> speaks_of("The Register Anything Model (RAM) helps.", "RAM")
    True
    >>> speaks_of("Register Anything Models help.", "RAM"), speaks_of("bee-net", "BeeNet")
    (True, True)
    >>> speaks_of("Parameters of DeFlowCritic.", "DeFlow"), speaks_of("parameters", "RAM")
    (False, False)
    """
    forms, initials = _forms(text)
    key = _key(name)
    if key in forms or key.removesuffix("s") in forms:
        return True
    letters = "".join(filter(str.isalpha, name.removesuffix("s"))).lower()
    acronym = name.removesuffix("s").isalpha() and name.removesuffix("s").isupper()
    return acronym and len(letters) > 1 and letters in initials


def aliases(text: str) -> dict[str, str]:
    """Long forms to the short forms that a text gives them: "Register Anything Model (RAM)".

    >>> aliases("We use the dance noise model (DNM), and an ant (small).")
    {'dance noise model': 'DNM'}
    """
    found: dict[str, str] = {}
    text = plain(text)
    for match in re.finditer(r"\(([A-Z][\w-]*[A-Z]\w*)\)", text):
        short = "".join(filter(str.isupper, match.group(1))).lower()
        words = re.findall(r"[^\W_]+", text[max(0, match.start() - 120) : match.start()])
        for length in range(2, min(len(words), 2 * len(short)) + 1):
            if _initials(words[-length:]) == short:
                at = text.rfind(words[-length], 0, match.start())
                found[text[at : match.start()].strip().lower()] = match.group(1)
                break
    return found


def with_short_forms(text: str, known: dict[str, str]) -> str:
    """The text with the long forms replaced, so that both ways of naming have the same words.

    >>> with_short_forms("Dance noise models hum.", {"dance noise model": "DNM"})
    'DNM hum.'
    """
    for long, short in known.items():
        flexible = r"[\s-]+".join(re.escape(word) for word in _EDGE.split(long))
        text = re.sub(rf"\b{flexible}s?\b", short, text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=1024)
def _forms(text: str) -> tuple[frozenset[str], str]:
    """All that a text names, one form each; and the initials of its words, in order."""
    text = _folded(plain(text))
    tokens = _TOKEN.findall(text)
    forms: set[str] = set()
    for token in tokens:
        parts = _EDGE.split(token)
        forms.update(_key("".join(parts[:n])) for n in range(1, len(parts) + 1))
        forms.update(map(_key, parts))
    forms.update(_key(a + b) for a, b in pairwise(tokens))
    forms |= {form.removesuffix("s") for form in forms if len(form) > 3}
    # A stop ends a run of initials; small words may stand within one ("Point of Interest").
    runs = (re.findall(r"[^\W_]+", part) for part in re.split(r"[.,;:()]", text))
    initials = "|".join(_initials(run) + "|" + _initials(run, small=True) for run in runs)
    return frozenset(forms), initials


def _initials(words: list[str], *, small: bool = False) -> str:
    kept = [w for w in words if small or w.lower() not in {"of", "the", "and", "for", "a", "in"}]
    return "".join(word[0].lower() for word in kept)


def _key(name: str) -> str:
    return re.sub(r"[\W_]", "", _folded(name)).lower()


def _folded(text: str) -> str:
    """Without accents, and with Greek letters by name."""
    text = "".join(_GREEK.get(letter, letter) for letter in text)
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
