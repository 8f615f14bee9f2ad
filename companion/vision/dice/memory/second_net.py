"""A second pass at what the table remembers: faces that are not clear are compared as two mark nets see them.

The second net learnt from other drawings. Two faces that one net hardly distinguishes differ more for both together.
Square faces are compared by their reliefs, too: see `relief`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.vision.dice.faces import Vectors
from companion.vision.dice.memory.pictured import Describe, Known, Pictured
from companion.vision.dice.memory.relief import WIDTH, reliefs


class SecondNet:
    """Describes each exemplar once by the second mark net and its relief, from its picture, when it is first needed.

    Nothing of this is kept in files: an exemplar's picture says it all.
    """

    def __init__(self, describe: Describe) -> None:
        self._described = Known(describe)
        self._reliefs = Known(reliefs)

    def vectors(self, kept: Sequence[Pictured], width: int) -> Vectors:
        """Return the descriptors of exemplars, (n, width); zeros for those without a whole picture."""
        return self._described.of(kept, width)

    def reliefs(self, kept: Sequence[Pictured]) -> Vectors:
        """Return the reliefs of exemplars, (n, `relief.WIDTH`); zeros for those without a whole picture."""
        return self._reliefs.of(kept, WIDTH)


@dataclass(frozen=True, eq=False)
class Seconded:
    """A face at a second pass.

    ``descriptors``: (rotations, `faces.DESCRIPTOR_LENGTH`), each of length 1, by the second mark net; ``net``:
    describes the exemplars; ``reliefs``: (rotations, `relief.WIDTH`), None where the face is not square.
    """

    descriptors: Vectors
    net: SecondNet
    reliefs: Vectors | None = None
