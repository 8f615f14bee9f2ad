"""Whether the dice on the table are still those of the last throw."""

import math
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.referee.arrangement import LyingDie, arranged, compare
from tests.referee.build import ALL, MISERICORDIA, PLACES, lying, seen


def test_dice_that_jitter_have_not_moved() -> None:
    now = arranged(
        seen(die, face, (x + 1.5, y - 1.5), angle=0.04)
        for (die, (x, y)), face in zip(PLACES.items(), MISERICORDIA.split(), strict=True)
    )
    assert compare(lying(MISERICORDIA), now).same


def test_a_die_moved_by_half_its_width_has_moved() -> None:
    before = lying(MISERICORDIA)
    after = (*before[:2], LyingDie("3", "I", before[2].x + 30, before[2].y, 60, before[2].angle, 4), before[3])
    change = compare(before, after)
    assert change.moved == (2,)
    assert change.kept == (0, 1, 3)


def test_a_die_turned_in_its_place_has_moved_and_a_quarter_turn_of_a_cube_cannot_be_seen() -> None:
    before = arranged([seen("1", "A")])
    assert compare(before, arranged([seen("1", "A", angle=math.radians(30))])).moved == (0,)
    assert compare(before, arranged([seen("1", "A", angle=math.radians(90))])).same


def test_a_die_taken_away_is_gone() -> None:
    before = lying(MISERICORDIA)
    change = compare(before, before[:3])
    assert change.gone == 1
    assert not change.moved
    assert not change.same


def test_a_cube_where_the_tetrahedron_lay_is_another_die() -> None:
    before = arranged([seen("consonants", "MNPR")])
    assert compare(before, arranged([seen("1", "A", PLACES["consonants"])])).moved == (0,)


@given(st.integers(0, 10_000))
def test_a_table_that_is_pushed_or_turned_as_a_whole_is_the_same(seed: int) -> None:
    chance = Random(seed)
    before = lying(MISERICORDIA)
    turn, dx, dy = chance.uniform(-math.pi, math.pi), chance.uniform(-80, 80), chance.uniform(-80, 80)
    after = tuple(
        LyingDie(
            die.die,
            die.face,
            die.x * math.cos(turn) - die.y * math.sin(turn) + dx,
            die.x * math.sin(turn) + die.y * math.cos(turn) + dy,
            die.width,
            (die.angle + turn) % (math.tau / die.corners),
            die.corners,
        )
        for die in before
    )
    assert compare(before, after).same


@given(st.integers(0, 10_000))
def test_dice_thrown_anew_are_not_the_same(seed: int) -> None:
    chance = Random(seed)
    faces = dict(zip(ALL, MISERICORDIA.split(), strict=True))
    after = arranged(
        seen(die, faces[die], (chance.uniform(40, 600), chance.uniform(40, 440)), angle=chance.uniform(0, 6))
        for die in ALL
    )
    assert not compare(lying(MISERICORDIA), after).same


def test_a_place_is_kept_in_a_journal_and_read_back() -> None:
    for die in lying(MISERICORDIA):
        back = LyingDie.from_json(die.to_json())
        assert back.to_json() == die.to_json()
        assert compare([die], [back]).same
