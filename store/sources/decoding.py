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
from typing import Any, BinaryIO, TextIO, cast

from store.errors import SourceError

HEAD_BYTES = 1 << 16
_ALWAYS_UNPACKED = 50_000_000  # bytes
_MOST_TIMES = 200  # texts shrink to a tenth; what is made to burst, to a thousandth

_GZIP = b"\x1f\x8b"
_KNOWN_BINARIES = {
    b"%PDF": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a ZIP archive within another file",
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
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,100}?encoding=["']([A-Za-z0-9._-]{1,30})["']""")
_OF_TEXTS = frozenset(
    "cp1252 cp1251 cp1250 iso8859-1 iso8859-2 iso8859-5 iso8859-9 iso8859-15 koi8-r gb2312 gbk"
    " gb18030 big5 euc_jp euc_kr shift_jis".split()
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
    """Bytes as a stream of characters, and the first of these to choose a reader by."""
    compressed = raw.read(len(_GZIP)) == _GZIP
    raw.seek(0)
    binary = raw
    if compressed:
        unpacked = cast(BinaryIO, gzip.GzipFile(fileobj=raw))
        binary = bounded(unpacked, Budget(raw.seek(0, io.SEEK_END)))
        raw.seek(0)
    head = binary.read(HEAD_BYTES)
    binary.seek(0)
    encoding = encoding_of(head)
    errors = "citewell.cp1252" if encoding.startswith("utf-8") else "replace"
    with io.TextIOWrapper(binary, encoding, errors, newline=None) as text:
        yield text, codecs.getincrementaldecoder(encoding)(errors).decode(head)


class Budget:
    """How many bytes may come out of compressed ones: so many times their size, and some more."""

    def __init__(self, compressed: int) -> None:
        self.left = max(_ALWAYS_UNPACKED, compressed * _MOST_TIMES)

    def spend(self, count: int) -> None:
        """Take note of bytes that came out."""
        self.left -= count
        if self.left < 0:
            raise SourceError(
                f"its compressed data grows to more than {_MOST_TIMES} times its size; "
                "unpack it first if that is right"
            )


class _Bounded(io.RawIOBase):
    """A stream of unpacked bytes that ends with an error when its budget is spent."""

    def __init__(self, unpacked: BinaryIO, budget: Budget) -> None:
        self._unpacked, self._budget = unpacked, budget

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._unpacked.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:
        block = self._unpacked.read(len(buffer))
        self._budget.spend(len(block))
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed:
            self._unpacked.close()
        super().close()


def bounded(unpacked: BinaryIO, budget: Budget) -> BinaryIO:
    """The stream, which may give no more bytes than the budget has."""
    return cast(BinaryIO, io.BufferedReader(_Bounded(unpacked, budget)))


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
    declared = _DECLARED.match(head)
    if declared and not _is_utf8(head) and (known := _known(declared[1].decode())):
        return known
    if len(head) - len(head.translate(None, _CONTROL_BYTES)) > len(head) / 20:
        raise SourceError("it is binary data, not text; export its abstracts as text or JSON lines")
    if head.decode("utf-8", "replace").count("\ufffd") > len(head) / 4:
        raise SourceError("its text encoding is unknown; save it as UTF-8")
    return "utf-8"


def _is_utf8(head: bytes) -> bool:
    """Whether letters beyond ASCII speak for UTF-8, also where an editor left another name."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return not head.isascii()


def _known(declared: str) -> str:
    """An encoding that a file of XML declares, if texts are written in it."""
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        return ""
    return name if name in _OF_TEXTS else ""


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
