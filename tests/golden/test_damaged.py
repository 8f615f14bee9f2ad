"""Golden files that were damaged since are refused or rescued, each with a sentence; nothing of them is made up."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.scoring.baseline import BaselineError
from companion.commands.play.saved import SavedGameError
from companion.rules.dice import DiceSetFileError
from companion.vision.boards.board_profile import BoardProfileError
from companion.vision.boards.lens import LensError
from companion.vision.dice.memory.profile import ProfileError
from companion.web.access.pin import PinFileError
from companion.web.kiosk.statistics import StatisticsError, read_statistics
from firmware_bridge.wiring import WiringError
from tests.golden import telling_matches, telling_series
from tests.golden.copying import GOLDEN, JOURNAL, KILLED, THROWS, copied, expected
from tests.golden.rewording import reworded
from tests.golden.telling_files import FILES, report_on

Damage = Callable[[bytes], bytes]


def flipped(data: bytes) -> bytes:
    """Turn one byte in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def torn(data: bytes) -> bytes:
    """Take away half of the last line, or of what would be one."""
    whole = data.rstrip(b"\n")
    begin = whole.rfind(b"\n") + 1
    return whole[: (begin + len(whole)) // 2]


def cut(data: bytes) -> bytes:
    """Take away the last third."""
    return data[: len(data) * 2 // 3]


def one_number(data: bytes) -> bytes:
    """Let another player have played an event in the middle: it can be read, but was never written."""
    sign = b'"player":1,'
    places = [place for place in range(len(data)) if data.startswith(sign, place)]
    place = places[len(places) // 2] + len(sign) - 2
    return data[:place] + b"2" + data[place + 1 :]


def damaged(path: Path, how: Damage) -> Path:
    path.write_bytes(how(path.read_bytes()))
    return path


REFUSED: dict[str, type[Exception]] = {
    "profiles/own.dice": ProfileError,
    "profiles/oak board.board": BoardProfileError,
    "profiles/desk.lens": LensError,
    "profiles/oak.leds.toml": WiringError,
    "profiles/own-dice.toml": DiceSetFileError,
    "profiles/baseline.json": BaselineError,
    "owner/owner-pin-plain": PinFileError,
    **dict.fromkeys((name for name in FILES if name.startswith("saved/")), SavedGameError),
}


@pytest.mark.parametrize("how", [flipped, torn])
@pytest.mark.parametrize("name", REFUSED)
def test_a_damaged_file_is_refused_in_a_sentence(name: str, how: Damage, tmp_path: Path) -> None:
    with pytest.raises(REFUSED[name], match=r"^[^\n]+\.$"):
        FILES[name](damaged(copied(tmp_path, name), how))


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("laboratory/cube.csv", flipped),
        ("laboratory/red.csv", flipped),
        ("laboratory/red.csv", torn),
        ("laboratory/cube.json", flipped),
        ("laboratory/cube.json", torn),
        ("laboratory/reader.json", flipped),
        ("laboratory/reader.json", torn),
    ],
)
def test_damaged_throws_and_measurements_are_refused_by_the_command(name: str, how: Damage, tmp_path: Path) -> None:
    path = damaged(copied(tmp_path, name), how)
    if path.suffix == ".csv":
        judged = report_on(path)
    else:
        judged = report_on(copied(tmp_path, "laboratory/cube.csv"), "--reader", str(path))
    assert judged.exit_code == 1
    assert f"{path}: Expected " in judged.stderr
    assert judged.stderr.rstrip().endswith(".")


@pytest.mark.parametrize("how", [flipped, torn])
def test_damaged_settings_are_kept_aside_and_told(how: Damage, tmp_path: Path) -> None:
    path = damaged(copied(tmp_path, "owner/settings.json"), how)
    content = path.read_bytes()
    found = FILES["owner/settings.json"](path)
    assert "The settings could not be used" in found["notice"]
    assert "settings.json.broken-1" in found["notice"]
    assert (tmp_path / "settings.json.broken-1").read_bytes() == content
    assert (found["languages"], found["lights"]) == ([], 1.0), "all settings are back to the defaults"


def test_a_damaged_pin_lets_nobody_in(tmp_path: Path) -> None:
    with pytest.raises(PinFileError, match=r"cannot be read: check it\.$"):
        FILES["owner/owner-pin"](damaged(copied(tmp_path, "owner/owner-pin"), flipped))
    assert not any(FILES["owner/owner-pin"](damaged(copied(tmp_path, "owner/owner-pin"), torn)).values())


@pytest.mark.parametrize("file", ["kiosk.toml", "texts.de.toml"])
def test_a_damaged_file_of_a_hall_is_told_and_the_rest_holds(file: str, tmp_path: Path) -> None:
    folder = copied(tmp_path, "hall")
    damaged(folder / file, flipped)
    found = FILES["hall"](folder)
    assert [fault.split()[0] for fault in found["faults"]] == [file]
    assert found["usable"] is (file != "kiosk.toml")
    assert found["statistics"] == expected("hall")["statistics"]


@pytest.mark.parametrize("how", [flipped, torn])
def test_damaged_counts_are_told_or_begin_anew(how: Damage, tmp_path: Path) -> None:
    with pytest.raises(StatisticsError, match=r"cannot be read .* move the file away\.$"):
        read_statistics(damaged(copied(tmp_path, "hall") / "statistics.json", how))
    found = FILES["laboratory/throws.day.json"](damaged(copied(tmp_path, "laboratory/throws.day.json"), how))
    assert found == {"day": {}, "next": {}}


@pytest.mark.parametrize("how", [flipped, torn, cut])
def test_a_damaged_export_is_refused_and_nothing_of_it_is_taken_in(how: Damage, tmp_path: Path) -> None:
    data = (GOLDEN / "exports" / "07-anglicorum-board.jsonl").read_bytes()
    lines = how(data).decode("utf-8", "replace").splitlines()
    with telling_matches.table_of(tmp_path / "matches.db") as table:
        reply = table.import_lines(lines, "page")
        assert not reply.ok
        assert str(reply.sentence).startswith(("Line ", "Expected "))
        assert not table.matches()


@pytest.mark.parametrize("how", [flipped, cut])
def test_of_a_damaged_journal_every_match_is_saved_as_far_as_it_can_be_read(how: Damage, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    with telling_matches.table_of(copied(tmp_path / "whole", *JOURNAL)) as table:
        whole = {line["id"]: list(table.export(line["id"]) or ())[1:] for line in table.matches()}
    journal = damaged(copied(tmp_path, *JOURNAL), how)
    content = journal.read_bytes()
    with telling_matches.table_of(journal) as table:
        assert str(_journal_state(table.snapshot().data)).startswith("The journal was damaged: ")
        saved = {line["id"]: list(table.export(line["id"]) or ())[1:] for line in table.matches()}
        chronicles = {number: table.chronicle(number) for number in saved}
    assert all(lines == whole[number][: len(lines)] for number, lines in saved.items())
    assert sum(map(len, saved.values())) >= sum(map(len, whole.values())) / 2
    assert all(chronicles.values()), "each can be looked at"
    assert (tmp_path / "matches.db.damaged-1").read_bytes() == content


def test_an_event_that_was_changed_is_told(tmp_path: Path) -> None:
    journal = damaged(copied(tmp_path, *JOURNAL), one_number)
    with telling_matches.table_of(journal) as table:
        stated = _journal_state(table.snapshot().data)
    assert stated.startswith("In the journal, event ")
    assert "is not the one that was written" in stated


@pytest.mark.parametrize("how", [flipped, cut])
def test_of_a_damaged_file_of_throws_every_series_is_saved_as_far_as_it_can_be_read(
    how: Damage, tmp_path: Path
) -> None:
    path = damaged(copied(tmp_path, *THROWS), how)
    with telling_series.laboratory_of(path) as laboratory:
        shown = laboratory.snapshot().data
        assert _journal_state(shown).startswith("The journal was damaged: ")
        saved = {line["id"]: laboratory.throws(line["id"]) or [] for line in shown["series_list"]}
    assert saved
    for number, throws in saved.items():
        names, *rows = expected(f"throws/{number}")["throws"]
        first = names.index("digest")  # later events may have changed a throw, but not who saw it
        assert [throw["digest"] for throw in throws] == [row[first] for row in rows[: len(throws)]]
    assert (tmp_path / "throws.db.damaged-1").exists()


@pytest.mark.parametrize("how", [flipped, cut])
def test_of_a_damaged_log_what_comes_before_the_damage_is_there(how: Damage, tmp_path: Path) -> None:
    """A journal of then has no second copy, so nobody can know what its log once held."""
    journal = copied(tmp_path, *KILLED)
    damaged(tmp_path / "killed.db-wal", how)
    lines = expected("killed")["match"]["lines"][1:]
    with telling_matches.table_of(journal) as table:
        chronicle = table.chronicle(1)
    assert chronicle is not None
    assert 6 <= chronicle.count < len(lines)
    data = json.loads(json.dumps(chronicle.lines(1, len(lines))))
    assert [line["text"]["text"] for line in data] == [reworded(line[5]) for line in lines[: chronicle.count]]


def _journal_state(shown: Any) -> str:
    stated = shown["health"]["journal"]
    return stated if isinstance(stated, str) else str(stated["text"])
