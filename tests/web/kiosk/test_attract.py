"""The game that plays itself is a whole game by the rules, told in a minute."""

import pytest

from companion.rules.ludus_regularis.virtues import virtues
from companion.web.kiosk.attract import (
    ATTRACT_PLAYERS,
    GAMES_KEPT,
    LONGEST_PLAY_SECONDS,
    SINGLE_THROWS,
    TAUGHT_WITHIN,
    self_play,
)


@pytest.mark.parametrize("place", range(0, GAMES_KEPT, 5))
def test_every_virtue_is_acquired_once_and_the_scores_are_theirs(place: int) -> None:
    played = self_play(place)
    won = [moment for moment in played.moments if moment.kind == "acquired"]
    assert sorted(moment.lot for moment in won) == sorted(virtue.lot for virtue in virtues())
    held = {player: sum(moment.player == player for moment in won) for player in range(1, ATTRACT_PLAYERS + 1)}
    assert played.scores == held
    assert set(played.teacher) == {player for player, count in held.items() if count == max(held.values())}


@pytest.mark.parametrize("place", range(0, GAMES_KEPT, 5))
def test_it_takes_a_minute_and_its_time_never_stands_or_turns_back(place: int) -> None:
    played = self_play(place)
    times = [moment.at for moment in played.moments]
    assert times == sorted(times)
    assert times[-1] == pytest.approx(LONGEST_PLAY_SECONDS)
    numbers = [moment.number for moment in played.moments]
    assert numbers[:SINGLE_THROWS] == list(range(1, SINGLE_THROWS + 1))
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == played.throws


@pytest.mark.parametrize("place", range(0, GAMES_KEPT, 5))
def test_its_first_throws_show_what_wins_and_what_does_not(place: int) -> None:
    kinds = {moment.kind for moment in self_play(place).moments[:TAUGHT_WITHIN]}
    assert "acquired" in kinds
    assert kinds & {"letters", "consonant"}


def test_the_rota_repeats_and_its_games_differ() -> None:
    assert self_play(3) is self_play(3)
    assert self_play(3).moments == self_play(3 + GAMES_KEPT).moments
    assert len({self_play(place).throws for place in range(5)}) > 1
