"""Samples for the nets that read boards, in batches: views of drawn boards, each in another light."""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Thread

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from companion.vision.boards.numbers import number_input
from companion.vision.dice.nets import net_input
from companion.vision.readings import Image
from workshop.board_scenes.store import Boards, TrueBoard
from workshop.training.boards.views import field_view, men_view, number_views
from workshop.training.disturb import recolour, relight

Sample = tuple[npt.NDArray[np.float32], ...]


def batches(make: Callable[[], Iterator[Sample]], size: int) -> Generator[tuple[Tensor, ...]]:
    """Yield batches of ``size`` samples without end, prepared by a separate thread; closing the generator ends it."""
    ready: Queue[tuple[Tensor, ...]] = Queue(4)
    ended = Event()

    def fill() -> None:
        pool: list[Sample] = []
        while not ended.is_set():
            for sample in make():
                pool.append(sample)
                if len(pool) == size:
                    ready.put(tuple(torch.from_numpy(np.stack(part)) for part in zip(*pool, strict=True)))
                    pool = []
                if ended.is_set():
                    return

    filling = Thread(target=fill)
    filling.start()
    try:
        while True:
            yield ready.get()
    finally:  # the thread ends with its consumer
        ended.set()
        while filling.is_alive():
            with suppress(Empty):
                ready.get(timeout=0.1)


def field_samples(boards: Boards, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield pictures for the field finder with their maps, and which of their cells count."""
    for picture, truth in _in_any_order(boards, rng):
        seen, maps, counts = field_view(picture, truth, rng)
        yield net_input(recolour(seen, rng)), maps, counts


def men_samples(boards: Boards, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield straightened boards with the maps of their men, and each cell's weight."""
    for picture, truth in _in_any_order(boards, rng):
        flat, maps, counts = men_view(picture, truth, rng)
        yield net_input(relight(flat, rng)), maps, counts  # never the negative: the lighter side stays the lighter


def number_samples(boards: Boards, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield patches of men in any rotation, each with the index of its man in `kinds`."""
    for picture, truth in _in_any_order(boards, rng):
        for seen, kind in number_views(picture, truth, rng):
            yield number_input(recolour(seen, rng)[None])[0], np.array(kind, np.int64)


def _in_any_order(boards: Boards, rng: np.random.Generator) -> Iterator[tuple[Image, TrueBoard]]:
    for number in rng.permutation(len(boards)):
        yield boards.picture(int(number)), boards.truths[number]
