"""What one paper says to a claim: it supports it, contradicts it, or is only related.

Three things are known of a claim and an abstract, and each alone is weak:

- how near they are, in meaning and in words: tells whether the paper may decide it at all;
- the cheap checks of ``verifying``: a number that is not there, a yes turned to a no; and whether
  the search put it first;
- the model's own view: "does the abstract show that the claim is true?", the logit of Yes over No
  and the state of the model behind it. A small model *knows* of contradictions better than it
  *says* so: a linear probe reads them off its state (Alain & Bengio 2016, arXiv:1610.01644; for
  truth Azaria & Mitchell 2023, arXiv:2304.13734).

Nearness decides only what is read: a paper that is clearly not about the claim is not put to the
model, which is what takes the time. How near is near differs from field to field, so the stance
rests on the checks and the model alone (with nearness among its inputs, a regression trained on
medicine failed on machine learning). A claim that denies something is held against its contrary
as well (``affirming``). A multinomial logistic regression puts them together;
``benchmarks/stance.py`` fits it. A model without a probe is judged by its logit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistant import prompting
from assistant.affirming import affirmed
from assistant.agreeing import agrees
from assistant.citing import Source, tie
from assistant.framing import gives_orders
from assistant.llm import ChatModel, Opinion
from assistant.polarity import reversal
from assistant.quantities import quantities
from assistant.rationale import rationale
from assistant.trained import is_trained, trained
from assistant.types import Cancellation, Stance, Weighed
from assistant.verifying import Entails
from store.types import Hit, ScoredSentence

Numbers = NDArray[np.float64]

LABELS = (Stance.CONTRADICTS, Stance.RELATED, Stance.SUPPORTS)
_NEAREST = 4  # sentences read of an abstract, and its last, which often draws the conclusion
_SURELY_RELATED = 0.9  # beyond it the model is not asked
_NOT_JUDGED = np.array([0.0, 1.0, 0.0])  # by label: related, since nothing more is known


def weigh(
    claim: str,
    hit: Hit,
    model: ChatModel | None,
    cancel: Cancellation,
    judge: Entails | None = None,
) -> Weighed:
    """Hold a paper that was found for ``claim`` against it; a ``judge`` goes before the model."""
    if not hit.sentences:  # a title alone says nothing
        return Weighed(hit.paper, Stance.RELATED, 1.0, ())
    likely = _NOT_JUDGED
    checked = checks(claim, hit)
    may = (judge or model) and may_decide(nearness(claim, hit), checked)
    if may and judge:
        found = judge(" ".join(sentence.text for sentence in excerpt(hit)), claim)
        likely = np.array([found.contradicts, found.open, found.entails])
    elif may and model:
        likely = _asked(claim, hit, checked, model, cancel)
    best = int(likely.argmax())
    if LABELS[best] is Stance.SUPPORTS and model and not judge and (other := affirmed(claim)):
        contrast = _asked(other, hit, checks(other, hit), model, cancel)
        if contrast[best] >= likely[best]:  # it says rather what the claim denies
            # What supports the contrary contradicts the claim: the outer two labels trade places.
            likely, best = contrast[::-1], LABELS.index(Stance.CONTRADICTS)
    return Weighed(hit.paper, LABELS[best], float(likely[best]), rationale(claim, hit))


def _asked(
    claim: str, hit: Hit, checked: Numbers, model: ChatModel, cancel: Cancellation
) -> Numbers:
    """How likely each label is when the model has read the paper."""
    prompt = prompting.weighing(claim, hit.paper, excerpt(hit))
    opinion = model.opinion(prompt, cancel=cancel)
    return _judged(checked, opinion, model.name) if opinion else _NOT_JUDGED


def may_decide(near: Numbers, checked: Numbers) -> bool:
    """Whether a paper is near enough to the claim to be read."""
    likely = _probabilities("before", np.concatenate([near, checked]))
    return bool(likely[LABELS.index(Stance.RELATED)] < _SURELY_RELATED)


def excerpt(hit: Hit) -> tuple[ScoredSentence, ...]:
    """The sentences that are read: the nearest and the last, in reading order."""
    told = [s for s in hit.sentences if not gives_orders(s.text)] or list(hit.sentences)
    last = max(told, key=lambda sentence: sentence.start)
    chosen = dict.fromkeys((*told[:_NEAREST], last))
    return tuple(sorted(chosen, key=lambda sentence: sentence.start))


def nearness(claim: str, hit: Hit) -> Numbers:
    """The cosines of the three nearest sentences, and the share of the claim's words: ``(4,)``."""
    near = [sentence.score for sentence in hit.sentences[:3]]
    near += near[-1:] * (3 - len(near))
    return np.array([*near, tie(claim, _sources(hit)).coverage], dtype=np.float64)


def checks(claim: str, hit: Hit) -> Numbers:
    """Is a yes turned to a no, is a number missing, did the search put it first? ``(3,)``."""
    sources = _sources(hit)
    tied = tie(claim, sources)
    turned = reversal(claim, [source.text for source in tied.sources])
    held = [number for source in sources for number in quantities(source.text)]
    missing = any(not any(agrees(n, other) for other in held) for n in quantities(claim))
    return np.array([bool(turned), missing, hit.rank == 1], dtype=np.float64)


def _sources(hit: Hit) -> list[Source]:
    return [Source(1, s.text, s.start, s.end) for s in excerpt(hit)]


def joined(known: Numbers, opinion: Opinion, probe: str) -> Numbers:
    """The checks with what the model says and, where a ``probe`` is trained, knows."""
    if not probe or opinion.state is None:
        return np.append(known, opinion.yes)
    return np.concatenate([known, [opinion.yes], linear(probe, opinion.state.astype(np.float64))])


def linear(name: str, inputs: Numbers) -> Numbers:
    """The outputs of a trained table; ``inputs`` has shape ``(f,)`` or ``(n, f)``."""
    table = trained(name)
    outputs: Numbers = inputs @ table[:-1] + table[-1]
    return outputs


def _judged(known: Numbers, opinion: Opinion, model: str) -> Numbers:
    probe = f"{model}.state"
    if opinion.state is not None and is_trained(probe):
        return _probabilities(f"{model}.stance", joined(known, opinion, probe))
    return _probabilities("said", joined(known, opinion, ""))


def _probabilities(name: str, inputs: Numbers) -> Numbers:
    scores = linear(name, inputs)
    weights: Numbers = np.exp(scores - scores.max())
    shares: Numbers = weights / weights.sum()
    return shares
