"""The wheel: the same bytes every time, all files in it, and at work away from its source."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.conftest import model_or_skip

ROOT = Path(__file__).parents[1]
PACKAGES = ("assistant", "prompts", "store")
EPOCH = "1700000000"  # any fixed moment; `make dist` takes that of the last commit


def build(folder: Path) -> Path:
    """A wheel from a copy of the source, so that nothing left of an earlier build gets in."""
    source = folder / "source"
    source.mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
    subprocess.run(
        [*map(str, command), str(source)],
        env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        check=True,
        capture_output=True,
        timeout=200,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


def test_built_twice_it_is_the_same_to_the_byte(wheel, tmp_path):
    again = build(tmp_path / "elsewhere")
    assert again.name == wheel.name
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (wheel, again)]
    assert hashes[0] == hashes[1]


def test_every_file_of_the_packages_is_in_it_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        dates = {item.date_time for item in archive.infolist()}
    files = (path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file())
    wanted = {
        path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts
    }
    assert held == wanted
    assert {Path(name).suffix for name in held} >= {".txt", ".npz", ".jsonl", ".css", ".js"}
    assert len(dates) == 1


def test_it_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (folder,) = {n.split("/")[0] for n in archive.namelist() if ".dist-info/" in n}
        told = Parser().parsestr(archive.read(f"{folder}/METADATA").decode())
        commands = archive.read(f"{folder}/entry_points.txt").decode()
        assert f"{folder}/licenses/LICENSE" in archive.namelist()
    assert (told["Name"], told["License-Expression"]) == ("citewell", "Apache-2.0")
    assert "citewell = assistant.cli:main" in commands


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a clean environment that holds the wheel, and borrows its dependencies."""
    home = tmp_path_factory.mktemp("clean") / "environment"
    python = home / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    install = ["-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([sys.executable, *install, "--no-index", str(wheel)], check=True)
    # A path in a .pth is not searched for further .pth files: an editable citewell stays outside.
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin" / "citewell"


def run(command: Path, *words: str, folder: Path) -> str:
    """What a command prints, run in ``folder`` with nothing of this checkout to be seen."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "CITEWELL"))}
    ran = subprocess.run(
        [str(command), *words],
        cwd=folder,
        env=environment | {"PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_installed_it_runs_from_its_own_files(command, tmp_path):
    asked = "import assistant, prompts, store; print(assistant.__file__, prompts.__file__)"
    found = run(command.with_name("python"), "-c", asked, folder=tmp_path)
    assert all(Path(path).is_relative_to(command.parents[1]) for path in found.split())
    assert run(command, "--version", folder=tmp_path).startswith("citewell ")


@pytest.mark.model
def test_installed_it_answers_from_any_folder(command, tmp_path):
    model_or_skip("all-minilm-l6-v2")
    model_or_skip("smollm2-135m")
    where = ("--library", str(tmp_path / "library"), "--encoder", "all-minilm-l6-v2")
    elsewhere = tmp_path / "a folder of another name"
    elsewhere.mkdir()
    run(command, "add", "--sample", *where, folder=tmp_path)
    ask = ("ask", "What does dropout do?", "--json", "--model", "smollm2-135m")
    for folder in (elsewhere, Path("/")):
        answer = json.loads(run(command, *ask, *where, folder=folder))
        assert answer["sentences"]
        assert answer["evidence"][0]["paper"]["source"].startswith("landmark_papers.jsonl#")
