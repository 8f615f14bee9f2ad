"""The reader's trained nets: where their weights lie, and the settings that belong to them."""

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Image

LOCATOR: Final = "locator.onnx"
CORNERS: Final = "corners.onnx"
FACES: Final = "faces.onnx"
ROWS: Final = "rows.onnx"
SECOND: Final = "second.onnx"
CARD: Final = "card.toml"
SELECTOR: Final = "selector.toml"


AT_ONCE: Final = 16
"""At most this many pictures go through a net at once, because the memory that it needs grows with them."""

MOST_TURNS: Final = 5
"""The most rotations of one face: the second mark net looks at one face at a time."""

LARGEST_LOCATOR_PICTURE: Final = (576, 1056)
"""Height and width of the largest picture that the locator gets from a 16:9 camera."""

LEAST_SPREAD: Final = 12.0
"""The least spread of a channel that is normalised, of 255."""

LEVELS: Final = np.arange(256.0)
"""What a channel of a pixel may be."""

PATCH_PIXELS: Final = 64
"""Height and width of the patches that the other two nets get."""

LOGITS: Final = "logits"
DESCRIPTORS: Final = "descriptors"
STANDS: Final = "stands"
"""The outputs of the mark net: what it says of a face's marks, what it saw, in its last hidden layer, and where on the
face each mark stands."""


class WeightsError(RuntimeError):
    """The trained weights are missing or do not match the model card."""


class WeightsFolder:
    """A folder of weights, and the model card that describes them. ``reader``: what needs them, in words."""

    def __init__(self, folder: Traversable, reader: str) -> None:
        self._folder, self._reader = folder, reader
        self._card: dict[str, Any] | None = None

    def use(self, folder: Traversable) -> None:
        """Use the weights of another folder from now on: training judges nets before they ship."""
        self._folder, self._card = folder, None

    def read_again(self) -> None:
        """Read the card again when it is next needed: training writes it."""
        self._card = None

    def card(self) -> dict[str, Any]:
        """Return the machine-readable model card: ``files`` with their hashes, ``chosen`` settings, the training.

        Raises:
            WeightsError: the card is missing.
        """
        if self._card is None:
            self._card = tomllib.loads(self._read(CARD, f"its model card {CARD}, but it is").decode("utf-8"))
        return self._card

    def data(self, name: str) -> bytes:
        """Return the bytes of a weights file.

        Raises:
            WeightsError: the file is missing, or is not the one that the card describes.
        """
        data = self._read(name, f"its weights {name}, but they are")
        if hashlib.sha256(data).hexdigest() != self.card()["files"][name]["sha256"]:
            raise WeightsError(f"The weights {name} are not those of their model card; install the program again.")
        return data

    def _read(self, name: str, what: str) -> bytes:
        place = self._folder / name
        if not place.is_file():
            raise WeightsError(f"The {self._reader} needs {what} missing; install the program again.")
        return place.read_bytes()


_shipped: Final = WeightsFolder(files(__package__) / "weights", "reader")
weights, card, use_weights, read_card_again = _shipped.data, _shipped.card, _shipped.use, _shipped.read_again


@dataclass(frozen=True)
class Settings:
    """The settings chosen together with the weights, on validation renderings: see the model card.

    ``temperature`` divides the mark net's logits. ``tetrahedron_read_above`` is the least posterior at which the
    program reads a tetrahedron's hidden face without asking. `selector.Selector` decides about upper faces.
    """

    temperature: float
    tetrahedron_read_above: float


class Net:
    """One net that ONNX Runtime runs: a net of the dice reader, by name, or the bytes of an ONNX file.

    It uses as many threads as OpenCV does (`cv2.setNumThreads`), so that one setting holds for both.
    """

    def __init__(self, net: str | bytes) -> None:
        from companion.vision.dice.runtime import onnxruntime  # noqa: PLC0415  (loaded with the first net, not before)

        data = weights(net) if isinstance(net, str) else net
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cv2.getNumThreads()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors only
        options.enable_cpu_mem_arena = False  # it keeps more memory than the nets need, and saves no time
        # threads that wait in a loop for the next net would take the processor from the rest of the program
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._net = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        self._input = self._net.get_inputs()[0].name
        self._outputs = [output.name for output in self._net.get_outputs()]

    def run(self, batch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the net's first output for a batch, shape (n, channels, height, width).

        At most `AT_ONCE` pictures go through the net together. Splitting a batch changes the output only by rounding.
        """
        return self.run_for(batch, self._outputs[:1])[0]

    def run_for(self, batch: npt.NDArray[np.float32], outputs: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        """Return several outputs of the net for a batch, by name, from a single pass; otherwise as `run`."""
        if len(batch) <= AT_ONCE:
            return self._forward(batch, outputs)
        every = [self._forward(part, outputs) for part in np.array_split(batch, -(-len(batch) // AT_ONCE))]
        return [np.concatenate(parts) for parts in zip(*every, strict=True)]

    def _forward(self, part: npt.NDArray[np.float32], outputs: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        answers = self._net.run(list(outputs), {self._input: np.ascontiguousarray(part)})
        return [np.asarray(answer, np.float32) for answer in answers]


def net_input(picture: Image, least_spread: float = LEAST_SPREAD) -> npt.NDArray[np.float32]:
    """Return a net's input (3, h, w) for a BGR picture: each channel normalised by its own mean and spread.

    The spread is at least ``least_spread``, so an even picture does not become noise.
    """
    means, spreads = cv2.meanStdDev(picture)
    # 256 levels in a table are 20 times as fast as arithmetic with every pixel
    levels = ((LEVELS - means) / np.maximum(spreads, least_spread)).astype(np.float32)
    scaled = np.empty((3, *picture.shape[:2]), np.float32)
    for channel, level, row in zip(cv2.split(picture), levels, scaled, strict=True):
        cv2.LUT(channel, level[None], row)
    return scaled


class Nets:
    """The dice reader's nets, each loaded on first use and then kept. Not for two threads at once.

    Readers that share these nets need the memory of one reader: to compute, a net needs ten times the memory of its
    weights. A game reads one selection of its dice after another, so its readers can share.
    """

    def __init__(self) -> None:
        self._loaded: dict[str, Net] = {}

    def load(self, name: str) -> Net:
        """Return `LOCATOR`, `CORNERS`, `FACES`, `ROWS` or `SECOND`.

        Raises:
            WeightsError: its weights are missing or do not match the model card.
        """
        if name not in self._loaded:
            self._loaded[name] = Net(name)
        return self._loaded[name]

    def warm(self) -> None:
        """Load all nets and allocate the memory that they need, so that the first throw does not wait."""
        self.load(LOCATOR).run(np.zeros((1, 3, *LARGEST_LOCATOR_PICTURE), np.float32))
        for name, patches in ((CORNERS, AT_ONCE), (FACES, AT_ONCE), (SECOND, MOST_TURNS)):
            self.load(name).run(np.zeros((patches, 3, PATCH_PIXELS, PATCH_PIXELS), np.float32))
        self.load(ROWS)


def mark_net() -> str:
    """Return what tells the descriptors of this mark net from those of another."""
    return str(card()["files"][FACES]["sha256"])[:16]


def settings() -> Settings:
    """Return the settings chosen for these weights."""
    chosen = card()["chosen"]["reader"]
    return Settings(float(chosen["temperature"]), float(chosen["tetrahedron_read_above"]))
