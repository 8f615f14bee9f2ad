"""Faults planted into a sound position: the words with which each must be named, and how it is planted."""

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
DG, MEBBEN, ITALIAN = ("rithmomachia/durnil-guardia", "rithmomachia/mebben", "rithmomachia/italian")


def _man(colour: str, shape: str, number: int, **more: Any) -> Json:
    return {"colour": colour, "shape": shape, "number": number} | more


def _standing(**men: Json | None) -> Callable[[Json], Json]:
    """Put men onto squares (None: lift him) in a position that is otherwise at its start."""

    def change(data: Json) -> Json:
        there = {site: man for site, man in (data["men"] | men).items() if man is not None}
        return data | {"men": there}

    return change


def _changed(**changes: Any) -> Callable[[Json], Json]:
    return lambda data: data | changes


def _also(*changes: Callable[[Json], Json]) -> Callable[[Json], Json]:
    def change(data: Json) -> Json:
        for one in changes:
            data = one(data)
        return data

    return change


def _only(games: tuple[str, ...], change: Callable[[Json], Json]) -> Callable[[Json], Json | None]:
    return lambda data: change(data) if data["game"] in games else None


def _pyramid(**changes: Any) -> Callable[[Json], Json]:
    """Change White's pyramid on b2."""
    return lambda data: data | {"men": data["men"] | {"b2": data["men"]["b2"] | changes}}


def _without_part(number: int) -> Callable[[Json], Json]:
    """Take a part off White's pyramid and reckon its number anew."""

    def change(data: Json) -> Json:
        left = [part for part in data["men"]["b2"]["parts"] if part["number"] != number]
        return _pyramid(parts=left, number=sum(part["number"] for part in left))(data)

    return change


def _held(**captured: list[Json]) -> Callable[[Json], Json]:
    """Give men to player 1 (``one``) or player 2 (``two``)."""
    return _changed(captured={"1": captured.get("one", []), "2": captured.get("two", [])})


def _double_pyramid(data: Json) -> Json:
    return data | {"men": data["men"] | {"d7": data["men"]["b2"]}}


WHITE_16, WHITE_9 = _man("white", "circle", 16), _man("white", "triangle", 9)

PLANTED: tuple[tuple[str, Callable[[Json], Json | None]], ...] = (
    ("stands on d17, but the board goes", _standing(e3=None, d17=WHITE_16)),
    ("stands on i4, but the board goes", _standing(e3=None, i4=WHITE_16)),
    ("has the unknown shape hexagon", _standing(e3=_man("white", "hexagon", 16))),
    ("white began with no circle 17", _standing(e3=_man("white", "circle", 17))),
    ("white began with no square 16", _standing(e3=_man("white", "square", 16))),
    ("white began with no circle 7", _standing(e3=_man("white", "circle", 7))),
    ("has parts, but is not a pyramid", _standing(e3=WHITE_16 | {"parts": [{"shape": "circle", "number": 4}]})),
    ("white has 2 pyramids", _double_pyramid),
    ("is given as 90, but its parts add up to 91", _pyramid(number=90)),
    ("is given as 91, but its parts add up to 0", _pyramid(parts=[])),
    ("has parts that are not its own: circle 16", _pyramid(parts=[{"shape": "circle", "number": 16}], number=16)),
    (
        "are doubled or not in the order of the pile",
        lambda data: _pyramid(parts=data["men"]["b2"]["parts"][::-1])(data),
    ),
    ("white men are missing: circle 16", _standing(e3=None)),
    ("white men are missing: square 25", _without_part(25)),
    ("There are too many white men: circle 16", _standing(d7=WHITE_16)),
    ("There are too many white men: circle 16", _held(two=[WHITE_16])),
    ("white men are missing: circle 16", _standing(e3=_man("black", "circle", 9))),
    ("There are too many black men: circle 9", _standing(e3=_man("black", "circle", 9))),
    (
        "Player 1 holds the white triangle 9, which has Player 1's own colour",
        _also(_standing(h3=None), _held(one=[WHITE_9])),
    ),
    ("no man of Player", _changed(last={"from": "d5", "to": "d6"})),
    (
        "is not empty",
        lambda data: data | {"turn": 2, "last": {"from": "e3", "to": "e4"}},
    ),
    ("cannot move like that", lambda data: data | {"turn": 2, "last": {"from": "d9", "to": "e4"}}),
    ("Captures are awaited, but no move was made", _only((DG, MEBBEN), _changed(phase="claims"))),
    ("Captures without a move are awaited, but none has begun", _only((ITALIAN,), _changed(phase="claims"))),
    ("Lifted men are given, but no move was made", _changed(lifted={"d7": WHITE_16})),
    (
        "was no enemy",
        lambda data: data | {"turn": 2, "last": {"from": "d9", "to": "e4"}, "lifted": {"d7": WHITE_16}},
    ),
    (
        "but Player 2 does not hold it",
        _also(_changed(turn=1, last={"from": "d9", "to": "d12"}, lifted={"e3": WHITE_16}), _standing(e3=None)),
    ),
    (
        "was lifted from e3, but the white circle 16 stands there",
        _changed(turn=1, last={"from": "d9", "to": "d12"}, lifted={"e3": WHITE_16}),
    ),
    (
        "nothing lifted is remembered",
        lambda data: (
            data
            | {"options": data["options"] | {"several": "as-it-lies"}, "last": {"from": "d9", "to": "d12"}}
            | {"lifted": {"e3": WHITE_16}}
        ),
    ),
    (
        "Captures are automatic",
        lambda data: (
            data
            | {"options": data["options"] | {"claims": "automatic"}, "last": {"from": "d9", "to": "d12"}}
            | {"phase": "claims"}
        ),
    ),
    (
        "the last move was irregular",
        _only((DG,), _changed(turn=1, phase="claims", last={"from": "e6", "to": "d4"})),
    ),
    (
        "Men brought back are given as counting",
        _changed(returned={"1": [_man("black", "circle", 9)], "2": []}),
    ),
    (
        "but this game has no kings",
        _only((DG, MEBBEN), _also(_standing(e3=None), _changed(removed={"1": [], "2": [WHITE_16]}))),
    ),
    (
        "has changed sides, which kings never do",
        _only((ITALIAN,), _pyramid(colour="black", began="white")),
    ),
    (
        "Player 2 holds a king",
        _only((ITALIAN,), lambda data: _also(_held(two=[data["men"]["b2"]]), _standing(b2=None))(data)),
    ),
    (
        "is not part of a king",
        _only((ITALIAN,), _also(_standing(h3=None), _changed(removed={"1": [], "2": [_man("white", "circle", 6)]}))),
    ),
    ("this game has none", _only((DG,), _changed(triumphs={"1": [{"grade": "magna", "numbers": [2, 3, 4]}], "2": []}))),
    (
        "2, 3, 5 are noted as a triumph, mediocre, but are not one",
        _only((ITALIAN,), _changed(triumphs={"1": [{"grade": "mediocre", "numbers": [2, 3, 5]}], "2": []})),
    ),
    (
        "2, 3, 4 are noted as a triumph, excellent",
        _only((ITALIAN,), _changed(triumphs={"1": [{"grade": "excellent", "numbers": [2, 3, 4]}], "2": []})),
    ),
)
