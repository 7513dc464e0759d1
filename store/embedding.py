"""Text to vectors. The only module that imports ``sentence_transformers``.

``chunking`` tells where the sentences of a text are; here the encoder reads the text *once* and its
token vectors are pooled twice: over the whole text, and over each sentence ("late chunking",
Günther et al. 2024, arXiv:2409.04701). Beside costing half of what encoding each sentence alone
would, it lets a sentence keep its surroundings: "It halves the cost" still knows what "it" is.

Vectors of two encoders cannot be compared, so each encoder has a fingerprint that is kept with the
library.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import EncoderError

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

Vectors = NDArray[np.float32]

_BATCH_TOKENS = 2048  # a batch of this many token places keeps two cores busy and memory small
_SAMPLE = 1 << 20  # bytes of the weights' head and tail that go into the fingerprint


@dataclass(frozen=True, slots=True)
class Document:
    """A text to be stored, and where its passages stand in it: ``(start, end)`` in characters."""

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DocumentVectors:
    """Unit vectors, float32: ``whole`` of shape ``(d,)``, ``passages`` of shape ``(spans, d)``."""

    whole: Vectors
    passages: Vectors


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    @property
    def fingerprint(self) -> str:
        """Names the encoder and its weights; equal fingerprints mean comparable vectors."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Queries to vectors: L2-normalised rows, float32, shape ``(len(texts), d)``."""
        ...

    def encode_documents(self, documents: Sequence[Document]) -> list[DocumentVectors]:
        """Each document and its passages, in the order given."""
        ...


class SentenceTransformerEmbedder:
    """An encoder of the sentence-transformers library, from a folder on this machine.

    Loaded when first used. Runs in bfloat16 where the processor computes in it: twice the speed,
    and the cosine to float32 is 1.000.
    """

    def __init__(self, folder: Path, name: str = "") -> None:
        if not (folder / "modules.json").is_file():
            raise EncoderError(
                f"No sentence-transformers encoder at {folder}. "
                "Fetch the default one with `citewell models fetch encoder`."
            )
        self._folder = folder
        self._name = name or folder.name
        self._lock = threading.Lock()  # its tokenizer may not be entered by two threads at once

    @cached_property
    def fingerprint(self) -> str:
        """The name, and a hash over the configuration and samples of the weights."""
        digest = hashlib.sha256()
        for path in sorted(self._folder.rglob("*")):
            if path.suffix == ".json" and path.name != "data_config.json":
                digest.update(path.read_bytes())
            elif path.suffix in {".safetensors", ".bin"}:
                digest.update(_sample(path))
        return f"{self._name}/{digest.hexdigest()[:12]}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See :class:`Embedder`."""
        with self._lock:
            rows = self._model.encode_query(
                list(texts), convert_to_numpy=False, show_progress_bar=False
            )
        return _unit(np.stack([row.float().numpy() for row in rows]))

    def encode_documents(self, documents: Sequence[Document]) -> list[DocumentVectors]:
        """See :class:`Embedder`."""
        with self._lock:
            windows = [w for i, doc in enumerate(documents) for w in self._windows(i, doc)]
            pools = [_Pool(doc, self._dimension) for doc in documents]
            for batch in _batches(windows):
                for window, tokens in zip(batch, self._token_vectors(batch), strict=True):
                    pools[window.document].take(window, tokens)
            return [pool.vectors() for pool in pools]

    @cached_property
    def _model(self) -> SentenceTransformer:
        import torch
        from safetensors import SafetensorError
        from sentence_transformers import SentenceTransformer

        features = torch.cpu.get_capabilities()
        fast = bool(features.get("avx512_bf16") or features.get("amx_bf16"))
        dtype = torch.bfloat16 if fast else torch.float32
        try:
            # Loading draws a progress bar whatever it is told.
            with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
                return SentenceTransformer(
                    str(self._folder),
                    device="cpu",
                    model_kwargs={"dtype": dtype},
                    local_files_only=True,
                )
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as fault:
            raise EncoderError(
                f"The encoder at {self._folder} cannot be loaded ({str(fault).splitlines()[0]}). "
                "Fetch it anew with `citewell models fetch encoder`."
            ) from fault

    @cached_property
    def _dimension(self) -> int:
        return int(self._model.get_embedding_dimension() or 0)

    def _windows(self, number: int, document: Document) -> Iterator[_Window]:
        """Cut a text into stretches that the encoder can read; most abstracts are one."""
        tokenizer: Any = self._model.tokenizer
        encoded = tokenizer(
            document.text,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            verbose=False,
        )
        ids, marks = encoded["input_ids"], encoded["special_tokens_mask"]
        lead = marks.index(0) if 0 in marks else 1
        stop = len(ids) - marks[::-1].index(0) if 0 in marks else lead
        body, offsets = ids[lead:stop], encoded["offset_mapping"][lead:stop]
        room = int(self._model.max_seq_length or 512) - (len(ids) - len(body))
        pieces = max(1, math.ceil(len(body) / room))
        size = max(1, math.ceil(len(body) / pieces))  # equal parts, not a full one and a stump
        for at in range(0, max(1, len(body)), size):
            window = [*ids[:lead], *body[at : at + size], *ids[stop:]]
            yield _Window(number, window, offsets[at : at + size], lead)

    def _token_vectors(self, batch: Sequence[_Window]) -> list[Vectors]:
        import torch

        longest = max(len(window.ids) for window in batch)
        ids = torch.full((len(batch), longest), int(self._model.tokenizer.pad_token_id or 0))
        mask = torch.zeros_like(ids)
        for row, window in enumerate(batch):
            ids[row, : len(window.ids)] = torch.tensor(window.ids)
            mask[row, : len(window.ids)] = 1
        with torch.inference_mode():
            out = self._model[0]({"input_ids": ids, "attention_mask": mask})["token_embeddings"]
        vectors = out.float().numpy()
        return [vectors[row, : len(window.ids)] for row, window in enumerate(batch)]


class PairClassifier:
    """A cross-encoder: reads two texts together and says how likely each of its labels is.

    From a folder, or by a name that the hub's cache on this machine has. Loaded when first used.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels, in the order of the columns."""
        config: Any = getattr(self._model.model, "config", None)
        named: dict[int, str] = config.id2label if config else {}
        return tuple(named[number] for number in sorted(named))

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Rows that sum to 1, float32, shape ``(len(pairs), len(labels))``."""
        found = self._model.predict(list(pairs), apply_softmax=True, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32).reshape(len(pairs), -1)

    @cached_property
    def _model(self) -> CrossEncoder:
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder

        try:
            with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
                model: CrossEncoder = CrossEncoder(self.name, device="cpu", local_files_only=True)
                return model
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as fault:
            raise EncoderError(
                f"The judge {self.name} cannot be loaded ({str(fault).splitlines()[0]}). "
                "Name the folder of a sentence-transformers CrossEncoder with --judge."
            ) from fault


@dataclass(frozen=True, slots=True)
class _Window:
    """A stretch of a document as the encoder reads it; ``lead`` marks come before its tokens."""

    document: int
    ids: list[int]
    offsets: list[tuple[int, int]]
    lead: int


class _Pool:
    """Sums the token vectors of a document and of each of its passages, window by window."""

    def __init__(self, document: Document, dimension: int) -> None:
        self._spans = np.array(document.spans, dtype=np.int64).reshape(-1, 2)
        self._whole = np.zeros(dimension, dtype=np.float32)
        self._passages = np.zeros((len(self._spans), dimension), dtype=np.float32)

    def take(self, window: _Window, tokens: Vectors) -> None:
        self._whole += tokens.sum(axis=0)
        if not window.offsets:
            return
        starts, ends = np.array(window.offsets).T
        inside = (starts >= self._spans[:, :1]) & (ends <= self._spans[:, 1:]) & (ends > starts)
        words = tokens[window.lead : window.lead + len(window.offsets)]
        self._passages += inside.astype(np.float32) @ words

    def vectors(self) -> DocumentVectors:
        # A passage of which no token is known (rare signs only) stands for its whole text.
        empty = ~self._passages.any(axis=1)
        self._passages[empty] = self._whole
        return DocumentVectors(_unit(self._whole[None])[0], _unit(self._passages))


def _batches(windows: Sequence[_Window]) -> Iterator[list[_Window]]:
    """Windows of like length together, so that little is padded."""
    batch: list[_Window] = []
    for window in sorted(windows, key=lambda w: len(w.ids)):
        if batch and (len(batch) + 1) * len(window.ids) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def _unit(rows: Vectors) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = (rows / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit


def _sample(path: Path) -> bytes:
    """Size, head and tail of a large file: enough to tell two encoders apart, read in no time."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
        file.seek(max(0, size - _SAMPLE))
        return size.to_bytes(8, "big") + head + file.read()
