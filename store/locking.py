"""One writer at a time, and who it is.

The lock is the operating system's: it goes with the process that holds it, so a killed writer
blocks nobody. Who holds it stands in a file beside it, for those who wait.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from store.errors import LibraryBusyError
from store.manifest import disk_faults

Wait = Callable[[str], None]  # is told once for whom it waits

_LOCK, _OWNER = "library.lock", "library.owner"
_POLL = 0.2  # seconds between two tries


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that writes. ``since`` and ``started`` are seconds of the epoch."""

    pid: int
    command: str
    since: float
    started: float
    host: str

    @classmethod
    def this(cls) -> Owner:
        """The process at hand. Of its command just the first words: others could be secret."""
        words = [Path(sys.argv[0]).name, *(w for w in sys.argv[1:2] if w.isalpha())]
        started = psutil.Process().create_time()
        return cls(os.getpid(), " ".join(words), time.time(), started, platform.node())

    @property
    def alive(self) -> bool:
        """Whether that process still runs; of another machine's nothing is known."""
        if self.host != platform.node():
            return True
        try:
            return bool(abs(psutil.Process(self.pid).create_time() - self.started) < 2)
        except psutil.Error:
            return False

    def __str__(self) -> str:
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self.since))
        where = "" if self.host == platform.node() else f" on {self.host}"
        return f"`{self.command}` (process {self.pid}{where}, since {since})"


@contextmanager
def writing(folder: Path, wait: Wait | None = None) -> Iterator[None]:
    """Hold the lock of a library; faults of the disk inside become one clear line.

    While another process holds it: raises :class:`LibraryBusyError`, or waits for as long as it
    takes once ``wait`` has been told who it is.
    """
    lock = FileLock(folder / _LOCK)
    with disk_faults():
        _acquire(lock, folder, wait)
        try:
            with suppress(OSError):  # a full disk: the lock holds without its owner's name
                (folder / _OWNER).write_text(json.dumps(asdict(Owner.this())), encoding="utf-8")
            yield
        finally:
            with suppress(OSError):
                (folder / _OWNER).unlink(missing_ok=True)
            lock.release()


def _acquire(lock: FileLock, folder: Path, wait: Wait | None) -> None:
    try:
        lock.acquire(timeout=0)
    except Timeout as fault:
        who = f"{owner(folder) or 'Another process'} is writing to {folder}."
        if wait is None:
            raise LibraryBusyError(f"{who} Try again when it is done.") from fault
        wait(who)
        lock.acquire(timeout=-1, poll_interval=_POLL)


def owner(folder: Path) -> Owner | None:
    """Who holds the lock of a library; None where nobody says so, or who said so is dead."""
    try:
        found = Owner(**json.loads((folder / _OWNER).read_text(encoding="utf-8")))
        return found if found.alive else None
    except (OSError, ValueError, TypeError):
        return None
