"""The three nets as PyTorch modules, and their form for the program (ONNX)."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import torch
from torch import Tensor, nn

from companion.vision.dice.marks import MOST_COUNTED, MOST_PIPS, OUTPUTS, READABLE_OUTPUT, SINGLE, UPRIGHT_OUTPUT

SHARP: Final = 1.5
"""How sharply the mark net separates counts before training."""

CELLS: Final = 64.0
"""Number of cells of a mark's map, 8 x 8."""

SMALL: Final = 256
"""Tensors with fewer values stay unchanged."""


def block(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Return a convolution with normalisation and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Residual(nn.Module):
    """Two convolutions with a skip connection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = block(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        """Return the input plus the learnt residual, rectified."""
        return torch.relu(x + self.second(self.first(x)))


class LocatorNet(nn.Module):
    """A small U-Net. Its maps have half the picture's size, see `companion.vision.dice.locate`."""

    def __init__(self, maps: int = 6) -> None:
        super().__init__()
        self.down4 = nn.Sequential(block(3, 16, 2, 5), block(16, 32, 2), block(32, 32))
        self.down8 = nn.Sequential(block(32, 64, 2), Residual(64))
        self.down16 = nn.Sequential(block(64, 80, 2), Residual(80))
        self.down32 = nn.Sequential(block(80, 96, 2), Residual(96))
        self.to16, self.join16 = nn.Conv2d(96, 80, 1), block(80, 80)
        self.to8, self.join8 = nn.Conv2d(80, 64, 1), block(64, 64)
        self.to4, self.join4 = nn.Conv2d(64, 32, 1), block(32, 48)
        self.head = nn.Conv2d(48, 4 * maps, 3, 1, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.unfold = nn.PixelShuffle(2)
        nn.init.constant_(self.head.bias, -4.0)  # nearly all cells are ground

    def forward(self, picture: Tensor) -> Tensor:
        """Return the logits of the maps, (n, maps, h/2, w/2), of pictures (n, 3, h, w); h and w are multiples of 32."""
        fourth = self.down4(picture)
        eighth = self.down8(fourth)
        sixteenth = self.down16(eighth)
        deepest = self.down32(sixteenth)
        sixteenth = self.join16(sixteenth + self.up(self.to16(deepest)))
        eighth = self.join8(eighth + self.up(self.to8(sixteenth)))
        fourth = self.join4(fourth + self.up(self.to4(eighth)))
        return torch.as_tensor(self.unfold(self.head(fourth)))


class MarkNet(nn.Module):
    """Marks on a flat face, 64 x 64; `companion.vision.dice.marks` explains the outputs.

    Besides a fully connected layer for the whole face, each mark has a map of where it stands. The map's sum counts the
    mark wherever it is on the face, so a letter learnt in one place is known everywhere.
    """

    def __init__(self, outputs: int = OUTPUTS) -> None:
        super().__init__()
        marks = 1 + len(SINGLE)
        self.near = nn.Sequential(
            block(3, 24, 2, 5),
            block(24, 40),
            block(40, 64, 2),
            Residual(64),
            block(64, 112, 2),
            Residual(112),
        )
        self.places = nn.Conv2d(112, marks, 1)
        self.far = nn.Sequential(block(112, 144, 2), block(144, 128, 1, 1))
        self.sum, self.most = nn.AdaptiveAvgPool2d(1), nn.AdaptiveMaxPool2d(1)
        self.flat, self.drop = nn.Flatten(), nn.Dropout(0.15)
        self.last = nn.Linear(128 * 16 + 2 * marks, outputs)
        nn.init.constant_(self.places.bias, -6.0)  # most marks stand nowhere
        self._begin_by_counting()

    def _begin_by_counting(self) -> None:
        """Initialise the last layer to read each mark's count off its sum: -(sum - count)^2, without sum^2."""
        weight, bias, sums = self.last.weight.data, self.last.bias.data, 128 * 16
        first = max(UPRIGHT_OUTPUT, READABLE_OUTPUT) + 1  # the counts start here: pips, then each single mark
        for output, count in enumerate(range(MOST_PIPS + 1), first):
            weight[output, sums] += 2 * SHARP * count
            bias[output] -= SHARP * count**2
        for mark in range(len(SINGLE)):
            for count in range(MOST_COUNTED + 1):
                output = first + MOST_PIPS + 1 + mark * (MOST_COUNTED + 1) + count
                weight[output, sums + 1 + mark] += 2 * SHARP * count
                bias[output] -= SHARP * count**2

    def forward(self, patches: Tensor) -> Tensor:
        """Return logits (n, outputs) of patches (n, 3, 64, 64)."""
        return self.described(patches)[0]

    def described(self, patches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the logits, the descriptors (n, 2048) and the places (n, marks, 8, 8).

        The descriptors are the whole face in the last hidden layer, not negative; the places are the chances that a
        mark stands in a cell of the face, pips first, then `SINGLE`.
        """
        near = self.near(patches)
        places = self.places(near)
        stands = torch.sigmoid(places)
        sums = self.flat(self.sum(stands) * CELLS)
        face = self.flat(self.far(near))
        every = torch.cat([self.drop(face), sums, self.flat(self.most(places)) * 0.2], 1)
        return torch.as_tensor(self.last(every)), face, stands


class Described(nn.Module):
    """A mark net with all outputs of `MarkNet.described`: the form in which it is written."""

    def __init__(self, net: MarkNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, patches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits (n, outputs), descriptors (n, 2048) and places (n, marks, 8, 8) of patches (n, 3, 64, 64)."""
        return self.net.described(patches)


class CornerNet(nn.Module):
    """How far a die's corners are off, from its patch with surroundings; see `companion.vision.dice.corners`."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            block(3, 24, 2, 5),
            block(24, 32),
            block(32, 48, 2),
            block(48, 48),
            Residual(48),
            block(48, 64, 2),
            block(64, 64),
            Residual(64),
            block(64, 80, 2),
            Residual(80),
            nn.Flatten(),
            nn.Linear(80 * 16, outputs),
        )

    def forward(self, patches: Tensor) -> Tensor:
        """Return offsets and logits (n, outputs) of patches (n, 3, 64, 64)."""
        return torch.as_tensor(self.layers(patches))


def write_onnx(net: nn.Module, path: Path, sample: Tensor, names: Sequence[str], axes: dict[int, str]) -> None:
    """Write a net as ONNX; ``names``: of the input, then of the outputs; ``axes``: the dimensions that may vary.

    The weights are stored in half precision, which halves the file; the program still computes in single precision.
    """
    net.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    with io.BytesIO() as buffer:
        torch.onnx.export(
            net,
            (sample,),
            buffer,
            opset_version=17,
            dynamo=False,
            input_names=[names[0]],
            output_names=list(names[1:]),
            dynamic_axes=dict.fromkeys(names, axes),
        )
        model = onnx.load_model_from_string(buffer.getvalue())
    halve(model)
    onnx.save(model, str(path))


def halve(model: onnx.ModelProto) -> None:
    """Store a net's weights in half precision, each followed by a cast to the single precision that it computes in."""
    halves, casts = [], []
    for tensor in model.graph.initializer:
        values = onnx.numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > SMALL:
            half = f"{tensor.name}.half"
            halves.append(onnx.numpy_helper.from_array(values.astype(np.float16), half))
            casts.append(onnx.helper.make_node("Cast", [half], [tensor.name], to=onnx.TensorProto.FLOAT))
        else:
            halves.append(tensor)
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:]
    del model.graph.node[:]
    model.graph.initializer.extend(halves)
    model.graph.node.extend(nodes)
