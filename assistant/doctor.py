"""What is installed and what to mend: `citewell doctor`."""

from __future__ import annotations

import os
import platform
import shutil
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import store.manifest as manifests
from assistant import fetching
from assistant.errors import AssistantError
from assistant.models import DEFAULT, KNOWN, Role, by_name
from assistant.settings import Settings
from assistant.wiring import library_dir, open_library
from store.errors import StoreError

_PACKAGES = (
    "citewell",
    "llama-cpp-python",
    "chromadb",
    "sentence-transformers",
    "torch",
    "bm25s",
    "gradio",
)
_FEATURES = ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_bf16", "neon", "asimd")


@dataclass(slots=True)
class Examination:
    """What was found, by topic, and what to mend, each with the command that does it."""

    found: dict[str, Any] = field(default_factory=dict)
    mend: list[str] = field(default_factory=list)


def examine(settings: Settings) -> Examination:
    """Look at this machine, the models and the library."""
    result = Examination()
    result.found["versions"] = {name: _version(name, result) for name in _PACKAGES}
    result.found["machine"] = _machine()
    result.found["disk"] = _disk(settings, result)
    _examine_models(settings, result)
    _examine_library(settings, result)
    return result


def _version(name: str, result: Examination) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        result.mend.append(f"{name} is not installed: `pip install citewell`")
        return "missing"


def _machine() -> dict[str, Any]:
    import psutil

    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "processor": _cpu("model name") or platform.processor(),
        "cores": psutil.cpu_count(logical=False) or os.cpu_count(),
        "features": [name for name in _FEATURES if name in _cpu("flags").split()],
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
    }


def _cpu(name: str) -> str:
    """An entry of Linux's processor list; "" elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _disk(settings: Settings, result: Examination) -> dict[str, str]:
    disk = {}
    for name, path in (("library", library_dir(settings)), ("models", fetching.cache_dir())):
        existing = next(p for p in (path, *path.parents) if p.exists())
        free = shutil.disk_usage(existing).free
        disk[name] = f"{path} ({free / 1e9:.1f} GB free)"
        if free < 1e9:
            result.mend.append(f"less than 1 GB is free at {path}: free some space")
        if not os.access(existing, os.W_OK):
            result.mend.append(f"{existing} cannot be written: choose another folder")
    return disk


def _examine_models(settings: Settings, result: Examination) -> None:
    here = [model.name for model in KNOWN if fetching.installed(model)]
    best = fetching.best_installed()
    chosen = settings.model or (best.name if best else "none")
    result.found["models"] = {"here": here, "in use": chosen, "encoder": settings.encoder}
    if not settings.model and best is None:
        result.mend.append(f"no answer model is here: `citewell models fetch {DEFAULT.name}`")
    if not Path(settings.encoder).is_dir():
        try:
            known = by_name(settings.encoder)
            if known.role is not Role.ENCODER or not fetching.installed(known):
                result.mend.append(f"the encoder is not here: `citewell models fetch {known.name}`")
        except AssistantError as fault:
            result.mend.append(str(fault))


def _examine_library(settings: Settings, result: Examination) -> None:
    folder = library_dir(settings)
    told: dict[str, Any] = {"folder": str(folder), "papers": 0}
    result.found["library"] = told
    try:
        if not manifests.exists(folder):
            result.mend.append(f"there is no library at {folder} yet: `citewell add FILE`")
            return
        manifest = manifests.read(folder)
        told |= {"encoder": manifest.encoder, "format": manifest.format}
        library = open_library(settings)
        told["papers"] = len(library)
        library.close()
    except (StoreError, AssistantError) as fault:
        result.mend.append(str(fault))
