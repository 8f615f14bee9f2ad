"""What reads the dice at a running table, made where it is used: its nets load slowly and only a camera needs them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.live.watch import Dice, Reader

if TYPE_CHECKING:
    from companion.vision.dice.own_looks import OwnLooks


def dice_reader(looks: "OwnLooks | None" = None) -> Callable[[Dice], Reader]:
    """Return what makes a reader of the dice that a game waits for; its own looks are used for the set they are of."""

    def make(dice: Dice) -> Reader:
        from companion.vision.dice import DiceReader  # noqa: PLC0415  (nets load slowly and only a camera needs them)

        own = looks if looks is not None and looks.profile.set_name == dice[0] else None
        return DiceReader(*dice, looks=own)

    return make


def combined(readings: Any) -> Any:
    """Join readings of several frames of one throw."""
    from companion.vision.dice import combine  # noqa: PLC0415

    return combine(readings)
