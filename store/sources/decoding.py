"""The first step of every reader: bytes on disk become characters.

Compression and encoding are told from the bytes, never from the file's name. What is no text at
all (an image, a database, a PDF) is refused here, so that the readers see only characters.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO, cast

from store.errors import SourceError

HEAD_BYTES = 1 << 16

_GZIP = b"\x1f\x8b"
_KNOWN_BINARIES = {
    b"%PDF": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"{\\rtf": "a rich text document",
    b"SQLite format 3": "an SQLite database",
    b"\x7fELF": "a program",
    b"GGUF": "a language model",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"(\xb5/\xfd": "a zstd archive",
    _GZIP: "a twice compressed file",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is a prefix of it
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What an XML file may say of itself; names of other kinds of codecs are not looked up.
_DECLARATION = re.compile(
    rb"""\s*<\?xml\b[^>]{0,99}?\bencoding\s*=\s*["'](iso-8859-(?:[1-9]|1[013456])|windows-125[0-8]"""
    rb"""|shift_jis|euc-jp|euc-kr|gbk|gb2312|gb18030|big5|koi8-[ru])["']""",
    re.IGNORECASE,
)
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1b")) + b"\x7f"


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Read the bytes that are no UTF-8 as Windows-1252, one at a time.

    So a Latin-1 file reads well, and a single bad byte in a UTF-8 file spoils one character only.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return bad.decode("cp1252", "replace"), error.end


codecs.register_error("citewell.cp1252", _as_cp1252)


@contextmanager
def open_text(raw: BinaryIO) -> Iterator[tuple[TextIO, str]]:
    """The bytes as a stream of characters, and the first ones to choose a reader by."""
    compressed = raw.read(len(_GZIP)) == _GZIP
    raw.seek(0)
    binary = cast(BinaryIO, gzip.GzipFile(fileobj=raw, mode="rb")) if compressed else raw
    head = binary.read(HEAD_BYTES)
    binary.seek(0)
    encoding = encoding_of(head)
    errors = "citewell.cp1252" if encoding.startswith("utf-8") else "replace"
    with io.TextIOWrapper(binary, encoding, errors, newline=None) as text:
        yield text, codecs.getincrementaldecoder(encoding)(errors).decode(head)


def encoding_of(head: bytes) -> str:
    r"""The encoding that the first bytes of a file speak for; an error if they are no text.

    >>> encoding_of("Bees dance.".encode("utf-16")), encoding_of(b"Bees dance.")
    ('utf-16', 'utf-8')
    """
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    for magic, name in _KNOWN_BINARIES.items():
        if head.startswith(magic):
            raise SourceError(f"it is {name}, not text; export its abstracts as text or JSON lines")
    if wide := _unmarked_utf16(head):
        return wide
    if declared := _declared(head):
        return declared
    if len(head) - len(head.translate(None, _CONTROL_BYTES)) > len(head) / 20:
        raise SourceError("it is binary data, not text; export its abstracts as text or JSON lines")
    if head.decode("utf-8", "replace").count("\ufffd") > len(head) / 4:
        raise SourceError("its text encoding is unknown; save it as UTF-8")
    return "utf-8"


def _unmarked_utf16(head: bytes) -> str:
    """UTF-16 without a mark: in Western text every other byte is NUL."""
    half = len(head) // 2
    for encoding, zeros, letters in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        if (
            half
            and head[zeros::2].count(0) > half * 0.8
            and head[letters::2].count(0) < half * 0.05
        ):
            return encoding
    return ""


def _declared(head: bytes) -> str:
    """The encoding that an XML file names, unless it was saved anew as UTF-8 and still names it."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        match = _DECLARATION.match(head)
        return match.group(1).decode("ascii").lower() if match else ""
    return ""
