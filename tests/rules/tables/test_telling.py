"""What is said of a throw, a step and a turned die, and how a board is drawn."""

import pytest

from companion.rules.tables import TablesPosition
from tests.rules.tables.standing import begun, stand, typed

ZENO = "tables/zeno"
TODAS = "tables/todas-tablas"


def sentence_of(position: TablesPosition, text: str) -> str:
    return str(position.account(position.parse(text)).sentence)


def test_a_throw_says_what_lies_there() -> None:
    assert sentence_of(begun(ZENO), "5 2 6") == "Player 1 throws 2, 5, 6."
    assert sentence_of(begun(ZENO, dice="2+6"), "5 2") == "Player 1 throws 2, 5. That makes 2, 5, 6."
    assert sentence_of(begun("tables/ludus-anglicorum"), "1 2 4") == "Player 1 throws 1, 2, 4."


def test_a_step_says_who_is_hit() -> None:
    position = stand(ZENO, "a15", "d1 z14", 3, 4)
    account = position.account(position.parse("a-d"))
    assert str(account.sentence) == "Player 1 goes from a to d with the 3. The lone man there is hit."
    assert account.sites == ("a", "d", "hand")
    assert account.details["hit"] is True
    assert position.account(position.parse("a-e")).details["hit"] is False


@pytest.mark.parametrize(
    ("first", "second", "typing", "why"),
    [
        ("hand1 z14", "b2 c2 d2 e2 a2 k5", "1 2", "must enter first, but with 1, 2 no point is open to him"),
        ("a1 z14", "b2 c13", "1 2", "With 1, 2 no man can go anywhere"),
        ("a14 y1", "b2 c13", "1 2, y-z", "With 2 no man can go anywhere"),
        ("a15", "b7 c8", "1 2", "With 1, 2 no man can go anywhere"),
    ],
)
def test_dice_that_cannot_be_used_are_named_with_the_reason(first: str, second: str, typing: str, why: str) -> None:
    position = stand(TODAS, first, second)
    *before, last = typing.split(", ")
    assert why in sentence_of(typed(position, *before), last)


def test_the_end_is_told_with_the_step_that_brings_it() -> None:
    position = stand(TODAS, "z1 off14", "a15", 1, 2)
    assert sentence_of(position, "z-off/2").endswith("Player 1 has borne off all men.")


def test_the_board_is_drawn_as_the_camera_sees_it() -> None:
    lines = stand(ZENO, "f7 i1 k2 t2 u2 y1", "h2 l2 m2 n1 o2 p2 s2 w2", 2, 5, 6).drawn().splitlines()
    assert lines[0].split() == [*"nopqrs", "|", *"tuwxyz"]
    assert lines[1].split() == ["1o", "2o", "2o", ".", ".", "2o", "|", "2x", "2x", "2o", ".", "1x", "."]
    assert lines[3].split() == ["2o", "2o", "2x", "1x", "2o", ".", "|", "7x", ".", ".", ".", ".", "."]
    assert lines[4].split() == [*"mlkihg", "|", *"fedcba"]
    assert lines[-1] == "dice 2 5 6"


def test_sites_lie_where_the_camera_sees_them() -> None:
    places = {site.name: (site.x, site.y) for site in begun(ZENO).game.board.sites}
    for upper, lower in zip("nopqrstuwxyz", "mlkihgfedcba", strict=True):
        assert places[upper][0] == places[lower][0]
        assert places[upper][1] < places[lower][1]
    along = [places[point][0] for point in "nopqrs"] + [places["hand"][0]] + [places[point][0] for point in "tuwxyz"]
    assert along == sorted(along)
    assert places["off"][0] > places["z"][0]


def test_who_is_ahead_is_told_by_men_off_and_then_by_pips() -> None:
    ahead = stand(TODAS, "z13 off2", "a14 off1").standing()
    assert (ahead.winners, str(ahead.why)) == ((1,), "Player 1 has borne off 2 men, the other side 1.")
    close = stand(TODAS, "y15", "a14 b1").standing()
    assert close.winners == (2,)
    assert "16 pips to go and the other side 30" in str(close.why)
    assert stand(TODAS, "z15", "a15").standing().tie
    assert stand(ZENO, "t14 a1", "f13 z2").standing().winners == (1,)


def test_what_lies_on_the_table_is_told_for_points_hand_and_off() -> None:
    position = stand(TODAS, "z12 hand1 off2", "a14 hand1")
    assert position.occupancy() == {"a": {"2": 14}, "z": {"1": 12}, "hand": {"1": 1, "2": 1}, "off": {"1": 2}}
    assert position.scores() == {1: 2, 2: 0}
    counted = {begun(slug).board_notes().get("counts") for slug in (TODAS, ZENO, "tables/doze-canes")}
    assert counted == {"off", "home", "held"}


def test_a_turn_that_goes_by_leaves_its_dice_unplayed() -> None:
    position = stand(ZENO, "a15", "z15", 1, 2, players=4)
    passed = position.passed()
    assert passed is not None
    assert (passed.turn, passed.dice, passed.men) == (2, (), position.men)
    left = typed(stand(TODAS, "hand1 z14", "b2 c2 d2 e2 a2 k5", options={"unused": "opponent"}, players=4), "1 2")
    resumed = left.passed()
    assert resumed is not None
    assert (left.turn, resumed.turn) == (3, 2)
