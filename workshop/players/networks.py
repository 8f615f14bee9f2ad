"""Train the small networks of tables players: games of a network against itself, and temporal differences.

A network begins as the weights of today, made so sure of themselves as their games against themselves bear out. It
plays batches of games at once; after each, every position before a throw learns from the positions that followed
it and from who won (`LOOKING_ON`). What is kept is the mean of the networks of the later batches.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import TrackLayout
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, Floats
from companion.players.tables.features import NAMES
from companion.players.tables.network import Network, inputs
from companion.players.tables.search import TablesSearch
from workshop.players.vectorised import against_itself, exploring

UNITS: Final = 40
"""Units of the hidden layer."""

LOOKING_ON: Final = 0.8
"""Lambda: how much a position learns from the end of its game, beside what the next position is worth."""

FAST, SLOW = 2e-3, 2e-4
"""The size of a step of the weights, in the first batch and in the last."""

AT_A_TIME: Final = 512
"""Positions of one step."""

ASTRAY: Final = 0.07
"""How far the network strays from its best play in games against itself (`vectorised.exploring`)."""

LATER: Final = 0.5
"""The share of the batches whose networks count for nothing in the mean."""

MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8
"""How long a step remembers the slopes before it, and their squares (Adam)."""


@dataclass(frozen=True)
class Lessons:
    """What a network learns: ``seen`` (positions, inputs), and the ``chance`` that it should say."""

    seen: Floats
    chance: Floats


@dataclass(frozen=True)
class Course:
    """How much is played and learnt: ``batches`` of so many ``games`` each.

    ``passes``: how often a position is learnt from, on average; ``remembered``: the batches that are learnt from
    together.
    """

    seed: int
    batches: int = 30
    games: int = 128
    passes: int = 5
    remembered: int = 6


def trained(layout: TrackLayout, start: Floats, course: Course) -> Network:
    """Return the network that learns from games against itself, beginning with the ``start`` weights."""
    chance = np.random.default_rng(course.seed)
    evaluation = Evaluation(layout, start)
    learner: Learner | None = None
    memory: list[Lessons] = []
    for batch in range(course.batches):
        seed = course.seed + 1000 * (batch + 1)
        if learner is None:
            lessons = lessons_of(layout, evaluation, course.games, seed, 1.0)
            learner = Learner(beginner(lessons, start, chance))
        else:
            lessons = lessons_of(layout, Evaluation(layout, learner.network), course.games, seed, LOOKING_ON)
        memory = [*memory[max(0, len(memory) + 1 - course.remembered) :], lessons]
        done = batch / max(1, course.batches - 1)
        steps = course.passes * len(lessons.chance) // AT_A_TIME
        for _ in range(steps):
            learner.step(_drawn(memory, chance), FAST * (SLOW / FAST) ** done)
        if done >= LATER:
            learner.remember()
    assert learner is not None, "there is a batch at least"
    return learner.mean()


def _drawn(memory: list[Lessons], chance: np.random.Generator) -> Lessons:
    """Return positions by lot, equally many from each batch that is remembered."""
    each = AT_A_TIME // len(memory)
    rows = [chance.integers(len(one.chance), size=each) for one in memory]
    return Lessons(
        np.concatenate([one.seen[row] for one, row in zip(memory, rows, strict=True)]),
        np.concatenate([one.chance[row] for one, row in zip(memory, rows, strict=True)]),
    )


def lessons_of(layout: TrackLayout, evaluation: Evaluation, number: int, seed: int, looking_on: float) -> Lessons:
    """Return what the positions before each throw teach, of games that an evaluation plays against itself.

    A position's chance is what the next position of its game is worth and what that one learns, the latter counting
    ``looking_on``; the last one learns who won. At 1 all learn who won.
    """
    seen, worth = [], []

    def note(boards: Boards) -> None:
        seen.append(inputs(evaluation.features, boards, *evaluation.features.both(boards)))
        worth.append(evaluation.chances(boards))

    search = TablesSearch(layout, evaluation)
    game, side, won = against_itself(search, exploring(ASTRAY, seed), number, seed, note)
    of_first = np.where(side == 0, np.concatenate(worth), 1 - np.concatenate(worth))
    learnt = looked_back(game, of_first, won, looking_on)
    return Lessons(np.concatenate(seen), np.where(side == 0, learnt, 1 - learnt).astype(np.float32))


def looked_back(
    game: npt.NDArray[np.int64], worth: npt.NDArray[np.floating], won: npt.NDArray[np.float64], looking_on: float
) -> npt.NDArray[np.float64]:
    """Return what each position learns of the first side's chance, in the order of the positions in time."""
    learnt, after, is_worth = np.zeros(len(game)), won.copy(), won.copy()
    for row in range(len(game) - 1, -1, -1):
        one = game[row]
        learnt[row] = after[one] = (1 - looking_on) * is_worth[one] + looking_on * after[one]
        is_worth[one] = worth[row]
    return learnt


def beginner(lessons: Lessons, start: Floats, chance: np.random.Generator) -> Network:
    """Return the network to begin with: the weights, scaled as their games bear out, and units of no effect yet."""
    odds = lessons.seen[:, : len(NAMES)] @ start
    scale = 1.0
    for _ in range(20):
        estimate = 1 / (1 + np.exp(-np.clip(scale * odds, -30, 30)))
        slope, bend = float(odds @ (estimate - lessons.chance)), float(odds**2 @ (estimate * (1 - estimate)))
        scale -= slope / (bend + 1.0)
    wide = lessons.seen.shape[1]
    spread = 1 / np.sqrt(np.maximum((lessons.seen**2).sum(axis=1).mean(), 1))
    beside = np.zeros(wide, np.float32)
    beside[: len(NAMES)] = np.clip(scale, 0.05, 2.0) * start
    return Network(
        chance.normal(0, spread, (wide, UNITS)).astype(np.float32),
        np.zeros(UNITS, np.float32),
        np.zeros(UNITS, np.float32),
        beside,
        np.zeros(1, np.float32),
    )


class Learner:
    """Changes a network step by step, so that the mean logistic loss falls (Adam)."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._first = {name: np.zeros_like(one) for name, one in network.arrays().items()}
        self._second = {name: np.zeros_like(one) for name, one in network.arrays().items()}
        self._sums = {name: np.zeros_like(one) for name, one in network.arrays().items()}
        self._steps = self._remembered = 0

    def step(self, lessons: Lessons, size: float) -> None:
        """Change the weights by one step of this size."""
        self._steps += 1
        for name, slope in slopes(self.network, lessons).items():
            first, second = self._first[name], self._second[name]
            first += (1 - MEAN) * (slope - first)
            second += (1 - SQUARE) * (slope**2 - second)
            steady, rough = first / (1 - MEAN**self._steps), second / (1 - SQUARE**self._steps)
            getattr(self.network, name)[...] -= size * steady / (np.sqrt(rough) + TINY)

    def remember(self) -> None:
        """Count the network as it is now into the mean."""
        self._remembered += 1
        for name, one in self.network.arrays().items():
            self._sums[name] += one

    def mean(self) -> Network:
        """Return the mean of the networks that were remembered."""
        return Network(**{name: one / np.float32(self._remembered) for name, one in self._sums.items()})


def slopes(network: Network, lessons: Lessons) -> dict[str, Floats]:
    """Return by how much the mean logistic loss rises with each weight."""
    hidden = network.hidden(lessons.seen)
    estimate = 1 / (1 + np.exp(-(hidden @ network.out + lessons.seen @ network.beside + network.base)))
    off = ((estimate - lessons.chance) / np.float32(len(estimate))).astype(np.float32)
    back = off[:, None] * network.out * (hidden > 0)
    return {
        "into": lessons.seen.T @ back,
        "bias": back.sum(axis=0),
        "out": hidden.T @ off,
        "beside": lessons.seen.T @ off,
        "base": off.sum(keepdims=True),
    }
