"""What every growing result shows besides itself: how far it is, what stopped it, its downloads."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.web.rendering import plain
from assistant.web.turns import Phase


def progress(phase: Phase, ahead: int, told: str, share: float) -> str:
    """A line and a bar while something is being done; ``share`` of it, 0 to 1, is behind."""
    if phase is Phase.ANSWERED or phase is Phase.FAILED:
        return ""
    if phase is Phase.STOPPED:
        return '<p class="badge stopped" role="status">Stopped. What was found until then:</p>'
    if phase is Phase.WAITING:
        before = "one question is" if ahead == 1 else f"{ahead} questions are"
        return f'<p class="progress" role="status">In line: {before} before yours.</p>'
    return (
        f'<div class="going"><p role="status">{plain(told)}</p><span class="bar" '
        f'aria-hidden="true"><span style="width:{100 * min(1.0, share):.0f}%"></span></span></div>'
    )


def trouble(message: str) -> str:
    """Why it could not be done; nothing where it could."""
    return f'<p class="trouble" role="alert">{plain(message)}</p>' if message else ""


def saves(kinds: Mapping[str, str]) -> str:
    """A button for each format that the result can be saved in."""
    buttons = "".join(
        f'<button type="button" data-save="{kind}" aria-label="Save as {name}">{name}</button>'
        for kind, name in kinds.items()
    )
    return f'<p class="saves"><span class="fine">Save as</span> {buttons}</p>'
