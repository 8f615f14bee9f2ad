"""Faults planted into a sound position: the words with which each must be named, and how it is planted."""

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
ADDED = {"throws": 4, "turn": 1, "players": 2}


def _changed(**changes: Any) -> Callable[[Json], Json]:
    return lambda data: data | changes


def _holding(**held: tuple[int, int]) -> Callable[[Json], Json]:
    """Plant virtues (lots with underscores) with holder and throw, four throws after the start."""
    virtues = {lot.strip("_").replace("_", "."): {"player": by, "throw": at} for lot, (by, at) in held.items()}
    return lambda data: data | ADDED | {"virtues": virtues}


def _only(kinds: tuple[str, ...], change: Callable[[Json], Json]) -> Callable[[Json], Json | None]:
    return lambda data: change(data) if data["game"] in kinds else None


WHOLE, SUMS, WHEEL = "ludus-regularis", "ludus-regularis/sum", "ludus-regularis/wheel"
CAST = {"set": "wibold", "faces": {"1": "A", "2": "E", "3": "I", "consonants": "BCDF"}}

PLANTED: tuple[tuple[str, Callable[[Json], Json | None]], ...] = (
    ("The number of throws cannot be below zero", _changed(throws=-1)),
    ("it is the turn of Player 1, not of Player 2", _changed(throws=4, turn=2, players=2, virtues={})),
    ("Fides is held by Player 5, who does not play", _holding(_1_1_2=(5, 1))),
    ("Spes was won by throw 9, which was not made", _holding(_1_1_3=(1, 9))),
    ("Prudentia is held by Player 2, but Player 2 did not make throw 3", _holding(_1_1_5=(2, 3))),
    ("Castitas was won by throw 3 but by nobody", _holding(_1_2_4=(0, 3))),
    ("Throw 3 won more than one virtue", _only((WHOLE, WHEEL), _holding(_1_1_5=(1, 3), _1_2_3=(1, 3)))),
    ("won virtues of different sums", _only((SUMS,), _holding(_1_1_1=(1, 3), _1_1_2=(1, 3)))),
    ("won only some of its sum", _only((SUMS,), _holding(_1_2_3=(1, 3)))),
    ("has no second cast", _only((SUMS, WHEEL), _changed(recast=CAST))),
    ("does not allow a second cast", _only((WHOLE,), _changed(recast=CAST))),
    (
        "is not a throw of all four dice",
        _only((WHOLE,), _changed(recast={"set": "pips", "faces": {"1": "1", "2": "1", "3": "1"}})),
    ),
    ("The time is up, but none was agreed", _changed(time_up=True)),
    (
        "The game was over after throw 2",
        lambda data: data | ADDED | {"virtues": {}, "options": {"ending": "throws", "throws": 2}},
    ),
)
