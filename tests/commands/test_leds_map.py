"""``companion leds map``: asked LED by LED, kept at each answer; or made at once of how the strip runs."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.commands.leds import kept, session
from companion.commands.leds.map import command
from firmware_bridge.mapping import LIT
from firmware_bridge.wiring import Wiring
from tests.firmware_bridge.recorder import Recorder


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    monkeypatch.setattr(session, "chosen_board", lambda *_: recorder)
    return recorder


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(command, list(arguments), input=typed)


def test_answers_make_the_map_and_an_interrupted_one_goes_on(board: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "mine.leds.toml"
    arguments = ("tables", "--file", str(path), "--name", "mine")
    first = run(*arguments, typed="\n\nq\nz9\n")  # then the input ends, as if the cable or the person was gone
    assert first.exit_code == 0, first.output
    assert Wiring.load(path).sites == {"a": (0,), "b": (1,), "q": (2,)}
    assert "Expected a site of this board, such as a, b, c, but got 'z9'." in first.stderr
    assert "still without an LED: c, d, " in first.stdout
    second = run(*arguments, typed="<\n\n" + "\n" * 21)
    assert second.exit_code == 0, second.output
    assert Wiring.load(path).sites["c"] == (2,)
    assert "Every site has its LED" in second.stdout
    lit = [frame.colours.count(LIT) for frame in board.frames]
    assert lit
    assert set(lit) == {1}
    assert board.closed


def test_without_a_board_nothing_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "none.leds.toml"
    result = run("tables", "--leds", "nowhere", "--file", str(path))
    assert result.exit_code == 1
    assert "but got 'nowhere'" in result.stderr
    assert not path.exists()


def test_a_strip_to_and_fro_needs_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "big.leds.toml"
    result = run(
        "rithmomachia/mebben", "--serpentine", "8x16", "--each", "2", "--first-square", "0", "--file", str(path)
    )
    assert result.exit_code != 0
    assert "sensor 64" in result.stderr
    result = run("rithmomachia/mebben", "--serpentine", "8x16", "--each", "2", "--file", str(path))
    assert result.exit_code == 0, result.output
    wiring = Wiring.load(path)
    assert (wiring.leds, wiring.sites["a16"], wiring.sites["b16"]) == (256, (30, 31), (32, 33))


def test_sensors_follow_the_sites_in_order(tmp_path: Path) -> None:
    path = tmp_path / "t.leds.toml"
    assert run("tables", "--rows", "2x12", "--first-square", "2", "--file", str(path)).exit_code == 0
    assert Wiring.load(path).occupied(0b1000) == {site: site == "b" for site in "abcdefghiklmnopqrstuwxyz"}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("chess",), "Expected a board (rim, pairs, wheel, "),
        (("tables", "--serpentine", "3x8x"), "Expected ROWSxCOLUMNS such as 8x16, but got '3x8x'"),
        (("tables", "--serpentine", "2x13"), "for 24 sites, but 2x13 makes 26"),
        (("tables", "--sites", "a,b,c9"), "Expected sites of the board tables, but got c9"),
        (("tables", "--sites", "a,b", "--rows", "2x12"), "but got several"),
        (("tables", "--rows", "2x12", "--count", "20"), "Site w has LED 20, but the chain has 20 LEDs"),
        (("tables", "--name", "a/b"), "Expected a name of letters, digits, - and _ for the map, but got 'a/b'"),
    ],
)
def test_what_cannot_be_made_is_said_and_nothing_is_kept(
    arguments: tuple[str, ...], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "map_path", lambda name: tmp_path / name)
    result = run(*arguments)
    assert result.exit_code == 1
    assert text in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_map_of_another_board_is_left_alone(board: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "rim.leds.toml"
    assert run("rim", "--sites", "1.1.1,1.1.2", "--file", str(path)).exit_code == 0
    result = run("tables", "--file", str(path), typed="\n")
    assert result.exit_code == 1
    assert "is for the board rim" in result.stderr
    assert not board.frames
