"""One training loop for all nets: a fixed number of batches, a rate that falls along a cosine, a log in words."""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from calibration.training.further import take_weights

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recipe:
    """How much and how fast to train. ``warm``: the steps in which the rate rises at the start."""

    steps: int
    batch: int
    rate: float = 2e-3
    last: float = 0.01
    """The part of the rate that is left at the end."""
    warm: int = 100
    decay: float = 1e-2
    seed: int = 11
    threads: int = 1


def train(
    name: str,
    net: nn.Module,
    batches: Iterator[tuple[Tensor, ...]],
    loss: Callable[[Tensor, tuple[Tensor, ...]], Tensor],
    recipe: Recipe,
    *,
    state: Path,
    begin: Path | None,
    check: Callable[[nn.Module], dict[str, float]],
) -> dict[str, float]:
    """Train a net on so many batches (inputs first, then what ``loss`` wants) and return what was measured at the end.

    ``state``: where the net is kept; if it is there already, training goes on from it. Otherwise it begins with the
    weights of ``begin``, an ONNX file, or anew.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    net.to(memory_format=torch.channels_last)
    if state.is_file():
        net.load_state_dict(torch.load(state, weights_only=True))
    elif begin is not None:
        take_weights(net, begin, next(batches)[0])
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    running, begun, waited, report = 0.0, time.monotonic(), 0.0, {}
    for step in range(recipe.steps):
        fall = recipe.last + (1 - recipe.last) * 0.5 * (1 + np.cos(np.pi * step / recipe.steps))
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * min(1.0, (step + 1) / recipe.warm) * fall
        asked = time.monotonic()
        inputs, *wanted = next(batches)
        waited += time.monotonic() - asked
        net.train()
        optimiser.zero_grad()
        value = loss(net(inputs.contiguous(memory_format=torch.channels_last)), tuple(wanted))
        value.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        running += max(0.01, 1 / (step + 1)) * (value.item() - running)
        if (step + 1) % max(1, min(500, recipe.steps // 4)) == 0 or step + 1 == recipe.steps:
            net.eval()
            with torch.no_grad():
                report = {"samples": float((step + 1) * recipe.batch), "loss": running, **check(net)}
            torch.save(net.state_dict(), state)
            spent = time.monotonic() - begun
            shown = {key: round(number, 4) for key, number in report.items()}
            log.info(
                "%s: step %d of %d, %.0f s (%.0f for batches), %s", name, step + 1, recipe.steps, spent, waited, shown
            )
    return report
