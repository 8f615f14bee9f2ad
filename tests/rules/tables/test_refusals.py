"""Each rule that forbids a step is named in the refusal."""

import pytest

from companion.rules.errors import GameOverError, IllegalChoiceError, WrongThrowError
from tests.rules.tables.standing import begun, stand, typed

ZENO = "tables/zeno"
LUDUS = "tables/ludus-anglicorum"
TODAS = "tables/todas-tablas"


@pytest.mark.parametrize(
    ("slug", "first", "second", "dice", "step", "rule"),
    [
        (ZENO, "a15", "g2 z13", (6, 5, 4), "a-g", "holds g with two men"),
        (ZENO, "a14 hand1", "z15", (1, 2), "a-b", "must enter before any other"),
        (ZENO, "a15", "z15", (1, 2, 3), "hand-b", "no man in hand"),
        (ZENO, "a15", "z15", (1, 2, 3), "c-d", "Player 1 has no man on c"),
        (ZENO, "a14 d1", "z15", (1, 2, 3), "d-c", "wrong way"),
        (ZENO, "a15", "z15", (1, 2, 3), "a-e", "no 4 to play"),
        (ZENO, "a15", "z15", (1, 2, 3), "a-n", "more than any of the dice"),
        (ZENO, "a15", "z15", (1, 2, 3), "a-c/3", "needs a 2, not a 3"),
        (ZENO, "a1 y14", "z15", (2, 2, 3), "y-off/2", "Nobody bears off"),
        (ZENO, "a15", "z15", (1, 2, 3), "turn 1", "no die to turn"),
        (LUDUS, "a13 b1 c1", "z15", (1, 2, 6), "a-b", "no second one may join him"),
        (LUDUS, "a14 hand1", "z15", (1, 6, 6), "hand-a", "no second one may join him"),
        (TODAS, "s1 t14", "a15", (1, 6), "t-off/6", "only when all men of the side are in the last table"),
        (TODAS, "t1 w14", "a15", (3, 1), "w-off/3", "needs a 4, not a 3"),
        (TODAS, "t1 x14", "a15", (5, 1), "x-off/5", "there is one farther back on t"),
        ("tables/pyf", "t14 a1", "hand15", (1, 2, 3), "t-u", "only be borne off"),
        ("tables/twelve-dogs", "a1 hand11", "hand12", (1, 2), "a-b", "do not move"),
        ("tables/twelve-dogs", "a2 hand10", "hand12", (1, 2), "hand-a", "a point holds no more"),
        ("tables/ludus-lumbardorum", "a14 hand1", "z15", (6, 5), "hand-a", "where his side began"),
        ("tables/ludus-lumbardorum", "a15", "z15", (6, 5), "a-g", "g is not on the way"),
        ("tables/doblet", "a2 b2 c2 d2 e2 f2", "t2 u2 w2 x2 y2 z2", (1, 2, 3), "d-d/3", "needs a 4"),
        ("tables/doblet", "a2 b2 c2 d2 e2 f2", "t2 u2 w2 x2 y2 z2", (1, 2, 3), "a-off/1", "every pair of the side"),
        ("tables/doblet", "a2 b2 c2 d2 e2 f2", "t2 u2 w2 x2 y2 z2", (1, 2, 3), "a-b", "not moved on"),
        ("tables/seis-dos-y-as", "a3 b4 f8", "c5 d5 e5", (1, 2, 3), "hand-n", "no man in hand"),
    ],
)
def test_the_rule_is_named(  # noqa: PLR0917 - a row of the table above
    slug: str, first: str, second: str, dice: tuple[int, ...], step: str, rule: str
) -> None:
    position = stand(slug, first, second, *dice)
    choice = position.parse(step)
    sentence = position.why_not(choice)
    assert sentence is not None
    assert rule in str(sentence)
    assert choice not in position.legal()
    with pytest.raises(IllegalChoiceError, match=rule):
        position.after(choice)


def test_a_man_taken_in_one_table_does_not_enter_as_if_in_another() -> None:
    taken = {"1": {"a": 14, "hand": 1, "hit_in": {"gm": 1}}, "2": {"c": 15}}
    position = stand("tables/seis-dos-y-as", "a15", "c15").game.from_json(
        {"game": "tables/seis-dos-y-as", "men": taken, "dice": [1, 2]}
    )
    assert [str(choice) for choice in position.legal()] == ["hand-t", "hand-u"]
    assert "taken in ns" in str(position.why_not(position.parse("hand-a")))
    assert "enters on w with a 3" in str(position.why_not(position.parse("hand-w/1")))


def test_a_play_of_fewer_dice_is_refused_with_one_of_more() -> None:
    position = stand(TODAS, "a1 g1 z13", "d2 i2 k2 r9", 1, 2)
    assert [str(choice) for choice in position.legal()] == ["a-c", "g-h"]
    sentence = str(position.why_not(position.parse("a-b")))
    assert "only 1 of the dice" in sentence
    assert "a-c g-h plays 2" in sentence


def test_of_equally_many_dice_the_higher_is_asked_for() -> None:
    position = stand(TODAS, "a1 z14", "b2 d2 e2 f2 h2 i2 k2 m1", 2, 6)
    assert [str(choice) for choice in position.legal()] == ["a-g"]
    sentence = str(position.why_not(position.parse("a-c")))
    assert "higher" in sentence
    assert "a-g plays 6" in sentence


def test_throws_and_choices_out_of_their_time_are_refused() -> None:
    position = begun(ZENO)
    throw = position.parse("1 2 3")
    with pytest.raises(IllegalChoiceError, match="must throw first"):
        position.after(position.parse("a-b/1"))
    playing = position.after(throw)
    with pytest.raises(WrongThrowError, match="still has 1, 2, 3 to play"):
        playing.after(throw)
    over = stand(ZENO, "t15", "z15")
    with pytest.raises(GameOverError, match="over"):
        over.after(throw)


def test_a_die_is_turned_before_anything_is_moved() -> None:
    position = typed(begun(LUDUS), "1 2 4")
    assert "to a six" in str(position.why_not(position.parse("a-b/1")))
    assert "No die shows 3" in str(position.why_not(position.parse("turn 3")))
    assert "1 still" not in str(position.why_not(position.parse("turn 1")))
