"""What a tables position knows beside men, dice and turn."""

from typing import NamedTuple


class TurnState(NamedTuple):
    """What a position knows beside men, dice and turn; in most games and moments nothing.

    ``turning``: one of the dice is still to be turned to a six. ``again``: the same player throws again after these
    dice. ``resume``: the dice were left by the other side, and this player throws after them. ``battle``: the sums
    thrown so far for the start, None once it is decided. ``lost``: the side that lost ad fallum. ``tied``: nobody can
    move with any throw. ``won``: the side that has won and now bears the other's men; ``slaps``: how many it has borne.
    """

    turning: bool = False
    again: bool = False
    resume: int = 0
    battle: tuple[int, ...] | None = None
    lost: int = 0
    tied: bool = False
    won: int = 0
    slaps: int = 0


PLAIN = TurnState()
