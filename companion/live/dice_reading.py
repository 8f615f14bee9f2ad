"""What reads the dice at a running table, made where it is used: its nets load slowly and only a camera needs them."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.live.watch import Dice, Reader

if TYPE_CHECKING:
    from companion.vision.dice.nets import Nets
    from companion.vision.dice.own_looks import OwnLooks


def dice_reader(looks: "OwnLooks | None" = None, *, warm: bool = False) -> Callable[[Dice], Reader]:
    """Return what makes a reader of the dice that a game waits for, for one thread: all that it makes share their nets.

    ``looks``: how the owner's dice look, used for the set that they are of. ``warm``: the nets are loaded now and take
    the memory that they will need, not when the first dice lie there.
    """

    @cache
    def nets() -> "Nets":
        from companion.vision.dice.nets import Nets  # noqa: PLC0415  (as below)

        return Nets()

    def make(dice: Dice) -> Reader:
        from companion.vision.dice import DiceReader  # noqa: PLC0415  (nets load slowly and only a camera needs them)

        own = looks if looks is not None and looks.profile.set_name == dice[0] else None
        return DiceReader(*dice, looks=own, nets=nets())

    if warm:
        nets().warm()
    return make


def combined(readings: Any) -> Any:
    """Join readings of several frames of one throw."""
    from companion.vision.dice import combine  # noqa: PLC0415

    return combine(readings)
