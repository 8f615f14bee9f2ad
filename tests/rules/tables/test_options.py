"""What each option changes, and what is ruled on it."""

import pytest

from companion.rules.errors import OptionError
from companion.rules.options import OptionValue
from companion.rules.registry import game
from tests.rules.tables.standing import begun, legal, stand, typed

ZENO = "tables/zeno"
TODAS = "tables/todas-tablas"


@pytest.mark.parametrize(
    ("options", "thrown", "lying"),
    [
        ({"dice": "2"}, "2 5", [2, 5]),
        ({"dice": "3"}, "5 2 5", [2, 5, 5]),
        ({"dice": "2+6"}, "2 5", [2, 5, 6]),
        ({"dice": "majoret"}, "2 5", [2, 5, 5]),
        ({"dice": "minoret"}, "2 5", [2, 2, 5]),
        ({"dice": "2", "doubles_twice": True}, "3 3", [3, 3, 3, 3]),
        ({"dice": "3", "doubles_twice": True}, "3 1 3", [1, 3, 3, 3, 3]),
        ({"dice": "3", "doubles_twice": True}, "2 2 2", [2] * 6),
        ({"dice": "2+6", "doubles_twice": True}, "6 1", [1, 6, 6]),
        ({"dice": "majoret", "doubles_twice": True}, "1 2", [1, 2, 2]),
        ({"dice": "majoret", "doubles_twice": True}, "2 2", [2] * 5),
    ],
)
def test_dice_that_lie_after_a_throw(options: dict[str, OptionValue], thrown: str, lying: list[int]) -> None:
    assert typed(begun(ZENO, 2, **options), thrown).to_json()["dice"] == lying


def test_a_turned_die_may_end_a_double() -> None:
    position = typed(begun("tables/ludus-anglicorum", doubles_twice=True), "3 3 5")
    assert typed(position, "turn 3").to_json()["dice"] == [3, 5, 6]
    assert typed(position, "turn 5").to_json()["dice"] == [3, 3, 3, 3, 6]


def test_a_typed_number_stands_for_its_text() -> None:
    assert begun(ZENO, dice=2).options["dice"] == "2"
    with pytest.raises(OptionError, match="dice takes 3, 2"):
        begun(ZENO, dice=True)


def test_equal_dice_give_another_throw_where_that_is_agreed() -> None:
    position = typed(begun(TODAS, extra_turn=True), "1 1")
    first = typed(position, *2 * [legal(position)[0]])
    assert (first.turn, first.awaits.kind) == (1, "throw")
    assert "throws again" in str(
        typed(position, legal(position)[0]).account(position.parse(legal(position)[0])).sentence
    )
    second = typed(first, "1 2")
    assert typed(second, *[legal(second)[0]], "m-o" if "m-o" in legal(second) else "a-c").turn == 2


def test_unused_dice_go_to_the_other_side_and_then_it_throws() -> None:
    position = stand(TODAS, "hand1 z14", "b2 c2 d2 e2 a2 k5", turn=1, options={"unused": "opponent"})
    given = typed(position, "1 2")
    assert (given.turn, given.dice, given.aside.resume) == (2, (1, 2), 2)
    assert "They go to Player 2" in str(position.account(position.parse("1 2")).sentence)
    first = typed(given, "k-h")
    after = typed(first, next(step for step in legal(first)))
    assert (after.turn, after.dice, after.awaits.kind) == (2, (), "throw")


def test_dice_that_are_only_offered_may_be_left_at_any_time() -> None:
    position = stand(TODAS, "hand1 z14", "b2 c2 d2 e2 a2 k5", turn=1, options={"unused": "offered"})
    given = typed(position, "1 2")
    assert "or leave" in str(given.awaits.sentence)
    assert legal(given)[-1] == "leave"
    assert str(given.account(given.parse("leave")).sentence) == "Player 2 leaves 1, 2."
    left = typed(given, "leave")
    assert (left.turn, left.men, left.awaits.kind) == (2, given.men, "throw")
    half = typed(given, "k-h")
    assert (half.turn, half.dice, legal(half)[-1]) == (2, (1,), "leave")
    assert {left, typed(half, "leave")} <= {play.position for play in given.plays()}
    assert "passed on" in str(left.after(left.parse("3 4")).why_not(given.parse("leave")))


def test_a_team_gives_its_unused_dice_to_the_other_sides_next_player() -> None:
    data = {"players": 6, "options": {"unused": "opponent", "extra_turn": True}}
    position = stand(TODAS, "hand1 z14", "b2 c2 d2 e2 a2 k5", turn=2, **data)
    given = typed(position, "2 2")
    assert (given.turn, given.aside.resume) == (4, 2)
    plain = typed(position, "1 2")
    assert (plain.turn, plain.aside.resume) == (4, 3)


def test_ad_fallum_who_cannot_use_every_die_loses() -> None:
    position = stand(TODAS, "hand1 z14", "b2 c2 d2 e2 a2 g5", options={"ad_fallum": True})
    lost = typed(position, "1 6", "hand-f")
    assert lost.outcome is not None
    assert lost.outcome.winners == (2,)
    assert "Ad fallum" in str(lost.outcome.why)
    assert typed(position, "1 2").outcome is not None


def test_battle_is_thrown_for_until_one_sum_is_higher() -> None:
    position = begun(ZENO, players=4, battle=True)
    level = typed(position, "1 2 3", "2 2 2")
    assert (level.turn, level.aside.battle) == (1, ())
    first, second = typed(level, "6 6 6", "1 1 1"), typed(level, "1 1 1", "6 6 6")
    assert (first.turn, second.turn) == (1, 3)
    assert typed(second, "1 2 3").dice == (1, 2, 3)
    assert position.passed() is None


def test_teams_play_one_after_the_other() -> None:
    position = begun(ZENO, players=6)
    turns = []
    for _ in range(7):
        turns.append(position.turn)
        position = typed(position, "1 1 1")
        while position.dice:
            position = typed(position, legal(position)[0])
    assert turns == [1, 2, 3, 4, 5, 6, 1]
    with pytest.raises(OptionError, match="2, 4 or 6 players, but there are 3"):
        begun(ZENO, players=3)


def test_pyf_throws_two_dice_in_teams_unless_agreed_otherwise() -> None:
    assert begun("tables/pyf").options["dice"] == "3"
    assert begun("tables/pyf", players=4).options["dice"] == "2"
    assert begun("tables/pyf", players=4, dice="3").options["dice"] == "3"


def test_hit_men_may_wait_where_that_is_agreed() -> None:
    dice = (1, 2)
    assert legal(stand(TODAS, "hand1 h14", "z15", *dice)) == ["hand-a", "hand-b"]
    waiting = stand(TODAS, "hand1 h14", "z15", *dice, options={"enter_first": False})
    assert legal(waiting) == ["hand-a", "hand-b", "h-i", "h-k"]


def test_all_men_enter_first_where_that_is_agreed() -> None:
    assert "a-c" in legal(stand("tables/pyf", "hand14 a1", "hand15", 1, 2, 2))
    agreed = stand("tables/pyf", "hand14 a1", "hand15", 1, 2, 2, options={"all_enter_first": True})
    assert legal(agreed) == ["hand-a", "hand-b"]


def test_a_game_of_bearing_may_be_won_by_coming_home() -> None:
    position = stand(TODAS, "s1 z14", "a3 m12", 1, 2, options={"goal": "home"})
    won = typed(position, "s-t")
    assert won.outcome is not None
    assert won.outcome.winners == (1,)


def test_fewer_men_of_quinze_tablas_fill_the_points_from_the_corner() -> None:
    position = begun("tables/quinze-tablas", men=7)
    assert position.occupancy() == {
        "a": {"1": 2}, "b": {"1": 2}, "c": {"1": 2}, "d": {"1": 1},
        "w": {"2": 1}, "x": {"2": 2}, "y": {"2": 2}, "z": {"2": 2},
    }  # fmt: skip


def test_baralie_may_be_turned_round() -> None:
    position = begun("tables/baralie", reversed=True)
    assert position.occupancy() == {"x": {"2": 1}, "y": {"2": 14}, "z": {"1": 15}}
    assert "z-t" in legal(typed(position, "1 5"))


def test_baralie_is_turned_round_when_side_2_wins_the_throw_for_the_start() -> None:
    """Footnote 54: the array is reversed and runs from z if side 2 has the first throw."""
    position = typed(begun("tables/baralie", battle=True), "1 2")
    lost = typed(position, "6 6")
    assert (lost.turn, lost.options["reversed"]) == (2, True)
    assert lost.occupancy() == begun("tables/baralie", reversed=True).occupancy()
    assert str(position.account(position.parse("6 6")).sentence) == (
        "Player 2 throws 12 for the start. Player 2 begins. The array is turned round and runs from z to a."
    )
    assert game("tables/baralie").from_json(lost.to_json()) == lost
    assert not lost.faults()
    assert "y-s" in legal(typed(lost, "1 5"))
    won = typed(position, "1 1")
    assert (won.turn, won.options["reversed"]) == (1, False)
    assert won.occupancy() == begun("tables/baralie").occupancy()


@pytest.mark.parametrize(("table", "entered"), [("af", "a"), ("gm", "g"), ("ns", "n"), ("tz", "t")])
def test_twelve_dogs_is_played_in_the_table_that_was_chosen(table: str, entered: str) -> None:
    assert f"hand-{entered}" in legal(typed(begun("tables/twelve-dogs", table=table), "1 2"))


@pytest.mark.parametrize("point", ["g", "m", "n", "s"])
def test_the_lone_man_of_laquet_stands_where_it_was_agreed(point: str) -> None:
    assert begun("tables/laquet", laquet_man=point).occupancy()[point] == {"2": 1}


def test_provincial_men_are_divided_as_agreed() -> None:
    assert begun("tables/provincial", divided="7-8").occupancy() == {
        "f": {"1": 7},
        "g": {"1": 8},
        "s": {"2": 8},
        "t": {"2": 7},
    }


class TestSlaps:
    """Lewins, The naughty games: the winners of Paume Carie go on with the losers' men."""

    FIRST, SECOND = "a1 off14", "c1 hand1 off13"

    def test_the_winners_bear_off_the_losers_men_and_slaps_are_counted(self) -> None:
        position = stand("tables/paume-carie", self.FIRST, self.SECOND, 6, players=4)
        won = typed(position, "a-off")
        assert won.outcome is None
        assert (won.turn, won.side) == (2, 2)
        entering = typed(won, "1 6")
        assert legal(entering) == ["hand-a", "hand-f"]
        later = typed(entering, "hand-a")
        last = typed(later, "a-off/6")
        assert (last.turn, last.aside.slaps) == (1, 1)
        over = typed(last, "4 1", legal(typed(last, "4 1"))[0])
        assert over.outcome is not None
        assert over.outcome.winners == (1, 2)
        assert over.outcome.details["slaps"] == 2

    def test_it_is_said_that_the_winners_go_on_and_what_they_have_counted(self) -> None:
        position = stand("tables/paume-carie", "a1 off14", "c2 off13", 6, 5)
        winning = position.account(position.parse("a-off"))
        assert str(winning.sentence).endswith(
            "Player 1 has borne off all men and goes on to bear off those of the other side."
        )
        later = typed(position, "a-off/6", "6 1")
        slap = later.account(later.parse("c-off/6"))
        assert str(slap.sentence).endswith("Slaps so far: 1. No man at home can use 1.")

    def test_the_game_ends_at_the_win_where_nobody_wants_slaps(self) -> None:
        over = typed(stand("tables/paume-carie", self.FIRST, self.SECOND, 6, options={"slaps": False}), "a-off")
        assert over.outcome is not None
        assert over.outcome.winners == (1,)


class TestPatterns:
    """Lewins, Verquere and Swedish Tables: nice arrangements win."""

    @pytest.mark.parametrize("home", ["t5 u5 w5", "t3 u3 w3 x3 y3"])
    def test_even_piles_at_home_win_where_that_is_agreed(self, home: str) -> None:
        position = stand("tables/verquere", home, "n15", turn=2, options={"patterns": "wins"})
        assert position.outcome is not None
        assert position.outcome.winners == (1,)

    def test_they_are_only_said_where_that_is_agreed(self) -> None:
        position = stand("tables/verquere", "t5 u5 w4 s1", "n15", 3, options={"patterns": "announce"})
        assert "pattern" in str(position.account(position.parse("s-w")).sentence)
        assert typed(position, "s-w").outcome is None

    def test_uneven_piles_are_none(self) -> None:
        position = stand("tables/verquere", "t5 u6 w4", "n15", turn=2, options={"patterns": "wins"})
        assert position.outcome is None


def test_an_option_is_offered_only_where_it_means_something() -> None:
    for slug, name in (("tables/doblet", "goal"), ("tables/twelve-dogs", "enter_first"), ("tables/zeno", "slaps")):
        with pytest.raises(OptionError, match=name):
            game(slug).option(name)
