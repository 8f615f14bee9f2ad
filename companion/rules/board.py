"""Where things can stand in a game: what page, camera and lights share."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

HAND: Final = "hand"
"""The site of men in hand, on every board that has one: no picture of the board has it."""

OFF: Final = "off"
"""The site of men borne off, likewise."""

Lies = Literal["as named", "turned", "mirrored", "flipped"]
"""``turned`` by half, ``mirrored`` left and right, ``flipped`` top and bottom."""

LIES: Final[tuple[Lies, ...]] = get_args(Lies)


@dataclass(frozen=True)
class Site:
    """A place on the board that page, camera and lights share; x and y from 0 to 1, left to right, top down."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Board:
    """The sites of a game, under the name of the drawn board they belong to.

    ``lies``: in which ways it may lie before a camera. ``colours``: what a reader calls the colours of the two sides'
    men, side 1's as a rule first; none where tokens of any colour lie. ``barred``: men in hand may lie on a bar in the
    middle, which a picture shows and which is none of the sites.
    """

    name: str
    sites: tuple[Site, ...]
    lies: tuple[Lies, ...] = ("as named", "turned")
    colours: tuple[str, ...] = ("white", "black")
    barred: bool = False

    @property
    def holds_tokens(self) -> bool:
        """Whether tokens lie on it that follow the throws, each for a player who won the site; else men are moved."""
        return bool(self.sites) and not self.colours

    @property
    def seen_sites(self) -> tuple[Site, ...]:
        """The sites that a picture of the board has: not those of men who lie beside it."""
        return tuple(site for site in self.sites if site.name not in (HAND, OFF))
