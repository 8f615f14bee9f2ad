"""What two tables send each other about the match that they share: always how it stands, never what to do.

Each message says how far its sender is and repeats what the other lacks. So any message may be lost, delayed, doubled
or overtaken by another one: the newest that arrives says it all.
"""

from typing import Annotated, Any, Final

import msgspec

MOST_EVENTS: Final = 40
"""Most events of one message; a table that lacks more gets them with the next ones."""

Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{0,64}$")]


class DiceSync(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sender's part of a throw that both make; see `companion.referee.joint_dice`.

    ``number``: which common event it will be. The table that waits sends a commitment, then its opening; the one that
    throws sends its share, for these dice.
    """

    number: Annotated[int, msgspec.Meta(ge=1)]
    commitment: Hex = ""
    share: Hex = ""
    dice: Annotated[list[Annotated[str, msgspec.Meta(max_length=40)]], msgspec.Meta(max_length=32)] = []
    opening: Hex = ""


class Sync(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the shared ``match`` stands at the sender.

    ``count``: of its common events, ``head``: their digest, ``position``: that of the position after them.
    ``events``: those after number ``first``, which the other table lacks. ``paused``: a person paused there.
    ``fault``: it cannot follow the other table's events.
    """

    match: Annotated[str, msgspec.Meta(max_length=64)]
    count: Annotated[int, msgspec.Meta(ge=0)]
    head: Hex
    position: Hex
    first: Annotated[int, msgspec.Meta(ge=0)] = 0
    events: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=MOST_EVENTS)] = []
    paused: bool = False
    fault: bool = False
    dice: DiceSync | None = None
