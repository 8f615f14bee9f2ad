"""What of a game a camera can read: the dice that a position waits for, and the board with its men."""

from companion.rules.dice import dice_set
from companion.rules.game import Game, Position
from companion.vision.boards.known import plan
from companion.vision.boards.layout import UnknownBoardError
from companion.vision.readings import readable

Dice = tuple[str, tuple[str, ...] | None]
"""A dice set and those of its dice that are expected on the table, None for all."""


def dice_to_read(position: Position) -> Dice | None:
    """Return the dice that a position waits for, of the first of its sets that a camera can read; None if of none."""
    waits = position.awaits
    known = (name for name in waits.dice_sets if readable(dice_set(name)))
    return next(((name, waits.dice) for name in known), None)


def board_to_read(game: Game) -> str | None:
    """Return the name of the board of a game that a camera can read, None where no reader knows it."""
    try:
        plan(game.board.name)
    except UnknownBoardError:
        return None
    return game.board.name
