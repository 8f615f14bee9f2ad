"""Several frames of one throw."""

import pytest

from companion.vision.dice import NothingToCombineError, combine
from companion.vision.dice.reader import conclude
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
