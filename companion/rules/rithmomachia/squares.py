"""The board of squares: names, lines of sight, and where a page, a camera and lights find each square."""

from dataclasses import dataclass
from functools import cache, cached_property

from companion.rules.board import Board, Site
from companion.rules.rithmomachia.men import BLACK, WHITE

FILES = "abcdefgh"
PRACTICE_RANKS = 9
"""The practice board of 004 is 8 x 9 and has no rules of its own."""

LINES = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True)
class Squares:
    """The squares of a board of 8 files. A square is a number: 0 is a1, then a2 and on along the file, then b1."""

    ranks: int

    @property
    def count(self) -> int:
        """The number of squares."""
        return len(FILES) * self.ranks

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every square's name, ``a1`` to ``h16``."""
        return tuple(f"{file}{rank}" for file in FILES for rank in range(1, self.ranks + 1))

    @cached_property
    def numbered(self) -> dict[str, int]:
        """The number of each square under its name."""
        return {name: square for square, name in enumerate(self.names)}

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """File and rank of each square, both from 0."""
        return tuple(divmod(square, self.ranks) for square in range(self.count))

    def at(self, file: int, rank: int) -> int | None:
        """Return the square at this file and rank, both from 0, or None off the board."""
        if 0 <= file < len(FILES) and 0 <= rank < self.ranks:
            return file * self.ranks + rank
        return None

    @cached_property
    def rays(self) -> tuple[tuple[tuple[bool, tuple[int, ...]], ...], ...]:
        """For each square, the lines of sight from it: whether diagonal, and the squares from near to far."""
        return tuple(
            tuple(
                (step in DIAGONALS, line) for step in (*LINES, *DIAGONALS) if (line := tuple(self._line(square, step)))
            )
            for square in range(self.count)
        )

    def _line(self, square: int, step: tuple[int, int]) -> list[int]:
        file, rank = self.places[square]
        line: list[int] = []
        while (seen := self.at(file := file + step[0], rank := rank + step[1])) is not None:
            line.append(seen)
        return line

    def half(self, player: int) -> frozenset[int]:
        """Return the squares of the half at a player's edge."""
        return _half(self, player)

    def between(self, one: int, other: int) -> tuple[int, ...] | None:
        """Return the squares between two that are in line, from the first to the second, or None if they are not."""
        return self._between.get((one, other))

    @cached_property
    def _between(self) -> dict[tuple[int, int], tuple[int, ...]]:
        return {
            (square, other): line[:steps]
            for square, rays in enumerate(self.rays)
            for _, line in rays
            for steps, other in enumerate(line)
        }

    def diagonal(self, one: int, other: int) -> bool:
        """Whether the way from one square to another changes both file and rank."""
        return all(a != b for a, b in zip(self.places[one], self.places[other], strict=True))


@cache
def squares(ranks: int) -> Squares:
    """Return the board with this number of ranks; always the same object, so that its tables are made once."""
    return Squares(ranks)


@cache
def _half(board: Squares, player: int) -> frozenset[int]:
    near = board.ranks // 2
    ranks = range(near) if player == WHITE else range(board.ranks - near, board.ranks)
    return frozenset(square for square in range(board.count) if board.places[square][1] in ranks)


@cache
def drawn_board(ranks: int) -> Board:
    """Return the board as the camera sees it: file a is the top row, rank 1 at the left."""
    board = squares(ranks)
    sites = (
        Site(name, (rank + 0.5) / ranks, (file + 0.5) / len(FILES))
        for name, (file, rank) in zip(board.names, board.places, strict=True)
    )
    return Board(f"8x{ranks}", tuple(sites))


def enemy(player: int) -> int:
    """Return the other player."""
    return BLACK if player == WHITE else WHITE
