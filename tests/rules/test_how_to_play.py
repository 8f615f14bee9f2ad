"""What is said of how a game is played agrees with how it is played."""

import pytest

from companion.rules.registry import games
from companion.rules.tables.points import POINTS
from companion.rules.tables.tables import tables_game
from companion.rules.tables.variants import variants

COUNTED = {2: "two dice", 3: "three dice"}


@pytest.mark.parametrize("slug", list(games()))
def test_every_game_tells_how_it_is_played_in_whole_sentences(slug: str) -> None:
    steps = [str(step) for step in games()[slug].how_to_play]
    assert len(steps) >= 2
    for step in steps:
        assert step[0].isupper()
        assert step.endswith((".", "!"))
        assert "{" not in step
    assert len(set(steps)) == len(steps)


@pytest.mark.parametrize("name", list(variants()))
def test_what_a_tables_game_says_is_how_its_positions_behave(name: str) -> None:
    game = tables_game(name)
    text = " ".join(str(step) for step in game.how_to_play)
    start = game.start(2)
    assert COUNTED[len(start.awaits.dice)] in text.lower()
    judged = start.rules
    assert ("bears one off" in text or "bears a man off" in text) == (judged.goal == "bear")
    assert ("have all men in the last table" in text) == (judged.goal == "home")
    assert "Play as many of the numbers as you can" in text
    assert "play the higher numbers" in text
    on_board = [site for site in start.occupancy() if site in POINTS]
    assert ("wait beside the board" in text) == (not on_board)
    assert ("two men on one point" in text) == (not judged.courses[0].movement.pairing)


def test_ways_are_spoken_as_they_lie() -> None:
    text = [str(step) for step in tables_game("medio-emperador").how_to_play]
    assert text[0] == "Side 1 runs a to f, t to z, side 2 z to t, f to a."
