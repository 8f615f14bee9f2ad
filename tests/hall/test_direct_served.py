"""``companion hall serve`` without a file: a table's own program joins it by the code that the console shows."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from companion.commands.serve import hall
from companion.hall.book.database import Database
from tests.commands.running import run
from tests.hall.direct_hall import EVENTS
from tests.hall.listening import hashes, soon


@contextmanager
def program(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the companion until the block ends, with this folder for its account's files."""
    folders = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    command = [sys.executable, "-m", "companion", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **folders}) as running:
        try:
            yield running
        finally:
            running.terminate()
            running.communicate()


def said(running: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """Return the first line that the program says in this form."""
    assert running.stdout is not None
    for line in running.stdout:
        if found := re.search(pattern, line):
            return found
    raise AssertionError(f"it ended without saying {pattern}")


def post(address: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    asked = Request(f"{address}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(asked, timeout=60) as answer:
        return dict(json.load(answer))


def test_two_programs_and_a_code_are_a_hall_and_are_one_again_after_a_restart(tmp_path: Path) -> None:
    journal, port = tmp_path / "journal.db", "0"
    with program(tmp_path, "serve", "--port", "0", "--no-open", "--journal", str(journal)) as table:
        own = said(table, r"The table is at (http\S+/)")[1]
        match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
        for throws in (1, 2):  # the second desk is the first one after a restart, on its port
            with program(tmp_path, "hall", "serve", "--port", "0", "--join-port", port) as desk:
                shown = said(desk, r"address \S+:(\d+) and the code (\S+)")
                assert "/" in said(desk, r"The desk of hall is at (\S+)")[1]
                if throws == 1:
                    port, body = shown[1], {"address": f"127.0.0.1:{shown[1]}", "code": shown[2], "table": "7"}
                    assert post(own, "api/owner/hall/join", body)["ok"]
                    assert post(own, "api/command/new_match", match)["ok"]
                assert post(own, "api/command/roll", {})["ok"]
                soon(lambda: of_book(tmp_path) == hashes(journal))
            assert shown[2] == body["code"]
    kept = sorted(path.name for path in (tmp_path / "alea-companion" / "hall-hall").iterdir())
    assert [name for name in kept if not name.startswith("hall.db-")] == ["hall-server", "hall-tables.json", "hall.db"]


def of_book(home: Path) -> list[str]:
    with Database(str(home / "alea-companion" / "hall-hall" / "hall.db")) as database:
        return [str(digest) for (digest,) in database.rows(EVENTS, "7")]


def test_a_desk_by_a_code_needs_no_extra_and_its_file_is_no_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall, "PACKAGES", ("no_such_package",))
    file = tmp_path / "code.toml"
    file.write_text('hall = "club"\ntable = "north"\n[code]\n')
    assert "The settings are in order" in run("hall", "check", str(file)).output
    for command in (
        ("hall", "collect", str(file)),
        ("serve", "--hall", str(file), "--journal", str(tmp_path / "j.db")),
    ):
        refused = run(*command)
        assert (refused.exit_code, "joins by the code on its own page" in refused.output) == (1, True)
    assert not (tmp_path / "j.db").exists()


def test_what_does_not_fit_a_hall_is_said_before_it_begins(tmp_path: Path) -> None:
    refused = run("hall", "serve", "--name", "My Club")
    assert (refused.exit_code, "Expected 1 to 40 small letters" in refused.output) == (1, True)
    with_broker = tmp_path / "broker.toml"
    with_broker.write_text('hall = "club"\n')
    refused = run("hall", "serve", str(with_broker), "--join-port", "9000")
    assert (refused.exit_code, "over a broker" in refused.output) == (1, True)
    by_code = tmp_path / "code.toml"
    by_code.write_text('hall = "club"\n[code]\n')
    refused = run("hall", "serve", str(by_code), "--watch")
    assert (refused.exit_code, "reach one desk" in refused.output) == (1, True)
    (tmp_path / "club-tables.json").write_text("{")
    refused = run("hall", "serve", str(by_code), "--port", "0", "--join-port", "0")
    assert (refused.exit_code, "cannot be read" in refused.output) == (1, True)
