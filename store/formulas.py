"""What in a text is a formula of LaTeX: the same for all who cut, read or show texts."""

from __future__ import annotations

import re

# A formula. The dollar signs hug what they enclose and no digit follows, so that "$5 or $6" is
# none unless a command stands within; the bounded length keeps a stray sign from taking half the
# text with it.
MATH = re.compile(
    r"""(?<!\\)\$\$[^$]{1,1000}\$\$
      | (?<!\\)\$(?=[^$\\]{0,200}\\[a-zA-Z])[^$]{1,400}\$
      | (?<!\\)\$(?![\s$])(?:[^$\\]|\\.){0,400}?(?<!\s)\$(?!\d)
      | \\\((?:[^\\]|\\[^()]){1,400}?\\\)
      | \\\[(?:[^\\]|\\[^\[\]]){1,400}?\\\]""",
    re.VERBOSE,
)
