r"""Beside the flow: the name by which a person recognises a paper.

The title when there is one. A plain list has none; there the label is the system, method or data
set that the abstract introduces, or else its opening words. It is for display: nothing is found or
counted by it.

>>> label(Paper.of(r"Bees are lost. We present \textbf{BeeNet}, a model of dances."))
'BeeNet'
>>> label(Paper.of("Bees fly. This paper proposes a map of the hive called Waggle Atlas (WA)."))
'Waggle Atlas (WA)'
>>> label(Paper.of("Bees dance when they come home with news of a rich field of clover."))
'Bees dance when they come home with news of a…'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from store.plaintext import plain
from store.types import Paper

_OPENING_WORDS = 10
_MAX_NAME = 70
_CLAUSE = 260
_READ = 20_000  # nobody introduces a system later than that

# Who introduces: the authors or their paper, not "recent works" or a colleague.
_INTRODUCES = re.compile(
    r"""\b(?:[Ww]e|and|[Tt]his\ \w{1,12}|[Oo]ur\ \w{1,12}
            |[Tt]he\ (?:present\ )?(?:paper|work|study))\b
        [^.;:]{0,70}?
        \b(?:present|introduce|propose|develop|release|describe|build|design|devise|contribute
            |create|construct|formulate|establish|derive|offer|provide|define
            |instantiate\ this\ \w{1,12}\ via)s?\b\ (?:(?:and|or)\ [a-z]{3,14}\ )?""",
    re.VERBOSE,
)
_NAMES = re.compile(
    r"""(?:\b(?:[Ww]e|which|that|framework|method|approach|model|algorithm|metric|dataset|benchmark
            |system|objective|rule|scheme|technique|architecture|mechanism|strategy|criterion
            |concept|family|variant|procedure|loss|network|pipeline|paradigm|toolkit|library
            |estimator|solution|setting|problem|phenomenon|suite|agent|optimizer|sampler)\b
          [^.;]{0,80}?)
        \b(?:called|call|named|name|dubbed|dub|termed|term|coined|coin|denoted|titled
            |refer(?:red)?\ to|abbreviated)\b[:,]?\ (?:(?:this|these|it|them|such)\b\ ?
            (?:[a-z-]{1,16}\ ){0,2}?)?(?:as\ )?(?:by\ )?(?:the\ |an?\ )?[“‘"']?""",
    re.VERBOSE,
)

_INTRODUCES_NAMED = re.compile(
    r"\b(?:propos|introduc|present|develop|design)[^.;]{0,120}?"
    r"\b(?:namely|called|named(?: as)?|dubbed|termed|coined),? (?:the |an? )?[“‘\"']?"
)

_TOKEN = r"[A-Z0-9][\w.+@*^²³∞α-ωΑ-Ω-]{0,30}"
_MIXED = r"[a-zα-ω]{1,12}[A-Z0-9][\w.+@-]{0,24}"
_LINK = r"(?:of|for|and|with|the|in|via|to|on|from|by|through|as|without|over|&)"
_NAME = re.compile(
    rf"""(?P<name>(?:{_TOKEN}|{_MIXED})
            (?:\s(?:{_LINK}\s){{0,2}}(?:{_TOKEN}|{_MIXED})){{0,8}})
        (?P<more>\s?\((?P<inner>[^()]{{2,90}})\))?
        [”’"']?(?P<after>\s?[,.:;—–]|\s-\s|$|\s?[^\W\d_][\w-]*|\s?\S)""",
    re.VERBOSE,
)
_EXPANDED = re.compile(r"((?:[\w’'/&-]{1,30}\s){1,9})\((?P<acronym>[A-Za-z][\w+@-]{1,14})\)")
_DETERMINER = re.compile(
    r"(?:(?:the|an?|our|its|two|three|several|both|new|novel|first|simple|general|efficient|robust"
    r"|unified|principled|generic|so-called|such|another|one|also|further|instead)[\s,]+){1,5}",
    re.IGNORECASE,
)
_APPOSED = re.compile(r"[^.;()]{3,90}?[:,—–]\s(?:namely\s)?(?:the\s)?")

_KIND = r"(?:method|approach|strategy|framework|model|algorithm|technique|rule|solution|system)"
_BRACKETED = re.compile(rf"\b{_KIND} \(([^()]{{3,60}})\)")
_OF_A_KIND = re.compile(rf"(?:[a-z-]{{1,24}} ){{0,6}}{_KIND} (?=\S)")
_EXPLAINED = re.compile(r"[\w-]+, (?:an?|the|our|which)\b")
_ADJECTIVE = re.compile(r"(?:ate|ive|ed|able|ible|ous)$")
_BOILERPLATE = re.compile(
    r"(?:(?:[Ii]n this (?:paper|work|study|article|report)|[Hh]ere),? )?"
    r"(?:[Ww]e|[Tt]his (?:paper|work|study|article)) "
    r"(?:present|propose|introduce|develop|study|studie|consider|investigate|explore|address"
    r"|describe|examine|analyze|analyse|revisit|give|discus|discusse)s? (?:and \w{4,12} )?"
    r"(?:here )?(?:the following )?(?:the (?:problem|challenge|task|question) of )?(?:the |an? )?"
    r"(?:(?:novel|new) )?(?=\w)"
)

_AFTER_A_NAME = frozenset(
    "that which to for as in and on by using with via is are where whose a an the from through it"
    " of based consisting can at under or over who when while having designed built trained wherein"
    " within has does aims leverages uses achieves".split()
)
_KINDS = frozenset(
    "framework method approach model models algorithm algorithms benchmark dataset data system"
    " architecture network networks metric mechanism strategy objective rule scheme technique"
    " estimator family loss toolkit library suite problem setting theory procedure policy optimizer"
    " module pipeline corpus task paradigm variant bandit distance attention agent layer block game"
    " class classes divergence estimation training learning operator attack sampler".split()
)
_COMMON = frozenset(
    "AI ML RL LLM LLMs NLP DL GAN GANs CNN CNNs DNN DNNs GNN GNNs RNN RNNs VAE VAEs MDP MDPs SGD"
    " MCMC GPU GPUs 3D 2D 1D IoT KL PDE PDEs ODE SDE SDEs VLM VLMs MLP MLPs FL OOD RLHF RLVR SSL"
    " UCB UQ TV RBF SVM SVMs PCA OT PPO GRPO DPO LP ILP IL CL QA VQA NER MT NMT ASR TTS CV RAG"
    " Bayesian Gaussian Markov Boltzmann Fourier Riemannian Wasserstein Bellman Nash Python"
    " Transformer Transformers Hamiltonian Lagrangian Euclidean Hopfield Fisher Shannon Monte Carlo"
    " Experiments Our We It This In To Specifically However".split()
)
_COMPOUND = re.compile(
    r"-(?:based|inspired|guided|style|aware|driven|free|like|level|optimal|type|agnostic|hard|to"
    r"|theoretic|source|regularized|invariant|efficient|dimensional|centric|specific|time)$",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(
    "of for in on to that from by which using with under is are over about between where as".split()
)


def label(paper: Paper) -> str:
    """A short name for display; never empty when the paper has any text."""
    if title := plain(paper.title):
        return title
    text = plain(paper.abstract)
    return introduced(text) or opening(text)


def opening(text: str) -> str:
    """The first words of a plain text, without "In this paper, we propose a".

    >>> opening("In this paper, we study the problem of bees that dance.")
    'Bees that dance.'
    """
    rest = _BOILERPLATE.sub("", text, count=1) if _BOILERPLATE.match(text) else text
    words = (rest[:1].upper() + rest[1:]).split()
    if len(words) <= _OPENING_WORDS:
        return " ".join(words)
    return " ".join(words[:_OPENING_WORDS]).rstrip(",;:.(–—-") + "…"


def introduced(text: str) -> str:
    """The name of what a plain text introduces, or "".

    >>> introduced("Bees fly. Here we propose a novel method.")
    ''
    >>> introduced("We introduce dance language models (DLM), which hum.")
    'dance language models (DLM)'
    """
    text = text[:_READ]
    cues: list[tuple[int, Callable[[str], Iterator[str]]]]
    cues = [(cue.end(), _after_verb) for cue in _INTRODUCES.finditer(text)]
    for naming in (_NAMES, _INTRODUCES_NAMED):
        cues += [(cue.end(), _after_naming) for cue in naming.finditer(text)]
    for position, finder in sorted(cues, key=lambda cue: cue[0]):
        if name := next(finder(_clause(text, position)), ""):
            return name
    return ""


def _clause(text: str, start: int) -> str:
    clause = text[start : start + _CLAUSE]
    return re.split(r"(?<=[\w)”’])[.;?!](?=\s|$)", clause, maxsplit=1)[0] + "."


def _after_verb(clause: str) -> Iterator[str]:
    """Names in "(we propose) X", "a rule X", "learning by bees (LBB)", "a map, X", "a map (X)"."""
    bare = _DETERMINER.sub("", clause, count=1) if _DETERMINER.match(clause) else clause
    yield from _name_at(bare)
    if kind := _OF_A_KIND.match(bare):
        yield from _name_at(bare[kind.end() :], strict=True)
    yield from _expansion_in(bare)
    if apposed := _APPOSED.match(bare):
        yield from _name_at(bare[apposed.end() :], strict=True)
    if bracketed := _BRACKETED.search(bare):
        yield from _name_at(bracketed.group(1), strict=True)


def _after_naming(clause: str) -> Iterator[str]:
    """Names in "(a model called) X"; after such a cue a name needs no other sign."""
    yield from _name_at(clause, lone=True)
    yield from _expansion_in(clause)


def _name_at(text: str, *, lone: bool = False, strict: bool = False) -> Iterator[str]:
    """The name that a text begins with, if what begins there is one.

    ``lone``: one capitalised word is enough. ``strict``: it has to be a coined word.
    """
    match = _NAME.match(text)
    if not match:
        return
    name, inner = match.group("name").rstrip("."), match.group("inner") or ""
    after = match.group("after").strip()
    words = name.split()
    if all(word in _COMMON or _COMPOUND.search(word) for word in words):
        return
    if _is_acronym_of(inner, name) or _is_acronym_of(name, inner):
        yield _fitting(name, inner)
        return
    if (after[:1].isalpha() and after not in _AFTER_A_NAME | _KINDS) or _COMPOUND.search(words[-1]):
        return
    coined = any(_is_coined(word) for word in words if word not in _COMMON)
    explained = sum(word[:1].isupper() for word in inner.split()) > 1 or _EXPLAINED.match(text)
    if coined or (not strict and (len(words) > 1 or lone or explained)):
        yield name


def _expansion_in(text: str) -> Iterator[str]:
    """The object of the clause, spelt out before its acronym: "bee dance analysis (BDA)"."""
    match = _EXPANDED.search(text)
    if not match:
        return
    acronym = match.group("acronym")
    words = text[: match.start("acronym") - 1].split()
    if acronym in _COMMON or sum(map(str.isupper, acronym)) < 2:
        return
    length = _expansion_length(words, acronym)
    head = words[: len(words) - length]
    if not length or (_ADJECTIVE.search(words[-1]) and words[-1].islower()):
        return
    if words[-length][0].isupper() and "to" in head[:6]:  # "a method to measure Dance Noise (DN)"
        head.remove("to")
    commas = any(word[-1] in ",:" for word in head[:-1])  # "a measure, bee dance noise (BDN)"
    if not commas and _PREPOSITIONS.isdisjoint(head):
        yield _fitting(" ".join(words[-length:]), acronym)


def _expansion_length(words: list[str], acronym: str) -> int:
    """How many of the last words the acronym stands for; 0 if it stands for none of them."""
    for length in range(1, min(len(words), 10) + 1):
        phrase = " ".join(words[-length:])
        if words[-length][0].lower() == acronym[0].lower() and _is_acronym_of(acronym, phrase):
            return length
    return 0


def _is_acronym_of(acronym: str, phrase: str) -> bool:
    """Whether the capitals of the one are the initials, or at least in order, of the other."""
    letters = [letter.lower() for letter in acronym if letter.isupper()]
    if len(letters) < 2 or " " in acronym.strip() or len(phrase) <= len(acronym):
        return False
    if "".join(filter(str.isupper, phrase)).lower() == "".join(letters):
        return True
    initials = [w[0].lower() for w in re.split(r"[\s/-]+", phrase) if w]
    if initials[0] != letters[0] and phrase[0].lower() != acronym[0].lower():
        return False
    rest = iter(phrase.lower())
    in_order = all(letter in rest for letter in letters)
    return in_order and sum(i in letters for i in initials) >= max(2, len(letters) - 2)


def _is_coined(word: str) -> bool:
    """CamelCase, an acronym, or letters with digits."""
    if _COMPOUND.search(word):
        return False
    capitals = sum(map(str.isupper, word))
    inner_capital = any(map(str.isupper, word[1:])) and "-" not in word
    return inner_capital or capitals > 1 or (word[:1].isalpha() and word[-1:].isdecimal())


def _fitting(name: str, inner: str) -> str:
    both = f"{name} ({inner})"
    return both if len(both) <= _MAX_NAME else min(name, inner, key=len)
