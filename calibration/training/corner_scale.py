"""``python -m calibration.training.corner_scale DATA WEIGHTS``: make the errors that the corner net states be to scale.

While it is taught it learns to rank its errors, and says less than they are where the reader stops: at corners that it
takes for right. On pictures that taught nothing a straight line leads from the logarithm of what it says to that of the
true error, and the last layer takes that line in. So an error e is said of faces of which half are off by more than e.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import onnx.numpy_helper

from calibration.training.card import renew_hashes
from calibration.training.corner_check import Try, find_all
from calibration.training.corners import LEAST_ERROR
from calibration.training.material import ASIDE, SCENES, SIDES
from calibration.training.store import Scenes
from companion.vision.dice.corners import ERRORS, UPPER_KINDS, Corners, kind_of
from companion.vision.dice.geometry import PLACES
from companion.vision.dice.nets import CORNERS, use_weights

Array = npt.NDArray[np.float64]
Line = tuple[float, float]
"""Slope and height of a straight line."""

FEW: Final = 120
"""A kind of which fewer faces were found takes the line of all together."""

SLOPES: Final = np.linspace(0.4, 3.5, 63)
"""The slopes that are tried: never one that turns the order around."""

STEPS: Final = 2
"""So often the line is made straighter: where it changes what is tried anew, other corners are kept."""


def line(said: Array, true: Array) -> Line:
    """Return the straight line that leads from logarithms to logarithms with the least sum of absolute differences."""
    heights = [float(np.median(true - slope * said)) for slope in SLOPES]
    rests = [float(np.abs(true - slope * said - height).mean()) for slope, height in zip(SLOPES, heights, strict=True)]
    best = int(np.argmin(rests))
    return float(SLOPES[best]), heights[best]


def lines(tried: Sequence[Try]) -> dict[int, Line]:
    """Return for each kind of upper face the line from what is said of its errors to what they are."""
    known = [one for one in tried if np.isfinite(one.said) and one.said > 0]
    found = {}
    for kind in UPPER_KINDS:
        mine = [one for one in known if kind_of(len(PLACES[one.shape])) == kind]
        some = mine if len(mine) >= FEW else known
        said, off = (np.array([getattr(one, name) for one in some]) for name in ("said", "off"))
        found[kind] = line(np.log(said), np.log(np.maximum(off, LEAST_ERROR)))
    return found


def take_in(path: Path, found: dict[int, Line]) -> None:
    """Let the last layer of a net say its errors along these lines from now on."""
    model = onnx.load(str(path))
    last = [node for node in model.graph.node if node.op_type == "Gemm"][-1]
    casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    names = [casts.get(name, name) for name in last.input[1:3]]
    for tensor in model.graph.initializer:
        if tensor.name in names:
            values = onnx.numpy_helper.to_array(tensor).astype(np.float64)
            for kind, (slope, height) in found.items():
                values[ERRORS + kind] *= slope
                if values.ndim == 1:
                    values[ERRORS + kind] += height
            kept = onnx.numpy_helper.to_array(tensor).dtype
            tensor.CopyFrom(onnx.numpy_helper.from_array(values.astype(kept), tensor.name))
    onnx.save(model, str(path))


def scale(weights: Path, aside: Scenes) -> list[dict[int, Line]]:
    """Make the errors of the corner net in a folder of weights be to scale; return the lines that were taken in."""
    taken = []
    for _ in range(STEPS):
        use_weights(weights)
        taken.append(lines(list(find_all(aside, Corners()))))
        take_in(weights / CORNERS, taken[-1])
        renew_hashes(weights)
    return taken


if __name__ == "__main__":
    cv2.setNumThreads(1)
    drawn = Scenes.load(Path(sys.argv[1]), *(f"{ASIDE}-{one}" for one in (SCENES, SIDES)))
    for one in scale(Path(sys.argv[2]), drawn):
        sys.stdout.write(f"{ {kind: tuple(round(part, 3) for part in found) for kind, found in one.items()} }\n")
