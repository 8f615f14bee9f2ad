"""The trained nets of the board reader: where their weights lie, and the figures that were chosen with them."""

from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.nets import Net, WeightsFolder

FIELDS: Final = "fields.onnx"
TABLES_MEN: Final = "tables-men.onnx"
NUMBERED_MEN: Final = "numbered-men.onnx"
NUMBERS: Final = "numbers.onnx"
ALL: Final = (FIELDS, TABLES_MEN, NUMBERED_MEN, NUMBERS)

_shipped: Final = WeightsFolder(files(__package__) / "weights", "board reader")
card, use_weights = _shipped.card, _shipped.use


def load(name: str) -> Net:
    """Return a net, ready to run.

    Raises:
        WeightsError: its file is missing, or is not the one that the card describes.
    """
    return Net(_shipped.data(name))


def sigmoid(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the chances that logits stand for."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)
