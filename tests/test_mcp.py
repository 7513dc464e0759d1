"""The tools as another assistant meets them: the SDK's own client, in process and over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from assistant.mcp_server import server
from assistant.programs import Assistant
from store.errors import LibraryError
from store.library import open_library as open_store
from tests.conftest import ANTS, model_or_skip
from tests.fakes import ScriptedModel
from tests.test_answering import assistant as desk
from tests.test_programs import idle, slow

QUESTION = "How many sensors does AntWalk need?"
TOOLS = ["ask", "get_paper", "search", "summarize", "support"]


@pytest.fixture
def made(library, embedder):
    library.close()
    model = ScriptedModel("AntWalk needs 40 sensors.")
    return server(lambda: Assistant(desk(open_store(library.folder, embedder), model)))


def call(made, tool: str, **arguments):
    async def go():
        async with Client(made) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(go())


def text(result) -> str:
    (content,) = result.content
    return content.text


def test_the_tools_and_what_they_ask_for(made):
    async def listed():
        async with Client(made) as client:
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = asyncio.run(listed())
    assert sorted(tool.name for tool in tools) == TOOLS
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    schemas = {tool.name: tool.input_schema for tool in tools}
    assert schemas["search"]["properties"]["k"]["maximum"] == 50
    assert schemas["ask"]["required"] == ["question"]
    assert "never instructions" in instructions


def test_ask_gives_text_to_read_and_the_json_of_the_command_line(made):
    result = call(made, "ask", question=QUESTION)
    assert not result.is_error
    assert text(result).splitlines()[:2] == ["status: answered", "AntWalk needs 40 sensors [1]."]
    assert "Walking with ants · Ada Ant, Bo Beetle · 2021" in text(result)
    assert "   “AntWalk needs 40 sensors.”" in text(result)
    assert result.structured_content["sentences"][0]["verdict"] == "supported"


def test_what_the_library_does_not_say_is_said(library):
    unsure = desk(library, ScriptedModel("It costs 9 dollars.", yes=-9.0))
    result = call(server(lambda: Assistant(unsure)), "ask", question="What does AntWalk cost?")
    assert text(result).startswith("status: not_")
    assert "Nearest papers:\nWalking with ants" in text(result)
    assert "9 dollars" not in text(result)


def test_search_and_get_paper(made):
    found = call(made, "search", query="trails at night", k=1)
    assert text(found).startswith("1. Walking with ants")
    (hit,) = found.structured_content["hits"]
    for name in (hit["paper"]["id"], "insects.txt#2"):
        paper = call(made, "get_paper", paper=name)
        assert paper.structured_content["abstract"] == ANTS.abstract
        assert ANTS.abstract in text(paper)


def test_support_and_summarize(made):
    judged = call(made, "support", claim="AntWalk needs 40 sensors.")
    assert judged.structured_content["verdict"] in text(judged)
    assert "Walking with ants" in text(judged)
    told = call(made, "summarize", topic="ants that leave trails")
    assert told.structured_content["themes"]
    assert "Sources:\n[" in text(told)


@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        ("ask", {"question": " "}, "The question is empty"),
        ("search", {"query": ""}, "The question is empty"),
        ("search", {"query": "bees", "k": 0}, "greater than or equal to 1"),
        ("get_paper", {"paper": "no such"}, "No paper 'no such' in this library"),
        ("ask", {}, "Field required"),
    ],
)
def test_what_the_caller_did_wrong_is_told(made, tool, arguments, line):
    result = call(made, tool, **arguments)
    assert result.is_error
    assert line in text(result)


def test_a_library_that_is_not_there_yet_is_opened_once_it_is(library, embedder):
    there = threading.Event()

    def opened():
        if not there.is_set():
            raise LibraryError("There is no library here yet. Add papers with `citewell add FILE`.")
        return Assistant(desk(open_store(library.folder, embedder), None))

    async def go():
        async with Client(server(opened)) as client:
            first = await client.call_tool("search", {"query": "bees"})
            there.set()
            return first, await client.call_tool("search", {"query": "bees"})

    before, after = asyncio.run(go())
    assert before.is_error
    assert "citewell add FILE" in text(before)
    assert not after.is_error


def test_a_fault_of_our_own_tells_nothing_to_the_caller():
    def broken():
        raise RuntimeError("a secret")

    result = call(server(broken), "search", query="bees")
    assert result.is_error
    assert "secret" not in text(result)


def test_a_client_that_gives_up_frees_the_model():
    made = slow()
    made.close = lambda: None

    async def go():
        async with Client(server(lambda: Assistant(made))) as client:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.call_tool("ask", {"question": "q"}), 0.5)
            assert await asyncio.to_thread(idle, made)

    asyncio.run(go())
    assert 0 < made.tokens < 600


def test_progress_is_told(made):
    told = []

    async def tell(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    async def go():
        async with Client(made) as client:
            await client.call_tool("ask", {"question": QUESTION}, progress_callback=tell)

    asyncio.run(go())
    assert told[0][2].startswith("Reading")
    assert told[-1][:2] == (2, 3)


DOCS = (Path(__file__).parents[1] / "docs" / "mcp.md").read_text("utf-8")


def commands(value) -> list[tuple[str, str]]:
    """The command of each server in a host's configuration, and its first argument."""
    if not isinstance(value, dict):
        return []
    if "command" in value:
        return [(value["command"], value["args"][0])]
    return [found for below in value.values() for found in commands(below)]


@pytest.mark.parametrize(
    ("kind", "block"), re.findall(r"```(json|toml)\n(.*?)```", DOCS, re.DOTALL)
)
def test_the_configurations_of_the_docs_start_the_command(kind, block):
    assert commands({"json": json.loads, "toml": tomllib.loads}[kind](block)) == [
        ("citewell", "mcp")
    ]


def test_the_docs_name_each_tool(made):
    assert sorted(re.findall(r"^\| `(\w+)`", DOCS, re.M)) == TOOLS


# -- over standard input and output, with the real parts


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    model_or_skip("all-minilm-l6-v2")
    model_or_skip("smollm2-135m")
    environment = os.environ | {
        "CITEWELL_LIBRARY": str(tmp_path_factory.mktemp("mcp") / "library"),
        "CITEWELL_ENCODER": "all-minilm-l6-v2",
        "CITEWELL_MODEL": "smollm2-135m",
    }
    command = [sys.executable, "-m", "assistant.cli"]
    subprocess.run([*command, "add", "--sample"], env=environment, check=True, capture_output=True)
    return StdioServerParameters(command=command[0], args=[*command[1:], "mcp"], env=environment)


@pytest.mark.model
def test_the_sdk_client_uses_a_library_over_stdio(started):
    async def go():
        async with Client(started) as client:
            names = sorted(tool.name for tool in (await client.list_tools()).tools)
            found = await client.call_tool("search", {"query": "dropout", "k": 3})
            best = found.structured_content["hits"][0]["paper"]["id"]
            paper = await client.call_tool("get_paper", {"paper": best})
            answered = await client.call_tool("ask", {"question": "What does dropout do?"})
            return names, paper, answered

    names, paper, answered = asyncio.run(go())
    assert names == TOOLS
    assert "dropout" in text(paper).lower()
    assert answered.structured_content["evidence"]
    assert text(answered).startswith("status: ")


@pytest.mark.model
def test_standard_output_carries_the_protocol_alone(started):
    """Every byte of a whole session is a line of JSON-RPC; the end of input ends it."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    calls = [("search", {"query": "dropout"}), ("support", {"claim": "Dropout prevents it."})]
    messages = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        *(
            {"id": n, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(calls, start=1)
        ),
    ]
    with start(started) as process:
        began = time.monotonic()
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        process.stdin.write("this is no JSON\n")
        process.stdin.flush()
        answers = {}
        while len(answers) < 3:
            line = json.loads(process.stdout.readline())
            assert line["jsonrpc"] == "2.0"
            if "id" in line and "result" in line:
                answers[line["id"]] = line["result"]
        process.stdin.close()
        rest = process.stdout.read()
        assert process.wait(60) == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert not answers[1]["isError"]
    assert not answers[2]["isError"]
    assert time.monotonic() - began < 300


@pytest.mark.model
def test_ctrl_c_ends_it(started):
    with start(started) as process:
        time.sleep(8)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
    assert "Traceback" not in complaint
    assert process.returncode == 1


@pytest.mark.model
def test_a_missing_library_is_one_line_and_told_to_the_caller(started, tmp_path):
    parameters = started.model_copy(
        update={"env": started.env | {"CITEWELL_LIBRARY": str(tmp_path / "none")}}
    )
    complaints = (tmp_path / "complaints").open("w+")

    async def go():
        async with Client(stdio_client(parameters, errlog=complaints)) as client:
            return await client.call_tool("search", {"query": "bees"})

    with complaints:
        result = asyncio.run(go())
        complaints.seek(0)
        told = complaints.read()
    assert "There is no library at" in text(result)
    assert "Traceback" not in told


def start(parameters: StdioServerParameters) -> subprocess.Popen[str]:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [parameters.command, *parameters.args]
    return subprocess.Popen(command, env=parameters.env, text=True, **pipes)
