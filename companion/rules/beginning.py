"""Where a match begins: at the start of its game, or in a position that somebody set up."""

from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.errors import OptionError, PositionFormatError
from companion.rules.game import Game, Position
from companion.rules.options import OptionValue


def begun(
    game: Game, players: int, options: Mapping[str, OptionValue], position: Mapping[str, Any] | None = None
) -> Position:
    """Return the position that a match begins from. One that was set up has its own options, and no others count.

    Raises:
        OptionError: as `Game.start` raises it, or the position is for another number of players.
        PositionFormatError: as `Game.from_json` raises it, or the position has faults or is over.
    """
    if position is None:
        return game.start(players, **options)
    found = game.from_json(position)
    if faults := found.faults():
        raise PositionFormatError(faults[0])
    if found.outcome is not None:
        raise PositionFormatError(Sentence("The game is over in this position."))
    if found.players != players:
        raise OptionError(
            Sentence(
                "This position is for {expected} players, but there are {players}.",
                expected=found.players,
                players=players,
            )
        )
    return found
