"""A request to its topic: "Give an overview of the papers on X." is about X. Pure.

The words of the request would be searched for like any others, and papers that speak of "methods"
and "overviews" found. So a few phrases are taken off the front, as long as something is left.
"""

from __future__ import annotations

import re

_WORKS = r"""(?:(?:the|all|our|these|those|any|some|recent|existing|current|different|various|main
    |available|published|my)\s+)*
    (?:work|works|papers?|abstracts?|literature|research|stud(?:y|ies)|methods?|approach(?:es)?
    |techniques?|results?|findings?|state\ of\ the\ art|progress|advances|library
    |publications?)"""
_ON = (
    r"(?:\s+(?:that\s+(?:is|are)\s+)?(?:on|about|of|for|in|regarding|concerning|into|around|to)\b)"
)
_SAY = r"(?:say|says|said|know|knows|report|reports|tell|tells|show|shows|find|finds|have\ to\ say)"

_FRONT = tuple(
    re.compile(rf"\A\s*(?:{pattern})(?:\s+us|\s+me)?\s*[,:]?\s+(?=\S)", re.IGNORECASE | re.VERBOSE)
    for pattern in (
        r"please",
        r"(?:can|could|would|will)\ you(?:\ please)?",
        r"I(?:\ would|['’]d)?\ (?:want|like|need)(?:\ to\ (?:know|see|have|read))?",
        # What the papers say about X; what is known about X
        rf"""(?:summari[sz]e|describe|explain|show|review|outline|list|tell(?:\ me)?)?\s*what\s+
             (?:do(?:es)?\s+)?{_WORKS}\s+{_SAY}(?:\s+(?:about|on|of))""",
        r"""what(?:['’]s|\ is|\ are|\ has\ been|\ have\ been|\ was)\ (?:there\ )?(?:already\ )?
            (?:known|said|done|reported|written|found|shown|published|studied|learn(?:ed|t))
            (?:\s+(?:about|on|of|for|in|regarding))""",
        rf"what(?:['’]s|\ is|\ are)\ (?:the\ )?{_WORKS}{_ON}",
        rf"(?:what|which)\ {_WORKS}\s+(?:is\ there|are\ there|exists?|(?:is|are)\ available){_ON}",
        r"what\ (?:do|can)\ (?:we|you)\ (?:know|say|learn|tell)(?:\ me|\ us)?\ (?:about|of|on)",
        rf"""which\ {_WORKS}\s+(?:(?:are|is|deal|deals)\s+(?:on|about|with)
             |study|studies|discuss|address|consider|treat|use|propose)""",
        rf"(?:are|is)\ there\ {_WORKS}{_ON}",
        # Give an overview of X; a summary of the papers on X
        r"""(?:(?:give|write|provide|make|create|produce|show|prepare|get)(?:\ (?:me|us))?\s+)?
            (?:an?|the|some)?\s*(?:(?:short|brief|quick|good|concise|full|general)\s+)*
            (?:overview|summary|survey|review|synthesis|outline|digest)
            \ (?:of|on|about|over|for)""",
        r"(?:summari[sz]e|describe|explain|discuss|tell\ me|show\ me)(?:\s+(?:about|on))?",
        # "list decoding" and "present bias" are topics.
        rf"""(?:survey|review|outline|present|list|show|find|collect|compare)
            (?=\s+(?:the|all|any|{_WORKS})\b)""",
        rf"{_WORKS}{_ON}",
        r"how\ (?:can|could|do|does|did|should|may|might|is|are|to)",
        r"what\ (?:is|are)",
    )
)
_END = re.compile(r"[\s.?!]+\Z")
_MAX_PASSES = 4


def topic_of(request: str) -> str:
    """The topic of a request, without its words; never empty where the request is not.

    >>> topic_of("Summarize what the papers say about bee dances.")
    'bee dances'
    >>> topic_of("Please give me a short overview of recent work on bees, ants and wasps")
    'bees, ants and wasps'
    >>> topic_of("What is known about honey?"), topic_of("overview")
    ('honey', 'overview')
    """
    topic = _END.sub("", " ".join(request.split()))
    for _ in range(_MAX_PASSES):
        shorter = (front.sub("", topic, count=1) for front in _FRONT)
        if (rest := next((text for text in shorter if text != topic), topic)) == topic:
            break
        topic = rest
    return topic or request
