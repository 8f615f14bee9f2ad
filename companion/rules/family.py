"""What the floors above the rules know of one family of games: one face for each floor.

Whatever needs no code of an upper floor is part of `Game` and `Position`. A face needs such code, which the rules must
not import. So a family names its faces like Python's entry points, ``"package.module:object"``, and imports a face
when a floor first asks for it.
"""

from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any, TypeVar

Face = TypeVar("Face")


class FamilyError(Exception):
    """A family names no such face, or names something else."""


@dataclass(frozen=True)
class Family:
    """The faces of one family of games, one for each floor; the caller states the class that a face must have.

    ``name`` is also the name of this family's own modules and folders.
    """

    name: str
    board: str = ""
    """How the referee follows men on the board: `companion.referee.board.following.Following`."""
    odds: str = ""
    """What the program knows of the odds: `companion.odds.known.known_odds.KnownOdds`."""
    player: str = ""
    """How the program plays well, at four strengths: `companion.players.player.Player`."""
    page: str = ""
    """What the page shows beyond what every game has: `companion.desk.page.family_page.FamilyPage`."""
    picture: str = ""
    """The picture of how a game begins, small on the page and large on paper: `companion.drawings.picture.Picture`."""

    def face(self, name: str, kind: type[Face]) -> Face:
        """Return the face of this name.

        Raises:
            FamilyError: the family names none, or what it names does not exist or is not of this kind.
        """
        found = _loaded(self, name)
        if not isinstance(found, kind):
            raise FamilyError(
                f"The family {self.name} must name {_a(kind)} as its {name}, but {getattr(self, name)!r} is none."
            )
        return found


def _a(kind: type[object]) -> str:
    return f"a {kind.__module__}.{kind.__qualname__}"


@cache
def _loaded(family: Family, name: str) -> Any:
    """Return what a family names. If loading fails, the error names the reference, and its cause says why."""
    reference = getattr(family, name)
    if not reference:
        raise FamilyError(f"The family {family.name} names no {name}: say in its Family where it is.")
    try:
        return resolve_name(reference)
    except (ImportError, AttributeError, ValueError) as why:
        raise FamilyError(f"The family {family.name} names {reference!r} as its {name}, but there is none.") from why
