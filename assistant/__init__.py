"""Questions in, proven answers out.

For programs: ``from assistant import open_library``; ``docs/python.md`` shows how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.programs import Assistant, AsyncAssistant, open_library

__all__ = ["Assistant", "AsyncAssistant", "open_library"]


def __getattr__(name: str) -> Any:
    """Load the interface when it is first used: the command line starts without it."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("assistant.programs"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
