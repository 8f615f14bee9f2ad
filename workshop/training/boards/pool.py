"""Views of boards in a GPU's memory; every batch sees them in another light, which the GPU computes."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

LOOK_EVERY: Final = 3.0
"""Seconds between two looks for new files."""

REACH: Final = 5
"""Half the width of the blur's kernel, in pixels."""


class Pool:
    """The newest views of one net, as `ahead` writes them; when there is no more room, new ones replace the oldest."""

    def __init__(self, folder: Path, net: str, room: int, device: str, *, every: float = LOOK_EVERY) -> None:
        """``room``: the number of bytes that the views may take; ``every``: seconds between two looks for files."""
        self._folder, self._net, self._room, self._device, self._every = folder, net, room, device, every
        self._columns: list[Tensor] = []
        self._next = self._filled = 0
        self._looked = -np.inf

    def __len__(self) -> int:
        return self._filled

    def take_up(self) -> None:
        """Load the files that are complete and remove them."""
        if time.monotonic() - self._looked < self._every:
            return
        for path in sorted(self._folder.glob(f"{self._net}-*.npz")):
            with np.load(path) as file:
                self._add([torch.from_numpy(file[name]) for name in file.files])
            path.unlink()
        self._looked = time.monotonic()

    def _add(self, columns: list[Tensor]) -> None:
        number = len(columns[0])
        if not self._columns:
            each = sum(column[0].numel() * column.element_size() for column in columns)
            capacity = max(number, self._room // each)
            self._columns = [torch.empty((capacity, *c.shape[1:]), dtype=c.dtype, device=self._device) for c in columns]
        capacity = len(self._columns[0])
        for first in range(0, number, capacity):
            places = torch.arange(self._next, self._next + len(columns[0][first : first + capacity])) % capacity
            for held, new in zip(self._columns, columns, strict=True):
                held[places.to(self._device)] = new[first : first + capacity].to(self._device)
            self._next = (self._next + len(places)) % capacity
            self._filled = min(capacity, self._filled + len(places))

    def batches(self, size: int, seed: int, *, colours: bool, least_spread: float) -> Iterator[tuple[Tensor, ...]]:
        """Yield batches without end: inputs, then what the net should give; waits until there are views for one.

        ``colours``, ``least_spread``: see `lit` and `normalised`.
        """
        chance = torch.Generator(self._device).manual_seed(seed)
        while True:
            self.take_up()
            if len(self) < size:
                time.sleep(1.0)
                continue
            rows = torch.randint(len(self), (size,), generator=chance, device=self._device)
            seen, *wanted = (column[rows] for column in self._columns)
            floats = [one if one.dtype == torch.int64 else one.float() for one in wanted]
            yield (normalised(lit(seen, chance, colours=colours), least_spread), *floats)


def lit(seen: Tensor, chance: torch.Generator, *, colours: bool) -> Tensor:
    """Return pictures (n, h, w, 3; 0 to 255) each in another light, (n, 3, h, w), 0 to 255.

    The same changes as in `disturb.relight`, and with ``colours`` as in `disturb.recolour`: gains, gamma, blur, noise,
    and swapped channels, grey pictures and negatives.
    """
    n = len(seen)

    def uniform(low: float = 0.0, high: float = 1.0, *, wide: int = 1) -> Tensor:
        return low + (high - low) * torch.rand(n, wide, 1, 1, generator=chance, device=seen.device)

    def normal(spread: float, *, wide: int = 1) -> Tensor:
        return spread * torch.randn(n, wide, 1, 1, generator=chance, device=seen.device)

    shown = seen.permute(0, 3, 1, 2).float() / 255
    if colours:
        order = uniform(wide=3).argsort(1)
        swapped = shown.gather(1, order.expand_as(shown))
        shown = torch.where(uniform() < 0.15, swapped, shown)
        shown = torch.where(uniform() < 0.1, shown.mean(1, keepdim=True), shown)
        shown = torch.where(uniform() < 0.04, 1 - shown, shown)
    shown = shown.clamp(min=1e-6) ** torch.exp(normal(0.25))
    shown = (shown * torch.exp(normal(0.12, wide=3)) * torch.exp(normal(0.2))).clamp(0, 1)
    blurred = (uniform() < 0.25).flatten().nonzero().flatten()
    if len(blurred):
        shown[blurred] = _blurred(shown[blurred], uniform(0.4, 1.5)[blurred])
    noise = uniform(0, 13 / 255) * (uniform() < 0.4)
    shown = shown + noise * torch.randn(shown.shape, generator=chance, device=seen.device)
    return torch.floor(shown.clamp(0, 1) * 255)


def _blurred(shown: Tensor, sigma: Tensor) -> Tensor:
    """Blur each picture (n, 3, h, w) by its own sigma (n, 1, 1, 1)."""
    n, channels, height, width = shown.shape
    steps = torch.arange(-REACH, REACH + 1, device=shown.device).float()
    kernel = torch.exp(-(steps**2) / (2 * sigma.reshape(n, 1) ** 2))
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)
    flat = shown.reshape(1, n * channels, height, width)
    flat = nn.functional.pad(flat, (REACH, REACH, REACH, REACH), mode="reflect")
    flat = nn.functional.conv2d(flat, kernel[:, None, None, :], groups=n * channels)
    flat = nn.functional.conv2d(flat, kernel[:, None, :, None], groups=n * channels)
    return flat.reshape(n, channels, height, width)


def normalised(shown: Tensor, least_spread: float) -> Tensor:
    """Return pictures (n, 3, h, w) with each channel normalised by its own mean and spread, as the nets want them.

    ``least_spread``: the spread, 0 to 255, that a channel has at least.
    """
    spread = shown.std((2, 3), keepdim=True, correction=0).clamp(min=least_spread)
    return (shown - shown.mean((2, 3), keepdim=True)) / spread
