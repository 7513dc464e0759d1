"""What the README says is so."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from assistant.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_links_lead_somewhere():
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_commands_of_the_readme_exist():
    for words in set(re.findall(r"citewell ((?:models |papers )?[a-z]+)", README)):
        result = CliRunner().invoke(app, [*words.split(), "--help"])
        assert result.exit_code == 0, words


def test_make_targets_of_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_the_lock_pins_every_dependency():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in lock.splitlines()}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in re.findall(r'^    "([\w.-]+)>=', project, re.M):
        assert re.sub(r"[-_.]+", "-", name).lower() in pinned, name
