"""The command as its users meet it: exit status, one clear line, nothing lost.

Run in a process of its own with the real MiniLM and SmolLM2 where they are here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import model_or_skip

ABSTRACTS = (
    "Insects\n\n"
    "We present BeeNet, a model of bee dances. It was trained on 1,200 dances. "
    "BeeNet finds the food in 87.5% of all cases.\n\n"
    "Ants leave trails. We propose AntWalk, which follows trails at night. "
    "AntWalk needs 40 sensors to do so.\n"
)


class Citewell:
    """Runs the command against a library of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = folder / "library"
        self.environment = os.environ | {
            "CITEWELL_LIBRARY": str(self.library),
            "CITEWELL_ENCODER": "all-minilm-l6-v2",
            "CITEWELL_MODEL": "smollm2-135m",
        }

    def start(self, *words: str, **options: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "assistant.cli", *words]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            command,
            text=True,
            env=self.environment,
            **pipes,
            **options,  # type: ignore[call-overload]
        )

    def __call__(self, *words: str, status: int = 0, given: str = "") -> str:
        with self.start(*words) as process:
            out, err = process.communicate(given, timeout=300)
        assert process.returncode == status, (out, err)
        assert "Traceback" not in err
        if status == 1 and "doctor" not in words:
            assert err.count("\n") == 1, err
            assert err.startswith("citewell: ")
        self.complaint = err
        return out

    def json(self, *words: str, **options: object) -> dict:
        return json.loads(self(*words, "--json", **options))


@pytest.fixture
def run(tmp_path: Path) -> Citewell:
    return Citewell(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Citewell:
    model_or_skip("all-minilm-l6-v2")
    model_or_skip("smollm2-135m")
    run = Citewell(tmp_path_factory.mktemp("filled"))
    (run.folder / "insects.txt").write_text(ABSTRACTS)
    report = run.json("add", str(run.folder / "insects.txt"))
    assert (report["papers"], report["added"], report["rejected"]) == (2, 2, [])
    return run


# -- what it does


def test_help_needs_nothing_heavy():
    heavy = [
        "torch",
        "chromadb",
        "llama_cpp",
        "gradio",
        "sentence_transformers",
        "pydantic",
        "numpy",
    ]
    code = f"import sys, assistant.cli; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_version_and_help(run):
    assert run("--version").startswith("citewell ")
    for command in "add search ask serve eval replay papers models doctor rebuild".split():
        assert command in run("--help")
        run(command, "--help")


@pytest.mark.model
def test_adding_again_changes_nothing(filled):
    report = filled.json("add", str(filled.folder / "insects.txt"))
    assert (report["papers"], report["unchanged"], report["added"]) == (2, 2, 0)


@pytest.mark.model
def test_search_json(filled):
    found = filled.json("search", "AntWalk sensors")
    assert found["query"] == "AntWalk sensors"
    hit = found["hits"][0]
    assert set(hit) == {"rank", "paper", "score", "sentences"}
    assert hit["paper"]["source"] == "insects.txt#2"
    assert {"id", "title", "label", "authors", "year", "venue", "url", "source"} <= set(
        hit["paper"]
    )
    assert hit["paper"]["label"] == "AntWalk"
    assert len(filled.json("search", "insects", "-k", "1")["hits"]) == 1


@pytest.mark.model
def test_ask_json_keeps_the_contract(filled):
    answer = filled.json("ask", "How many sensors does AntWalk need?")
    keys = "question standalone_question status text sentences evidence nearest receipt timings"
    assert set(keys.split()) <= set(answer)
    assert answer["status"] in {"answered", "not_stated", "not_in_library"}
    numbers = {item["number"] for item in answer["evidence"]}
    for sentence in answer["sentences"]:
        assert sentence["verdict"] == "supported"
        assert set(sentence["citations"]) <= numbers
        assert sentence["citations"]
    timings = "evidence_s first_token_s total_s prompt_tokens answer_tokens"
    assert set(timings.split()) <= set(answer["timings"])


@pytest.mark.model
def test_a_batch_is_one_object_a_line_in_order_with_errors_in_place(filled):
    given = f"bees\n\n{'x' * 20_000}\nants\n"
    out = filled("search", "--batch", "-", given=given, status=1)
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["query"][:4] for line in lines] == ["bees", "xxxx", "ants"]
    assert "error" in lines[1]
    assert "1 of 3" in filled.complaint
    (filled.folder / "batch.txt").write_text("What is BeeNet?\n")
    out = filled("ask", "--batch", str(filled.folder / "batch.txt"))
    assert json.loads(out)["question"] == "What is BeeNet?"


@pytest.mark.model
def test_papers_list_show_export_remove(filled, run):
    model_or_skip("all-minilm-l6-v2")
    found = filled.json("papers", "list")["papers"]
    assert [paper["source"] for paper in found] == ["insects.txt#1", "insects.txt#2"]
    assert found[0]["collection"] == "Insects"
    shown = filled.json("papers", "show", "insects.txt#1")
    assert "BeeNet finds the food" in shown["abstract"]
    target = run.folder / "all.jsonl"
    filled("papers", "export", str(target))
    assert run.json("add", str(target))["added"] == 2
    ids = [paper["id"] for paper in found]
    assert [paper["id"] for paper in run.json("papers", "list")["papers"]] == ids
    run("papers", "remove", ids[0], "nothing#9", status=1)
    assert len(run.json("papers", "list")["papers"]) == 2
    assert run.json("papers", "remove", ids[0]) == {"removed": 1, "papers": 1}


@pytest.mark.model
def test_plain_output_reads_well_and_is_quiet(filled):
    out = filled("ask", "How many sensors does AntWalk need?")
    assert filled.complaint == ""
    assert "AntWalk" in out
    assert "\x1b" not in out
    assert "AntWalk" in filled("search", "ants")


@pytest.mark.model
def test_terminal_orders_in_an_abstract_are_inert(run):
    model_or_skip("all-minilm-l6-v2")
    path = run.folder / "evil.txt"
    path.write_text("Bees \x1b[2J\x1b]0;owned\x07 dance [bold]well[/bold] in the evening sun. " * 2)
    run("add", str(path))
    for words in (["search", "bees"], ["papers", "list"], ["papers", "show", "evil.txt#1"]):
        out = run(*words)
        assert "\x1b" not in out
        assert "[bold]" in out


def test_models_list(run):
    names = [model["name"] for model in run.json("models", "list")["models"]]
    assert "qwen2.5-coder-1.5b" in names
    assert "all-mpnet-base-v2" in run("models", "list")


# -- what can go wrong


@pytest.mark.parametrize(
    "words",
    [
        ["ask"],
        ["search"],
        ["ask", "x", "--batch", "y"],
        ["ask", "x", "--nonsense"],
        ["nonsense"],
        ["add"],
        ["search", "x", "-k", "0"],
        ["serve", "--port", "99999999"],
    ],
)
def test_wrong_usage(run, words):
    run(*words, status=2)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["ask", ""], "empty"),
        (["ask", "   "], "empty"),
        (["ask", "x" * 20_000], "20,000 characters"),
        (["search", "bees"], "citewell add"),
        (["papers", "list"], "citewell add"),
        (["models", "fetch", "gpt-5"], "models list"),
        (["search", "x", "--encoder", "nonsense"], "models list"),
        (["search", "--batch", "/nonexistent/file"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(run, words, complaint):
    if "bees" in words or "list" in words:
        model_or_skip("all-minilm-l6-v2")
    run(*words, status=1)
    assert complaint in run.complaint


@pytest.mark.model
@pytest.mark.parametrize("kind", ["missing", "empty", "binary", "no papers"])
def test_paths_that_hold_no_papers(run, kind):
    model_or_skip("all-minilm-l6-v2")
    path = run.folder / "input"
    if kind == "empty":
        path.touch()
    elif kind == "binary":
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10)
    elif kind == "no papers":
        path.mkdir()
    run("add", str(path), status=1)
    assert str(path) in run.complaint


def test_a_folder_of_another_program(run):
    model_or_skip("all-minilm-l6-v2")
    run.library.mkdir()
    (run.library / "thesis.tex").write_text("precious")
    run("add", "--sample", status=1)
    assert "--library" in run.complaint
    assert [path.name for path in run.library.iterdir()] == ["thesis.tex"]


@pytest.mark.model
def test_a_library_of_a_newer_version(filled, run):
    run.library.mkdir()
    manifest = json.loads((filled.library / "library.json").read_text())
    (run.library / "library.json").write_text(json.dumps(manifest | {"format": 99}))
    run("search", "bees", status=1)
    assert "Upgrade" in run.complaint


@pytest.mark.model
@pytest.mark.parametrize("model", ["nonsense", "/nonexistent.gguf", "http://127.0.0.1:9/v1"])
def test_models_that_are_not_there(filled, model):
    filled("ask", "What is BeeNet?", "--model", model, status=1)


@pytest.mark.model
def test_a_broken_gguf(filled):
    path = filled.folder / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(64))
    filled("ask", "What is BeeNet?", "--model", str(path), status=1)
    assert "not a usable GGUF" in filled.complaint


@pytest.mark.model
def test_a_setting_that_cannot_be(filled):
    filled.environment["CITEWELL_EVIDENCE_TOKENS"] = "many"
    try:
        filled("ask", "What is BeeNet?", status=1)
    finally:
        del filled.environment["CITEWELL_EVIDENCE_TOKENS"]
    assert "CITEWELL_EVIDENCE_TOKENS=many" in filled.complaint


@pytest.mark.model
def test_ctrl_c_while_adding_keeps_the_finished_batches(run):
    model_or_skip("all-minilm-l6-v2")
    path = run.folder / "many.txt"
    path.write_text("\n\n".join(f"Paper {n} tells of thing{n}. " * 20 for n in range(2000)))
    # A job in the background of a shell is born deaf to Ctrl-C; a reader's is not.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with run.start("add", str(path), preexec_fn=heard) as process:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not any(run.library.glob("journal-*/*.npz")):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert err.strip() == "citewell: Stopped. What was finished is kept."
    kept = len(run.json("papers", "list")["papers"])
    assert 0 < kept < 2000
    assert run.json("search", "thing7")["hits"]


@pytest.mark.model
def test_a_reader_that_leaves_early_is_no_fault(filled):
    with filled.start("papers", "list") as process:
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()


def test_doctor_tells_what_to_mend(run):
    run.environment["CITEWELL_CACHE"] = str(run.folder / "nothing")
    del run.environment["CITEWELL_MODEL"]
    result = json.loads(run("doctor", "--json", status=1))
    assert any("models fetch qwen2.5-coder-1.5b" in line for line in result["mend"])
    assert any("models fetch all-minilm-l6-v2" in line for line in result["mend"])
    assert result["machine"]["cores"] > 0


@pytest.mark.model
def test_doctor_finds_nothing_to_mend(filled):
    result = filled.json("doctor")
    assert result["mend"] == []
    assert result["library"]["papers"] == 2
