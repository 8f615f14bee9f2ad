"""What may be done in a position."""

import json
from pathlib import Path

import pytest

from tests.commands.running import json_of, run
from tests.rules.ludus_regularis.plays import played, start


def test_tells_what_a_first_position_waits_for() -> None:
    found = json_of("legal", "ludus-regularis")
    assert found["awaits"]["kind"] == "throw"
    assert found["choices"] == []


def test_tells_what_a_throw_comes_to() -> None:
    found = json_of("legal", "ludus-regularis", "--throw", "A E I STXZ")
    assert found["throw"]["details"]["result"] == "recast"
    assert found["awaits"]["kind"] == "recast"
    assert found["position"]["recast"]["faces"]["consonants"] == "STXZ"


def test_reads_a_position_from_a_file_or_standard_input(tmp_path: Path) -> None:
    position = played(start(3, ending="time"), ["A IO AEI MNPR"])
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position.to_json()), encoding="utf-8")
    found = json_of("legal", "ludus-regularis", "--position", str(file), "--plays")
    assert found["position"] == position.to_json()
    assert [play["text"] for play in found["plays"]] == ["time up"]
    assert found["plays"][0]["position"]["time_up"] is True
    typed = file.read_text(encoding="utf-8")
    assert json_of("legal", "ludus-regularis", "--position", "-", typed=typed)["choices"][0]["text"] == "time up"
    assert "time up" in run("legal", "ludus-regularis", "--position", str(file)).stdout


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("{", "is not JSON"),
        ("[1]", "it holds list"),
        ("{}", "Expected an object"),
        ('{"players": 2, "virtues": {}, "turn": 2}', "This position is not possible"),
    ],
)
def test_refuses_what_is_no_sound_position(typed: str, text: str) -> None:
    result = run("legal", "ludus-regularis", "--position", "-", typed=typed)
    assert result.exit_code == 1
    assert text in result.stderr


def test_takes_the_options_of_a_game() -> None:
    shown = run("legal", "tables/zeno", "-o", "dice=majoret", "--throw", "2 5").stdout
    assert "Player 1 plays 2, 5, 5." in shown
    refused = run("legal", "tables/zeno", "-o", "dice=2", "--position", "-", typed="{}")
    assert refused.exit_code == 2
    assert "A position has its own options: leave out -o." in refused.stderr
