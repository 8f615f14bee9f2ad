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


_folder: Traversable = files(__package__) / "weights"


class WeightsError(RuntimeError):
    """The trained weights are missing or are not those of the model card."""


@dataclass(frozen=True)
class Settings:
    """What was chosen together with the weights, on validation renderings: see the model card.

    ``temperature`` divides the mark net's logits; ``read_above`` are the posteriors from which a square upper face, one
    of a die with more sides (which may be mistaken for its neighbour), and a tetrahedron's hidden face are read without
    asking.
    """

    temperature: float
    face_read_above: float
    polygon_read_above: float
    tetrahedron_read_above: float


class Net:
    """One net, run by OpenCV: the dice reader's of that name, or one given as the bytes of an ONNX file.

    Not for two threads at once.
    """

    def __init__(self, net: str | bytes) -> None:
        data = weights(net) if isinstance(net, str) else net
        # of OpenCV's two engines the older one runs these small nets in two thirds of the time
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8), cv2.dnn.ENGINE_CLASSIC)

    def run(self, batch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the net's output for a batch, shape (n, channels, height, width)."""
        self._net.setInput(batch)
        return np.asarray(self._net.forward(), np.float32)


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
        float(chosen["face_read_above"]),
        float(chosen["polygon_read_above"]),
        float(chosen["tetrahedron_read_above"]),
    )
