"""Where ``companion serve --open`` opens a browser, and where it must not."""

import os
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.commands.serve.web_runner import has_screen

COMPANION = Path(sys.executable).parent / "companion"


@pytest.mark.parametrize(
    ("environment", "system", "opens"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({}, "darwin", True),
        ({}, "win32", True),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", False),
        ({"CI": "1"}, "darwin", False),
        ({"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "linux", False),
    ],
)
def test_a_browser_is_opened_only_before_a_person(environment: dict[str, str], system: str, *, opens: bool) -> None:
    assert has_screen(environment, system) is opens


@pytest.mark.skipif(sys.platform != "linux", reason="a browser is named by the variable BROWSER")
@pytest.mark.parametrize(("option", "opens"), [("--open", True), ("--no-open", False)])
def test_the_start_page_is_opened_when_the_table_answers(tmp_path: Path, option: str, *, opens: bool) -> None:
    browser, asked = tmp_path / "browser", tmp_path / "asked"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {asked}.part && mv {asked}.part {asked}\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    kept = {name: value for name, value in os.environ.items() if name not in {"CI", "SSH_CONNECTION"}}
    command = [str(COMPANION), "serve", "--port", "0", "--journal", str(tmp_path / "journal.db"), option]
    with subprocess.Popen(
        command, env=kept | {"DISPLAY": ":7", "BROWSER": str(browser)}, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout
        address = re.search(r"http://\S+", running.stdout.readline())
        assert address
        end = time.monotonic() + 60
        while opens and not asked.exists() and time.monotonic() < end:
            time.sleep(0.05)
        running.terminate()
        running.stdout.read()
    assert (asked.read_text() if asked.exists() else None) == (f"{address[0]}start" if opens else None)
