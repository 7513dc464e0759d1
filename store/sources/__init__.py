"""Where papers come in: a file or folder on disk becomes a stream of :class:`Paper` s.

A reader is a module with two functions, ``sniff(head) -> bool``, which tells from the first
characters of a file whether it is of the reader's format, and ``read(stream, name, names)``, which
yields a paper or a rejection for each record; ``names`` says what the fields of records are called.
The next step, ``chunking``, cuts papers into sentences.
"""

from store.sources.naming import field_names
from store.sources.paths import read_path

__all__ = ["field_names", "read_path"]
