"""The positions and examples that the sources tell of, and every array as it was copied from them a second time."""

import random
from itertools import product
from typing import Any

import pytest

from companion.rules.game import Position
from companion.rules.options import OptionValue
from companion.rules.registry import game
from tests.rules.tables import naive
from tests.rules.tables.against_naive import Both, begin, compare, engine_view
from tests.rules.tables.naive_variants import VARIANTS, along

FIGURE_9 = ("n2 o2 p2 q2 r2 g1 h1 i1 k1 l1", "t1 u1 w1 x1 y1 z1 hand1 a8")
LURCHED = ("n2 o2 p2 q2 r2 s2 g1 h1 i1", "t1 u1 w1 x1 y1 z1 a9")
BARATA = ("n2 o2 p2 q2 r2 s2 a3", "hand4 l1 k1 i1 b8")
NOBODY_ENTERS = ("a1 b1 c1 d1 e1 f1 hand1 n8", "t1 u1 w1 x1 y1 z1 hand1 m8")


def counts(text: str) -> dict[str, int]:
    """Read "f7 hand1 off2" as the men of a side."""
    words = [(word.rstrip("0123456789"), word) for word in text.split()]
    return {site: int(word.removeprefix(site)) for site, word in words}


def stand(slug: str, first: str, second: str, *dice: int, turn: int = 1, **options: OptionValue) -> Position:
    """Set a position up by hand: the men of both sides, and dice that lie there to be played."""
    men = {"1": counts(first), "2": counts(second)}
    data: dict[str, Any] = {"game": slug, "turn": turn, "men": men, "dice": list(dice), "options": options}
    position = game(slug).from_json(data)
    assert not position.faults()
    return position


def also_naive(position: Position, **options: Any) -> Both:
    return Both(position, naive.from_json(position.to_json(), **options))


def legal(position: Position) -> set[str]:
    return {position.text(choice) for choice in position.legal()}


def typed(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.after(position.parse(text))
    return position


def men(position: Position, side: int) -> dict[str, int]:
    return dict(engine_view(position)["men"][side])


def after_every_throw(position: Position) -> list[Position]:
    """Return what follows after each throw, and each way to turn a die to six."""
    reached = [position.after(throw) for throw in position.throws()]
    turned = [after.after(choice) for after in reached for choice in after.legal() if "turn" in str(choice)]
    return [after for after in reached if after.awaits.kind == "throw"] + turned


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_game_begins_with_the_array_of_its_source(slug: str) -> None:
    compare(begin(slug))


@pytest.mark.parametrize(
    ("slug", "options", "first", "second"),
    [
        ("tables/provincial", {"divided": "7-8"}, "f7 g8", "t7 s8"),
        ("tables/laquet", {"laquet_man": "s"}, "a1 z14", "s1 t3 u3 w3 x3 y2"),
        ("tables/quinze-tablas", {"men": 6}, "a2 b2 c2", "z2 y2 x2"),
        ("tables/quinze-tablas", {"men": 13}, "a2 b2 c2 d2 e2 f2 g1", "z2 y2 x2 w2 u2 t2 s1"),
        ("tables/baralie", {"reversed": True}, "z15", "y14 x1"),
    ],
)
def test_what_the_source_leaves_open_changes_the_array(
    slug: str, options: dict[str, OptionValue], first: str, second: str
) -> None:
    position = game(slug).start(2, **options)
    assert [men(position, side) for side in (1, 2)] == [counts(first), counts(second)]


@pytest.mark.parametrize(
    ("slug", "options", "here", "there"),
    [
        ("tables/baralie", {"reversed": True}, "az", "za"),
        ("tables/twelve-dogs", {"table": "gm"}, "af", "gm"),
        ("tables/twelve-dogs", {"table": "tz"}, "af", "tz"),
    ],
)
def test_the_same_game_is_played_elsewhere_on_the_board(
    slug: str, options: dict[str, OptionValue], here: str, there: str
) -> None:
    moved = dict(zip(along(here), along(there), strict=True))
    plain, elsewhere = game(slug).start(2), game(slug).start(2, **options)
    dice = random.Random(3)
    for _ in range(200):
        expected = {side: {moved.get(site, site): n for site, n in men(plain, side).items()} for side in (1, 2)}
        assert {side: men(elsewhere, side) for side in (1, 2)} == expected
        choices = {str(choice): choice for choice in plain.legal()}
        renamed = {"-".join(moved.get(site, site) for site in text.split("-")) for text in choices}
        assert {str(choice) for choice in elsewhere.legal()} == renamed
        if plain.outcome is not None:
            break
        if plain.awaits.kind == "throw":
            thrown = dice.choice(plain.throws())
            plain, elsewhere = plain.after(thrown), elsewhere.after(thrown)
            continue
        choice = dice.choice(list(plain.legal())).to_json()
        plain = plain.after(plain.move_from_json(choice))
        there_too = choice | {end: moved.get(choice[end], choice[end]) for end in ("from", "to")}
        elsewhere = elsewhere.after(elsewhere.move_from_json(there_too))


def test_all_of_a_side_play_in_turn_then_all_of_the_other() -> None:
    position = game("tables/pyf").start(6)
    players = []
    for _ in range(7):
        players.append(position.awaits.player)
        assert len(position.awaits.dice) == 2
        thrown = position.after(position.throws()[0])
        position = thrown.plays()[0].position if thrown.plays() else thrown
    assert players == [1, 2, 3, 4, 5, 6, 1]


def test_zenos_bad_throw_has_one_legal_play_and_leaves_eight_blots() -> None:
    before = stand("tables/zeno", "f7 i1 k2 t2 u2 y1", "h2 l2 m2 n1 o2 p2 s2 w2")
    position = typed(before, "2 5 6")
    compare(also_naive(position), plays=True)
    assert legal(position) == {"k-q", "t-z", "u-x"}
    plays = position.plays()
    assert [sorted(map(str, play.choices)) for play in plays] == [["k-q", "t-z", "u-x"]]
    assert plays[0].position == typed(position, "t-z", "k-q", "u-x")
    blots = [point for point, count in men(plays[0].position, 1).items() if count == 1]
    assert blots == ["i", "k", "q", "t", "u", "x", "y", "z"]


class TestTurningADie:
    """Lewins, "Dice": three throws and what becomes of them."""

    def test_one_two_four_may_become_six_two_four(self) -> None:
        thrown = typed(game("tables/ludus-anglicorum").start(2), "1 2 4")
        assert legal(thrown) == {"turn 1", "turn 2", "turn 4"}
        assert engine_view(typed(thrown, "turn 1"))["dice"] == [2, 4, 6]

    @pytest.mark.parametrize("thrown", ["2 3 6", "1 6 6"])
    def test_a_throw_with_a_six_is_played_as_it_is(self, thrown: str) -> None:
        position = typed(game("tables/ludus-anglicorum").start(2), thrown)
        assert engine_view(position)["dice"] == sorted(map(int, thrown.split()))
        assert "turn" not in " ".join(legal(position))

    def test_two_dice_have_an_automatic_six_beside_them(self) -> None:
        position = typed(game("tables/cab-e-quinal-2").start(2), "2 3")
        assert engine_view(position)["dice"] == [2, 3, 6]


class TestBearingOff:
    """Lewins, Ludus Anglicorum, "Bearing": men on t and w with a five, then without the man on t."""

    def test_a_man_further_back_moves_instead(self) -> None:
        assert legal(stand("tables/ludus-anglicorum", "t1 w1 off13", "a2 b13", 5)) == {"t-z"}

    def test_a_higher_number_bears_the_hindmost_man(self) -> None:
        assert legal(stand("tables/ludus-anglicorum", "w1 y1 off13", "a2 b13", 5)) == {"w-off"}

    def test_nobody_bears_while_a_man_is_outside_the_last_table_or_in_hand(self) -> None:
        assert legal(stand("tables/ludus-anglicorum", "s1 z1 off13", "a2 b13", 1)) == {"s-t"}
        assert legal(stand("tables/ludus-anglicorum", "hand1 z1 off13", "h2 i13", 1)) == {"hand-a"}


class TestSecuringPoints:
    """Royal 13 A on the start point, as Lewins reads it, and his rule on securing points."""

    def test_no_second_man_on_the_own_side_not_even_on_the_start_point(self) -> None:
        assert legal(stand("tables/ludus-anglicorum", "hand1 a14", "z15", 1, 2)) == {"hand-b"}

    def test_a_lone_enemy_on_the_start_point_is_hit_in_entering(self) -> None:
        position = typed(stand("tables/ludus-anglicorum", "hand1 n14", "a1 z14", 1, 6), "hand-a")
        assert men(position, 2) == {"hand": 1, "z": 14}

    @pytest.mark.parametrize(("enemies", "allowed"), [("", True), ("z1 ", True), ("z2 ", False)])
    def test_the_enemys_start_may_be_held_once_fewer_than_two_stand_there(self, enemies: str, allowed: bool) -> None:  # noqa: FBT001
        rest = 15 - sum(counts(enemies).values())
        position = stand("tables/ludus-anglicorum", "y2 n13", f"{enemies}a{rest}", 1)
        assert ("y-z" in legal(position)) is allowed


class TestLympolding:
    """Lewins, Figure 9: one man on each point from t to z, one to enter, eight on a; n to r are held."""

    def test_no_throw_lets_the_man_enter(self) -> None:
        position = stand("tables/ludus-anglicorum", *FIGURE_9, turn=2)
        assert len(after_every_throw(position)) >= 216
        for after in after_every_throw(position):
            assert engine_view(after) == engine_view(position) | {"turn": 1}

    def test_it_is_announced_when_the_seventh_man_is_hit(self) -> None:
        before = stand("tables/ludus-anglicorum", "n2 o2 p2 q2 r2 m1 g1 h1 i1 k1", "t1 u1 w1 x1 y1 z1 s1 a8", 6)
        assert "lympolded" in str(before.account(before.parse("m-s")).sentence)
        assert typed(before, "m-s").outcome is None

    def test_it_ends_the_game_where_that_is_agreed(self) -> None:
        outcome = stand("tables/ludus-anglicorum", *FIGURE_9, turn=2, lympolded="ends").outcome
        assert outcome is not None
        assert outcome.winners == (1,)
        assert "lympolded" in str(outcome.why)

    def test_it_ends_the_game_in_full_only_as_the_manuscript_has_it(self) -> None:
        assert stand("tables/ludus-anglicorum", *FIGURE_9, turn=2, lympolded="ends-in-full").outcome is not None
        less = "t1 u1 w1 x1 y1 z1 hand1 a7 b1"
        assert stand("tables/ludus-anglicorum", FIGURE_9[0], less, turn=2, lympolded="ends").outcome is not None
        assert stand("tables/ludus-anglicorum", FIGURE_9[0], less, turn=2, lympolded="ends-in-full").outcome is None

    def test_one_free_point_is_enough_to_escape(self) -> None:
        position = stand("tables/ludus-anglicorum", FIGURE_9[0], "t1 u1 w1 x1 y1 hand1 a9", turn=2, lympolded="ends")
        assert position.outcome is None
        assert legal(typed(position, "1 1 6")) == {"hand-z"}


class TestLurching:
    """Lewins, "Lympolding and lurching": shut in behind six held points, the rest on the other side's start."""

    def test_no_throw_moves_a_man(self) -> None:
        position = stand("tables/ludus-anglicorum", *LURCHED, turn=2)
        for after in after_every_throw(position):
            assert engine_view(after) == engine_view(position) | {"turn": 1}

    def test_it_is_announced(self) -> None:
        first = "n2 o2 p2 q2 r2 s1 m1 g1 h1 i1"
        before = stand("tables/ludus-anglicorum", first, LURCHED[1], 6)
        assert "lurched" in str(before.account(before.parse("m-s")).sentence)

    def test_it_ends_the_game_where_that_is_agreed(self) -> None:
        outcome = stand("tables/ludus-anglicorum", *LURCHED, turn=2, lurched="ends").outcome
        assert outcome is not None
        assert outcome.winners == (1,)

    def test_it_ends_the_game_in_full_only_with_one_man_on_each_point(self) -> None:
        full = "t1 u1 w1 x1 y1 z1 a9"
        assert stand("tables/ludus-anglicorum", LURCHED[0], full, turn=2, lurched="ends-in-full").outcome is not None
        assert (
            stand("tables/ludus-anglicorum", LURCHED[0], "t1 u1 w1 x1 y1 z4 a6", turn=2, lurched="ends").outcome
            is not None
        )
        assert (
            stand("tables/ludus-anglicorum", LURCHED[0], "t1 u1 w1 x1 y1 z4 a6", turn=2, lurched="ends-in-full").outcome
            is None
        )

    def test_opening_one_point_sets_them_free(self) -> None:
        first = "n2 o2 p2 q2 r2 s1 m1 g1 h1 i1"
        assert stand("tables/ludus-anglicorum", first, LURCHED[1], turn=2, lurched="ends").outcome is None


class TestBarata:
    """Alfonso's barata: twelve men on six points in a row, four men hit or more."""

    def test_it_is_announced_and_by_agreement_wins(self) -> None:
        first = "n2 o2 p2 q2 r2 s1 m1 a3"
        before = stand("tables/emperador", first, BARATA[1], 6)
        assert "barata" in str(before.account(before.parse("m-s")).sentence).lower()
        assert typed(before, "m-s").outcome is None
        outcome = stand("tables/emperador", *BARATA, turn=2, barata="ends").outcome
        assert outcome is not None
        assert outcome.winners == (1,)

    @pytest.mark.parametrize(("hit", "won"), [(3, False), (4, True), (5, True)])
    def test_four_hit_men_win_where_that_is_asked(self, hit: int, won: bool) -> None:  # noqa: FBT001
        second = f"hand{hit} l1 k1 i1 b{12 - hit}"
        position = stand("tables/emperador", BARATA[0], second, turn=2, barata="ends-at-four-hit")
        assert (position.outcome is not None) is won

    def test_even_men_that_enter_cannot_escape(self) -> None:
        position = stand("tables/emperador", *BARATA, turn=2)
        for throw in position.throws():
            for play in position.after(throw).plays():
                assert not set(men(play.position, 2)) & set("nopqrs")


class TestTheBarataOfTheIntroduction:
    """So many men are taken from a side that no point is left to enter them on (Lewins, on Alfonso's introduction)."""

    FIRST, TAKEN, LEFT = "f1 a14", "l1 t1 u1 w1 x1 y1 z1 b8", "hand1 t1 u1 w1 x1 y1 z1 b8"

    def test_it_is_announced_once_and_by_agreement_the_side_loses(self) -> None:
        stated = "Barata: Player 2 has a man to enter but no open point"
        for agreed, winners in (("announce", None), ("ends", (1,))):
            before = stand("tables/emperador", self.FIRST, self.TAKEN, 5, shut_out=agreed)
            assert str(before.account(before.parse("f-l")).sentence).count(stated) == 1 + (winners is not None)
            outcome = typed(before, "f-l").outcome
            assert (outcome and outcome.winners) == winners

    def test_an_open_point_is_enough_to_go_on(self) -> None:
        left = self.LEFT.replace("t1 ", "").replace("b8", "b9")
        assert stand("tables/emperador", "l1 a14", left, turn=2, shut_out="ends").outcome is None
        held = self.LEFT.replace("t1 ", "").replace("b8", "c9")
        assert stand("tables/emperador", "t2 a13", held, turn=2, shut_out="ends").outcome is not None

    def test_if_both_sides_are_so_it_is_the_tie_and_nobody_loses(self) -> None:
        position = stand("tables/emperador", *NOBODY_ENTERS, shut_out="ends", enter_first=False)
        assert position.outcome is None


class TestTheTieOfEmperador:
    """Both sides have men to enter and no point for them (Lewins, "Emperador: ties and barata")."""

    def test_it_needs_that_other_men_may_move_first(self) -> None:
        position = stand("tables/emperador", *NOBODY_ENTERS, 1, 2, 3, enter_first=False)
        compare(also_naive(position, enter_first=False), plays=True)
        assert legal(position)
        assert not any("hand" in text for text in legal(position))

    def test_it_is_a_tie_where_that_is_agreed(self) -> None:
        outcome = stand("tables/emperador", *NOBODY_ENTERS, enter_first=False, emperador_tie="ends").outcome
        assert outcome is not None
        assert outcome.winners == (1, 2)

    def test_where_men_must_enter_first_nobody_can_move_at_all(self) -> None:
        position = stand("tables/emperador", *NOBODY_ENTERS)
        for shown in product("123456", repeat=3):
            outcome = typed(position, " ".join(shown)).outcome
            assert outcome is not None
            assert outcome.tie


def test_zeno_ends_when_all_men_are_in_the_last_table() -> None:
    outcome = typed(stand("tables/zeno", "s1 t14", "l15", 1), "s-t").outcome
    assert outcome is not None
    assert outcome.winners == (1,)


def test_the_step_that_ends_the_game_is_never_refused_for_dice_left_over() -> None:
    assert {"y-off", "y-z"} <= legal(stand("tables/todas-tablas", "y1 off14", "a15", 1, 2))
    assert "s-t" in legal(stand("tables/zeno", "s1 t13 y1", "l15", 1, 2))


def test_men_of_pyf_leave_the_last_table_only_by_bearing() -> None:
    assert legal(stand("tables/pyf", "t1 z1 off13", "a15", 1)) == {"z-off"}
    assert legal(stand("tables/pyf", "s1 t14", "a15", 1, 1)) == {"s-t"}


def test_twelve_dogs_ends_when_six_points_are_taken_and_may_be_level() -> None:
    position = stand("tables/twelve-dogs", "a2 b2 c1 hand7", "d2 e2 f2 hand6", 3)
    outcome = typed(position, "hand-c").outcome
    assert outcome is not None
    assert outcome.tie
    more = typed(stand("tables/twelve-dogs", "a2 b2 c2 d1 hand5", "e2 f2 hand8", 4), "hand-d").outcome
    assert more is not None
    assert more.winners == (1,)


def test_nobody_moves_in_buffa_de_baldrac_before_all_have_entered() -> None:
    assert legal(stand("tables/buffa-de-baldrac", "hand1 a14", "hand15", 1, 2)) == {"hand-a", "hand-b"}
    assert "a-b" in legal(stand("tables/buffa-de-baldrac", "a15", "hand15", 1))


@pytest.mark.parametrize(
    ("struck", "entered"), [("a-c", "hand-p"), ("g-i", "hand-w"), ("n-p", "hand-c"), ("t-w", "hand-i")]
)
def test_a_hit_man_of_seis_dos_y_as_enters_in_the_table_diagonally_opposite(struck: str, entered: str) -> None:
    origin, goal = struck.split("-")
    second = f"{goal}1 z14" if goal != "w" else "w1 a14"
    position = typed(stand("tables/seis-dos-y-as", f"{origin}1 b14", second, 2), struck)
    assert engine_view(position)["men"][2]["hand"] == 1
    assert legal(typed(position, "3 3 3")) == {entered}


def test_a_lumbard_may_not_enter_on_the_own_start_point() -> None:
    before = stand("tables/ludus-lumbardorum", "hand1 z14", "d15")
    assert engine_view(typed(before, "6 6")) == engine_view(before) | {"turn": 2}
    assert legal(stand("tables/ludus-lumbardorum", "hand1 z14", "d15", 5, 6)) == {"hand-b"}


def test_emperador_may_re_enter_where_a_lumbard_may_not() -> None:
    assert "hand-a" in legal(stand("tables/emperador", "hand1 n14", "m15", 1))
