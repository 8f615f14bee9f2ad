"""Which text stands on a face that was cut out flat: posteriors of the face net, honest about what it cannot read."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.rules.dice import DiceSet, dice_set
from companion.vision.dice.geometry import PATCH
from companion.vision.dice.nets import FACES, Net
from companion.vision.readings import Image

Chances = npt.NDArray[np.float64]

FOUR, THREE = 4, 3

SLIP: Final = 2e-4
"""The share of faces on which the net may be wrong however sure it is: no posterior goes beyond that."""


@dataclass(frozen=True)
class Texts:
    """The faces of a set in the order of the net's outputs.

    Outputs: each cube text in four rotations, each side of the tetrahedron in three, and "not to be read".
    """

    cube: tuple[tuple[str, str], ...]
    """(die, text) of every cube face."""
    side: tuple[str, ...]
    """Texts of the tetrahedron's sides."""

    @classmethod
    def of(cls, dice: DiceSet) -> "Texts":
        """Return the texts of a set, in the order of its dice and faces."""
        cube = tuple((die.name, face.text) for die in dice.dice if die.shape == "cube" for face in die.faces)
        side = tuple(face.text for die in dice.dice if die.shape == "tetrahedron" for face in die.faces)
        return cls(cube, side)

    @property
    def classes(self) -> int:
        """The number of outputs of the net."""
        return FOUR * len(self.cube) + THREE * len(self.side) + 1


@dataclass(frozen=True, eq=False)
class Marks:
    """Posteriors of some faces: ``texts`` has shape (n, texts) and sums to 1 less ``unreadable`` (n)."""

    texts: Chances
    unreadable: Chances

    def __len__(self) -> int:
        return len(self.unreadable)

    def clearest(self) -> "Marks":
        """Return of several looks at one face the one that is surest of a text."""
        best = int(self.texts.max(axis=1).argmax())
        return Marks(self.texts[best : best + 1], self.unreadable[best : best + 1])

    def spread(self) -> Chances:
        """Return the posteriors with what is unreadable spread evenly: a face that shows nothing says nothing."""
        number = self.texts.shape[1]
        honest = self.texts + self.unreadable[:, None] / number
        even: Chances = (1 - SLIP) * honest + SLIP / number
        return even


def patch_input(patches: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return what the net sees of BGR patches (n, h, w, 3): channels with mean and spread taken out, (n, 3, h, w)."""
    pixels = patches.astype(np.float32)
    mean = pixels.mean(axis=(1, 2), keepdims=True)
    spread = np.maximum(pixels.std(axis=(1, 2), keepdims=True), 5.0)
    return np.ascontiguousarray(((pixels - mean) / spread).transpose(0, 3, 1, 2))


class FaceReader:
    """Reads faces that were cut out flat. Loads its net when it is first used."""

    def __init__(self, set_name: str, temperature: float) -> None:
        self.texts = Texts.of(dice_set(set_name))
        self.temperature = temperature
        self._net: Net | None = None

    def load(self) -> Net:
        """Load the net if it is not loaded yet; else it is loaded when it is first needed."""
        if self._net is None:
            self._net = Net(FACES)
        return self._net

    def squares(self, patches: list[Image]) -> Marks:
        """Return the posteriors of flat upper faces."""
        return marks(self.logits(patches) / self.temperature, self.texts, cube=True)

    def sides(self, patches: list[Image]) -> Marks:
        """Return the posteriors of a tetrahedron's flat sides."""
        return marks(self.logits(patches) / self.temperature, self.texts, cube=False)

    def logits(self, patches: list[Image]) -> Chances:
        """Return the net's outputs, shape (n, classes)."""
        if not patches:
            return np.zeros((0, self.texts.classes))
        net = self.load()
        batch = patch_input(np.stack(patches).reshape(-1, PATCH, PATCH, 3))
        return net.run(batch).reshape(len(batch), -1).astype(np.float64)


def marks(logits: Chances, texts: Texts, *, cube: bool) -> Marks:
    """Return posteriors over the texts of one shape: a square is never a tetrahedron's side, nor a side a square."""
    turns = FOUR * len(texts.cube)
    chosen = logits[:, :turns] if cube else logits[:, turns:-1]
    kept = np.concatenate([chosen, logits[:, -1:]], axis=1)
    chances = np.exp(kept - kept.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    names = texts.cube if cube else texts.side
    turned = chances[:, :-1].reshape(len(logits), len(names), FOUR if cube else THREE)
    return Marks(turned.sum(axis=2), chances[:, -1])
