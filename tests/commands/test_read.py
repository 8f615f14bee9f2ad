"""``companion read``: which dice it takes, and what it prints of them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.dice import dice_set, dice_sets
from companion.vision.readings import DiceReading, ReadDie, readable
from tests.commands.running import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def empty_table(tmp_path: Path) -> str:
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 90, np.uint8))
    return str(path)


@pytest.mark.parametrize("name", dice_sets())
def test_a_set_is_read_if_it_can_be_and_else_told_to_be_tapped_in(name: str, empty_table: str) -> None:
    result = run("read", "--dice", name, "--json", empty_table)
    if readable(dice_set(name)):
        assert json.loads(result.stdout)["objects"] == []
    else:
        assert result.exit_code == 1
        assert f"those of {name} cannot" in result.stderr
        assert "wibold" in result.stderr


def test_a_wheel_is_never_read() -> None:
    assert not readable(dice_set("wheel"))


def test_an_own_file_of_dice_is_checked_before_anything_is_read(tmp_path: Path, empty_table: str) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('title = "Mine"\nsource = "me"\n[[dice]]\nname = "1"\nshape = "ball"\n', encoding="utf-8")
    result = run("read", "--dice", str(own), empty_table)
    assert result.exit_code == 1
    assert "mine.toml, die 1: expected shape as one of" in result.stderr


def test_without_a_name_it_is_wibolds_dice_and_tiles_are_short_for_their_set(empty_table: str) -> None:
    result = run("read", empty_table)
    assert result.exit_code == 0
    assert result.stdout == "empty.png: ignored: The camera sees no dice.\n"
    short, long = run("read", "--tiles", empty_table), run("read", "--dice", "tiles", empty_table)
    assert (short.exit_code, short.stdout, short.stderr) == (long.exit_code, long.stdout, long.stderr)
    both = run("read", "--tiles", "--dice", "wibold", empty_table)
    assert both.exit_code == 2
    assert "one of --dice, --tiles and --board" in both.stderr


@pytest.mark.parametrize(("only", "sentence"), [("1,9", "die '9'"), ("1,,2", "die ''")])
def test_dice_that_the_set_has_not_are_told(only: str, sentence: str, empty_table: str) -> None:
    result = run("read", "--only", only, empty_table)
    assert result.exit_code == 1
    assert sentence in result.stderr


def test_what_is_known_of_a_die_is_printed_and_nothing_else(monkeypatch: pytest.MonkeyPatch, empty_table: str) -> None:
    seen = (
        ReadDie("ludix", None, "X", "read", 0.99996, (("X", 0.99996),), ((1, 2), (3, 4), (5, 6.04)), twin=4),
        ReadDie("tiles", None, "A", "ask", 0.5, (("A", 0.5), ("Ä", 0.5)), (), "Its letter is not clear.", "tile"),
        ReadDie("wibold", "1", "EI", "read", 1.0, (("EI", 1.0),), ()),
    )
    monkeypatch.setattr(
        "companion.vision.dice.reader.DiceReader.read", lambda *_: DiceReading(seen, "ask", "Look again.", 12.34)
    )
    (line,) = run("read", "--json", empty_table).stdout.splitlines()
    alike, tile, die = json.loads(line)["objects"]
    assert alike == {
        "kind": "die",
        "set": "ludix",
        "face": "X",
        "twin": 4,
        "status": "read",
        "confidence": 1.0,
        "candidates": [["X", 1.0]],
        "polygon": [[1, 2], [3, 4], [5, 6.0]],
    }
    assert (tile["kind"], tile["face"], tile["reason"]) == ("tile", "A", "Its letter is not clear.")
    assert "die" not in tile
    assert (die["die"], "twin" in die, "reason" in die) == ("1", False, False)
    words = run("read", empty_table).stdout
    assert words == "empty.png: ask: X (read), A (ask), 1 EI (read)\n"


def test_a_board_that_is_seen_from_the_side_is_asked_about_and_the_side_is_named(tmp_path: Path) -> None:
    upright = cv2.imread(str(ROOT / "sample_images/zeno/158_ply75_still.jpg"))
    assert upright is not None
    cv2.imwrite(str(tmp_path / "side.png"), np.rot90(upright))
    (seen,) = json.loads(run("read", "--board", "tables", "--json", str(tmp_path / "side.png")).stdout)["objects"]
    assert seen["status"] == "ask"
    assert "not from the side" in seen["reason"]
