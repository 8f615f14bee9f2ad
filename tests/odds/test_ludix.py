"""The odds of Ludix: its throws; the best play by plain recursion, by what must be, and in played matches."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from companion.odds.ludix.matches import BEST, HEEDING, MATCHES, SIMPLE, compare
from companion.odds.ludix.policy import holding, turn
from companion.odds.ludix.race import FIRST, SECOND, PolicyError, Race, best_last_turn, race
from companion.odds.ludix.report import odds
from companion.odds.ludix.throws import every_way, kinds, most_to_go_on, threshold
from companion.rules.errors import GameOverError, OptionError
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.chances import chance_of_null, mean_of_best
from companion.rules.ludix.numerals import is_sum
from companion.rules.registry import game
from tests.odds.plain_ludix import Decide, Plain
from tests.rules.ludix.plays import played, start
from workshop.players.plain_ways import best_choice, throws_again

SMALL, MIDDLE, BOOKLET = 20, 60, 300

REACHABLE = [points for points in range(BOOKLET) if is_sum(points, best_only=False)]

Way = Callable[[LudixPosition], Formed]


def test_the_35_throws_and_their_chances() -> None:
    assert len(kinds()) == 35
    assert sum(kind.ways for kind in kinds()) == every_way() == 6**4
    assert sum(bool(kind.numerals) for kind in kinds()) == 14
    assert sum(kind.ways for kind in kinds() if not kind.numerals) == 368
    assert chance_of_null() == Fraction(23, 81)
    assert float(mean_of_best()) == pytest.approx(30.963, abs=5e-4)
    assert float(threshold()) == pytest.approx(109.04, abs=5e-3)
    assert most_to_go_on() == 109


def test_how_often_throws_come_is_what_orders_and_twin_faces_make() -> None:
    twins = {"L": 1, "X": 2, "V": 1, "I": 2}
    for kind in kinds():
        orders = math.factorial(4) // math.prod(math.factorial(kind.symbols.count(symbol)) for symbol in twins)
        assert kind.ways == orders * math.prod(twins[symbol] for symbol in kind.symbols)


def test_a_small_match_comes_out_as_by_plain_recursion() -> None:
    """Solved twice in full; the plain way looks at lesser numerals too."""
    solved, plain = Race(SMALL, "round"), Plain(SMALL)
    states = [points for points in REACHABLE if points < SMALL]
    for seat in (FIRST, SECOND):
        for own in states:
            for other in states:
                assert solved.chance(seat, own, other) == pytest.approx(plain.value((seat, own, other)), abs=1e-12)
                assert solved.turn(seat, own, other).start == pytest.approx(solved.chance(seat, own, other), abs=1e-12)


class Given(Plain):
    """The plain recursion for one turn, the values of all other states taken from a solved match."""

    def __init__(self, solved: Race) -> None:
        super().__init__(solved.target)
        self.solved = solved

    def value(self, state: tuple[int, int, int]) -> float:
        return self.solved.chance(*state)


@pytest.mark.parametrize(("target", "states"), [(MIDDLE, 60), (BOOKLET, 15)])
def test_every_state_is_worth_what_its_best_turn_is_by_plain_recursion(target: int, states: int) -> None:
    """Only one set of values can do so in all states, for a failed turn is never certain."""
    solved = race(target, "round")
    plain = Given(solved)
    chance = random.Random(5)
    below = [points for points in REACHABLE if points < target]
    for _ in range(states):
        state = chance.randrange(2), chance.choice(below), chance.choice(below)
        seat, own, other = state
        failed = 1 - solved.chance(1 - seat, other, own)
        assert plain.turn(state, failed) == pytest.approx(solved.chance(*state), abs=1e-11)


def test_a_match_that_ends_at_once_is_worth_its_best_turns() -> None:
    solved = race(MIDDLE, "at-once")

    class AtOnce(Given):
        def stopped(self, seat: int, own: int, other: int) -> float:
            return 1 if own >= self.target else super().stopped(seat, own, other)

    for seat, own, other in ((FIRST, 0, 0), (SECOND, 0, 0), (FIRST, 22, 53), (SECOND, 53, 8)):
        failed = 1 - solved.chance(1 - seat, other, own)
        value = AtOnce(solved).turn((seat, own, other), failed)
        assert value == pytest.approx(solved.chance(seat, own, other), abs=1e-12)


@pytest.mark.parametrize("ending", ["round", "at-once"])
def test_a_higher_stake_is_never_worth_less(ending: str) -> None:
    """So the highest numeral is always best, and the solver may leave out the others."""
    solved = race(MIDDLE, ending)
    for seat in (FIRST, SECOND):
        for own in range(0, MIDDLE, 3):
            for other in range(MIDDLE):
                plan = turn(solved, seat, own, other)
                assert (np.diff(plan.chance[1 : plan.again.argmin() + 1]) > -1e-12).all()
                assert (np.diff(plan.chance[1:200]) > -1e-12).all()


def test_a_last_turn_is_thrown_until_one_is_ahead() -> None:
    """Level with the other, stopping shares the win; a further throw wins with 58 in 81."""
    assert best_last_turn(np.array([0]))[0] == pytest.approx(58 / 81)
    assert best_last_turn(np.array([-1]))[0] == 1
    position = played(start(), ["L X X X", "again"] * 3 + ["L X X X", "stop", *["L X X X", "again"] * 3, "L X X X"])
    assert position.points == (320, 0)
    assert best_choice(position) == Formed("LXXX", "again")
    position = played(start(), ["L X X X", "again"] * 3 + ["L V I I", "again", "V I I I", "stop"])
    position = played(position, ["L X X X", "again"] * 3 + ["L X X X"])
    assert best_choice(position) == Formed("LXXX", "stop")


def simple(position: LudixPosition) -> Formed:
    stake = position.stake + position.best.value
    return Formed(position.best.text, "again" if stake <= most_to_go_on() else "stop")


def heeding(position: LudixPosition) -> Formed:
    stake = position.stake + position.best.value
    target = int(position.options["target"])
    if max(position.points) >= target:
        return Formed(position.best.text, "again" if position.own + stake <= max(position.points) else "stop")
    wins = position.turn == 2 and position.own + stake >= target
    return Formed(position.best.text, "stop") if wins else simple(position)


WAYS: dict[str, Way] = {BEST: best_choice, SIMPLE: simple, HEEDING: heeding}


@cache
def compared(target: int) -> dict[tuple[str, str], float]:
    return compare(race(target, "round"))


@pytest.mark.parametrize("match", [(BEST, BEST), (BEST, SIMPLE), (HEEDING, BEST)], ids="-".join)
def test_matches_played_by_the_rules_are_won_as_often_as_reckoned(match: tuple[str, str]) -> None:
    chance = random.Random(11)
    games, won = 1200, 0.0
    for _ in range(games):
        position = start(target=MIDDLE)
        while position.outcome is None:
            if position.cast is None:
                position = position.after(chance.choice(position.throws()))
            else:
                position = position.after(WAYS[match[position.turn - 1]](position))
        won += (1 in position.outcome.winners) / len(position.outcome.winners)
    expected = compared(MIDDLE)[match]
    assert abs(won / games - expected) < 4 * math.sqrt(expected * (1 - expected) / games)


def test_rules_are_worth_what_plain_recursion_finds() -> None:
    """All seven matches to a small target, decisions of the best play taken from its own match."""
    solved = Race(SMALL, "round")

    def best(seat: int, own: int, other: int, stake: int) -> bool:
        if other >= SMALL:
            return own + stake <= other
        return throws_again(turn(solved, seat, own, other), stake)

    def by_letter(_seat: int, _own: int, _other: int, stake: int) -> bool:
        return stake <= most_to_go_on()

    def to_the_end(seat: int, own: int, other: int, stake: int) -> bool:
        if other >= SMALL:
            return own + stake <= other
        return stake <= most_to_go_on() and not (seat == SECOND and own + stake >= SMALL)

    plans: dict[str, Decide] = {BEST: best, SIMPLE: by_letter, HEEDING: to_the_end}
    found = compare(solved)
    for first, second in MATCHES:
        plain = Plain(SMALL, (plans[first], plans[second]))
        assert found[first, second] == pytest.approx(plain.value((FIRST, 0, 0)), abs=1e-12)


def test_no_rule_does_better_against_the_best_play_than_the_best_play_itself() -> None:
    found = compared(MIDDLE)
    # By the letter of the rule both play all turns alike, and have equally many: neither has an advantage.
    assert found[SIMPLE, SIMPLE] == pytest.approx(0.5, abs=1e-12)
    # Of the first player's turns none is ever a last one.
    assert found[HEEDING, BEST] == pytest.approx(found[SIMPLE, BEST], abs=1e-12)
    for rule in (SIMPLE, HEEDING):
        assert found[rule, BEST] <= found[BEST, BEST] + 1e-12 <= found[BEST, rule] + 2e-12
    assert found[BEST, BEST] < found[BEST, SIMPLE]


def test_the_report_holds_throws_policy_and_gain() -> None:
    entry = odds(2, {"target": MIDDLE})
    assert len(entry["throws"]) == 35
    assert entry["null"]["fraction"] == "23/81"
    play = entry["best_play"]
    assert play["wins"]["1"] + play["wins"]["2"] == pytest.approx(1)
    assert [(entry["own"], entry["other"]) for entry in play["hold"]["first"]][:4] == [
        (0, 0),
        (0, 25),
        (0, 50),
        (25, 0),
    ]
    found = compared(MIDDLE)
    assert play["gain"]["simple"]["second"] == pytest.approx(found[SIMPLE, SIMPLE] - found[SIMPLE, BEST])


def test_where_a_turn_is_held_and_where_it_goes_on_again() -> None:
    solved = race(BOOKLET, "round")
    for seat, own, other in ((FIRST, 0, 100), (SECOND, 75, 200), (FIRST, 0, 275), (SECOND, 150, 150)):
        plan, found = turn(solved, seat, own, other), holding(solved, seat, own, other)
        for stake in range(1, 320):
            inside = stake < found.stake or any(low <= stake <= high for low, high in found.again)
            if is_sum(stake, best_only=True):
                assert throws_again(plan, stake) == inside
    # at 150 to 100 the second player may stop before the target, the first one may not
    assert holding(solved, SECOND, 150, 100).stake < 150
    assert holding(solved, FIRST, 150, 100).stake == 150


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (3, {}, "2 players, but 3"),
        (2, {"going_on": "until-target"}, "going_on free"),
        (2, {"ending": "others"}, "round, at-once"),
        (2, {"target": 501}, "1 to 500, but 501"),
    ],
)
def test_where_the_best_play_is_not_known_it_says_so(players: int, options: dict[str, str | int], words: str) -> None:
    found = odds(players, options)
    assert found["best_play"] is None
    assert words in found["best_play_missing"]
    with pytest.raises(PolicyError, match=words):
        best_choice(played(start(players, **options), ["L X V I"]))


def test_a_best_choice_needs_something_to_choose() -> None:
    with pytest.raises(PolicyError, match="dice are to be thrown"):
        best_choice(start())
    with pytest.raises(PolicyError, match="one of Ludus Regularis came"):
        best_choice(game("ludus-regularis").start(2))
    with pytest.raises(GameOverError):
        best_choice(played(start(target=1), ["L X V I", "stop", "L X V I", "stop"]))


def test_options_that_there_are_not_are_refused() -> None:
    with pytest.raises(OptionError, match="nonsense"):
        odds(2, {"nonsense": 1})
    with pytest.raises(OptionError, match="there are 7"):
        odds(7, {})
