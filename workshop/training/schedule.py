"""The course of a training: its recipe, its progress, the rate at each step, and when its weights are kept."""

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
    """Share of the rate that remains at the end."""
    warm: int = 100
    """Number of steps in which the rate rises, at the start and after a resume."""
    decay: float = 1e-2
    seed: int = 11
    threads: int = 1
    device: str = "cpu"
    half: bool = False
    """Whether to compute in bfloat16 where that does no harm: half the time on processors and GPUs that support it."""
    workers: int = 0
    """Number of processes that make batches; 0: this process makes them."""
    minutes: float | None = None
    """The round ends after this time, if its steps are not done before; the rate then decays with the time."""
    save_every: float = 120.0
    """Seconds between two saves of the state."""

    def progress(self, now: "State") -> float:
        """Return the finished share of the round, 0 to 1."""
        steps = now.step / self.steps
        return min(1.0, steps if self.minutes is None else max(steps, now.seconds / (60 * self.minutes)))

    def rate_at(self, now: "State", since: int) -> float:
        """Return the rate of a step that is the ``since``-th since training began or was resumed."""
        fall = self.last + (1 - self.last) * 0.5 * (1 + np.cos(np.pi * self.progress(now)))
        return float(self.rate * min(1.0, (since + 1) / self.warm) * fall)


@dataclass(frozen=True)
class State:
    """Progress of a training: finished rounds, steps of the current one, and the time that it has taken."""

    round: int = 0
    step: int = 0
    seconds: float = 0.0


def is_better(after: Mapping[str, float], before: Mapping[str, float]) -> bool:
    """Return whether weights with the measurements ``after`` should replace those with ``before``.

    They should if their loss on the check material is smaller and the net has no more errors of which it is sure.
    """
    return after["check_loss"] < before["check_loss"] and after.get("sure_errors", 0) <= before.get("sure_errors", 0)
