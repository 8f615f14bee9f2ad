"""Boards and their sites, shared by page, camera and lights."""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict, get_args

HAND: Final = "hand"
"""The site of men in hand, on every board that has one. No picture of the board shows it."""

OFF: Final = "off"
"""The site of men borne off, on every board that has one. No picture of the board shows it."""

Lies = Literal["as named", "turned", "mirrored", "flipped"]
"""How a board can lie: ``turned`` by half a turn, ``mirrored`` left to right, ``flipped`` top to bottom."""

LIES: Final[tuple[Lies, ...]] = get_args(Lies)


@dataclass(frozen=True)
class Site:
    """A place on the board that page, camera and lights share; x (left to right) and y (top down) run from 0 to 1."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Board:
    """The sites of a game; ``name`` is the drawn board that they belong to.

    ``lies``: the ways in which the board may lie before a camera. ``colours``: the reader's names for the colours of
    the two sides' men, as a rule side 1's first; empty where tokens of any colour lie. ``barred``: men in hand may lie
    on a bar in the middle. A picture shows this bar, but it is not one of the sites.
    """

    name: str
    sites: tuple[Site, ...]
    lies: tuple[Lies, ...] = ("as named", "turned")
    colours: tuple[str, ...] = ("white", "black")
    barred: bool = False

    @property
    def holds_tokens(self) -> bool:
        """Whether throws place tokens on the board, each for the player who won its site; else players move men."""
        return bool(self.sites) and not self.colours

    @property
    def seen_sites(self) -> tuple[Site, ...]:
        """The sites that a picture of the board shows; omits the sites of men beside the board."""
        return tuple(site for site in self.sites if site.name not in (HAND, OFF))


class BoardNotes(TypedDict, total=False):
    """What a page draws beside the men; each game gives only the entries that it has.

    ``held``: the men that each player has taken and holds. ``claims``: the kinds of capture that may be claimed now.
    ``sides``: each player's side. ``dice``: the numbers of the last throw that are left to play. ``free``: the side to
    play where every man may go anywhere. ``counts``: what a score counts: men borne ``off``, men ``home``, points of
    the board that are ``held``, or ``points`` of another kind.
    """

    held: dict[str, list[dict[str, Any]]]
    claims: list[str]
    sides: dict[str, int]
    dice: list[int]
    free: int
    counts: Literal["off", "home", "held", "points"]
