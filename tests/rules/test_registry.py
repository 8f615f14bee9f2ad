"""The list of games, and what every game in it keeps."""

import re

import pytest

from companion.rules.errors import OptionError, UnknownGameError
from companion.rules.game import Game
from companion.rules.registry import game, games

SOURCE = re.compile(r"(?<=[\w,;] )[A-Z]|\([A-Z]|\b(booklet|agree|source)")
"""A name inside a sentence, whoever's it is; or that the players agree on it."""

every_game = pytest.mark.parametrize("listed", games().values(), ids=lambda listed: listed.slug)


def test_wibolds_two_games_are_listed() -> None:
    assert {"ludus-regularis", "ludus-regularis/sum"} <= set(games())


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownGameError, match=r"no game called 'whist'.*tables/"):
        game("whist")


@every_game
def test_every_site_lies_on_its_board(listed: Game) -> None:
    for board in listed.boards:
        places = [(round(site.x, 6), round(site.y, 6)) for site in board.sites]
        assert len(set(places)) == len(places)
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places)


@every_game
def test_every_options_meaning_names_its_source_or_says_that_it_is_agreed(listed: Game) -> None:
    for option in listed.options:
        assert SOURCE.search(str(option.meaning)), option.name


@every_game
def test_options_take_only_their_values(listed: Game) -> None:
    with pytest.raises(OptionError, match="'nonsense'"):
        listed.start(listed.least_players, nonsense=1)
    for option in listed.options:
        with pytest.raises(OptionError, match=option.name):
            listed.start(listed.least_players, **{option.name: -7})
        if option.values is None:
            with pytest.raises(OptionError, match="True"):
                option.check(value=True)


@every_game
def test_too_few_and_too_many_players_are_refused(listed: Game) -> None:
    for players in (listed.least_players - 1, listed.most_players + 1):
        with pytest.raises(OptionError, match=f"there are {players}"):
            listed.start(players)


@every_game
def test_a_first_position_is_sound_and_survives_json(listed: Game) -> None:
    position = listed.start(listed.most_players)
    assert not position.faults()
    assert listed.from_json(position.to_json()) == position


@every_game
def test_the_hash_of_the_rules_is_its_own(listed: Game) -> None:
    assert len({other.rules_hash for other in games().values()}) == len(games())
    assert len(listed.rules_hash) == 64
