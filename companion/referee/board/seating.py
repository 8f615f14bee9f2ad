"""How the picture's names map to the game's: how the board lies under the camera, and whose each colour is.

A reading names the sites as the picture lies. A board may lie turned by half; a tables board may also be set up in its
mirror image, for the sources and the players do not agree at which hand a game begins. A board of Rithmomachia has one
array and no mirror image, and on a board of virtues the lots are printed. Every such way is its own inverse.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from companion.referee.board.standing import BAR, Expected, Stand, Waiting
from companion.rules.game import Game
from companion.rules.tables.points import HALF, POINTS
from companion.vision.board_readings import Men

Lies = Literal["as named", "turned", "mirrored", "flipped"]
"""``turned`` by half, ``mirrored`` left and right, ``flipped`` top and bottom."""

LIES: Final[tuple[Lies, ...]] = get_args(Lies)

MATERIALS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"tables": ("light", "dark"), "xii-scripta": ("light", "dark")}
)
"""What a reader calls the two colours of a board's men; white and black where nothing else is said."""

TWO_COLOURS: Final = ("white", "black")


TOKEN_COLOURS: Final = ("blue", "red", "green", "violet", "brown", "grey")
"""The colours of the printed tokens in the players' order, as a reader calls them; each bears its player's number."""


class SeatingFormatError(ValueError):
    """A stored seating is not of the form that `Seating.to_json` writes."""


def ways_to_lie(game: Game) -> tuple[Lies, ...]:
    """Return how the board of a game may lie under a camera."""
    board = game.board.name
    if board == "tables":
        return LIES
    return ("as named",) if game.slug.startswith("ludus-regularis") else ("as named", "turned")


def colours_of(game: Game) -> tuple[str, ...]:
    """Return what a reader calls the colours of the two sides; none where tokens may have any colour."""
    if game.slug.startswith("ludus-regularis"):
        return ()
    return MATERIALS.get(game.board.name, TWO_COLOURS)


@dataclass(frozen=True)
class Seating:
    """How one match lies on the table, kept for as long as it lasts. ``colours``: each colour with side or player."""

    game: str
    lies: Lies
    colours: tuple[tuple[str, int], ...]

    @cached_property
    def owners(self) -> Mapping[str, int]:
        """Whose each colour is."""
        return dict(self.colours)

    @cached_property
    def _names(self) -> Mapping[int, str]:
        return {owner: colour for colour, owner in self.colours}

    @cached_property
    def _moved(self) -> Mapping[str, str]:
        from companion.rules.registry import game  # noqa: PLC0415 - a seating is plain until sites are named

        return _renamed(game(self.game), self.lies)

    def site(self, name: str) -> str:
        """Return the game's name of a site from the picture's, or the picture's from the game's: it is the same way."""
        return self._moved.get(name, name)

    def colour(self, owner: int) -> str:
        """Return the colour of a side or player as the picture shows it; ``""`` if nobody knows it yet."""
        return self._names.get(owner, "")

    def men(self, expected: Expected) -> Men | None:
        """Return what a position says of a site in the picture's terms; the bar is left open."""
        if isinstance(expected, Stand):
            also = Men(self.colour(3 - expected.owner), expected.beside) if expected.beside else None
            return Men(self.colour(expected.owner), expected.count, expected.shape, expected.number, also)
        if isinstance(expected, Waiting):
            return None
        return expected

    def to_json(self) -> dict[str, Any]:
        """Return ``{"game": "tables/zeno", "lies": "turned", "colours": {"light": 1, "dark": 2}}``."""
        return {"game": self.game, "lies": self.lies, "colours": dict(self.colours)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Seating":
        """Read what `to_json` wrote.

        Raises:
            SeatingFormatError: not of that form.
        """
        match data:
            case {"game": str(game), "lies": str(lies), "colours": dict(colours)} if (
                lies in LIES
                and all(
                    isinstance(colour, str) and type(owner) is int and owner > 0 for colour, owner in colours.items()
                )
                and len(set(colours.values())) == len(colours)
            ):
                return cls(game, lies, tuple(colours.items()))
        raise SeatingFormatError(
            'Expected a seating like {"game": "tables/zeno", "lies": "turned", "colours": {"light": 1, "dark": 2}}, '
            f"but got {str(data)[:200]!r}."
        )


@cache
def _renamed(game: Game, lies: Lies) -> Mapping[str, str]:
    sites = [site for site in game.board.sites if site.name not in ("hand", "off")]
    if lies == "as named":
        return {}
    if game.board.name == "tables":
        names = {POINTS[index]: POINTS[_TABLES[lies](index)] for index in range(len(POINTS))}
        return names | {BAR: BAR}
    # a board of squares turned by half: the last site in reading order comes first
    names_in_order = [site.name for site in sites]
    return dict(zip(names_in_order, reversed(names_in_order), strict=True))


_TABLES: Mapping[str, Callable[[int], int]] = {
    "turned": lambda index: (index + HALF) % (2 * HALF),
    "mirrored": lambda index: HALF - 1 - index if index < HALF else 3 * HALF - 1 - index,
    "flipped": lambda index: 2 * HALF - 1 - index,
}


def seatings(game: Game) -> Iterator[Seating]:
    """Give every seating that two sides of a game can have; of a game of tokens, its board without any colours."""
    colours = colours_of(game)
    for lies in ways_to_lie(game):
        if not colours:
            yield Seating(game.slug, lies, ())
            continue
        first, second = colours
        yield Seating(game.slug, lies, ((first, 1), (second, 2)))
        yield Seating(game.slug, lies, ((second, 1), (first, 2)))
