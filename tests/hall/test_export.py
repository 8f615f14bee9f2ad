"""The whole book as CSV: every event is there, every column is described, and without --names nobody is named."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.hall import command
from companion.hall.book.database import Database
from companion.hall.book.export import export, without_names
from companion.hall.collector import collect_journal
from companion.hall.settings import HallSettings
from companion.referee.events import Committed, Corrected, Event, MatchStarted, Reseated, to_json
from companion.referee.journal import Journal

PYTHON: dict[str, Callable[[str], object]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": lambda text: {"True": True, "False": False}[text],
}
STARTED = MatchStarted("Anna's party", "ludix", ("Anna", "=Ben"), {}, "tapped", "", programs=(2,))
EVENTS: list[Event] = [
    Committed(1, "throw", {"set": "ludix", "faces": {"1": "1"}}, "tapped"),
    Corrected(2, None, "Anna dropped a die"),
    Reseated(players=("Anna", "Carl")),
]


@pytest.fixture
def filled(book_url: str, tmp_path: Path) -> str:
    with Journal(tmp_path / "journal.db") as journal:
        for at in range(3):
            match = journal.begin(STARTED, 1000.0 + at, "tests")
            journal.append(match, EVENTS, 2000.0 + at, "tests")
    collect_journal(HallSettings("museum", "north", book=book_url, names=True), tmp_path / "journal.db")
    return book_url


def tables(folder: Path) -> dict[str, list[dict[str, str]]]:
    return {path.stem: list(csv.DictReader(path.read_text("utf-8").splitlines())) for path in folder.glob("*.csv")}


@pytest.mark.parametrize("at_once", [1, 200])
def test_every_event_is_in_the_tables_and_every_column_is_described(
    filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr("companion.hall.book.export.MATCHES_AT_ONCE", at_once)
    with Database(filled) as database:
        counts = export(database, "museum", tmp_path / "all", names=True)
        assert sum(export(database, "another", tmp_path / "none", names=True).values()) == 0
    found = tables(tmp_path / "all")
    assert {name: len(rows) for name, rows in found.items()} == {
        "matches": 3,
        "players": 6,
        "events": 12,
        "throws": 0,
    }
    assert dict(counts) | {"throws": 0} == {"matches": 3, "players": 6, "events": 12, "throws": 0}
    assert [row["number"] for row in found["events"][:4]] == ["1", "2", "3", "4"]
    assert json.loads(found["events"][2]["body"]) == to_json(EVENTS[1])
    assert {row["name"] for row in found["players"]} == {"Anna", "'=Ben"}, "no cell is computed by a spreadsheet"
    described = json.loads((tmp_path / "all" / "datapackage.json").read_text("utf-8"))
    for resource in described["resources"]:
        fields = resource["schema"]["fields"]
        for row in found[resource["path"].removesuffix(".csv")]:
            assert list(row) == [field["name"] for field in fields]
            for field in fields:
                if row[field["name"]]:
                    PYTHON[field["type"]](row[field["name"]])
        assert all(field["description"] for field in fields)


def test_without_names_nobody_is_named_and_nothing_that_was_typed_is_there(filled: str, tmp_path: Path) -> None:
    with Database(filled) as database:
        export(database, "museum", tmp_path / "all", names=False)
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "all").iterdir())
    for name in ("Anna", "Ben", "Carl", "dropped", "party"):
        assert name not in text
    first = json.loads(tables(tmp_path / "all")["events"][0]["body"])
    assert (first["players"], first["game"], first["programs"]) == (["1", "2"], "ludix", [2])
    assert without_names("{") == without_names("[1]") == ""


def test_the_command_writes_into_a_new_folder_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "data")
    done = CliRunner().invoke(command, ["export", str(tmp_path / "out")], catch_exceptions=False)
    assert "matches: 0, players: 0, events: 0, throws: 0; in" in done.output
    again = CliRunner().invoke(command, ["export", str(tmp_path / "out")])
    assert "new or empty folder" in again.output
    assert again.exit_code == 1
