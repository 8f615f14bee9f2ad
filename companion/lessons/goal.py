"""When a step of a lesson is done, told by the position alone, so that every line that gets there counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.game import Position


@dataclass(frozen=True)
class Goal:
    """What must all hold. ``player``: the learner.

    ``board``: what stands on a site, in the form of `Position.occupancy`; an empty mapping for nothing. ``score``:
    what the learner then has; None for any. ``ended``: the learner's turn is over. ``won``: the learner has won.
    """

    player: int
    board: Mapping[str, Any] = field(default_factory=dict, hash=False)
    score: int | None = None
    ended: bool = False
    won: bool = False

    def reached(self, position: Position) -> bool:
        """Whether a position after the learner's moves is one."""
        there = position.occupancy()
        return (
            all(there.get(site, {}) == men for site, men in self.board.items())
            and self.score in (None, position.scores()[self.player])
            and (not self.ended or turn_over(position, self.player))
            and (not self.won or (position.outcome is not None and self.player in position.outcome.winners))
        )


def turn_over(position: Position, player: int) -> bool:
    """Whether the turn has passed to somebody else, or the game is over."""
    waits = position.awaits
    return waits.player != player or waits.kind == "over"
