"""What a camera can read of a game: the dice that a position waits for, and the board with its men."""

from companion.rules.dice import dice_set
from companion.rules.game import Game, Position
from companion.vision.boards.known import plan
from companion.vision.boards.layout import UnknownBoardError
from companion.vision.readings import readable

Dice = tuple[str, tuple[str, ...] | None]
"""A dice set and those of its dice that should lie on the table, None for all."""


def dice_to_read(position: Position) -> Dice | None:
    """Return the dice that a position waits for, from its first set that a camera can read; None if there is none."""
    waits = position.awaits
    known = (name for name in waits.dice_sets if readable(dice_set(name)))
    return next(((name, waits.dice) for name in known), None)


def dice_of(game: Game) -> tuple[str, ...]:
    """Return the sets of dice with which a game begins."""
    return game.start(game.least_players).awaits.dice_sets


def board_to_read(game: Game) -> str | None:
    """Return the name of a game's board if a camera can read it, None where no reader knows it."""
    try:
        plan(game.board.name)
    except UnknownBoardError:
        return None
    return game.board.name
