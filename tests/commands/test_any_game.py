"""Every game from outside: played at the prompt, kept in a file, its choices listed, its positions counted."""

import json
from pathlib import Path

import pytest

from companion.rules.registry import games
from tests.commands.running import json_of, run

ZENO = {
    "men": {
        "1": {"f": 7, "i": 1, "k": 2, "t": 2, "u": 2, "y": 1},
        "2": {"h": 2, "l": 2, "m": 2, "n": 1, "o": 2, "p": 2, "s": 2, "w": 2},
    }
}


@pytest.mark.parametrize("slug", games())
def test_a_game_is_begun_explained_played_saved_and_taken_up(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = f"?\nhint\nauto 4\nundo\n?\nscore\nsave {file}\n"
    first = run("play", slug, "--seed", "8", typed=typed)
    assert first.exit_code == 0, first.stderr
    assert "Taken back: " in first.stdout
    assert "(3 moves so far)" in first.stdout
    again = run("play", "--load", str(file), typed="board\nauto 2\nquit\n")
    assert again.exit_code == 0, again.stderr
    assert "Moves made already: 3." in again.stdout
    board = first.stdout.split("Taken back: ")[1].splitlines()[1]
    assert board in again.stdout


@pytest.mark.parametrize("slug", games())
def test_its_story_source_and_options_are_told(slug: str) -> None:
    text = run("games", slug).stdout
    assert f"({slug})" in text.splitlines()[0]
    assert "Source: " in text
    assert max(len(line) for line in text.splitlines()) <= 120
    assert text.count(" = ") >= len(games()[slug].options)


def test_zenos_misfortune_from_outside() -> None:
    """Agathias tells of one legal play; it leaves eight blots."""
    found = json_of("legal", "tables/zeno", "--position", "-", "--throw", "2,5,6", "--plays", typed=json.dumps(ZENO))
    assert [choice["text"] for choice in found["choices"]] == ["k-q", "t-z", "u-x"]
    assert found["choices"][0]["choice"] == {"from": "k", "to": "q", "die": 6}
    (play,) = found["plays"]
    assert play["text"] == "k-q, t-z, u-x"
    assert [step["die"] for step in play["choices"]] == [6, 5, 2]
    men = play["position"]["men"]["1"]
    assert [point for point, count in men.items() if count == 1] == ["i", "k", "q", "t", "u", "x", "y", "z"]
    # the play is the position that the choices lead to, one after the other
    levels = json_of(
        "perft", "tables/zeno", "--depth", "3", "--position", "-", "--throw", "2 5 6", typed=json.dumps(ZENO)
    )
    assert [level["positions"] for level in levels["levels"]] == [1, 3, 3, 1]
    assert levels["levels"][-1]["sequences"] == 6


def test_why_something_is_not_allowed_is_asked_for_before_it_is_tried() -> None:
    typed = "2 5 6\n? a-g\n? a-z\n? g-a\n? 1 2 3\na-c\nundo\nundo\nquit\n"
    shown = run("play", "tables/zeno", "--player", "Ada", "--player", "Bo", typed=typed).stdout
    assert "a-g is allowed: Ada goes from a to g with the 6." in shown
    assert "Taken back: a-c." in shown
    assert "Taken back: 2 5 6." in shown
    assert shown.count("Ada throws the three dice.") == 2


def test_captures_that_players_are_to_find_are_told_by_hint_alone() -> None:
    typed = "a16-b13\n?\nhint\nquit\n"
    shown = run("play", "rithmomachia/durnil-guardia", "-o", "first=black", typed=typed).stdout
    assert "Finding what can be taken is up to you" in shown


def test_a_team_wins_together_in_a_simulation() -> None:
    found = json_of("simulate", "tables/twelve-dogs", "-n", "20", "--seed", "1", "--players", "4", "--rules")
    assert found["capped"]["value"] == 0
    assert sum(won["value"] for won in found["together"].values()) + found["shared"]["value"] >= 1
