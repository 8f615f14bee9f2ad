"""Where things can stand in a game: what page, camera and lights share."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Site:
    """A place on the board that page, camera and lights share; x and y from 0 to 1, left to right, top down."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Board:
    """The sites of a game, under the name of the drawn board they belong to."""

    name: str
    sites: tuple[Site, ...]
