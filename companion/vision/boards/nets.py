"""The trained nets of the board reader: where their weights lie, and the figures that were chosen with them."""

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.nets import Net, WeightsError

FIELDS: Final = "fields.onnx"
TABLES_MEN: Final = "tables-men.onnx"
NUMBERED_MEN: Final = "numbered-men.onnx"
NUMBERS: Final = "numbers.onnx"
ALL: Final = (FIELDS, TABLES_MEN, NUMBERED_MEN, NUMBERS)
CARD: Final = "card.toml"

_folder: Traversable = files(__package__) / "weights"


def use_weights(folder: Traversable) -> None:
    """Use the weights of another folder from now on: the training judges nets before anybody uses them."""
    global _folder  # noqa: PLW0603 (one place says where the weights lie)
    _folder = folder
    card.cache_clear()


@cache
def card() -> dict[str, Any]:
    """Return the model card: ``files`` with their hashes, ``chosen`` figures, and how the nets were trained.

    Raises:
        WeightsError: the card is missing.
    """
    place = _folder / CARD
    if not place.is_file():
        raise WeightsError(
            f"The board reader needs its model card {CARD}, but it is missing; install the program again."
        )
    return tomllib.loads(place.read_text(encoding="utf-8"))


def load(name: str) -> Net:
    """Return a net, ready to run.

    Raises:
        WeightsError: its file is missing, or is not the one that the card describes.
    """
    place = _folder / name
    if not place.is_file():
        raise WeightsError(
            f"The board reader needs its weights {name}, but they are missing; install the program again."
        )
    data = place.read_bytes()
    if hashlib.sha256(data).hexdigest() != card()["files"][name]["sha256"]:
        raise WeightsError(f"The weights {name} are not those of their model card; install the program again.")
    return Net(data)


def sigmoid(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the chances that logits stand for."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)
