"""The examples of docs/interface.md work as they stand there: against a real table, only on another port."""

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Server

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "interface.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("table") / "journal.db")
    running.start()
    yield running
    running.stop()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")
def test_the_examples_of_the_interface_work_one_after_the_other(table: Server, tmp_path: Path) -> None:
    printed = []
    for language, code in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        there = code.replace("http://127.0.0.1:8000", table.address)
        command = ["bash", "-euc", there] if language == "sh" else [sys.executable, "-c", there]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, f"{code}\n{done.stderr}"
        printed.append(done.stdout)
    description, state, events, play, whole, files, throws = printed
    assert json.loads(description)["openapi"] == "3.1.0"
    assert json.loads(state)["match"] is None
    assert "None" in events
    assert play.count('"ok":true') == 2
    assert whole.startswith("The agreed 5 throws have been made.")
    assert files == ""
    with (tmp_path / "matches.csv").open(encoding="utf-8", newline="") as file:
        assert [row["game"] for row in csv.DictReader(file)] == ["ludus-regularis", "ludix"]
    assert json.loads((tmp_path / "match.jsonl").read_text(encoding="utf-8").splitlines()[0])["format"] == "alea-match"
    assert len(throws.splitlines()) == 1, "one throw was made in the first match"
