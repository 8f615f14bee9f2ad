"""Colvener's wheel: every virtue in one of 56 sectors, whoever spins a free one acquires it."""

import math
from fractions import Fraction

import pytest

from companion.odds.ludus_regularis import length, prizes
from companion.rules.dice import Throw, ThrowError, dice_set
from companion.rules.ludus_regularis.virtues import virtues
from companion.vision.dice.reader import DiceReader, DiceSetNotReadError
from tests.rules.ludus_regularis.plays import ludus, played, start

WHEEL = "ludus-regularis/wheel"


def test_every_virtue_has_one_sector() -> None:
    (pointer,) = dice_set("wheel").dice
    assert [face.text for face in pointer.faces] == [virtue.lot for virtue in virtues()]
    assert [face.value for face in pointer.faces] == list(range(1, 57))
    assert {virtue.lot for throw in start(slug=WHEEL).throws() for virtue in start(slug=WHEEL).effect(throw).won} == {
        virtue.lot for virtue in virtues()
    }


def test_a_free_virtue_is_acquired_and_a_held_one_is_not() -> None:
    first = start(slug=WHEEL)
    won = first.account(first.parse("Pax"))
    assert str(won.sentence) == "The pointer stops at Pax: Player 1 acquires it."
    second = played(first, ["Pax"])
    assert second.occupancy() == {"1.2.3": 1}
    lost = second.account(second.parse("1.2.3"))
    assert str(lost.sentence) == "The pointer stops at Pax, which Player 1 already holds."
    assert second.after(second.parse("pax")).awaits.player == 1


def test_the_last_virtue_ends_the_game() -> None:
    done = played(start(3, WHEEL), [virtue.lot for virtue in virtues()])
    assert done.outcome is not None
    assert str(done.outcome.why).startswith("Every virtue is acquired. Player 1 and Player 2 hold 19 virtues each")
    assert done.outcome.winners == (1,)


def test_the_pointer_is_typed_as_lot_or_name_and_nothing_else() -> None:
    with pytest.raises(ThrowError, match=r"like 1\.2\.3, Pax or Peace, but got 'Superbia'"):
        start(slug=WHEEL).parse("Superbia")
    assert str(start(slug=WHEEL).why_not(Throw.parse("pips", "1 2 3"))) == (
        "Expected a throw of the wheel dice, but these are pips dice."
    )


def test_a_second_cast_cannot_be_awaited() -> None:
    data = start(slug=WHEEL).to_json() | {"recast": {"set": "wheel", "faces": {"pointer": "1.1.1"}}}
    assert [str(fault) for fault in ludus(WHEEL).from_json(data).faults()] == ["The wheel has no second cast."]


def test_the_mean_length_is_that_of_collecting_56_things() -> None:
    """The coupon collector's 56 (1 + 1/2 + ... + 1/56)."""
    assert {prize.weight for prize in prizes(WHEEL)} == {1}
    assert math.isclose(length(WHEEL).mean, float(sum(Fraction(56, k) for k in range(1, 57))), rel_tol=1e-12)


def test_no_camera_reads_it() -> None:
    with pytest.raises(DiceSetNotReadError, match="tap it in by hand"):
        DiceReader("wheel")
