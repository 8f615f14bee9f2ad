"""How Ludix ends: the finished round, its other readings, ties, and who may go on."""

import pytest

from companion.rules.errors import GameOverError, IllegalChoiceError
from companion.rules.ludix import LudixPosition
from tests.rules.ludix.plays import ludix, played, start

TO_301 = ["L X X X", "again", "L X X X", "again", "L X X X", "again", "L V I I", "again"]
"""80 + 80 + 80 + 57 = 297: one numeral more is enough for 300."""

OVER_300 = [*TO_301, "I I I V", "stop"]
NULL = ["I I I I"]


def winners(position: LudixPosition) -> tuple[int, ...]:
    assert position.outcome is not None
    return position.outcome.winners


def test_the_round_is_finished_so_that_all_have_had_equally_many_turns() -> None:
    position = played(start(3), [*NULL, *OVER_300])
    assert position.points == (0, 305, 0)
    assert position.outcome is None
    assert "the score to beat is 305 points" in str(position.awaits.sentence)
    position = played(position, NULL)
    assert position.turns == 3
    assert winners(position) == (2,)


def test_who_plays_later_in_the_round_may_still_win() -> None:
    position = played(start(), [*OVER_300, *TO_301, "X I I I", "stop"])
    assert position.points == (305, 310)
    assert winners(position) == (2,)


def test_when_the_last_of_the_round_reaches_the_target_the_game_is_over() -> None:
    position = played(start(), [*NULL, *OVER_300])
    assert winners(position) == (2,)
    with pytest.raises(GameOverError, match="game is over"):
        position.after(position.parse("L X V I"))


def test_equal_scores_share_the_win() -> None:
    position = played(start(), [*OVER_300, *OVER_300])
    assert winners(position) == (1, 2)
    assert position.outcome is not None
    assert position.outcome.tie
    assert str(position.outcome.why) == "Player 1 and Player 2 have 305 points each and share the win."


def test_others_gives_everybody_else_one_turn_more() -> None:
    position = played(start(3, ending="others"), [*NULL, *OVER_300, *NULL])
    assert position.outcome is None
    assert position.turn == 1
    assert winners(played(position, NULL)) == (2,)
    assert winners(played(position, [*TO_301, "X I I I", "stop"])) == (1,)


def test_others_ends_where_the_first_to_reach_it_would_be_next() -> None:
    position = played(start(3, ending="others"), [*NULL, *OVER_300, *OVER_300])
    assert position.outcome is None
    position = played(position, [*TO_301, "X I I I", "stop"])
    assert position.turn == 2
    assert winners(position) == (1,)


def test_at_once_ends_with_the_one_who_reaches_the_target() -> None:
    position = played(start(3, ending="at-once"), [*NULL, *OVER_300])
    assert position.turns == 2
    assert winners(position) == (2,)


def test_a_player_with_enough_may_go_on_unless_agreed_otherwise() -> None:
    enough = [*TO_301, "I I I V"]
    assert "again" in {choice.to_json()["then"] for choice in played(start(), enough).legal()}
    position = played(start(going_on="until-target"), enough)
    assert [str(choice) for choice in position.legal()] == ["VIII stop"]
    with pytest.raises(IllegalChoiceError, match="enough for the target of 300 and must stop"):
        position.after(position.parse("again"))


def test_those_who_play_after_the_first_to_have_enough_are_free() -> None:
    position = played(start(going_on="until-target"), [*OVER_300, *TO_301, "I I I V"])
    assert [str(choice) for choice in position.legal()] == ["VIII stop", "VIII again"]


def test_the_target_may_be_agreed() -> None:
    position = played(start(target=50), [*NULL, "L I I I", "stop"])
    assert winners(position) == (2,)


def test_what_it_means_to_reach_the_target_is_said() -> None:
    for ending, words in {
        "round": "the round is played to its end",
        "others": "one more turn",
        "at-once": "over",
    }.items():
        position = played(start(target=50, ending=ending), ["L I I I"])
        assert words in str(position.account(position.parse("stop")).sentence)


def test_an_agreed_end_counts_noted_points_only() -> None:
    position = played(start(), ["L I I I", "stop", "L X X X", "again"])
    assert position.standing().winners == (1,)
    assert ludix().start(2).standing().winners == (1, 2)
