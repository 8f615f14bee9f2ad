"""Faults planted in a position's JSON, each with words that the sentence about it must contain."""

from collections.abc import Callable
from typing import Any

JSON = dict[str, Any]

FAR = 12_345
"""Points beyond every target; numerals add up to them."""

NO_NUMERAL = {"set": "ludix", "faces": {"1": "L", "2": "L", "3": "L", "4": "L"}}
OTHER_DICE = {"set": "pips", "faces": {"1": "1", "2": "2", "3": "3"}}
THREE_DICE = {"set": "ludix", "faces": {"1": "X", "2": "I", "3": "I"}}


def scored(data: JSON, number: int, points: int) -> JSON:
    return data | {"scores": data["scores"] | {str(number): points}}


def ruled(data: JSON, **options: Any) -> JSON:
    return data | {"options": data["options"] | options}


def fresh(data: JSON, turn: int) -> JSON:
    """Return a position in the third round in which nobody has points and nothing is at stake."""
    noted = dict.fromkeys(data["scores"], 0)
    turns = 2 * data["players"] + turn - 1
    return data | {"turn": turn, "turns": turns, "scores": noted, "formed": [], "throw": None}


PLANTED: tuple[tuple[str, Callable[[JSON], JSON]], ...] = (
    ("it is the turn of", lambda data: data | {"turn": data["turn"] % data["players"] + 1}),
    ("it is the turn of", lambda data: data | {"turn": data["players"] + 1}),
    ("it is the turn of", lambda data: data | {"turns": data["turns"] + 1}),
    ("The number of finished turns cannot be below zero", lambda data: data | {"turns": -1}),
    ("cannot be below zero", lambda data: scored(data, 1, -8)),
    ("No numerals add up to the 5 points", lambda data: scored(data, 2, 5)),
    ("No numerals add up to the 27 points", lambda data: scored(data, 1, 27)),
    ("has not had a turn yet", lambda data: scored(data | {"turn": 1, "turns": 0}, 2, 88)),
    ("form no such numeral", lambda data: data | {"formed": ["IIII"]}),
    ("form no such numeral", lambda data: data | {"formed": ["LXVI", "CVI"]}),
    ("only the highest, LXVI", lambda data: ruled(data, numeral="best") | {"formed": ["XLIV"]}),
    ("makes no numeral", lambda data: data | {"throw": NO_NUMERAL}),
    ("not a throw of the four dice", lambda data: data | {"throw": OTHER_DICE}),
    ("not a throw of the four dice", lambda data: data | {"throw": THREE_DICE}),
    ("must stop", lambda data: ruled(fresh(data, 1), going_on="until-target", target=80) | {"formed": ["LXXX"]}),
    (
        "a turn has been begun",
        lambda data: scored(ruled(fresh(data, 1), ending="round"), 2, FAR) | {"formed": ["XXII"]},
    ),
    ("in an earlier round", lambda data: scored(ruled(fresh(data, 2), ending="round"), 2, FAR)),
    ("in an earlier turn", lambda data: scored(ruled(fresh(data, 1), ending="at-once"), 1, FAR)),
)
