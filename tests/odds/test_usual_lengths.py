"""How long games last: the figures that form, cards, prompt and odds say."""

import statistics

from companion.odds.report import odds
from companion.odds.usual_lengths import lengths_by, offered_length, usual_length
from companion.parallel.parts import WorkPart
from companion.rules.registry import game, games
from workshop.players.usual_lengths import Kind


def test_a_usual_length_is_that_of_games_that_the_program_plays() -> None:
    one = game("tables/laquet")
    length = usual_length("tables/laquet")
    assert length is not None
    turns = Kind("tables/laquet", one.rules_hash, (), 1500)(WorkPart(0, 6))
    assert abs(statistics.fmean(turns) - length.turns) < 8
    for slug, other in games().items():
        found = usual_length(slug)
        assert (found is None) == (not other.program_plays)
        if found is not None and slug.startswith("tables/"):
            assert found.games >= 20
    italian = usual_length("rithmomachia/italian")
    assert italian is not None
    assert italian.moves
    assert str(italian.sentence()).endswith("hours")


def test_the_length_of_a_game_of_virtues_is_that_of_its_odds() -> None:
    for slug in ("ludus-regularis", "ludus-regularis/sum", "ludus-regularis/wheel"):
        whole = usual_length(slug)
        assert whole is not None
        assert (whole.turns, whole.games) == (odds(slug, games=10)["mean"], 0)
        ending = next(option for option in game(slug).options if option.name == "ending")
        assert set(lengths_by(game(slug), ending)) == {"whole", "first-to"}
    offered = offered_length(game("ludus-regularis"))
    assert offered is not None
    assert 40 < offered.turns < 80
    assert usual_length("ludus-regularis", {"karitas": "always"}) is None
