"""Simulated games: the same as the rules core's for the same throws, and like the exact odds for random ones."""

import numpy as np
import numpy.typing as npt
import pytest

from companion.odds.ludus_regularis import expected_curve, length, null_weight, prizes
from companion.odds.playouts import GamesCountError
from companion.odds.report import exact, histogram, odds, results
from companion.odds.simulation import NEVER, Games, judge, record, settle, simulate, spread, table
from companion.rules.dice import Throw
from companion.rules.errors import OptionError, UnknownGameError
from companion.rules.ludus_regularis import LudusPosition
from companion.rules.options import OptionValue
from tests.rules.ludus_regularis.plays import SUMS, WHOLE, start

OPTIONS: list[tuple[str, int, dict[str, OptionValue]]] = [
    (WHOLE, 2, {}),
    (WHOLE, 3, {"karitas": "always"}),
    (WHOLE, 6, {"second_cast": "replaced"}),
    (WHOLE, 4, {"iustitia": "vowel"}),
    (WHOLE, 2, {"ending": "first-to", "target": 12}),
    (WHOLE, 3, {"ending": "first-to", "target": 5, "karitas": "always"}),
    (WHOLE, 5, {"ending": "throws", "throws": 31}),
    (SUMS, 2, {}),
    (SUMS, 4, {"karitas": "always"}),
    (SUMS, 3, {"ending": "first-to", "target": 12}),
    (SUMS, 2, {"ending": "throws", "throws": 3}),
]


def replay(first: LudusPosition, dice: npt.NDArray[np.uint16], again: npt.NDArray[np.uint8]) -> Games:
    """Play games with the given throws, in the order of the table, and the given faces of second casts."""
    made = table(first.game.slug, first.settings)
    earliest = np.full((len(dice), len(made.members)), NEVER, np.int32)
    prize = judge(made, dice, lambda rows, columns: again[rows, columns])
    record(earliest, np.arange(len(dice)), 0, prize)
    return settle(first, spread(earliest, made))


def by_the_rules(
    position: LudusPosition, throws: tuple[Throw, ...], cubes: tuple[str, ...], dice: list[int], again: list[int]
) -> LudusPosition:
    """Play one game through the rules core, the second casts with the cube that the simulation takes."""
    for number, face in zip(dice, again, strict=True):
        if position.outcome is not None:
            return position
        position = position.after(throws[number])
        if position.awaits.kind == "recast":
            faces = [throw for throw in position.throws() if throw.face(cubes[number]) is not None]
            position = position.after(faces[face])
    return position


@pytest.mark.parametrize(("slug", "players", "options"), OPTIONS)
def test_the_same_throws_give_the_same_games_as_the_rules_core(
    slug: str, players: int, options: dict[str, OptionValue]
) -> None:
    first = start(players, slug, **options)
    made = table(slug, first.settings)
    generator = np.random.default_rng(11)
    shape = (6, 6000) if options.get("ending", "whole") == "whole" else (40, 400)
    dice = generator.integers(0, len(made.throws), shape, dtype=np.uint16)
    if slug == WHOLE:
        # Karitas is rare: half of the games come to its lot early
        dice[::2, 3] = next(n for n, throw in enumerate(made.throws) if str(throw) == "A E I STXZ")
    again = generator.integers(0, 6, shape, dtype=np.uint8)
    games = replay(first, dice, again)
    owners = np.where(games.won_at < NEVER, (games.won_at - 1) % games.players + 1, 0)
    for row in range(shape[0]):
        ended = by_the_rules(first, made.throws, made.cube, dice[row].tolist(), again[row].tolist())
        assert ended.outcome is not None
        assert games.length[row] == ended.thrown
        assert tuple(owners[row].tolist()) == ended.holders
        assert [n or NEVER for n in ended.numbers] == games.won_at[row].tolist()
        assert games.scores[row].tolist() == list(ended.scores().values())
        assert tuple((np.flatnonzero(games.winners[row]) + 1).tolist()) == ended.outcome.winners


@pytest.mark.parametrize("slug", [WHOLE, SUMS])
def test_lengths_come_out_as_the_exact_distribution_says(slug: str) -> None:
    games = simulate(slug, 4000, np.random.default_rng(5), 3)
    found = results(games)
    assert abs(found["mean"] - float(length(slug).mean)) < 4 * found["mean_error"]
    for bar in histogram(slug, games):
        error = (bar["exact"] * (1 - bar["exact"]) / 4000) ** 0.5
        assert abs(bar["simulated"] - bar["exact"]) < 5 * error + 2 / 4000


def test_the_curve_comes_out_as_expected() -> None:
    games = simulate(WHOLE, 2000, np.random.default_rng(6))
    points = [1, 10, 100, 1000]
    for point, expected in zip(points, expected_curve(WHOLE, points), strict=True):
        counted = (games.won_at <= point).sum(axis=1)
        assert abs(counted.mean() - expected) < 4 * counted.std() / 2000**0.5


def test_chances_to_win_and_of_a_tie_are_all_there_is() -> None:
    found = results(simulate(SUMS, 3000, np.random.default_rng(7), 3))
    chances = [win["chance"] for win in found["wins"].values()] + [found["tie"]["chance"]]
    assert sum(chances) == pytest.approx(1)
    assert all(0 < win["error"] < 0.01 for win in found["wins"].values())


def test_two_players_never_tie_in_a_whole_game() -> None:
    """56 virtues, and Karitas breaks 28 to 28: somebody holds it."""
    assert not simulate(WHOLE, 1000, np.random.default_rng(8), 2).ties.any()


def test_karitas_raises_its_holder_into_a_tie_of_the_others() -> None:
    agreed = start(4, SUMS, ending="throws", throws=12)
    won_at = np.full((2, 56), NEVER, np.int32)
    won_at[:, [1, 2, 3, 4]] = [1, 2, 5, 6]  # two virtues each for players 1 and 2
    won_at[0, [0, 5]] = [3, 4]  # Karitas and nothing else for player 3
    won_at[1, [0, 5]] = [4, 7]  # Karitas for player 4, another virtue for player 3
    games = settle(agreed, won_at)
    assert games.winners.tolist() == [[True, True, True, False], [True, True, False, True]]


def test_the_same_seed_gives_the_same_games() -> None:
    one, other = (simulate(SUMS, 50, np.random.default_rng(9)).won_at for _ in range(2))
    assert (one == other).all()


def test_a_game_to_a_target_is_thrown_until_somebody_has_it() -> None:
    options: dict[str, OptionValue] = {"ending": "first-to", "target": 18}
    games = simulate(WHOLE, 500, np.random.default_rng(2), 3, options)
    assert (games.scores.max(axis=1) == 18).all()
    assert (games.length < NEVER).all()


def test_a_histogram_of_other_endings_has_no_simulated_bars() -> None:
    found = odds(WHOLE, games=10, options={"ending": "throws"})
    assert {bar["simulated"] for bar in found["histogram"]} == {None}


def test_a_game_for_a_time_ends_at_the_pace_of_the_paper() -> None:
    games = simulate(WHOLE, 20, np.random.default_rng(1), options={"ending": "time", "minutes": 60})
    assert set(games.length.tolist()) == {150}


@pytest.mark.parametrize("count", [0, 10**7])
def test_a_number_of_games_that_cannot_be_is_refused(count: int) -> None:
    with pytest.raises(GamesCountError, match=str(count)):
        simulate(WHOLE, count, np.random.default_rng(1))


def test_options_and_games_that_there_are_not_are_refused() -> None:
    with pytest.raises(OptionError, match="second_cast"):
        simulate(SUMS, 1, np.random.default_rng(1), options={"second_cast": "added"})
    with pytest.raises(OptionError, match="there are 9"):
        simulate(SUMS, 1, np.random.default_rng(1), players=9)
    with pytest.raises(UnknownGameError, match="whist"):
        simulate("whist", 1, np.random.default_rng(1))


def test_the_weights_are_those_of_tables_3_and_4() -> None:
    assert sum(prize.weight for prize in prizes(WHOLE)) == 417
    assert null_weight(WHOLE) == 447
    assert null_weight(SUMS) == 0
    assert sum(len(prize.virtues) for prize in prizes(SUMS)) == 56


def test_the_curve_starts_with_nothing_and_comes_to_all() -> None:
    curve = expected_curve(WHOLE, [0, 1, 10**6])
    assert curve[0] == 0
    assert curve[1] == pytest.approx(417 / 864)
    assert curve[2] == pytest.approx(56)
    assert expected_curve(WHOLE, [10**6], {"iustitia": "vowel"}) == pytest.approx([55])


def test_the_hours_are_those_of_the_paper() -> None:
    """It prints 9.2 - 11.0 and 1.9 - 2.3 hours for the means: 3 and 2.5 throws a minute."""
    whole, sums = (exact(slug)["hours"]["mean"] for slug in (WHOLE, SUMS))
    assert [round(whole[pace], 1) for pace in ("3.0", "2.5")] == [9.2, 11.0]
    assert [round(sums[pace], 1) for pace in ("3.0", "2.5")] == [1.9, 2.3]


def test_the_report_holds_exact_and_simulated_side_by_side() -> None:
    found = odds(SUMS, 3, games=200, seed=3)
    assert found["sum_weights"] == found["prizes"]
    assert found["simulated"]["games"] == 200
    assert sum(bar["exact"] for bar in found["histogram"]) == pytest.approx(1)
    assert sum(bar["simulated"] for bar in found["histogram"]) == pytest.approx(1)
