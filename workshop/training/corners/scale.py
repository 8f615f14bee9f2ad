"""Scale the errors and chances that the corner net states.

``python -m workshop.training.corners.scale DATA WEIGHTS``.

In training the net learns to rank its errors, but it states too small ones where the reader stops: at corners that it
takes for right. This module fits a straight line from the logarithm of the stated error to that of the true error, on
pictures that are not used for training, and builds the line into the last layer. Of the faces with a stated error e,
half are then off by more than e. The chance that corners are an upper face's is scaled in the same way: it is one half
where an upper face is as likely as a side.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import onnx.numpy_helper

from companion.vision.dice.corners import ERRORS, UPPER, UPPER_KINDS, Corners
from companion.vision.dice.nets import CORNERS, use_weights
from workshop.training.card import renew_hashes
from workshop.training.corners.check import OFF, Try, compare_all, find_all
from workshop.training.corners.train import LEAST_ERROR
from workshop.training.material import ASIDE, SCENES, SIDES
from workshop.training.store import Scenes

Array = npt.NDArray[np.float64]
Line = tuple[float, float]
"""Slope and intercept of a straight line."""

FEW: Final = 120
"""A kind with fewer faces than this uses the line of all kinds together."""

ROUNDS: Final = 40
HELD: Final = 1e-4
TINY: Final = 1e-7
"""How a curve is fitted: the number of rounds, the weight of the stated values, and the smallest step.

The weight holds the curve to the stated values, so that perfectly separated faces do not lead it away.
"""

SLOPES: Final = np.linspace(0.4, 3.5, 63)
"""The slopes to try, none of which reverses the order."""


def line(expected: Array, true: Array) -> Line:
    """Return the straight line between logarithms with the least sum of absolute differences."""
    heights = [float(np.median(true - slope * expected)) for slope in SLOPES]
    residuals = [
        float(np.abs(true - slope * expected - height).mean()) for slope, height in zip(SLOPES, heights, strict=True)
    ]
    best = int(np.argmin(residuals))
    return float(SLOPES[best]), heights[best]


def error_lines(tried: Sequence[Try]) -> dict[int, Line]:
    """Return the line from stated to true errors for each kind of upper face, by the number of its output."""
    known = [one for one in tried if np.isfinite(one.expected) and one.expected > 0]
    found = {}
    for kind in UPPER_KINDS:
        mine = [one for one in known if one.kind == kind]
        some = mine if len(mine) >= FEW else known
        expected, off = (np.array([getattr(one, name) for one in some]) for name in ("expected", "off"))
        found[ERRORS + kind] = line(np.log(expected), np.log(np.maximum(off, LEAST_ERROR)))
    return found


def curve(tops: Array, sides: Array) -> Line:
    """Return the line from logits to those that best state which are upper faces, both groups weighted alike.

    The method is Platt's (1999).
    """
    x = np.concatenate([tops, sides])
    truth = np.concatenate([np.ones(len(tops)), np.zeros(len(sides))])
    weight = np.where(truth > 0, 0.5 / len(tops), 0.5 / len(sides))
    known = np.stack([x, np.ones(len(x))])

    def surprise(at: Array) -> float:
        odds = at @ known
        return float(weight @ (np.logaddexp(0, odds) - truth * odds) + HELD * ((at - [1.0, 0.0]) ** 2).sum() / 2)

    at = np.array([1.0, 0.0])
    for _ in range(ROUNDS):  # Newton's method; a step that is too long is halved
        chance = 1 / (1 + np.exp(-np.clip(at @ known, -30, 30)))
        slant = known @ (weight * (chance - truth)) + HELD * (at - [1.0, 0.0])
        bend = (known * (weight * chance * (1 - chance))) @ known.T + HELD * np.eye(2)
        step = np.linalg.solve(bend, slant)
        while np.abs(step).max() > TINY and surprise(at - step) > surprise(at):
            step = step / 2
        at = at - step
    return float(at[0]), float(at[1])


def upper_lines(tops: Sequence[Try], sides: Sequence[Try]) -> dict[int, Line]:
    """Return the line to the logit of the true chance for each kind's upper-face output, by that output's number."""
    found = {}
    for place, kind in enumerate(UPPER_KINDS, UPPER):
        both = []
        for some in (tops, sides):
            near = [one for one in some if one.off < OFF]  # the stated error already tells of badly found corners
            mine = [one for one in near if one.kind == kind]
            chance = np.array([one.upper for one in (mine if len(mine) >= FEW else near)])
            both.append(np.log(np.clip(chance, 1e-6, 1 - 1e-6) / np.clip(1 - chance, 1e-6, 1)))
        found[place] = curve(both[0], both[1])
    return found


def take_in(path: Path, found: Mapping[int, Line]) -> None:
    """Build lines into the last layer of a net: each output of these numbers follows its line from now on."""
    model = onnx.load(str(path))
    last = [node for node in model.graph.node if node.op_type == "Gemm"][-1]
    casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    names = [casts.get(name, name) for name in last.input[1:3]]
    for tensor in model.graph.initializer:
        if tensor.name in names:
            values = onnx.numpy_helper.to_array(tensor).astype(np.float64)
            for output, (slope, height) in found.items():
                values[output] *= slope
                if values.ndim == 1:
                    values[output] += height
            kept = onnx.numpy_helper.to_array(tensor).dtype
            tensor.CopyFrom(onnx.numpy_helper.from_array(values.astype(kept), tensor.name))
    onnx.save(model, str(path))


def scale(weights: Path, aside: Scenes) -> dict[int, Line]:
    """Scale the corner net in a folder of weights; return the lines built in, by output."""
    use_weights(weights)
    corners = Corners()
    taken = error_lines(list(find_all(aside, corners))) | upper_lines(*compare_all(aside, corners))
    take_in(weights / CORNERS, taken)
    renew_hashes(weights)
    return taken


if __name__ == "__main__":
    cv2.setNumThreads(1)
    drawn = Scenes.load(Path(sys.argv[1]), *(f"{ASIDE}-{one}" for one in (SCENES, SIDES)))
    for output, (slope, height) in scale(Path(sys.argv[2]), drawn).items():
        sys.stdout.write(f"output {output}: slope {slope:.3f}, height {height:.3f}\n")
