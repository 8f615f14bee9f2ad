"""How the picture's names map to the game's: how the board lies under the camera, and whose each colour is.

A reading names the sites by the picture. A board may lie turned by half a turn. A tables board may also be set up in
its mirror image, because sources and players differ on the side from which a game begins. A board of Rithmomachia has
one array and no mirror image; on a board of virtues the lots are printed. Every such way is its own inverse.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, TypedDict

from companion.referee.board.standing import Expected, ExpectedBoard, Stand, Waiting
from companion.rules.board import LIES, Board, Lies
from companion.rules.game import Game
from companion.vision.board_readings import Men

TOKEN_COLOURS: Final = ("blue", "red", "green", "violet", "brown", "grey")
"""The colours of the printed tokens in the players' order, in a reader's words; each bears its player's number."""


class SeatingFormatError(ValueError):
    """A stored seating does not have the form that `Seating.to_json` writes."""


class SeatingJson(TypedDict):
    """Which way round the board lies, and whose the colours are."""

    game: str
    lies: str
    colours: dict[str, int]


@dataclass(frozen=True)
class Seating:
    """How the board of one match lies, kept for the whole match. ``colours``: each colour with its side or player."""

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

        return _renamed(game(self.game).board, self.lies)

    def site(self, name: str) -> str:
        """Return the game's name of a site from the picture's, or the reverse: the mapping is its own inverse."""
        return self._moved.get(name, name)

    def colour(self, owner: int) -> str:
        """Return the colour of a side or player in the picture; ``""`` if nobody knows it yet."""
        return self._names.get(owner, "")

    def men(self, expected: Expected) -> Men | None:
        """Return what a position expects on a site in the picture's terms; the bar is left open."""
        if isinstance(expected, Stand):
            also = Men(self.colour(3 - expected.owner), expected.beside) if expected.beside else None
            return Men(self.colour(expected.owner), expected.count, expected.shape, expected.number, also)
        if isinstance(expected, Waiting):
            return None
        return expected

    def board(self, expected: ExpectedBoard) -> dict[str, Men]:
        """Return what a position expects on its occupied sites in the picture's terms, all but the bar."""
        found = {self.site(site): self.men(stand) for site, stand in expected.items()}
        return {site: men for site, men in found.items() if men is not None}

    def to_json(self) -> SeatingJson:
        """Return ``{"game": "tables/zeno", "lies": "turned", "colours": {"light": 1, "dark": 2}}``."""
        return {"game": self.game, "lies": self.lies, "colours": dict(self.colours)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Seating":
        """Read what `to_json` wrote.

        Raises:
            SeatingFormatError: the data does not have that form.
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
def _renamed(board: Board, lies: Lies) -> Mapping[str, str]:
    """Return for each site the one in its place: as the board lies, columns run from right to left, rows upwards.

    A site without a counterpart keeps its name: a foreign seating may name a way that a board cannot lie.
    """
    across, down = lies in ("turned", "mirrored"), lies in ("turned", "flipped")
    columns = _turned((site.x for site in board.seen_sites), around=across)
    rows = _turned((site.y for site in board.seen_sites), around=down)
    names = {(site.x, site.y): site.name for site in board.seen_sites}
    return {site.name: names.get((columns[site.x], rows[site.y]), site.name) for site in board.seen_sites}


def _turned(places: Iterable[float], *, around: bool) -> Mapping[float, float]:
    """Return for each of some places on a line the place that it moves to."""
    ordered = sorted(set(places))
    return dict(zip(ordered, reversed(ordered) if around else ordered, strict=True))


def seatings(game: Game) -> Iterator[Seating]:
    """Yield every seating that two sides of a game can have; for a game of tokens, its board without any colours."""
    colours = game.board.colours
    for lies in game.board.lies:
        if not colours:
            yield Seating(game.slug, lies, ())
            continue
        first, second = colours
        yield Seating(game.slug, lies, ((first, 1), (second, 2)))
        yield Seating(game.slug, lies, ((second, 1), (first, 2)))
