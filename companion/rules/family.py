"""What the floors above the rules know of the games of one family: a face for each floor, named here and loaded there.

All that is plain stands at `Game` and `Position`. A face needs code of an upper floor, which the rules must not import:
it is named as Python's entry points are, ``"package.module:object"``, and imported when it is first asked for.
"""

from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any, TypeVar

Face = TypeVar("Face")


class FamilyError(Exception):
    """A face is asked of a family that names none, or names something else."""


@dataclass(frozen=True)
class Family:
    """The faces of one family of games, each under its floor; the class that a face must be stands with who asks.

    ``name``: also that of the modules and folders that are this family's own.
    """

    name: str
    board: str = ""
    """How the referee follows men on the board: `companion.referee.board.following.Following`."""
    odds: str = ""
    """What is known of the odds: `companion.odds.known.known_odds.KnownOdds`."""
    program: str = ""
    """How the program plays: `companion.odds.opponents.opponent.Opponent`."""
    page: str = ""
    """What the page shows beyond what every game has: `companion.desk.page.family_page.FamilyPage`."""
    picture: str = ""
    """The small picture by which a game is chosen: `companion.web.pictures.picture.Picture`."""
    diagram: str = ""
    """The start as a rule card draws it: `calibration.kit.diagrams.diagram.Diagram`."""

    def face(self, name: str, kind: type[Face]) -> Face:
        """Return the face of this name.

        Raises:
            FamilyError: the family names none, or none that is there and of this kind.
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
    """Return what a family names. What cannot be loaded is said of the name; why, by the error before it."""
    reference = getattr(family, name)
    if not reference:
        raise FamilyError(f"The family {family.name} names no {name}: say in its Family where it is.")
    try:
        return resolve_name(reference)
    except (ImportError, AttributeError, ValueError) as why:
        raise FamilyError(f"The family {family.name} names {reference!r} as its {name}, but there is none.") from why
