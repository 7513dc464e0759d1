"""The chat page: its parts, its wiring, and how it is served. ``page`` says what events do.

Everything the reader sees of papers and answers is HTML of our own making (``markup``), so no
Markdown renderer and no script ever reads a word of a paper. The page works without a network: no
foreign font, script or count of visits; a content security policy makes the browser hold that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported

import gradio as gr
from starlette.middleware import Middleware

from assistant.errors import SettingsError
from assistant.web.desk import Desk
from assistant.web.gate import Gate, check_address, sign_in
from assistant.web.library_tab import LibraryTab, MapTab, Shelved
from assistant.web.markup import no_sources
from assistant.web.page import Page
from assistant.web.past import Past
from assistant.web.summarize_tab import Summarize
from assistant.web.support_tab import Support
from assistant.web.task_tab import TaskTab

_HERE = Path(__file__).parent
_READERS = 16  # who may wait in line at the same time; each costs a thread
_LARGEST_UPLOAD = "200mb"
_QUICK: dict[str, Any] = {  # events that never wait behind a question
    "queue": False,
    "show_progress": "hidden",
    "api_visibility": "private",
}
_FOCUS = """() => {
  const box = document.querySelector('#cw-box textarea');
  const idle = document.activeElement === document.body || document.activeElement === null;
  if (box && idle && !matchMedia('(pointer: coarse)').matches) box.focus();
}"""

_SAVE = """(file) => {
  if (!file || !file.name) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file.text], { type: 'text/plain' }));
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}"""


def create_app(desk: Desk, shelf: Shelved | None = None, history: Path | None = None) -> gr.Blocks:
    """The page, built and wired but not yet served; with a ``shelf``, its list and map too.

    ``history`` is the folder that conversations are kept in; without it they end with the page.
    """
    blocks: gr.Blocks = _Layout(Page(desk, Past(history)), shelf).blocks
    return blocks


def launch(
    desk: Desk,
    host: str = "127.0.0.1",
    port: int = 7860,
    *,
    open_browser: bool = False,
    wait: bool = True,
    readers: Mapping[str, str] | None = None,
    shelf: Shelved | None = None,
    history: Path | None = None,
) -> gr.Blocks:
    """Serve the page; comes back when the server is stopped, or at once if not to ``wait``.

    ``readers`` holds who may come in, with passwords; when there are none, only this machine may.
    """
    check_address(host, readers or {})
    blocks = create_app(desk, shelf, history)
    try:
        blocks.launch(
            server_name=host,
            server_port=port,
            inbrowser=open_browser,
            prevent_thread_lock=not wait,
            share=False,
            quiet=True,
            show_error=False,
            footer_links=[],
            run_history=False,
            allowed_paths=[],
            max_file_size=_LARGEST_UPLOAD,
            enable_monitoring=False,
            ssr_mode=False,
            pwa=False,
            mcp_server=False,
            theme=_theme(),
            css_paths=[
                _HERE / "page.css",
                _HERE / "past.css",
                _HERE / "task.css",
                _HERE / "overview.css",
                _HERE / "library.css",
            ],
            app_kwargs={"middleware": [Middleware(Gate)]},
            auth=sign_in(readers) if readers else None,
        )
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {host}:{port}; another program may be there. Choose another port."
        ) from error
    return blocks


def _theme() -> gr.themes.Base:
    """Gradio's plain theme with the fonts that the reader's system has."""
    return gr.themes.Base(
        primary_hue="teal",
        secondary_hue="teal",
        neutral_hue="stone",
        radius_size="md",
        font=["ui-sans-serif", "system-ui", "Segoe UI", "Roboto", "sans-serif"],
        font_mono=["ui-monospace", "Menlo", "Consolas", "monospace"],
    ).set(
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_700",
        button_primary_background_fill_hover_dark="*primary_600",
        button_primary_text_color="white",
    )


class _Layout:
    """The parts of the page. Their wiring is below them, one method a topic."""

    def __init__(self, page: Page, shelf: Shelved | None) -> None:
        self.page = page
        self.script = (_HERE / "page.js").read_text(encoding="utf-8")
        with gr.Blocks(
            title="citewell",
            analytics_enabled=False,
            fill_width=True,
            fill_height=True,
            delete_cache=(3600, 3600),
        ) as self.blocks:
            self.turns = gr.State(())
            self.conversation = gr.State("")
            self.timer = gr.Timer(2)
            self._side()
            self._top()
            self._tabs(shelf)
            self._wire_asking()
            self._wire_library()
            self._wire_past()

    def _side(self) -> None:
        with gr.Sidebar(label="Conversations", open=False, width=300, elem_id="cw-side"):
            self.words = gr.Textbox(
                label="Search your conversations",
                show_label=False,
                placeholder="Search your conversations",
                container=False,
                elem_id="cw-words",
            )
            self.talks = gr.HTML(
                elem_id="cw-talks",
                js_on_load=(_HERE / "past.js").read_text(encoding="utf-8"),
                apply_default_css=False,
                container=False,
            )
            self.saved = gr.JSON(visible=False)

    def _tabs(self, shelf: Shelved | None) -> None:
        page = self.page
        with gr.Tabs(elem_id="cw-tabs"):
            with gr.Tab("Ask"):
                self._main()
            with gr.Tab(Summarize.title):
                TaskTab(Summarize(page.desk), page.serving, page.desk.label, _SAVE)
            with gr.Tab(Support.title):
                TaskTab(Support(page.desk), page.serving, page.desk.label, _SAVE)
            if shelf is None:
                return
            for tab in (LibraryTab, MapTab):
                with gr.Tab(tab.title):
                    tab(shelf)

    def _main(self) -> None:
        with gr.Row(elem_id="cw-main"):
            self._talk()
            with gr.Column(elem_id="cw-panel", elem_classes="cw-panel", scale=2, min_width=0):
                self.paper = self._html("cw-paper", classes="cw-paper")
                self.sources = self._html("cw-sources", no_sources(), classes="cw-sources")

    def _html(self, name: str, value: str = "", classes: str = "") -> gr.HTML:
        return gr.HTML(
            value,
            elem_id=name,
            elem_classes=classes,
            js_on_load=self.script,
            apply_default_css=False,
            container=False,
        )

    def _top(self) -> None:
        with gr.Row(elem_id="cw-top"):
            self.header = self._html("cw-header")
            self.fresh = gr.Button("New conversation", size="sm", elem_id="cw-fresh")
            self.upload = gr.UploadButton(
                "Add papers", size="sm", file_count="multiple", elem_id="cw-upload"
            )
        self.report = self._html("cw-report")

    def _talk(self) -> None:
        with gr.Column(elem_id="cw-talk", scale=3, min_width=0):
            with gr.Column(elem_id="cw-scroll"):
                self.past = self._html("cw-past")
                self.now = self._html("cw-now")
            with gr.Row(elem_id="cw-ask"):
                self.box = gr.Textbox(
                    label="Your question",
                    show_label=False,
                    placeholder="Ask your papers a question",
                    lines=1,
                    max_lines=6,
                    autofocus=True,
                    container=False,
                    elem_id="cw-box",
                    html_attributes=gr.InputHTMLAttributes(enterkeyhint="send"),
                )
                self.send = gr.Button("Ask", variant="primary", elem_id="cw-send")
                self.stop = gr.Button("Stop", variant="stop", visible=False, elem_id="cw-stop")

    def _wire_asking(self) -> None:
        page = self.page
        asking: dict[str, Any] = {
            "fn": page.ask,
            "inputs": [self.box, self.turns],
            "outputs": [
                *(self.box, self.past, self.turns, self.now, self.sources, self.paper),
                *(self.send, self.stop),
            ],
            "show_progress": "hidden",
            "concurrency_limit": _READERS,
            "concurrency_id": "asking",
            "api_visibility": "private",
        }
        picked = self.now.pick(page.pick, None, self.box, **_QUICK)
        for asked in (gr.on([self.box.submit, self.send.click], **asking), picked.then(**asking)):
            asked.then(None, js=_FOCUS)
            asked.then(page.past.keep, *self._kept(), **_QUICK)
        self.stop.click(page.stop, None, None, **_QUICK)
        self.blocks.unload(page.serving.leave)
        for part in (self.past, self.now, self.sources):
            part.open(page.open, self.turns, self.paper, **_QUICK)
        self.fresh.click(page.forget, None, self._begun(), **_QUICK)

    def _wire_library(self) -> None:
        page = self.page
        self.blocks.load(page.greet, None, [self.header, self.now], **_QUICK)
        self.timer.tick(page.refresh, None, [self.header, self.timer], **_QUICK)

        self.upload.upload(
            page.add,
            [self.upload, self.turns],
            [self.report, self.header, self.now],
            concurrency_limit=1,
            show_progress_on=self.report,
            api_visibility="private",
        )

    def _begun(self) -> list[Any]:
        """What another conversation changes on the page."""
        shown = [self.past, self.now, self.sources, self.paper]
        return [self.turns, *shown, self.conversation]

    def _kept(self) -> tuple[list[Any], list[Any]]:
        return [self.turns, self.conversation, self.words], [self.conversation, self.talks]

    def _wire_past(self) -> None:
        past, talks = self.page.past, [self.words, self.conversation]
        self.blocks.load(past.listed, talks, self.talks, **_QUICK)
        self.words.change(past.listed, talks, self.talks, **_QUICK)
        self.conversation.change(past.listed, talks, self.talks, **_QUICK)
        self.talks.talk(self.page.reopen, None, self._begun(), **_QUICK)
        dropped = [*self._begun(), self.talks]
        self.talks.drop(self.page.drop, talks, dropped, **_QUICK)
        self.talks.save(self.page.save, None, self.saved, **_QUICK).then(None, self.saved, js=_SAVE)
