"""How dice are watched and read: the settings, what a reader is, and the readers of a game's dice."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from companion.live.dice_memory.learning import Learning
from companion.live.dice_memory.teaching import Teaching
from companion.live.pictures import crop_of
from companion.live.watching.lit_frames import Switch
from companion.referee.readable import Dice
from companion.vision.dice.memory.glimpses import Glimpse
from companion.vision.ground import Ground
from companion.vision.mat import Mat
from companion.vision.readings import DiceReading, Image, ReadDie

if TYPE_CHECKING:
    from companion.rules.dice import DiceSet
    from companion.vision.dice.memory.table import TableMemory
    from companion.vision.dice.nets import Nets


class Reader(Protocol):
    """What reads the dice in a picture."""

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""


@runtime_checkable
class Learner(Reader, Protocol):
    """A reader that keeps what it saw of the last picture, so that the table may learn from it."""

    @property
    def glimpses(self) -> Sequence[Glimpse]:
        """The finds of the last picture."""


@runtime_checkable
class GroundReader(Reader, Protocol):
    """A reader that knows what lies still before the camera, and takes none of it for a die."""

    ground: Ground | None


Combine = Callable[[Sequence[DiceReading]], DiceReading]
"""Joins readings of several pictures of the same dice; the last one gives the places."""


@dataclass(frozen=True)
class WatchSettings:
    """How the table is watched: where the mat is (None: to be found), what makes a reader, what joins readings.

    ``learning``: what the table remembers of its dice; None where it learns nothing. ``teaching``: the course in which
    somebody teaches it. ``lamps``: two lamps that are lit one by one where a view leaves a question; ``clock``: the
    time of the frames, in seconds. ``cut``: makes the JPEG of a die from the picture that was read. ``restless``:
    pictures that never come to rest are read, too; not by a reader that takes each picture for a throw.
    ``dice_alone``: whether only dice come to lie in the picture, and no men of a board.
    """

    mat: Mat | None
    reader: Callable[[Dice], Reader]
    combine: Combine
    learning: Learning | None = None
    teaching: Teaching | None = None
    lamps: Switch | None = None
    clock: Callable[[], float] = time.monotonic
    cut: Callable[[Image, ReadDie], bytes] = crop_of
    dice_alone: bool = True
    restless: bool = True


def dice_reader(
    profile: "TableMemory | None" = None,
    own_sets: "Mapping[str, DiceSet] | None" = None,
    *,
    warm: bool = False,
    learning: Learning | None = None,
    taught: "Callable[[str], TableMemory | None]" = lambda _: None,
) -> Callable[[Dice], Reader]:
    """Return a function that makes readers of the dice that a game waits for, in one thread; they all share their nets.

    ``profile``: what was learnt of the owner's dice, used for the set that they are of where the table does not learn.
    ``own_sets``: an owner's own sets, by name; the program's own sets are known. ``warm``: load the nets now, with the
    memory that they will need, and not when the first dice lie there. ``learning``: what the table remembers.
    ``taught``: returns what somebody taught of an owner's own set.
    """
    sets = {} if own_sets is None else own_sets

    @cache
    def nets() -> "Nets":
        from companion.vision.dice.nets import Nets  # noqa: PLC0415  (as below)

        return Nets()

    def make(dice: Dice) -> Reader:
        from companion.vision.dice.reader import DiceReader  # noqa: PLC0415  (nets load slowly and only a camera needs them)

        memory = None if learning is None else learning.memory(dice[0])
        if memory is None and profile is not None and profile.origin is not None:
            memory = profile if profile.origin.set_name == dice[0] else None
        if memory is None and dice[0] in sets:
            memory = taught(dice[0])
        return DiceReader(sets.get(dice[0], dice[0]), dice[1], memory=memory, nets=nets())

    if warm:
        nets().warm()
    return make


def joined_under_lamps(reading: DiceReading, lit: Sequence[DiceReading]) -> DiceReading:
    """Join a reading in the usual light with those under either lamp alone."""
    from companion.vision.dice.asking.lit import join_lit  # noqa: PLC0415

    return join_lit(reading, lit)


def combined(readings: Sequence[DiceReading]) -> DiceReading:
    """Join readings of several frames of one throw."""
    from companion.vision.dice.combine import combine  # noqa: PLC0415

    return combine(readings)
