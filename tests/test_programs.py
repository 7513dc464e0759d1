"""The interface for programs: blocking, streamed and asynchronous."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
import time
from contextlib import aclosing
from pathlib import Path

import pytest

import assistant as package
from assistant import Assistant, AsyncAssistant, open_library
from assistant.errors import QuestionError
from assistant.types import EvidenceFound, Finished, Status
from tests.web_desk import Script, ScriptedDesk, answer

DOCS = Path(__file__).parents[1] / "docs" / "python.md"


def slow() -> ScriptedDesk:
    return ScriptedDesk({"q": Script(answer("q"), draft="word " * 600, token_s=0.02)})


def idle(desk: ScriptedDesk) -> bool:
    end = time.monotonic() + 2
    while desk.active and time.monotonic() < end:
        time.sleep(0.01)
    return not desk.active


def test_a_library_is_opened_and_asked(opened):
    with open_library() as assistant:
        assert (len(assistant), len(assistant.papers())) == (3, 3)
        assert "AntWalk" in assistant.search("trails at night", 1)[0].paper.abstract
        assert assistant.ask("How many sensors does AntWalk need?").status is Status.ANSWERED
        assert assistant.support("AntWalk needs 40 sensors.").papers
        assert assistant.summarize("ants that leave trails").topic == "ants that leave trails"


def test_a_stream_shows_sources_first_and_the_answer_last(opened):
    with open_library() as assistant:
        first, *_, last = assistant.ask_stream("How many sensors does AntWalk need?")
    assert isinstance(first, EvidenceFound)
    assert isinstance(last, Finished)


def test_the_asynchronous_one_gives_the_same(opened):
    with open_library() as assistant:
        question = "How many sensors does AntWalk need?"

        async def both():
            other = AsyncAssistant(assistant)
            return await asyncio.gather(other.ask(question), other.search("ants", 2))

        found, hits = asyncio.run(both())
        assert found.text == assistant.ask(question).text
        assert len(hits) == 2


def test_what_goes_wrong_is_raised_where_it_was_asked(opened):
    with open_library() as assistant:
        with pytest.raises(QuestionError):
            assistant.ask(" ")
        with pytest.raises(QuestionError):
            asyncio.run(AsyncAssistant(assistant).ask(" "))


def test_who_stops_reading_frees_the_model():
    desk = slow()
    stream = Assistant(desk).ask_stream("q")
    next(stream)
    assert desk.active == 1
    stream.close()
    assert idle(desk)


def test_a_cancelled_task_frees_the_model():
    desk = slow()

    async def leave() -> None:
        async with aclosing(AsyncAssistant(Assistant(desk)).ask_stream("q")) as stream:
            async for _ in stream:
                break

    async def time_out() -> None:
        await asyncio.wait_for(AsyncAssistant(Assistant(desk)).ask("q"), 0.2)

    asyncio.run(leave())
    assert idle(desk)
    with pytest.raises(TimeoutError):
        asyncio.run(time_out())
    assert desk.tokens < 600
    assert idle(desk)


def test_threads_share_one_model():
    desk = ScriptedDesk({"q": Script(answer("q"), draft="a b c", token_s=0.01)})
    assistant = Assistant(desk)
    threads = [threading.Thread(target=assistant.ask, args=("q",)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(desk.asked), desk.most_active) == (6, 1)


def test_the_import_is_light_until_it_is_used():
    code = "import sys, assistant; print(len({'torch', 'chromadb', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = package.nothing_such


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL))
def test_the_examples_of_the_docs_run(code, opened, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("more.txt").write_text("Moths fly to lamps. We show that MothNet counts 12 moths.\n")
    exec(compile(code, str(DOCS), "exec"), {"__name__": "example"})
    assert capsys.readouterr().out
