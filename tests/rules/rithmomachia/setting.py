"""Positions set up and played in words, for the tests of this room."""

from typing import Any

from companion.rules.registry import game
from companion.rules.rithmomachia import RithmoPosition
from tests.rules.rithmomachia.naive_options import D
from tests.rules.rithmomachia.naive_positions import men, state


def position(slug: str, placed: str, turn: int = 1, **options: Any) -> RithmoPosition:
    """Set up a match in which no number of points ends it, unless the options say which."""
    without_end = {"minor": "none"} if slug == D and "minor" not in options else {}
    return _read(state(slug, placed, turn, **without_end, **options))


def holding(slug: str, placed: str, held: str, turn: int = 1, **options: Any) -> RithmoPosition:
    """Set up a match in which player 1 holds black men, ``held`` as ``"9c 25t"``."""
    data = state(slug, placed, turn, **options)
    squares = (f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9))
    named = ", ".join(f"{man} {square}" for man, square in zip(held.split(), squares, strict=False))
    data["captured"]["1"] = list(men(f"black {named}").values())
    return _read(data)


def _read(data: dict[str, Any]) -> RithmoPosition:
    found = game(data["game"]).from_json(data)
    assert isinstance(found, RithmoPosition)
    return found


def played(start: RithmoPosition, *texts: str) -> RithmoPosition:
    """Return the position after choices as a player would type them."""
    for text in texts:
        start = start.after(start.parse(text))
    return start


def refusal(at: RithmoPosition, text: str) -> str:
    """Return why a choice is not allowed."""
    return str(at.why_not(at.parse(text)))
