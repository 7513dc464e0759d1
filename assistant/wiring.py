"""Settings to a ready assistant: the one place that picks concrete parts.

Everything heavy is loaded here, and only when it is needed: a library without a question put to it
never loads a language model.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import platformdirs

import prompts
from assistant import calibration, fetching, models, trained
from assistant.answering import NO_MODEL, Limits
from assistant.desk import Assistant, ModelSlot
from assistant.entailing import NliJudge
from assistant.errors import AssistantError, ModelNotFoundError
from assistant.hashing import sha256_of
from assistant.llm import ChatModel, LlamaCppModel
from assistant.settings import Settings, quiet_environment
from assistant.shelf import Shelf
from assistant.types import Cancellation, Receipt
from store import library as libraries
from store.embedding import PairClassifier, SentenceTransformerEmbedder
from store.library import Library
from store.rebuilding import rebuild

Note = Callable[[str], None]

# What an answer's words depend on beside our own code.
_VERSIONS = (
    "citewell",
    "llama-cpp-python",
    "sentence-transformers",
    "torch",
    "chromadb",
    "bm25s",
)


def library_dir(settings: Settings) -> Path:
    """The folder of the library: as set, else in the platform's place for a user's data."""
    return settings.library or platformdirs.user_data_path("citewell", False) / "library"


def open_embedder(settings: Settings) -> SentenceTransformerEmbedder:
    """The encoder that the settings name: a known one, or a folder."""
    quiet_environment()
    folder = Path(settings.encoder).expanduser()
    if folder.is_dir():
        return SentenceTransformerEmbedder(folder)
    known = models.by_name(settings.encoder)
    found = fetching.installed(known)
    if found is None:
        raise ModelNotFoundError(
            f"The encoder {known.name} is not on this machine. "
            f"Fetch it with `citewell models fetch {known.name}`."
        )
    return SentenceTransformerEmbedder(found, known.name)


def open_judge(settings: Settings) -> NliJudge | None:
    """The cross-encoder that the settings name; loaded when it is first asked."""
    quiet_environment()
    return NliJudge(PairClassifier(settings.judge)) if settings.judge else None


def open_library(settings: Settings, *, create: bool = False, wait: Note | None = None) -> Library:
    """The library that the settings name; ``wait`` is told for whom a writer has to wait."""
    return libraries.open_library(
        library_dir(settings), open_embedder(settings), create=create, wait=wait
    )


def rebuild_library(
    settings: Settings,
    *,
    progress: Callable[[int], None] | None = None,
    wait: Note | None = None,
) -> int:
    """Encode the library anew with the encoder that the settings name."""
    return rebuild(library_dir(settings), open_embedder(settings), progress=progress, wait=wait)


def open_searcher(settings: Settings) -> Assistant:
    """A library without a model, for search alone."""
    return _assistant(settings, open_library(settings), ModelSlot())


def open_assistant(settings: Settings, *, note: Note = lambda line: None) -> Assistant:
    """A library and its model, loaded. Without a model on this machine it answers in quotes."""
    library = open_library(settings)
    slot = ModelSlot()
    model = open_model(settings)
    if model:
        slot.put(model)
    else:
        slot.say(f"{NO_MODEL} Fetch one with `citewell models fetch`.")
        note(slot.state)
    return _assistant(settings, library, slot)


def _assistant(settings: Settings, library: Library, slot: ModelSlot) -> Assistant:
    limits = Limits(settings.evidence_tokens, settings.answer_tokens)

    def receipt(library: Library, model: ChatModel | None) -> Receipt:
        return Receipt(
            library=library.fingerprint,
            encoder=library.encoder,
            model=model.name if model else "",
            model_sha256=model.sha256 if model else "",
            prompts=dict(prompts.fingerprints()),
            settings={
                **asdict(limits),
                "context_tokens": settings.context_tokens,
                "trained": trained.fingerprint(),
                **({"judge": settings.judge} if settings.judge else {}),
                **_thresholds_of(model),
            },
            versions={name: version(name) for name in _VERSIONS},
        )

    return Assistant(library, slot, limits, receipt, open_judge(settings))


def _thresholds_of(model: ChatModel | None) -> dict[str, str]:
    """As text: JSON has no infinity."""
    found = asdict(calibration.thresholds(model.name)) if model else {}
    topic = {"off_topic": calibration.OFF_TOPIC, "on_topic": calibration.ON_TOPIC}
    return {name: str(value) for name, value in (found | topic).items()}


def open_model(settings: Settings) -> ChatModel | None:
    """The model that the settings name, else the best that is on this machine, else None."""
    quiet_environment()
    if not settings.model:
        known = fetching.best_installed()
        return _known(settings, known) if known else None
    chosen = models.resolve(settings.model)
    if isinstance(chosen, str):
        from assistant.remote import RemoteModel

        key = os.environ.get("CITEWELL_API_KEY", "")
        return RemoteModel(chosen, key=key, context_tokens=settings.context_tokens)
    if isinstance(chosen, Path):
        return _load(settings, chosen, chosen.stem, sha256=sha256_of(chosen))
    return _known(settings, chosen)


def _known(settings: Settings, known: models.KnownModel) -> ChatModel:
    found = fetching.installed(known)
    if found is None:
        raise ModelNotFoundError(
            f"The model {known.name} is not on this machine. "
            f"Fetch it with `citewell models fetch {known.name}`."
        )
    return _load(settings, found, known.name, sha256=known.files[0].sha256)


def _load(settings: Settings, path: Path, name: str, *, sha256: str) -> ChatModel:
    return LlamaCppModel(
        path,
        name=name,
        context_tokens=settings.context_tokens,
        threads=settings.threads,
        sha256=sha256,
    )


def serve(
    settings: Settings, *, host: str, port: int, fetch: bool, auth: Sequence[str] = ()
) -> None:
    """Open the page and stay until stopped; the model is fetched and loaded behind it."""
    from assistant.web import gate
    from assistant.web.app import launch

    readers = gate.readers(auth)
    gate.check_address(host, readers)
    library = open_library(settings, create=True)
    slot = ModelSlot(state="The answer model is being loaded. Until then, answers are quotes.")
    stop = Cancellation()
    loader = threading.Thread(
        target=_fill, args=(settings, slot, fetch, stop), name="model loader", daemon=True
    )
    loader.start()
    try:
        desk = _assistant(settings, library, slot)
        launch(
            desk,
            host=host,
            port=port,
            readers=readers,
            shelf=Shelf(library),
            history=library.folder / "conversations",
        )
    finally:
        stop.cancel()
        library.close()


def _fill(settings: Settings, slot: ModelSlot, fetch: bool, stop: Cancellation) -> None:
    """Bring the model into its slot; whatever goes wrong is told on the page."""

    def progress(done: int, total: int) -> None:
        share = f" ({100 * done // total} %)" if total else ""
        slot.say(
            f"The answer model is on its way{share}. "
            "Until it is here, answers are the best sentences of the papers."
        )

    try:
        if fetch and not settings.model and fetching.best_installed() is None:
            fetching.fetch(models.DEFAULT, progress=progress, cancel=stop)
        model = open_model(settings)
    except AssistantError as fault:
        slot.say(f"{fault} Until then, answers are the best sentences of the papers.")
        return
    if model:
        slot.put(model)
    else:
        slot.say(f"{NO_MODEL} Fetch one with `citewell models fetch`.")
