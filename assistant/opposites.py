"""Words that say the contrary of each other: what ``polarity`` looks for."""

from __future__ import annotations

import Stemmer

# One axis a line: its two ends. A word may stand on several axes.
_AXES = tuple(
    tuple(frozenset(end.split()) for end in line.split("|"))
    for line in """
    increase rise grow more higher larger greater boost raise amplify heighten enlarge expand \
        elevate up gain high enhance upregulate strengthen most | decrease reduce lower less \
        fewer smaller drop decline diminish shrink lessen fall cut down loss low suppress \
        downregulate weaken attenuate least minimal lessen mitigate
    improve better outperform surpass exceed beat superior best enhance benefit boost help \
        advance strengthen | worsen degrade worse underperform inferior worst hurt harm \
        deteriorate impair damage lag hinder
    faster quick accelerate speedup fast quickly rapidly speed rapid | slower slow decelerate \
        slowdown slowly
    possible feasible achievable able tractable | impossible infeasible unachievable unable \
        intractable
    sufficient enough suffice sufficiently adequate | insufficient inadequate insufficiently
    with include contain | without exclude lack
    always consistently | never rarely seldom hardly inconsistently
    all every each | none few no
    stable stabilize | unstable destabilize instability
    necessary needed required essential | unnecessary needless dispensable
    reliable reliably | unreliable unreliably
    robust resilient | brittle fragile vulnerable
    easy easily simple simpler easier | hard difficult harder complex complicated
    cheap cheaper inexpensive affordable | expensive dearer
    strong stronger | weak weaker
    positive positively | negative negatively
    early earlier | late later
    before prior preceding | after following
    maximize maximal maximum | minimize minimal minimum
    upper above | lower below
    small smaller short shorter narrow | large larger long longer wide big
    many numerous abundant | few scarce
    first | last
    allow enable permit facilitate support promote | prevent block prohibit forbid preclude \
        inhibit
    preserve maintain retain keep protect | destroy lose break discard erode
    succeed success effective successful effectively successfully work | fail failure \
        ineffective unsuccessful ineffectively
    accurate accurately precise | inaccurate inaccurately imprecise
    efficient efficiently | inefficient inefficiently
    similar same identical equal | different dissimilar unequal
    match | mismatch
    known | unknown
    convex | nonconvex
    linear linearly | nonlinear nonlinearly
    supervised | unsupervised
    online | offline
    biased | unbiased
    consistent | inconsistent
    optimal optimally | suboptimal suboptimally
    common frequent often frequently usually | rare uncommon infrequent rarely
    dense | sparse
    global globally | local locally
    visible | invisible
    certain | uncertain
    dependent depend | independent
    converge | diverge
    agree | disagree
    satisfy meet | violate
    open | closed
    public | private
    add | remove
    accept | reject
    encourage | discourage
    favor prefer | avoid
    sublinear | superlinear
    underestimate | overestimate
    safe | unsafe dangerous
    external | internal
    static | dynamic
    coarse | fine
    top | bottom
    forward | backward
    win | lose
    exist | nonexistent
    presence | absence
    active | inactive
    lossless | lossy
    deterministic | stochastic
    """.strip().splitlines()
)  # fmt: skip
stem_of = Stemmer.Stemmer("english").stemWord
ENDS: dict[str, list[tuple[int, int]]] = {}
for _axis, _ends in enumerate(_AXES):
    for _sign, _end in zip((1, -1), _ends, strict=True):
        for _word in _end:
            ENDS.setdefault(stem_of(_word), []).append((_axis, _sign))
