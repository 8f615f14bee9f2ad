"""Another witness for doubtful faces: a second mark net, which was taught on more hands than the first one.

It reads as the first one does. But it learnt from other drawings, so it errs on other faces.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import directions, patch_input
from companion.vision.dice.marks import Bags, Opinion, Witness
from companion.vision.dice.nets import DESCRIPTORS, LOGITS, MOST_TURNS, SECOND, Nets
from companion.vision.readings import Image


class SecondMarks:
    """Asks the second mark net how clearly a face shows a text.

    Args:
        bags: the marks of the set's faces, in the order of the posteriors.
        temperature: divides the net's logits.
        nets: where the net is loaded, on first use.
    """

    def __init__(self, bags: Bags, temperature: float, nets: Nets) -> None:
        self._bags = bags
        self._temperature = temperature
        self._nets = nets

    def witness(self, patches: Sequence[Image], shown: int, among: Sequence[int]) -> Witness:
        """Return how clearly the text with the index ``shown`` stands out from the others ``among`` the texts.

        ``patches``: the flat face in its n rotations, BGR.
        """
        logits = self._nets.load(SECOND).run(patch_input(np.stack(patches)))
        return Opinion.of(logits, self._temperature).witness(self._bags.among(among), list(among).index(shown))

    def read(self, patches: Sequence[Image]) -> tuple[Opinion, npt.NDArray[np.float32]]:
        """Return the net's opinion of a flat face in its n rotations, BGR, and its descriptors.

        The descriptors, (n, `faces.DESCRIPTOR_LENGTH`), each of length 1, are of this net: they compare with no others.
        """
        logits, hidden = self._nets.load(SECOND).run_for(patch_input(np.stack(patches)), (LOGITS, DESCRIPTORS))
        return Opinion.of(logits, self._temperature), directions(hidden)

    def describe(self, patches: Sequence[Image]) -> npt.NDArray[np.float32]:
        """Return the descriptors of n flat pictures as they lie, see `read`.

        No more of them go through the net at once than a face has turns: that memory it needs anyway.
        """
        parts = [patches[first : first + MOST_TURNS] for first in range(0, len(patches), MOST_TURNS)]
        return np.concatenate([self.read(part)[1] for part in parts])
