"""How a training goes on: its recipe, how far it is, the rate at each moment, and when its weights are kept."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Recipe:
    """How much and how fast to train."""

    steps: int
    batch: int
    rate: float = 2e-3
    last: float = 0.01
    """The part of the rate that is left at the end."""
    warm: int = 100
    """The steps in which the rate rises at the start, and where a round goes on."""
    decay: float = 1e-2
    seed: int = 11
    threads: int = 1
    device: str = "cpu"
    half: bool = False
    """Compute in bfloat16 where that does no harm: half the time on processors and GPUs that have it."""
    workers: int = 0
    """So many processes make batches; 0: this one does."""
    minutes: float | None = None
    """The round ends after so long, if its steps are not done before; the rate then falls with the time."""
    save_every: float = 120.0
    """Seconds between two savings of the state."""

    def progress(self, now: "State") -> float:
        """Return how much of the round is over, 0 to 1."""
        steps = now.step / self.steps
        return min(1.0, steps if self.minutes is None else max(steps, now.seconds / (60 * self.minutes)))

    def rate_at(self, now: "State", since: int) -> float:
        """Return the rate of a step that is the ``since``-th since training began or went on."""
        fall = self.last + (1 - self.last) * 0.5 * (1 + np.cos(np.pi * self.progress(now)))
        return float(self.rate * min(1.0, (since + 1) / self.warm) * fall)


@dataclass(frozen=True)
class State:
    """How far a training is: rounds that are over, steps of the present one, and the time that it has taken."""

    round: int = 0
    step: int = 0
    seconds: float = 0.0


def is_better(after: Mapping[str, float], before: Mapping[str, float]) -> bool:
    """Return whether weights that measured ``after`` are to replace those that measured ``before``.

    They do with a smaller loss on the check material and no more errors of which the net is sure.
    """
    return after["check_loss"] < before["check_loss"] and after.get("sure_errors", 0) <= before.get("sure_errors", 0)
