"""Takes the picture of the README from the real page, so that it stays true.

    python docs/make_pictures.py

Starts ``citewell serve`` on the sample library, asks a question in a headless Chromium, opens the
first citation and saves ``docs/page.png``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
QUESTION = "How much can LoRA reduce the trainable parameters and the memory of GPT-3?"
_FLAGS = ("--headless --no-sandbox --disable-gpu --disable-background-networking").split()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def taken(page: Page, address: str, target: Path) -> None:
    """Ask, wait for the checked answer, open its first citation, take the picture."""
    page.goto(address)
    header = page.locator("#cw-header")
    header.get_by_text("papers").first.wait_for(timeout=60_000)
    header.get_by_text("model").wait_for(state="hidden", timeout=120_000)
    box = page.get_by_label("Your question")
    box.fill(QUESTION)
    box.press("Enter")
    page.locator(".answer .cite").first.click(timeout=180_000)
    page.locator("#cw-paper mark").first.wait_for(timeout=30_000)
    page.wait_for_timeout(600)  # the panel slides in
    page.screenshot(path=str(target))


def main() -> None:
    """Start the page, take its picture, stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=Path, default=HERE / "page.png")
    parser.add_argument("--dark", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"CITEWELL_LIBRARY": str(Path(folder) / "library")}
        citewell = [sys.executable, "-m", "assistant.cli"]
        subprocess.run([*citewell, "add", "--sample"], env=environment, check=True)
        port = free_port()
        address = f"http://127.0.0.1:{port}/"
        command = [*citewell, "serve", "--port", str(port)]
        with subprocess.Popen(command, env=environment) as server, sync_playwright() as play:
            try:
                browser = play.chromium.launch(
                    executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
                    args=_FLAGS,
                )
                page = browser.new_page(
                    viewport={"width": 1280, "height": 800},
                    color_scheme="dark" if arguments.dark else "light",
                )
                until_open(address, server)
                taken(page, address, arguments.target)
                browser.close()
            finally:
                server.terminate()


def until_open(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the page answers."""
    for _ in range(600):
        if server.poll() is not None:
            raise SystemExit("the server ended")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)


if __name__ == "__main__":
    main()
