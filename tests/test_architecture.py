"""Imports point one way, heavy libraries each have one door, and modules stay small enough to read.

Lazy imports inside functions count like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("assistant", "store", "prompts")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# Who alone may import what.
DOORS = {
    "sentence_transformers": {"store.embedding"},
    "torch": {"store.embedding"},
    "chromadb": {"store.chroma"},
    "bm25s": {"store.keyword"},
    "llama_cpp": {"assistant.llm"},
    "gradio": {"assistant.web"},
    "sklearn": {"assistant.themes"},
    "fastapi": {"assistant.api"},
    "uvicorn": {"assistant.api"},
    "mcp": {"assistant.mcp_server"},
}

# From the inside out: a module imports from its own rank or from those before it.
RANKS = [
    {"assistant.types", "assistant.errors"},
    {"assistant.llm", "assistant.calibration", "assistant.settings", "assistant.models"},
    {"assistant.framing"},
    {"assistant.remote", "assistant.retrieval", "assistant.prompting", "assistant.fetching"},
    {"assistant.citing", "assistant.hashing"},
    {
        "assistant.naming",
        "assistant.quantities",
        "assistant.checking",
        "assistant.opposites",
        "assistant.entailing",
    },
    {"assistant.agreeing"},
    {"assistant.polarity", "assistant.binding"},
    {"assistant.attributing"},
    {"assistant.counting"},
    {"assistant.conversation", "assistant.verifying"},
    {"assistant.trained"},
    {"assistant.rationale"},
    {"assistant.stance", "assistant.reading", "assistant.proving"},
    {"assistant.topics", "assistant.summary", "assistant.catalog", "assistant.history"},
    {"assistant.relevance", "assistant.themes", "assistant.tabulating"},
    {"assistant.answering", "assistant.summarizing", "assistant.supporting"},
    {
        "assistant.answers",
        "assistant.atlas",
        "assistant.desk",
        "assistant.exporting",
        "assistant.marking",
        "assistant.summaries",
    },
    {"assistant.jobs", "assistant.shelf"},
    {"assistant.wiring", "assistant.gold", "assistant.replaying"},
    {"assistant.measuring"},
    {"assistant.evaluating"},
    {"assistant.scoring"},
]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Names of all modules a file imports, but for type checking alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield (
                    below
                    if (ROOT / below.replace(".", "/")).with_suffix(".py").is_file()
                    else (node.module or "")
                )


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_packages_point_one_way(path: Path) -> None:
    forbidden = {"store": ("assistant", "prompts"), "prompts": ("assistant", "store")}
    package = module_name(path).split(".")[0]
    for name in imports(path):
        for other in forbidden.get(package, ()):
            assert not within(name, other), f"{path} imports {name}"
        assert not within(name, "tests")


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_heavy_libraries_have_one_door(path: Path) -> None:
    own = module_name(path)
    for name in imports(path):
        for library, doors in DOORS.items():
            if within(name, library):
                assert any(within(own, door) for door in doors), f"{own} imports {name}"


def test_the_assistant_is_ranked() -> None:
    rank = {name: number for number, names in enumerate(RANKS) for name in names}
    for path in FILES:
        own = module_name(path)
        for name in imports(path):
            if own in rank and name in rank:
                assert rank[name] <= rank[own], f"{own} imports {name}"


def test_there_is_no_import_cycle() -> None:
    known = {module_name(path) for path in FILES}
    graph = {module_name(p): {n for n in imports(p) if n in known} for p in FILES}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name not in done:
            for other in graph[name] - {name}:
                visit(other, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_modules_and_functions_stay_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 320
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{path}: {node.name}"
