"""Which side each man is of: men of one side look alike, so all men of a board are told apart together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.men import FoundMan
from companion.vision.readings import Image

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SURE_MAN_CHANCE: Final = 0.9
"""Men less likely than this say nothing of how their side looks: they may be shadows, darker than any side."""

ROUNDS: Final = 12

LEAST_SPREAD: Final = 3.5
"""Men of one side differ by at least so much in lightness and colour (CIELAB, 100 steps of lightness)."""

FAINT: Final = 0.02
"""Light is told apart from none from this on, in parts of white."""

TINTS: Final = 75.0
"""Steps of the tints for twice and more of one colour than of green, so that they count like those of CIELAB."""

TAIL: Final = 4.0
"""A man far from how his side looks, for a shadow or a glint, says less than a normal distribution would have it."""

BOTH_SIDES_ODDS: Final = 10.0
"""Of so many times as many men as are seen, they are likelier to be of both sides than of one alone: a side is rarely
gone, and hardly ever where many men are left."""

BOTH: Final = (-9.94, 4.73, 1.03)
"""The logarithm of the odds that two groups are two sides: a constant, and the weights of the logarithm of how far they
are apart and of what the net says of them. A logistic fit to drawn boards, whole and with one side taken away."""

LIGHTER_BY: Final = (0.35, 1.0)
"""What a step of lightness, and what the net says of the groups, tell of which is the darker side (as above)."""

VOTE: Final = 0.6
"""What the net says of one man, beside how he looks."""

SAID_SPREAD: Final = 0.25
"""The net's words for men of one side differ by about so much."""

MOST_UNLIKE: Final = 4.0
"""A man of whom the net speaks quite unlike the others of his side counts no more than this."""

UNLIKE: Final = 0.3
"""What such unlikeness counts, added over all men without any limit: groups of a few cannot outweigh it."""

LEAST_SIDE: Final = 2.5
"""Fewer than so many men's worth may be stray things, as dice that lie on the board: they are hardly a side."""

REAL: Final = (-6.0, 2.5)
"""The logarithm of the odds that one of a few is a man and no stray thing: a constant, and what each further nine in
the chance of the net for him adds. Of a hundred dice and coins on drawn boards that were taken for men, the net is sure
of 12 at 0.999; of a hundred men, of 55."""

MOST_VOTE: Final = 6.0
MOST_CONTRAST: Final = 3.0
MOST_TURNED: Final = 3.0
MOST_TURN: Final = 10.0
MOST_LOOK: Final = 12.0
"""Logarithms of odds are believed up to these."""

DOUBT: Final = 0.001
"""So much doubt is left to a man whose looks say clearly which side he is of."""

LEAST_WAY: Final = 1e-4
"""No way for the sides to be spread is less likely than this, before what men are is weighed."""

UNSURE: Final = 0.1
"""So much is left where one side only may be on the board, so that only the net's word tells which."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Which side each of n men is of, under each way that the sides may be spread.

    The ways: all men are of the lighter side; all of the darker; or both are there, parted by lightness and colour or
    by tint alone, and the group that looks darker is the darker side, or is the lighter one. ``chances`` of each way
    (6, or fewer of few men), ``darker``: that of each man under it to be of the darker side (6 x n).
    """

    chances: Floats
    darker: Floats

    def mixed(self) -> Floats:
        """Return the chance of each man to be of the darker side (n)."""
        return np.asarray(self.chances @ self.darker)

    def weighed(self, darker: Floats, counts: Floats) -> tuple["Sides", float]:
        """Return the sides with something else that is known of each man weighed in, and how well both agree.

        ``darker``: the chance by that alone that he is of the darker side, ``counts``: how much it counts (n each). How
        well they agree is a logarithm.
        """
        agree = self.darker * darker + (1 - self.darker) * (1 - darker)
        logs = np.log(self.chances + LEAST_WAY) + (np.log(np.maximum(agree, 1e-6)) * counts).sum(axis=1)
        chances = np.exp(logs - logs.max())
        return Sides(chances / chances.sum(), self.darker), float(logs.max() + np.log(chances.sum()))

    def of(self, men: Sequence[int]) -> "Sides":
        """Return those of some of the men, by their numbers."""
        return Sides(self.chances, self.darker[:, list(men)])


@dataclass(frozen=True, eq=False)
class _Groups:
    """Two groups of men.

    Each man's share in the second one, their means (2 x features), the spread in both, how many spreads lie between,
    how light each is, and who was set ``aside``: he is of neither, though his share says which he is nearer to.
    """

    shares: Floats
    means: Floats
    spread: Floats
    apart: float
    light: tuple[float, float]
    aside: Bools

    @property
    def both(self) -> Floats:
        """Each man's share in either group (2 x n), none of those set aside."""
        return np.stack([1 - self.shares, self.shares]) * ~self.aside

    @property
    def smaller(self) -> Bools:
        """Who is of the smaller group."""
        few, many = sorted(self.both, key=lambda shares: float(shares.sum()))
        return np.asarray(few > many)

    def real(self, there: Floats) -> float:
        """Return how likely the smaller group are men: 1 unless it is so small that it may be stray things.

        ``there``: the chance of each to be a man (n).
        """
        if float(self.both.sum(axis=1).min()) >= LEAST_SIDE:
            return 1.0
        beyond = -np.log10(np.clip(1 - there[self.smaller], 1e-5, 1))
        return float(_chance((REAL[0] + REAL[1] * beyond).sum()))

    @property
    def darker(self) -> int:
        """Which group is less light."""
        return int(self.light[0] > self.light[1])

    def darker_by(self, seen: Floats) -> Floats:
        """Return how much likelier each man, by his looks, is of the darker group: logarithms of odds."""
        far = [TAIL * np.log1p(((seen - mean) ** 2 / self.spread**2).sum(axis=1) / 2 / TAIL) for mean in self.means]
        return np.asarray(np.clip(far[1 - self.darker] - far[self.darker], -MOST_LOOK, MOST_LOOK))


def looks(flat: Image, men: Sequence[FoundMan], radius: float) -> Floats:
    """Return how men look (n x 5): the middle values over a square on each man's top, pixels of the canvas.

    First CIELAB, then how much more red and blue there is than green: that stays as it is in a shadow.
    """
    shown = flat.astype(np.float32) / 255
    parts = np.log(shown + FAINT)
    tints = TINTS * np.stack([parts[:, :, 2] - parts[:, :, 1], parts[:, :, 0] - parts[:, :, 1]], axis=2)
    every = np.concatenate([cv2.cvtColor(shown, cv2.COLOR_BGR2LAB), tints], axis=2)
    height, width = every.shape[:2]
    out = np.zeros((len(men), 5))
    for number, man in enumerate(men):
        x, y = man.top
        x0, x1 = int(np.clip(x - radius, 0, width - 2)), int(np.clip(x + radius + 1, 1, width))
        y0, y1 = int(np.clip(y - radius, 0, height - 2)), int(np.clip(y + radius + 1, 1, height))
        piece = every[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)].reshape(-1, 5)
        out[number] = np.median(piece, axis=0)
    return out


def two_sides(men: Sequence[FoundMan], seen: Floats) -> Sides:
    """Return which side each man is of, told by how he looks beside all others on the board.

    ``seen``: as `looks` gives it. Two things are weighed: that the men are of two sides, each with its look, and that
    one side only is there; which one, the net's word for all of them together tells. The net speaks alike of men who
    look alike, so a way that puts men on one side of whom it speaks unlike is the less likely the more of them there
    are: no look of a few overrules that. What may be a stray thing of a colour of its own is no side.
    """
    said = np.clip(np.array([man.darker for man in men]), 1e-3, 1 - 1e-3)
    there = np.array([man.chance for man in men])
    sure = there > SURE_MAN_CHANCE
    if not sure.any():
        return Sides(np.array([1.0]), said[None])
    votes = np.clip(np.log(said / (1 - said)), -MOST_VOTE, MOST_VOTE)
    one_side, found = 1.0, []
    strays = np.zeros(len(men), bool)
    parts = (seen[:, :3], seen[:, 3:]) if sure.sum() > 1 else ()
    parted = [_parted(part[sure], seen[sure, 0], votes[sure], there[sure]) for part in parts]
    least = min((_unlike(votes[sure], groups.both) for groups in parted), default=0.0)
    for part, groups in zip(parts, parted, strict=True):
        gap = abs(groups.light[0] - groups.light[1])
        turn = LIGHTER_BY[0] * gap + LIGHTER_BY[1] * np.clip(_contrast(groups, votes[sure]), -MOST_TURNED, MOST_TURNED)
        upright = float(_chance(np.clip(turn, -MOST_TURN, MOST_TURN)))
        told = np.clip(_chance(groups.darker_by(part) + VOTE * votes), DOUBT, 1 - DOUBT)
        odds = float(np.exp(_odds(groups, votes[sure]) + UNLIKE * least)) / 2
        real = groups.real(there[sure])
        one_side += odds * (1 - real)
        found += [(odds * real * upright, told), (odds * real * (1 - upright), 1 - told)]
        if real < 1:
            strays[np.flatnonzero(sure)[groups.smaller]] = True
    main = sure & ~strays if (sure & ~strays).any() else sure
    alone = float(np.clip(said[main].mean(), UNSURE, 1 - UNSURE))
    own = np.clip(said, UNSURE, 1 - UNSURE)
    ways = [
        (one_side * (1 - alone), np.where(strays, own, DOUBT)),
        (one_side * alone, np.where(strays, own, 1 - DOUBT)),
    ]
    weights = np.array([weight for weight, _ in (*ways, *found)])
    return Sides(weights / weights.sum(), np.stack([darker for _, darker in (*ways, *found)]))


def _chance(logits: npt.ArrayLike) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(logits, np.float64))))


def _contrast(groups: _Groups, votes: Floats) -> float:
    """Return by how much the net's word for the less light group goes more to the darker side, logarithms of odds."""
    light, dark = groups.both if groups.darker == 1 else groups.both[::-1]
    darker = (votes * dark).sum() / (dark.sum() + 0.5)
    lighter = (votes * light).sum() / (light.sum() + 0.5)
    return float(np.clip(darker - lighter, -MOST_CONTRAST - 1, MOST_CONTRAST + 1))


def _odds(groups: _Groups, votes: Floats) -> float:
    """Return how likely two groups are two sides: the logarithm of the odds."""
    contrast = np.clip(_contrast(groups, votes), -MOST_CONTRAST, MOST_CONTRAST)
    looks_so = BOTH[0] + BOTH[1] * np.log1p(groups.apart) + BOTH[2] * contrast + np.log(BOTH_SIDES_ODDS)
    return float(looks_so - UNLIKE * _unlike(votes, groups.both))


def _unlike(votes: Floats, shares: Floats) -> float:
    """Return how unlike the net speaks of men of one group, over all men; ``shares`` of each in each (groups x n)."""
    said = _chance(votes)
    means = (shares * said).sum(axis=1) / np.maximum(shares.sum(axis=1), 1e-6)
    off = np.minimum((said - means[:, None]) ** 2 / (2 * SAID_SPREAD**2), MOST_UNLIKE)
    return float((shares * off).sum())


def _parted(seen: Floats, light: Floats, votes: Floats, there: Floats) -> _Groups:
    """Return the two groups that men fall into by their looks (n x features), as far as the net speaks for them.

    ``light``: how light each is, ``votes``: the net's word, ``there``: the chance that he is a man (n each). Who is of
    a group too small for a side is set aside, and the others are parted as well.
    """
    counts = np.ones(len(seen), bool)
    found: list[_Groups] = []
    while counts.sum() > 1:
        part = seen[counts]
        _, _, axes = np.linalg.svd(part - part.mean(axis=0), full_matrices=False)
        cuts = [_cut(part, axis) for axis in (*axes[:2], np.eye(seen.shape[1])[0])]
        starts = [*cuts, _cut(votes[counts, None], np.ones(1))]
        some = [_grown(seen, light, counts, start) for start in starts]
        found += some
        small = np.any([one.smaller for one in some if one.real(there) < 1] or [~counts], axis=0) & counts
        if not small.any():
            break
        counts = counts & ~small
    return max(found, key=lambda groups: _odds(groups, votes))


def _cut(seen: Floats, axis: Floats) -> Floats:
    """Return which men are beyond the best cut across an axis (n, 0 or 1): both parts differ least within."""
    order = np.argsort(seen @ axis, kind="stable")
    best, beyond = np.inf, np.zeros(len(seen))
    for many in range(1, len(seen)):
        first, second = seen[order[:many]], seen[order[many:]]
        within = float(((first - first.mean(axis=0)) ** 2).sum() + ((second - second.mean(axis=0)) ** 2).sum())
        if within < best:
            best, beyond = within, np.zeros(len(seen))
            beyond[order[many:]] = 1.0
    return beyond


def _grown(seen: Floats, light: Floats, counts: Bools, beyond: Floats) -> _Groups:
    """Return the groups that a first cut settles to (expectation and maximisation, one spread for both).

    ``counts``: who is of either (n), ``beyond``: who of these is beyond the cut.
    """
    shares = np.zeros(len(seen))
    shares[counts] = beyond * 0.98 + 0.01
    for _ in range(ROUNDS):
        weights = np.stack([1 - shares, shares], axis=1) * counts[:, None] + 1e-6
        means = (weights.T @ seen) / weights.sum(axis=0)[:, None]
        inner = sum((weights[:, k : k + 1] * (seen - means[k]) ** 2).sum(axis=0) for k in range(2))
        spread = np.sqrt(inner / weights.sum() + LEAST_SPREAD**2)
        far = [((seen - mean) ** 2 / spread**2).sum(axis=1) / 2 for mean in means]
        shares = 1 / (1 + np.exp(np.clip(far[1] - far[0], -30, 30)))
    both = np.stack([1 - shares, shares]) * counts
    first, second = (float((light * part).sum() / part.sum()) for part in both + 1e-6)
    apart = float(np.linalg.norm((means[0] - means[1]) / spread))
    return _Groups(shares, means, spread, apart, (first, second), ~counts)
