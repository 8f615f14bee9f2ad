"""The trained nets of the reader: where their weights lie, and the figures that belong to them."""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

LOCATOR: Final = "locator.onnx"
CORNERS: Final = "corners.onnx"
FACES: Final = "faces.onnx"
CARD: Final = "card.toml"
SELECTOR: Final = "selector.toml"


AT_ONCE: Final = 16
"""So many pictures of a batch go through a net together: it keeps the memory of the largest batch for good."""

LARGEST_LOCATOR_PICTURE: Final = (576, 1056)
"""Height and width of the largest picture that the locator sees of a camera with 16 to 9."""

PATCH: Final = 64
"""Height and width of what the other two nets see."""

_folder: Traversable = files(__package__) / "weights"


class WeightsError(RuntimeError):
    """The trained weights are missing or are not those of the model card."""


@dataclass(frozen=True)
class Settings:
    """What was chosen together with the weights, on validation renderings: see the model card.

    ``temperature`` divides the mark net's logits; ``own_read_above`` and ``tetrahedron_read_above`` are the posteriors
    from which a face that an owner's own looks read, and a tetrahedron's hidden face, are read without asking. When
    other upper faces are, says `selector.Selector`.
    """

    temperature: float
    own_read_above: float
    tetrahedron_read_above: float


class Net:
    """One net, run by OpenCV: the dice reader's of that name, or one given as the bytes of an ONNX file.

    Not for two threads at once.
    """

    def __init__(self, net: str | bytes) -> None:
        data = weights(net) if isinstance(net, str) else net
        # OpenCV chooses the engine: from a buffer, 5.0.0.93 takes its new one whatever it is asked for
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def run(self, batch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the net's output for a batch, shape (n, channels, height, width).

        However many pictures there are, no more than `AT_ONCE` go through together: the same answers but for rounding.
        """
        parts = -(-len(batch) // AT_ONCE)
        if parts <= 1:
            return self._forward(batch)
        return np.concatenate([self._forward(np.ascontiguousarray(part)) for part in np.array_split(batch, parts)])

    def _forward(self, batch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        self._net.setInput(batch)
        # forward's answer may be the net's own memory, which the next part is written into
        return np.array(self._net.forward(), np.float32)


class Nets:
    """The dice reader's three nets, each loaded when it is first needed and kept. Not for two threads at once.

    Readers that share them need the memory of one: a net takes ten times its weights for what it computes with, and a
    game waits for one selection of its dice after the other.
    """

    def __init__(self) -> None:
        self._loaded: dict[str, Net] = {}

    def load(self, name: str) -> Net:
        """Return `LOCATOR`, `CORNERS` or `FACES`.

        Raises:
            WeightsError: its weights are missing or not those of the model card.
        """
        if name not in self._loaded:
            self._loaded[name] = Net(name)
        return self._loaded[name]

    def warm(self) -> None:
        """Load all three and take the memory that they will need, so that the first throw waits for neither."""
        self.load(LOCATOR).run(np.zeros((1, 3, *LARGEST_LOCATOR_PICTURE), np.float32))
        for name in (CORNERS, FACES):
            self.load(name).run(np.zeros((AT_ONCE, 3, PATCH, PATCH), np.float32))


def weights(name: str) -> bytes:
    """Return the bytes of a weights file.

    Raises:
        WeightsError: the file is not there or not the one that the card describes.
    """
    place = _folder / name
    if not place.is_file():
        raise WeightsError(f"The reader needs its weights {name}, but they are missing; install the program again.")
    data = place.read_bytes()
    expected = card()["files"][name]["sha256"]
    if hashlib.sha256(data).hexdigest() != expected:
        raise WeightsError(f"The weights {name} are not those of their model card; install the program again.")
    return data


@cache
def card() -> dict[str, dict[str, dict[str, str]]]:
    """Return the machine-readable part of the model card: hashes and chosen figures.

    Raises:
        WeightsError: the card is missing.
    """
    place = _folder / CARD
    if not place.is_file():
        raise WeightsError(f"The reader needs its model card {CARD}, but it is missing; install the program again.")
    return tomllib.loads(place.read_text(encoding="utf-8"))


def use_weights(folder: Traversable) -> None:
    """Read by the weights of another folder from now on: the training judges nets before anybody uses them."""
    global _folder  # noqa: PLW0603 (one place says where the weights lie)
    _folder = folder
    card.cache_clear()


def settings() -> Settings:
    """Return the figures that were chosen for these weights."""
    chosen = card()["chosen"]["reader"]
    return Settings(
        float(chosen["temperature"]),
        float(chosen["own_read_above"]),
        float(chosen["tetrahedron_read_above"]),
    )
