"""A ZIP archive as a folder of files: its members, one after another, each still bytes.

Between ``paths`` and ``decoding``. What is no archive of texts is refused in one line: a bomb, an
office document (which is a ZIP archive too), a member under a password. An archive in an archive is
left to ``decoding``, which knows it as no text.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from store.errors import SourceError
from store.sources.characters import clean, one_line

_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_OFFICE = {"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"}
_MAX_RATIO = 200  # text shrinks to a twentieth at best
_HARMLESS = 50 << 20
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}


def is_zip(raw: BinaryIO) -> bool:
    """Whether the bytes open like an archive; they are left at their beginning."""
    magic = raw.read(4)
    raw.seek(0)
    return magic in _MAGIC


def members(raw: BinaryIO) -> Iterator[tuple[str, BinaryIO | SourceError]]:
    """Name and content of each member in the archive's order, or the reason why it stays shut."""
    try:
        archive = zipfile.ZipFile(raw)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as fault:
        raise SourceError("its ZIP archive is damaged; fetch the file again") from fault
    with archive:
        shown = [info for info in archive.infolist() if _is_shown(info)]
        _refuse_bombs_and_documents(archive, raw.seek(0, 2))
        for info in shown:
            yield one_line(clean(info.filename)), _opened(archive, info)


def _is_shown(info: zipfile.ZipInfo) -> bool:
    """Whether it is a file, and none that a desktop hides."""
    *folders, file = info.filename.split("/")
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in (*folders, file))
    return bool(file) and not hidden


def _refuse_bombs_and_documents(archive: zipfile.ZipFile, size: int) -> None:
    unpacked = sum(info.file_size for info in archive.infolist())
    if unpacked > _HARMLESS and unpacked > size * _MAX_RATIO:
        raise SourceError(
            f"it unpacks to {unpacked // size:,} times its size ({unpacked >> 20:,} MB), as no text"
            " does; unpack it yourself and add what you trust"
        )
    if not _OFFICE.isdisjoint(archive.namelist()):
        raise SourceError("it is an office document, not text; export its abstracts as text")


def _opened(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO | SourceError:
    if info.flag_bits & 0x41:
        return SourceError("it is under a password; unpack the archive and add the file")
    if info.compress_type not in _METHODS or info.flag_bits & 0x20:
        return SourceError("its compression is unknown; unpack the archive and add the file")
    try:
        return archive.open(info)  # type: ignore[return-value]  # IO[bytes], which it is in truth
    except (zipfile.BadZipFile, OSError, ValueError) as fault:
        return SourceError(f"its place in the archive is damaged ({fault}); fetch the file again")
