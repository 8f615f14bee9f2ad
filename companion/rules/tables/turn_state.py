"""What a tables position records besides men, dice and turn."""

from typing import NamedTuple


class TurnState(NamedTuple):
    """What a position records besides men, dice and turn; in most games and moments nothing.

    ``turning``: the player must still turn one of the dice to a six. ``again``: the same player throws again after
    these dice. ``resume``: the other side left the dice, and this player throws after them. ``battle``: the sums thrown
    so far for the start, None once it is decided. ``lost``: the side that lost ad fallum. ``tied``: nobody can move
    with any throw. ``won``: the side that has won and now bears off the other side's men; ``slaps``: how many it has
    borne off.
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
