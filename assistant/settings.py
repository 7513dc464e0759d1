"""What a reader can set: each by an environment variable, most by an option as well.

``python -m assistant.settings`` prints the table of ``docs/settings.md``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from assistant.errors import SettingsError

_PREFIX = "CITEWELL_"

# No library that we use may phone home, whatever its own default is.
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def quiet_environment() -> None:
    """Switch off the telemetry and the look-ups of the libraries; call it before they load."""
    os.environ.update(_QUIET)


class Settings(BaseSettings):
    """All settings, with their defaults and bounds."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True)

    library: Path | None = Field(
        None, description="Folder of the library; else the platform's place for a user's data."
    )
    model: str = Field(
        "",
        description="Answer model: a known name, a GGUF file or an address ending in /v1; "
        "else the best one that is here.",
    )
    encoder: str = Field(
        "all-mpnet-base-v2", description="Encoder: a known name or a sentence-transformers folder."
    )
    judge: str = Field(
        "",
        description="Cross-encoder for natural language inference, by name or folder: judges "
        "sentences told in other words, and claims.",
    )
    host: str = Field("127.0.0.1", description="Address that the page listens on.")
    port: int = Field(7860, ge=1, le=65535, description="Port that the page listens on.")
    context_tokens: int = Field(
        4096, ge=512, le=131_072, description="Context window to use, in tokens."
    )
    evidence_tokens: int = Field(
        460, ge=50, le=16_384, description="Tokens that may be read of each paper."
    )
    answer_tokens: int = Field(
        220, ge=20, le=4096, description="Tokens that an answer may have at most."
    )
    threads: int = Field(
        0, ge=0, le=1024, description="Threads of the model; 0 is one a physical core."
    )
    services: str = Field(
        "",
        description="Other addresses of the services that `add` fetches from, "
        "as `arxiv=http://… pubmed=http://…`.",
    )


def load(**chosen: Any) -> Settings:
    """Settings from the environment and from options; options that are None or "" don't count.

    Raises :class:`SettingsError` with one line that names the variable and what is allowed.
    """
    given = {name: value for name, value in chosen.items() if value not in {None, ""}}
    try:
        return Settings(**given)
    except ValidationError as fault:
        first = fault.errors()[0]
        name = str(first["loc"][0])
        where = f"--{name}" if name in given else _PREFIX + name.upper()
        raise SettingsError(f"{where}={first['input']}: {first['msg']}.") from fault


def table() -> str:
    """All settings as a Markdown table."""
    rows = ["| variable | default | what it is |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = f"`{field.default}`" if field.default not in {None, ""} else ""
        rows.append(f"| `{_PREFIX}{name.upper()}` | {default} | {field.description} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
