"""What a camera should see of a position, site by site: whose men, how many of them separate, and what may hide them.

A position only has to say what is visible from above, so all games with a board are treated alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.board import HAND, OFF
from companion.rules.game import Game, Position
from companion.vision.board_readings import Men

BAR = "bar"
"""The middle of a tables board, where men who were hit may lie."""

MOST_COUNTED = 5
"""Most men on a point that lie separate; of more, a camera cannot tell the number."""

PYRAMID = "pyramid"
_PLAYERS = {"white": 1, "black": 2}


@dataclass(frozen=True, slots=True)
class Stand:
    """Men of one owner on a site, according to a position.

    ``owner``: a side of a tables game, or a player. ``shape`` and ``number``: those of a man of Rithmomachia; ``top``:
    the shape and number on top of a pyramid. ``beside``: men of the other side on the same site, as a free board
    allows.
    """

    owner: int
    count: int = 1
    shape: str = ""
    number: int = 0
    top: tuple[str, int] | None = None
    beside: int = 0

    def admits(self, seen: Men | None, owners: Mapping[str, int], *, piled: bool) -> bool:
        """Whether this can look so. ``owners``: whose each colour is; ``piled``: more men may lie under those seen.

        If there are more than `MOST_COUNTED` men, any number from that on is as likely: a pile is never counted.
        """
        if seen is None or owners.get(seen.colour) != self.owner:
            return self._turned_round(seen, owners)
        if self.shape:
            as_a_pyramid = self.shape == PYRAMID == seen.shape
            return as_a_pyramid or (seen.shape, seen.number) in ((self.shape, self.number), self.top)
        if (seen.also.count if seen.also is not None else 0) != self.beside:
            return False
        if piled and seen.count <= self.count:
            return True
        return min(self.count, MOST_COUNTED) <= seen.count <= self.count

    def _turned_round(self, seen: Men | None, owners: Mapping[str, int]) -> bool:
        """Whether the same is seen with the other side's men named first."""
        if seen is None or seen.also is None or not self.beside or owners.get(seen.also.colour) != self.owner:
            return False
        return (seen.also.count, seen.count) == (self.count, self.beside)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The bar: men in hand of side 1 and of side 2, who may lie there or beside the board, as the players like."""

    first: int
    second: int

    def admits(self, seen: Men | None, owners: Mapping[str, int], *, piled: bool) -> bool:
        """Whether the bar can look so: no more men of a side lie there than it has in hand."""
        del piled
        while seen is not None:
            owner = owners.get(seen.colour)
            if owner is None or seen.count > (self.first, self.second)[owner - 1]:
                return False
            seen = seen.also
        return True


Expected = Stand | Waiting | None
"""What a position says about a site; None is an empty site."""

ExpectedBoard = Mapping[str, Expected]
"""How a position looks: every occupied site of the board, and the bar if there is one."""


def has_board(game: Game) -> bool:
    """Whether men or tokens of this game stand on a board."""
    return bool(game.board.sites)


def sites_of(game: Game) -> tuple[str, ...]:
    """Return every site in a picture of this game's board; men beside the board have none."""
    names = tuple(site.name for site in game.board.seen_sites)
    return (*names, BAR) if game.board.barred else names


def expected_board(position: Position) -> ExpectedBoard:
    """Return what a camera should see of a position, by the game's own names of the sites."""
    seen = position.seen_from_above()
    found: dict[str, Expected] = {site: _stand(what) for site, what in seen.items() if site not in (HAND, OFF)}
    if position.game.board.barred:
        hand = seen.get(HAND, {})
        found[BAR] = Waiting(hand.get("1", 0), hand.get("2", 0))
    return found


def _stand(what: Any) -> Stand:
    match what:
        case {"shape": str(shape), "colour": str(colour), "number": int(number)}:
            parts = what.get("parts") or [None]
            top = (str(parts[-1]["shape"]), int(parts[-1]["number"])) if parts[-1] else None
            return Stand(_PLAYERS[colour], 1, shape, number, top)
        case {"1": int(ours), "2": int(theirs)}:
            return Stand(1, ours, beside=theirs)
        case {"1": int(ours)}:
            return Stand(1, ours)
        case {"2": int(theirs)}:
            return Stand(2, theirs)
    return Stand(int(what))
