"""The board of the games of tables with its points, and the men in stacks from its edges."""

from collections.abc import Iterator, Mapping

from companion.drawings.picture import MAN_RADIUS, PICTURE_WIDTH, Picture, Shape, beside, dotted, whole, written
from companion.rules.board import Board, Site
from companion.rules.game import Position

TABLES_HEIGHT = 106
MOST_STACKED = 5
PAST_THE_LAST_DOT = 1.0
"""How far a stroke goes past its last dot: some viewers of PDF lose a dot on which a stroke ends."""


class _TablesPicture(Picture):
    def height(self, board: Board) -> int:
        """Return the height of the one board."""
        del board
        return TABLES_HEIGHT

    def ground(self, board: Board) -> list[Shape]:
        """Return points and bars."""
        return _points(board, TABLES_HEIGHT)

    def men(self, position: Position) -> list[Shape]:
        """Return the men on the points, and a dot for those in hand."""
        return dotted(_stacked(position))

    def printed_heights(self, board: Board) -> tuple[float, ...]:
        """Return what leaves the names large enough to read."""
        del board
        return (54.0, 50.0, 46.0, 42.0)

    def names(self, position: Position) -> list[Shape]:
        """Return the letters of the points, and how many men stand or wait where not all of them are drawn."""
        return list(_names(position))


PICTURE = _TablesPicture()


def _points(board: Board, height: float) -> list[Shape]:
    triangles: dict[str, list[str]] = {"pic-point": [], "pic-point pic-odd": []}
    points = [site for site in board.sites if len(site.name) == 1]
    for n, site in enumerate(points):
        x, below = site.x * PICTURE_WIDTH, site.y > 0.5  # noqa: PLR2004  (the middle)
        base, tip = (height - 1, height * 0.6) if below else (1, height * 0.4)
        kind = "pic-point pic-odd" if n % 2 else "pic-point"
        triangles[kind].append(f"M{x - 4.6:.1f} {base}L{x:.1f} {tip:.1f}L{x + 4.6:.1f} {base}z")
    aside = {site.name: site.x * PICTURE_WIDTH - 5 for site in board.sites if len(site.name) > 1}
    return [
        whole(height, "pic-field"),
        *(Shape("rect", "pic-bar", {"x": round(x, 1), "width": 10, "height": height}) for x in aside.values()),
        *(Shape("path", kind, {"d": "".join(drawn)}) for kind, drawn in triangles.items()),
    ]


def _stacked(position: Position) -> Iterator[tuple[str, str]]:
    sites = {site.name: site for site in position.game.board.sites}
    for name, there in position.occupancy().items():
        yield from _stack(sites[name], there) if len(name) == 1 else beside(sites[name], there, TABLES_HEIGHT)


def _stack(site: Site, there: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the stroke of each side's men on a point; the first man is at the edge of the board."""
    start, step = (TABLES_HEIGHT - MAN_RADIUS - 2, -1) if site.y > 0.5 else (MAN_RADIUS + 2, 1)  # noqa: PLR2004  (the middle)
    for side, count in sorted(there.items()):
        length = (min(count, MOST_STACKED) - 1) * 2 * MAN_RADIUS
        yield side, f"M{site.x * PICTURE_WIDTH:.1f} {start:.1f}v{step * (length + PAST_THE_LAST_DOT):.2f}"


def _names(position: Position) -> Iterator[Shape]:
    there = position.occupancy()
    for site in position.game.board.sites:
        x, below, counted = site.x * PICTURE_WIDTH, site.y > 0.5, there.get(site.name, {})  # noqa: PLR2004  (the middle)
        if len(site.name) == 1:
            yield written("pic-name", x, TABLES_HEIGHT + 4 if below else -4, site.name)
            for side, count in counted.items():
                if count > MOST_STACKED:
                    yield written(
                        f"pic-count on-{side}",
                        x,
                        TABLES_HEIGHT - MAN_RADIUS - 2 if below else MAN_RADIUS + 2,
                        str(count),
                    )
            continue
        for row, side in enumerate(sorted(counted)):
            y = site.y * TABLES_HEIGHT + (row - 0.5) * 3 * MAN_RADIUS
            yield written(f"pic-count on-{side}", x, y, str(counted[side]))
