"""The chances that people are told: true where games showed the evaluation to be too sure, and in the same order."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.odds.tables.games import RunningGames
from companion.odds.tables.layout import laid_out
from companion.players import telling
from companion.players.analysis import analysed_moves
from companion.players.hints import hint_of
from companion.players.player import Budget
from companion.players.rithmomachia.evaluation import WON_LOG_ODDS
from companion.players.rithmomachia.search import chance_of
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, weights_of
from companion.players.telling import calibrated, scales
from companion.players.thinking import player_of, weigh
from tests.players.on_the_way import SLUGS, choosing
from workshop.players import scales as command
from workshop.players.scales import EstimatedChances, measured

CHANCES = st.floats(1e-7, 1 - 1e-7) | st.sampled_from([0.0, 1.0])  # those that evaluations name
TOO_SURE = "tables/imperial"


@given(slug=st.sampled_from(SLUGS), one=CHANCES, other=CHANCES)
def test_what_is_told_keeps_the_order_and_what_one_side_wins_the_other_loses(
    slug: str, one: float, other: float
) -> None:
    assert 0 <= calibrated(slug, one) <= 1
    assert calibrated(slug, 1 - one) == pytest.approx(1 - calibrated(slug, one), abs=1e-6)
    if one < other:
        assert calibrated(slug, one) <= calibrated(slug, other)


def test_where_an_evaluation_is_too_sure_people_are_told_a_chance_nearer_to_even() -> None:
    assert scales()[TOO_SURE]["high"] < 1
    assert 0.5 < calibrated(TOO_SURE, 0.96) < 0.9
    assert (calibrated(TOO_SURE, 0.0), calibrated(TOO_SURE, 0.5), calibrated(TOO_SURE, 1.0)) == (0, 0.5, 1)
    assert calibrated("ludix", 0.96) == 0.96


def test_hints_and_analyses_say_the_chance_that_people_are_told() -> None:
    position = choosing(TOO_SURE, 1, 60)
    assert position is not None
    weighed = weigh(position, Budget())
    percent = round(100 * calibrated(TOO_SURE, weighed[0].chance))
    assert f"about {percent} of 100" in str(hint_of(position, Budget()).sentences[0])
    moves = list(weighed[-1].choices)
    looked = next(iter(analysed_moves(position, moves)))
    lost = calibrated(TOO_SURE, weighed[0].chance) - calibrated(TOO_SURE, weighed[-1].chance)
    assert looked.cost == pytest.approx(lost)
    assert player_of(position.game).chance(position) != looked.chance


def test_a_scale_that_games_were_played_by_is_found_again() -> None:
    lots = np.random.default_rng(5)
    chance = lots.uniform(0.02, 0.98, 4000)
    odds = (chance / (1 - chance)) ** 0.5
    won = (lots.uniform(size=4000) < odds / (1 + odds)).astype(np.float64)
    found = measured(EstimatedChances(np.repeat(np.arange(400), 10), chance, won), 400, 1)
    assert found["low"] < 0.5 < found["high"]
    assert found["high"] < 0.7
    assert found["scale"] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("slug", ["tables/fallas", "rithmomachia/mebben"])
def test_the_command_writes_what_it_measured(slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "scales.toml"
    file.write_text("")
    monkeypatch.setattr(command, "FILE", file)
    monkeypatch.setattr("sys.argv", ["scales", slug, "-n", "3", "--seed", "2", "--jobs", "1"])
    monkeypatch.setattr("workshop.players.rithmomachia.CAP", 2)
    assert command.main() == 0
    written = tomllib.loads(file.read_text())
    assert (written[slug]["games"], written[slug]["seed"]) == (3, 2)
    assert written[slug]["low"] <= written[slug]["high"]


def test_only_scales_that_games_contradict_are_used() -> None:
    for slug, found in scales().items():
        contradicted = not found["low"] <= 1 <= found["high"]
        assert (telling.scale_of(slug) != 1) == contradicted, slug


def test_no_evaluation_is_so_sure_that_people_are_told_of_a_game_that_is_won_already() -> None:
    """Some weights name chances that floats of 32 bits round to 1 long before a game is over."""
    slug = "tables/pareia-de-entrada"
    layout = laid_out(slug, 2, {})
    games = RunningGames(layout, 1, 10_000, np.arange(200))
    boards = Boards(games.men, games.hit, games.block, games.blots, games.pool, games.side)
    for sign in (1, -1):
        (chance,) = set(Evaluation(layout, sign * 1000 * weights_of(slug)).chances(boards).tolist())
        assert 0 < chance < 1
        assert abs(chance - 0.5) > 0.4999
        assert abs(calibrated(slug, chance) - 0.5) < 0.45
    assert (calibrated(slug, 0.0), calibrated(slug, 1.0)) == (0, 1)


def test_a_turn_that_wins_is_told_as_certain_where_chances_are_drawn_towards_even() -> None:
    slug = "rithmomachia/mebben"
    assert telling.scale_of(slug) < 1
    assert [calibrated(slug, chance_of(score)) for score in (-WON_LOG_ODDS, 0, WON_LOG_ODDS)] == [0, 0.5, 1]
    assert 0.5 < calibrated(slug, chance_of(5)) < 0.9
