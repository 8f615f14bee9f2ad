"""What reads the dice at a running table, made where it is used: its nets load slowly and only a camera needs them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.live.watch import Reader
from companion.referee.readable import Dice

if TYPE_CHECKING:
    from companion.rules.dice import DiceSet
    from companion.vision.dice.nets import Nets
    from companion.vision.dice.own_looks import OwnLooks


def dice_reader(
    looks: "OwnLooks | None" = None, own_sets: "Mapping[str, DiceSet] | None" = None, *, warm: bool = False
) -> Callable[[Dice], Reader]:
    """Return what makes a reader of the dice that a game waits for, for one thread: all that it makes share their nets.

    ``looks``: how the owner's dice look, used for the set that they are of. ``own_sets``: an owner's own sets, by name;
    those that come with the program are known. ``warm``: the nets are loaded now and take the memory that they will
    need, not when the first dice lie there.
    """
    sets = {} if own_sets is None else own_sets

    @cache
    def nets() -> "Nets":
        from companion.vision.dice.nets import Nets  # noqa: PLC0415  (as below)

        return Nets()

    def make(dice: Dice) -> Reader:
        from companion.vision.dice import DiceReader  # noqa: PLC0415  (nets load slowly and only a camera needs them)

        own = looks if looks is not None and looks.profile.set_name == dice[0] else None
        return DiceReader(sets.get(dice[0], dice[0]), dice[1], looks=own, nets=nets())

    if warm:
        nets().warm()
    return make


def combined(readings: Any) -> Any:
    """Join readings of several frames of one throw."""
    from companion.vision.dice import combine  # noqa: PLC0415

    return combine(readings)
