"""One training loop for all nets: batches, a rate with cosine decay, a saved state, a readable log."""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from workshop.training.further import OtherNetError, take_weights
from workshop.training.schedule import Recipe, State, is_better
from workshop.training.state import load_state, save_state

log = logging.getLogger(__name__)

Batch = tuple[Tensor, ...]
Check = Callable[[nn.Module], dict[str, float]]
MakeBatches = Callable[[np.random.Generator], Iterator[Batch]]
"""Yields batches without end from a random generator: inputs first, then the loss's targets."""

Loss = Callable[[Tensor, Batch], Tensor]

LOOK = 500
"""Steps between two measurements of the net."""

AT_ONCE = 256
"""Number of inputs that go through a net together when it is only measured."""


class _Endless(IterableDataset[Batch]):
    """Batches as a PyTorch data set; each process makes its own."""

    def __init__(self, make: MakeBatches, seed: list[int]) -> None:
        self._make, self._seed = make, seed

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        if worker is not None:
            cv2.setNumThreads(1)
        return self._make(np.random.default_rng([*self._seed, worker.id if worker else 0]))


def batches(make: MakeBatches, recipe: Recipe, begun: State) -> Iterator[Batch]:
    """Return the batches of the recipe's processes; a resumed round sees different ones than before."""
    endless = _Endless(make, [recipe.seed, begun.round, begun.step])
    if not recipe.workers:
        return iter(endless)
    # a process forked while OpenCV has threads waits for them forever
    cv2.setNumThreads(1)
    # fork, because the batch maker holds scenes, which must not be copied to each process
    loader = DataLoader(
        endless, batch_size=None, num_workers=recipe.workers, prefetch_factor=2, multiprocessing_context="fork"
    )
    return iter(loader)


def train(
    name: str,
    net: nn.Module,
    make: MakeBatches,
    loss: Loss,
    recipe: Recipe,
    *,
    state: Path,
    begin: Path | None,
    check: Check,
) -> dict[str, float]:
    """Train a net for one round and return the measurements at its end.

    ``state`` is the file that keeps net and optimiser, every few minutes and at the end. An interrupted round resumes
    from it, and after a finished round the next starts with its net. Without a state, the net starts with the weights
    of ``begin``, an ONNX file, or from scratch.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    if begin is not None and not state.is_file():
        take_weights(net, begin, next(make(np.random.default_rng(recipe.seed)))[0].cpu())
    net.to(recipe.device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    now = load_state(state, net, optimiser) if state.is_file() else State()
    round_ = _Round(net, optimiser, loss, recipe, now)
    source, saved = batches(make, recipe, now), time.monotonic()
    while True:
        round_.step(source)
        if round_.is_over:
            report = round_.report(name, check)
            save_state(state, net, optimiser, State(now.round + 1))
            return report
        if round_.now.step % LOOK == 0:
            round_.report(name, check)
        if time.monotonic() - saved > recipe.save_every:
            save_state(state, net, optimiser, round_.now)
            saved = time.monotonic()


class _Round:
    """A net during one round."""

    def __init__(
        self, net: nn.Module, optimiser: torch.optim.Optimizer, loss: Loss, recipe: Recipe, begun: State
    ) -> None:
        self._net, self._optimiser, self._loss, self._recipe = net, optimiser, loss, recipe
        self._begun = self.now = begun
        self._started = time.monotonic() - begun.seconds
        self._waited = 0.0
        self._running = torch.zeros((), device=recipe.device)

    @property
    def is_over(self) -> bool:
        """Whether all steps of the round are done or its time is up."""
        return self._recipe.progress(self.now) >= 1

    def step(self, source: Iterator[Batch]) -> None:
        """Train on the next batch."""
        since = self.now.step - self._begun.step
        for group in self._optimiser.param_groups:
            group["lr"] = self._recipe.rate_at(self.now, since)
        asked = time.monotonic()
        inputs, *wanted = (one.to(self._recipe.device) for one in next(source))
        self._waited += time.monotonic() - asked
        self._net.train()
        self._optimiser.zero_grad()
        with torch.autocast(self._recipe.device, torch.bfloat16, enabled=self._recipe.half):
            given = self._net(inputs.contiguous(memory_format=torch.channels_last))
        value = self._loss(given.float(), tuple(wanted))
        value.backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), 5.0)
        self._optimiser.step()
        self._running += max(0.01, 1 / (since + 1)) * (value.detach() - self._running)
        self.now = State(self.now.round, self.now.step + 1, time.monotonic() - self._started)

    def report(self, name: str, check: Check) -> dict[str, float]:
        """Measure the net, log the result and return it."""
        samples = float(self.now.step * self._recipe.batch)
        report = {"samples": samples, "loss": float(self._running), **measured(self._net, check)}
        shown = {key: round(number, 4) for key, number in report.items()}
        spent = f"{self.now.seconds:.0f} s ({self._waited:.0f} for batches)"
        log.info("%s: step %d of %d, %s, %s", name, self.now.step, self._recipe.steps, spent, shown)
        return report


def measured(net: nn.Module, check: Check) -> dict[str, float]:
    """Return a net's measurements."""
    net.eval()
    with torch.no_grad():
        return check(net)


def answers(net: nn.Module, inputs: Tensor, at_once: int = AT_ONCE) -> Tensor:
    """Return a net's outputs for many inputs, ``at_once`` by ``at_once``, in main memory."""
    device = next(net.parameters()).device
    return torch.cat([net(inputs[i : i + at_once].to(device)).cpu() for i in range(0, len(inputs), at_once)])


def beats(after: dict[str, float], net: nn.Module, target: Path, inputs: Tensor, check: Check) -> bool:
    """Return whether a net with the measurements ``after`` is better than the weights in ``target``, or there are none.

    ``net``: one of the same architecture, which takes those weights; ``inputs``: some typical inputs.
    """
    if not target.is_file():
        return True
    try:
        take_weights(net, target, inputs)
    except OtherNetError:
        return True
    before = measured(net, check)
    log.info("the weights that are there: %s", {key: round(number, 4) for key, number in before.items()})
    return is_better(after, before)
