"""The names of authors, out of the many ways in which files write them.

Asked by ``fields``. A name itself stays as it was written: "Frisch, Karl" is not turned.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from store.sources.characters import clean, one_line

_AND = re.compile(r"\s+(?:and|&)\s+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,5}|[^\W\d_a-z]{1,3}")
_NUMBER = re.compile(r"\s*\(\d+\)$")  # Scopus adds the author's own number
_MOST_LITERAL = 20_000  # characters


def authors_in(value: object) -> tuple[str, ...]:
    """The authors' names, from a list of names or of parts of names, or from one string.

    >>> authors_in([{"given": "Karl", "family": "Frisch"}, {"name": "Ada Wu"}, "B. Li"])
    ('Karl Frisch', 'Ada Wu', 'B. Li')
    >>> authors_in("Frisch, K.; Wu, A."), authors_in("Karl Frisch, Ada Wu and Bo Li")
    (('Frisch, K.', 'Wu, A.'), ('Karl Frisch', 'Ada Wu', 'Bo Li'))
    >>> authors_in("Frisch, K., Wu, A. B."), authors_in("['Frisch, Karl', 'Wu, Ada']")
    (('Frisch, K.', 'Wu, A. B.'), ('Frisch, Karl', 'Wu, Ada'))
    """
    if isinstance(value, Mapping):
        value = value.get("value")
    if isinstance(value, str):
        value = listed(clean(value).strip())
    names = split_names(value) if isinstance(value, str) else value
    names = names if isinstance(names, list) else []
    found = (_NUMBER.sub("", one_line(_name_in(name))) for name in names)
    return tuple(name.strip(" ;") for name in found if name.strip(" ;"))


def listed(text: str) -> str | list[str]:
    """The list that a text is the Python form of, as tools write it into tables; else the text.

    >>> listed("['bees', 'ants']"), listed("[1] bees")
    (['bees', 'ants'], '[1] bees')
    """
    if not (text.startswith("[") and text.endswith("]")) or len(text) > _MOST_LITERAL:
        return text
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else text


def _name_in(value: object) -> str:
    if isinstance(value, str):
        return clean(value)
    if not isinstance(value, Mapping):
        return ""
    for key in ("name", "literal", "display_name", "fullname"):
        if isinstance(value.get(key), str) and value[key].strip():
            return clean(value[key])
    parts = (value.get("given") or value.get("first"), value.get("family") or value.get("last"))
    return " ".join(clean(part) for part in parts if isinstance(part, str))


def split_names(text: str) -> list[str]:
    """One string of names as a list, parted by semicolons, "and" or commas, whichever it is."""
    if ";" in text:
        return text.split(";")
    by_and = _AND.split(text)
    if len(by_and) > 2:  # "Frisch, Karl and Wu, Ada and Li, Bo"
        return by_and
    pieces = [piece.strip() for piece in text.split(",")]
    if len(pieces) > 2 and all(_INITIALS.fullmatch(piece) for piece in pieces[1::2]):
        return [", ".join(pieces[at : at + 2]) for at in range(0, len(pieces), 2)]
    by_comma = [name for part in by_and for name in part.split(",") if name.strip()]
    full_names = all(" " in name.strip() for name in by_comma)  # no lone family or first names
    return by_comma if full_names else by_and
