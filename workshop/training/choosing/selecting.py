"""Learn which faces are read without asking: one logistic regression per family, one proved threshold per class."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from companion.vision.dice.asking.selector import AGAIN_NAMES, NAMES, Bar, Features, Selector
from workshop.training.choosing.confidence import allowed_errors, upper_bound
from workshop.training.choosing.validation import Judged

log = logging.getLogger(__name__)

Numbers = npt.NDArray[np.float64]

LETTERS: Final = "letters"
TILE: Final = "tile"
TWENTY: Final = "icosahedron"
SOLIDS: Final = frozenset({"octahedron", "trapezohedron", "dodecahedron", TWENTY})
"""Families of faces that have classes of their own."""

TILTS: Final = ((0.0, 12.0), (12.0, 35.0), (35.0, 91.0))
ANY: Final = ((0.0, 91.0),)
TILTS_OF: Final = {
    LETTERS: TILTS,
    "octahedron": ((0.0, 30.0),),
    "dodecahedron": ((0.0, 30.0),),
    "trapezohedron": ((0.0, 14.0),),
    TWENTY: ((0.0, 21.0),),
}
"""The classes by tilt: how far from its upright a face is seen, in degrees; all other families have a single class.

A solid seen at a larger tilt is asked about, because a neighbouring face may look straight at the camera, most of all
on dice with ten and twenty faces. Tiles have a single class because their tilt is unknown: they may be longer than
wide. So have pips, because too few were misread to separate them.
"""

MARKS: Final = ((0, 1), (2, 3), (4, 99))
EVERY: Final = ((0, 99),)
"""The classes by number of marks, where these are letters."""

SILENT: Final = 0.0007
"""Silent errors are proved to be at most this share of the dice. The target is 0.001: the rest is for reality."""

HARD: Final = 0.004
"""The same for solids whose neighbouring faces look like the upper one."""

LEAST: Final = 3.0
"""Least threshold, because drawings are not the whole world; a score of 3 says that one in twenty is wrong."""

FOLDS: Final = 5
"""Number of folds: each face is scored by weights that were learnt without its picture."""

SHRINK: Final = 0.3
"""Strength of the ridge penalty that shrinks the weights to zero."""

ROUNDS: Final = 60

MARGIN: Final = 0.5
"""Distance of a threshold above the surest face that was read wrongly, in log odds."""


NEARLY: Final = 3.0
"""The weights of the second look are learnt from the faces that the first look does not read, and from those that it
reads with scores no more than this above the threshold."""


SPEAKS_AGAINST: Final = "second beside"
SIGNS: Final = np.array([0] * len(NAMES) + [-1 if name == SPEAKS_AGAINST else 1 for name in AGAIN_NAMES])
"""Which way each feature may count: what another net says for a text never lowers its score (1), nor does what it says
against it raise the score (-1). Without this, a class with few faces learns the opposite by chance."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The faces of one family, with scores from weights that were learnt without them."""

    faces: tuple[Judged, ...]
    scores: Numbers
    weights: Numbers


def select(judged: Sequence[Judged]) -> Selector:
    """Return the selector that asks as few questions as the limits on silent errors allow.

    The number of allowed silent errors is the largest that proves the target (95 %, Clopper and Pearson). It is one
    number for all faces together, except solids, whose neighbouring faces look like the upper one: they have a number
    of their own, and so do the twenty-sided among them. The allowed errors are distributed over the classes and the two
    looks so that most faces are read: a sure error in one class then does not raise the threshold of another.
    """
    upper = [one for one in judged if one.features is not None]
    first = {family: score([_once(one) for one in own]) for family, own in _by_family(upper).items()}
    twice = _by_family([one for one in upper if _features(one).again is not None])
    weights = _rounded(first)
    again: dict[str, tuple[float, ...]] = {}
    bars: list[Bar] = []
    for pool, most in ((set(first) - SOLIDS, SILENT), (SOLIDS - {TWENTY}, HARD), ({TWENTY}, HARD)):
        alike = {family: scored for family, scored in first.items() if family in pool}
        allowed = allowed_errors(sum(len(scored.faces) for scored in alike.values()), most)
        tallies = [_tallies(alike, twice, errors, allowed) for errors in range(allowed + 1)]
        best = max(tallies, key=lambda one: one.gain)
        again |= _rounded(best.second)
        bars += best.bars
    return Selector(weights, again, tuple(bars))


@dataclass(frozen=True, eq=False)
class Tallies:
    """The thresholds of both looks for a few families, how many faces they read right, and the second look's scores."""

    bars: tuple[Bar, ...]
    gain: int
    second: Mapping[str, Scored]


def _tallies(first: Mapping[str, Scored], twice: Mapping[str, Sequence[Judged]], errors: int, allowed: int) -> Tallies:
    """Return the thresholds that read most faces if the first look may make ``errors`` of the ``allowed`` errors.

    ``first``: the families' scores at the first look. ``twice``: those of their faces that were looked at twice.
    """
    classes = [one for family, scored in first.items() for one in _classes(family, scored)]
    shares = deal(classes, errors)
    bars = [one.bar(share) for one, share in zip(classes, shares, strict=True)]
    second = {family: _second(twice[family], first[family], bars) for family in first if twice.get(family)}
    doubtful = [one for family, scored in second.items() for one in _classes(family, scored)]
    rest = deal(doubtful, allowed - sum(bar.wrong for bar in bars))
    gained = zip([*classes, *doubtful], [*shares, *rest], strict=True)
    return Tallies(
        (*bars, *(replace(one.bar(share), again=True) for one, share in zip(doubtful, rest, strict=True))),
        sum(one.gain(share) for one, share in gained),
        second,
    )


def _second(faces: Sequence[Judged], first: Scored, bars: Sequence[Bar]) -> Scored:
    """Return the faces of one family that the first look does not read, scored with what the second look says.

    ``first``: the same faces in the same order, scored at the first look with these ``bars``.
    """
    least = [next((bar.least for bar in bars if bar.holds(_features(one))), np.inf) for one in first.faces]
    below = np.array(least) - first.scores
    near = (below > -NEARLY) & np.isfinite(below)  # a face of no class is never read
    scored = score([one for one, is_near in zip(faces, near, strict=True) if is_near])
    doubtful = below[near] > 0
    return Scored(
        tuple(one for one, is_doubtful in zip(scored.faces, doubtful, strict=True) if is_doubtful),
        scored.scores[doubtful],
        scored.weights,
    )


def is_read(selector: Selector, features: Features) -> bool:
    """Return whether a face is read at the first look or the second."""
    return selector.reads(replace(features, again=None)) or (features.again is not None and selector.reads(features))


def _once(one: Judged) -> Judged:
    """Return a face as the first look sees it."""
    return replace(one, features=replace(_features(one), again=None))


def _rounded(families: Mapping[str, Scored]) -> dict[str, tuple[float, ...]]:
    return {family: tuple(round(float(one), 4) for one in scored.weights) for family, scored in families.items()}


@dataclass(frozen=True, eq=False)
class Class:
    """The scores of one class: of the faces read right, and of those read wrong, the latter with the surest first."""

    family: str
    tilt: tuple[float, float]
    marks: tuple[int, int]
    turned: bool | None
    right: Numbers
    wrong: Numbers

    def least(self, errors: int) -> float:
        """Return the lowest threshold that lets ``errors`` errors pass."""
        return max(LEAST, float(self.wrong[errors]) + MARGIN) if errors < len(self.wrong) else LEAST

    def gain(self, errors: int) -> int:
        """Return how many faces are read right if ``errors`` errors may pass."""
        return int((self.right >= self.least(errors)).sum())

    def bar(self, errors: int) -> Bar:
        """Return the threshold with its proof."""
        least = self.least(errors)
        wrong, dice = int((self.wrong >= least).sum()), len(self.right) + len(self.wrong)
        bound = upper_bound(wrong, dice) if dice else 1.0
        return Bar(self.family, self.tilt, self.marks, round(least, 4), dice, wrong, round(bound, 5), self.turned)


class Gains(Protocol):
    """What gains by errors that may pass."""

    def gain(self, errors: int) -> int:
        """Return how much is gained if ``errors`` errors may pass."""


def deal(classes: Sequence[Gains], allowed: int) -> list[int]:
    """Return how many of the ``allowed`` errors each class may let pass, so that most is gained."""
    best: list[tuple[int, list[int]]] = [(0, [])] * (allowed + 1)
    for one in classes:
        gains = [one.gain(errors) for errors in range(allowed + 1)]
        best = [
            max((best[most - mine][0] + gains[mine], [*best[most - mine][1], mine]) for mine in range(most + 1))
            for most in range(allowed + 1)
        ]
    return best[allowed][1]


def _classes(family: str, scored: Scored) -> list[Class]:
    right = np.array([one.right for one in scored.faces])
    found = []
    for tilt in TILTS_OF.get(family, ANY):
        for marks in MARKS if family == LETTERS else EVERY:
            for turned in (True, False) if family == TILE else (None,):
                mine = _classed(scored.faces, Bar(family, tilt, marks, LEAST, turned=turned))
                wrong = np.sort(scored.scores[mine & ~right])[::-1]
                found.append(Class(family, tilt, marks, turned, scored.scores[mine & right], wrong))
    return found


def _by_family(faces: Sequence[Judged]) -> dict[str, list[Judged]]:
    every: dict[str, list[Judged]] = {}
    for one in faces:
        every.setdefault(_features(one).family, []).append(one)
    return dict(sorted(every.items()))


def score(faces: Sequence[Judged]) -> Scored:
    """Score each face by weights learnt from other pictures; return these scores and the weights of all faces."""
    vectors = np.array([_features(one).vector() for one in faces])
    right = np.array([one.right for one in faces], np.float64)
    pictures = {scene: number for number, scene in enumerate(sorted({one.scene for one in faces}))}
    fold = np.array([pictures[one.scene] % FOLDS for one in faces])
    scores = np.zeros(len(faces))
    for number in range(FOLDS):
        learnt = logistic(vectors[fold != number], right[fold != number])
        scores[fold == number] = np.asarray(vectors[fold == number] @ learnt[:-1] + learnt[-1])
    return Scored(tuple(faces), scores, logistic(vectors, right))


def logistic(vectors: Numbers, right: Numbers) -> Numbers:
    """Return the weights of a ridge logistic regression, the constant last; none has the wrong one of the `SIGNS`.

    ``vectors``: (n, features); ``right``: (n,), 0 or 1. Features with the wrong sign are left out, and the rest is
    learnt again, until no sign is wrong.
    """
    signs = SIGNS[: vectors.shape[1]]
    kept = np.ones(vectors.shape[1], np.bool_)
    while True:
        weights = np.zeros(vectors.shape[1] + 1)
        weights[np.append(kept, True)] = _newton(vectors[:, kept], right)
        wrong = weights[:-1] * signs < 0
        if not wrong.any():
            return weights
        kept &= ~wrong


def _newton(vectors: Numbers, right: Numbers) -> Numbers:
    """Return the weights of a ridge logistic regression, the constant last, by Newton's method."""
    columns = np.column_stack([vectors, np.ones(len(vectors))])
    ridge = np.full(columns.shape[1], SHRINK)
    ridge[-1] = 1e-3  # the constant is nearly free
    weights = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (right - chance) - ridge * weights
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return np.asarray(weights)


def _classed(faces: Sequence[Judged], bar: Bar) -> npt.NDArray[np.bool_]:
    """Return which faces are of a class, whether they were looked at once or twice."""
    return np.array([bar.holds(_features(_once(one))) for one in faces])


def _features(one: Judged) -> Features:
    assert one.features is not None
    return one.features
