"""Distinguish dice from men where one camera sees dice and board: no die lies where a man stands."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.vision.board_readings import BoardReading
from companion.vision.boards.known import Sites
from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.readings import DiceReading, ReadDie

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

RIM_FIELD_PARTS: Final = 0.01
"""Something this far outside the field, in parts of it, still lies on the board: the field's outline is not exact."""


def beside_men(reading: DiceReading, origin: tuple[int, int], board: BoardReading, layout: Sites) -> list[int]:
    """Return the indices of the reading's dice that are no men of the board.

    ``origin``: the top left corner of the dice's picture, in pixels of the board's picture. On the board, a die with
    another status than `read` counts as a man if its site holds or may hold men. If the whole throw lies beside the
    board, nothing on the board is a die. In any other case a die with status `read` stays, wherever it lies: the
    program reports too many dice and never drops one silently.
    """
    every = list(range(len(reading.dice)))
    if board.status != "read" or len(board.corners) != len(_UNIT):
        return every
    to_field = mapping(np.array(board.corners, np.float64), _UNIT)
    on_board = [_site(die, to_field, origin, layout) for die in reading.dice]
    beside = sum(site is None and die.status == "read" for site, die in zip(on_board, reading.dice, strict=True))
    whole = bool(reading.expected) and beside == len(reading.expected)
    return [
        place
        for place, site in zip(every, on_board, strict=True)
        if site is None or not (whole or (reading.dice[place].status != "read" and _occupied(board, site)))
    ]


def only(reading: DiceReading, kept: Sequence[int]) -> DiceReading:
    """Return the reading with only these dice; ``kept`` are indices of the reading's dice."""
    dice = tuple(reading.dice[place] for place in kept)
    read = bool(dice) and all(die.status == "read" for die in dice)
    enough = not reading.expected or len(dice) == len(reading.expected)
    return replace(reading, dice=dice, status="read" if read and enough else "ask" if dice else "ignored")


def _site(die: ReadDie, to_field: Points, origin: tuple[int, int], layout: Sites) -> str | None:
    """Return the site on which a die lies, or None beside the board."""
    if not die.polygon:
        return None
    centre = np.array(die.polygon, np.float64).mean(axis=0) + origin
    u, v = mapped(to_field, centre[None])[0]
    if not (-RIM_FIELD_PARTS <= u <= 1 + RIM_FIELD_PARTS and -RIM_FIELD_PARTS <= v <= 1 + RIM_FIELD_PARTS):
        return None
    return layout.site_at(float(np.clip(u, 0, 1)), float(np.clip(v, 0, 1)))


def _occupied(board: BoardReading, site: str) -> bool:
    return site in board.sites and (board.sites[site].standing is not None or board.sites[site].status != "read")
