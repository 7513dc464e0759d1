"""ZIP archives: each file in one is read as if it lay in a folder of the archive's name.

Beside ``decoding``. An archive is bounded as a whole, so that a small file cannot fill the memory
or the day; one in another is refused.
"""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
from collections.abc import Iterator
from typing import IO, BinaryIO, cast

from store.errors import SourceError
from store.sources.decoding import Budget, bounded

FAULTS = (zipfile.BadZipFile, NotImplementedError, lzma.LZMAError)  # what zipfile raises

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_OFFICE = frozenset({"[Content_Types].xml", "mimetype"})
_MOST_FILES = 20_000
_ENCRYPTED = 0x1


def is_archive(raw: BinaryIO) -> bool:
    """Whether the bytes are those of a ZIP archive."""
    magic = raw.read(4)
    raw.seek(0)
    return magic in _MAGIC


def members(raw: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """The names and bytes of the files of an archive, sorted, without hidden ones."""
    budget = Budget(raw.seek(0, io.SEEK_END))
    raw.seek(0)
    try:
        archive = zipfile.ZipFile(raw)
    except (*FAULTS, ValueError, OSError, EOFError) as fault:
        raise SourceError("it is a damaged ZIP archive; fetch the file again") from fault
    with archive:
        files = [info for info in archive.infolist() if _is_wanted(info)]
        if not _OFFICE.isdisjoint(info.filename for info in files):
            raise SourceError("it is an office document, not text; save it as text or CSV")
        if len(files) > _MOST_FILES:
            raise SourceError(f"it holds more than {_MOST_FILES:,} files; unpack it first")
        for info in sorted(files, key=lambda info: info.filename):
            with _Member(archive, info) as content:
                yield info.filename, bounded(cast(BinaryIO, content), budget)


class _Member(io.RawIOBase):
    """A file of an archive, opened when it is first read, so that its faults are its own."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._archive, self._info = archive, info
        self._opened: IO[bytes] | None = None

    def read(self, size: int = -1) -> bytes:
        return self._content().read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._content().seek(offset, whence)

    def _content(self) -> IO[bytes]:
        if self._info.flag_bits & _ENCRYPTED:
            raise SourceError("it is encrypted; unpack it first")
        if self._opened is None:
            try:
                self._opened = self._archive.open(self._info)
            except (ValueError, struct.error) as fault:  # an entry that leads nowhere
                raise SourceError("its place in the archive is damaged; fetch it again") from fault
        return self._opened


def _is_wanted(info: zipfile.ZipInfo) -> bool:
    hidden = any(part.startswith((".", "__MACOSX")) for part in info.filename.split("/"))
    return not info.is_dir() and not hidden
