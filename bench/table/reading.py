"""The reader that a measurement of the live table uses: the real one where its weights are present, else the labels."""

from collections.abc import Callable

import numpy as np

from companion.live.watching.dice_settings import Combine, Reader
from companion.referee.readable import Dice
from companion.vision.dice.nets import WeightsError
from tests.live.drawn import joined
from tests.live.labelled import LabelReader


def reader(*, labels: bool = False) -> tuple[str, Callable[[Dice], Reader], Combine]:
    """Return its name, its factory and what joins its readings; with ``labels`` always the labels."""
    from companion.vision.dice.combine import combine  # noqa: PLC0415  (its nets may be missing)
    from companion.vision.dice.reader import DiceReader  # noqa: PLC0415  (its nets may be missing)

    try:
        DiceReader("wibold").read(np.full((480, 640, 3), 90, np.uint8))
    except (WeightsError, ValueError):
        labels = True
    if labels:
        known = LabelReader()
        return "labels", lambda _: known, joined
    return "net", lambda dice: DiceReader(*dice), combine
