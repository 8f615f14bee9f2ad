"""Several frames of one throw."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.answers import conclude
from companion.vision.dice.combine import NothingToCombineError, combine, effective_frames
from companion.vision.dice.reader import ASIDE
from companion.vision.readings import DiceReading, ReadDie, Status

PLACES = {"1": 0.0, "2": 100.0, "3": 200.0}


def die(name: str, *candidates: tuple[str, float], status: Status = "read", shift: float = 0) -> ReadDie:
    x = PLACES[name] + shift
    corners = ((x, 0.0), (x + 40, 0.0), (x + 40, 40.0), (x, 40.0))
    reason = "" if status == "read" else "Its letters are not clear."
    return ReadDie("wibold", name, candidates[0][0], status, candidates[0][1], candidates, corners, reason)


def frame(*dice: ReadDie) -> DiceReading:
    return conclude(dice, ("1", "2", "3"))


CLEAR = frame(die("1", ("A", 0.9995)), die("2", ("IO", 0.9995)), die("3", ("I", 0.9995)))


def test_agreeing_frames_stay_read() -> None:
    joined = combine([CLEAR, CLEAR, CLEAR])
    assert joined.status == "read"
    assert joined.frames == 3
    assert [one.face for one in joined.dice] == ["A", "IO", "I"]
    assert all(sum(chance for _, chance in one.candidates) == pytest.approx(1, abs=1e-3) for one in joined.dice)


def test_one_unclear_frame_among_clear_ones_does_not_stop_the_game() -> None:
    unclear = frame(die("1", ("A", 0.7), ("I", 0.3), status="ask"), *CLEAR.dice[1:])
    assert unclear.status == "ask"
    assert combine([CLEAR, unclear, CLEAR]).status in ("read", "ask")
    assert combine([CLEAR, unclear, CLEAR]).dice[0].confidence > 0.95


def test_frames_that_were_all_asked_about_are_never_read() -> None:
    unclear = frame(die("1", ("A", 0.96), ("I", 0.04), status="ask"), *CLEAR.dice[1:])
    joined = combine([unclear] * 8)
    assert joined.status == "ask"
    assert joined.dice[0].status == "ask"


def test_frames_that_contradict_each_other_are_asked_about() -> None:
    other = frame(die("1", ("EI", 0.9999)), *CLEAR.dice[1:])
    joined = combine([CLEAR, CLEAR, other])
    assert joined.status == "ask"
    assert joined.dice[0].reason == "The frames of this throw show different letters."


def missing_by(*short: float | None) -> list[DiceReading]:
    unsure = [die("1", ("A", 0.9), ("I", 0.1), status="ask" if one is None or one > 0 else "read") for one in short]
    return [frame(replace(one, short=by), *CLEAR.dice[1:]) for one, by in zip(unsure, short, strict=True)]


def test_what_marks_miss_is_kept_only_where_nothing_but_marks_is_in_doubt() -> None:
    assert combine(missing_by(1.0, 2.0, 1.5)).dice[0].short == 1.5
    assert combine(missing_by(1.0, None, 1.5)).dice[0].short is None
    fewer = [*missing_by(1.0, 1.2), frame(*CLEAR.dice[1:]), *missing_by(1.5)]
    assert combine(fewer).dice[0].short is None, "the frames do not even agree on the number of dice"


@pytest.mark.parametrize("remembered", [0, 1])
def test_a_die_that_one_frame_only_remembered_counts_as_remembered(remembered: int) -> None:
    unclear = frame(die("1", ("A", 0.7), ("I", 0.3), status="ask"), *CLEAR.dice[1:])
    known = frame(replace(CLEAR.dice[0], remembered=True), *CLEAR.dice[1:])
    frames = [unclear, CLEAR, CLEAR]
    frames[1 + remembered] = known
    for order in (frames, frames[::-1]):
        joined = combine(order)
        assert joined.dice[0].remembered == (joined.dice[0].status == "read")
        assert not joined.dice[1].remembered


def test_a_die_that_moved_is_not_the_same_place() -> None:
    far = frame(die("1", ("A", 0.9999), shift=30), *CLEAR.dice[1:])
    joined = combine([CLEAR, CLEAR, far])
    assert joined.dice[0].reason == "It is seen in few frames of this throw."


def test_frames_with_different_numbers_of_dice_are_asked_about() -> None:
    assert combine([frame(*CLEAR.dice[:2]), CLEAR]).status == "ask"


def test_one_frame_is_itself_and_none_is_refused() -> None:
    assert combine([CLEAR]) is CLEAR
    with pytest.raises(NothingToCombineError, match="at least one"):
        combine([])


@given(st.integers(1, 500), st.floats(0, 1))
def test_frames_are_never_worth_more_than_they_are_nor_than_what_they_share_allows(frames: int, shared: float) -> None:
    views = effective_frames(frames, shared)
    assert 1 - 1e-9 <= views <= frames + 1e-9
    assert views * shared <= 1 + 1e-9
    assert effective_frames(frames + 1, shared) >= views - 1e-9


def test_frames_that_share_nothing_count_in_full_and_copies_as_one() -> None:
    assert effective_frames(7, 0.0) == pytest.approx(7)
    assert effective_frames(7, 1.0) == pytest.approx(1)
    with pytest.raises(ValueError, match="from 0 to 1"):
        effective_frames(3, 1.5)


def test_what_was_measured_says_that_frames_of_one_throw_are_hardly_more_than_one_look() -> None:
    assert 1 < effective_frames(1000) < 2


def test_the_same_frame_again_and_again_makes_a_reading_hardly_surer() -> None:
    clear = frame(die("1", ("A", 0.975), ("I", 0.025)), *CLEAR.dice[1:])
    assert combine([clear] * 50).dice[0].confidence < 0.999


def test_a_die_that_only_one_of_two_frames_shows_there_is_asked_about() -> None:
    moved = frame(die("1", ("A", 0.9995), shift=30), *CLEAR.dice[1:])
    joined = combine([CLEAR, moved])
    assert joined.status == "ask"
    assert joined.dice[0].reason == "It is seen in few frames of this throw."


def test_frames_that_disagree_which_die_it_is_leave_it_open() -> None:
    other = replace(CLEAR, dice=(replace(CLEAR.dice[0], die="2", face="A"), *CLEAR.dice[1:]))
    assert combine([CLEAR, other]).dice[0].die is None
    assert combine([CLEAR, CLEAR, other]).dice[0].die == "1"


def test_dice_of_an_owners_own_set_are_joined_too() -> None:
    own = conclude([replace(one, set_name="my-runes") for one in CLEAR.dice], ("1", "2", "3"))
    assert combine([own, own]).status == "read"


def test_a_die_that_every_frame_only_set_aside_is_asked_about() -> None:
    unclear = die("1", ("A", 0.5), status="ask")
    aside = replace(unclear, die=None, face=None, confidence=0.0, candidates=(), reason=ASIDE)
    joined = combine([frame(aside, *CLEAR.dice[1:])] * 3)
    assert joined.status == "ask"
    assert joined.dice[0] == aside
    assert [one.status for one in joined.dice] == ["ask", "read", "read"]
