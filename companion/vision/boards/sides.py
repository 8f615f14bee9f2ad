"""Decide which side each man is of: men of one side look alike, so all men of a board are compared together."""

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
"""Men less likely than this are no evidence of how their side looks: they may be shadows, darker than any side."""

SPREAD_ROUNDS: Final = 12

LEAST_SPREAD: Final = 3.5
"""The least spread in lightness and colour among men of one side (CIELAB, 100 steps of lightness)."""

FAINT: Final = 0.02
"""The least light that differs from none, as a fraction of white."""

_LOGS: Final = np.log(np.arange(256, dtype=np.float32) / 255 + np.float32(FAINT))

TINT_STEPS: Final = 75.0
"""Steps of a tint for e times as much of one colour as of green. With this scale, tints count like CIELAB."""

TAIL_FREEDOM: Final = 4.0
"""A man who looks unlike his side, because of a shadow or a glint, counts less than in a normal distribution. The
smaller this is, the less he counts."""

BOTH_SIDES_ODDS: Final = 40.0
"""The prior odds that men of both sides are on the board, not of one alone: a side is rarely gone, and hardly ever
where many men are left. With this and `MOST_UNLIKE`, 240 drawn boards have 1,411 of 1,464 occupied sites read instead
of 1,382 at the same share of wrong ones; that chose both, and 140 other boards agree (492 of 549 instead of 476)."""

BOTH: Final = (-9.94, 4.73, 1.03)
"""Coefficients of the log odds that two groups are two sides: a constant, the weight of the logarithm of their
distance, and the weight of the net's output for them. A logistic fit to drawn boards, whole and with one side taken
away."""

LIGHTER_BY: Final = (0.35, 1.0)
"""The weights of a step of lightness, and of the net's output for the groups, in the log odds of which group is the
darker side (fitted as above)."""

NET_WEIGHT: Final = 0.6
"""The weight of the net's output for one man, beside how he looks."""

NET_SPREAD: Final = 0.25
"""About how much the net's outputs for men of one side differ."""

MOST_UNLIKE: Final = 2.0
"""The most that one man counts for whom the net's output is quite unlike that for the others of his side."""

UNLIKE_WEIGHT: Final = 0.3
"""The weight of such differences, summed over all men without a limit: groups of a few cannot outweigh it."""

LEAST_SIDE: Final = 2.5
"""A group whose shares sum to less than this may be stray things, such as dice on the board: it is hardly a side."""

REAL: Final = (-6.0, 2.5)
"""Coefficients of the log odds that one man of a small group is a man and not a stray thing: a constant, and what each
further nine in the net's chance for him adds. Of a hundred dice and coins on drawn boards that were taken for men, the
net is sure of 12 at 0.999; of a hundred men, of 55."""

MOST_VOTE: Final = 6.0
MOST_CONTRAST: Final = 3.0
MOST_TURNED: Final = 3.0
MOST_TURN: Final = 10.0
MOST_APPEARANCE: Final = 12.0
"""Limits to which log odds are clipped."""

CLEAR_SIDE_DOUBT: Final = 0.001
"""The doubt that remains about a man whose looks clearly show his side."""

LEAST_WAY: Final = 1e-4
"""The least chance of any way to spread the sides, before the men's kinds are weighed in."""

LONE_SIDE_DOUBT: Final = 0.1
"""The doubt that remains where only one side may be on the board: then the net's output alone decides which."""

SHADED_LIGHT: Final = 0.45
LEAST_GAP: Final = 6.0
OTHER_TINT: Final = 6.0
"""Two groups may be men in the light and men in the shade if they differ in lightness, by more than so many steps, and
less than this part of it is left beside the ground around each man; unless their tints lie farther apart than so many
spreads. On the 203 drawn boards that chose this, 13 sites were read wrongly without it and 3 with it, and it asks about
18 of 1,120 that were read rightly. On 120 others, 2 were read wrongly with and without it, and it asks about 11 of
747."""

SHADED_DOUBT: Final = 0.1
"""The doubt that remains about each man's side then."""


@dataclass(frozen=True, eq=False)
class Sides:
    """The side of each of n men, under each way to spread the sides.

    The ways: all men are of the lighter side; all are of the darker; or both sides are there, parted by lightness and
    colour or by tint alone, and the group that looks darker is the darker side or the lighter one. ``chances``: of each
    way (6, or fewer with few men). ``darker``: the chance of each man under each way to be of the darker side (6 x n).
    """

    chances: Floats
    darker: Floats

    def mixed(self) -> Floats:
        """Return the chance of each man to be of the darker side (n)."""
        return np.asarray(self.chances @ self.darker)

    def weighed(self, darker: Floats, counts: Floats) -> tuple["Sides", float]:
        """Return the sides with further evidence about each man weighed in, and how well both agree.

        ``darker``: the chance, by that evidence alone, that he is of the darker side; ``counts``: its weight (n each).
        How well they agree is a logarithm.
        """
        agree = self.darker * darker + (1 - self.darker) * (1 - darker)
        logs = np.log(self.chances + LEAST_WAY) + (np.log(np.maximum(agree, 1e-6)) * counts).sum(axis=1)
        chances = np.exp(logs - logs.max())
        return Sides(chances / chances.sum(), self.darker), float(logs.max() + np.log(chances.sum()))

    def of(self, men: Sequence[int]) -> "Sides":
        """Return the sides of some of the men, by their indices."""
        return Sides(self.chances, self.darker[:, list(men)])


@dataclass(frozen=True, eq=False)
class _Groups:
    """Two groups of men.

    ``shares``: each man's share in the second group; ``means``: of the groups (2 x features); ``spread``: the same for
    both; ``separation``: the distance of the means in spreads; ``light``: how light each is; ``aside``: the men who
    are in neither group, although their share shows which one is nearer.
    """

    shares: Floats
    means: Floats
    spread: Floats
    separation: float
    light: tuple[float, float]
    aside: Bools

    @property
    def both(self) -> Floats:
        """Each man's share in each group (2 x n), 0 for those set aside."""
        return np.stack([1 - self.shares, self.shares]) * ~self.aside

    @property
    def smaller(self) -> Bools:
        """Which men are of the smaller group."""
        few, many = sorted(self.both, key=lambda shares: float(shares.sum()))
        return np.asarray(few > many)

    def real(self, there: Floats) -> float:
        """Return the chance that the smaller group are men: 1 unless it is so small that it may be stray things.

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

    def left(self, beside: Floats) -> float:
        """Return how much lighter the lighter group is beside the ground; ``beside``: of each man (n)."""
        lighter, darker = ((beside * shares).sum() / (shares.sum() + 1e-6) for shares in self._by_lightness)
        return float(lighter - darker)

    @property
    def _by_lightness(self) -> Floats:
        return self.both[::-1] if self.darker == 0 else self.both

    def darker_by(self, seen: Floats) -> Floats:
        """Return the log odds that each man, by his looks, is of the darker group."""
        far = [
            TAIL_FREEDOM * np.log1p(((seen - mean) ** 2 / self.spread**2).sum(axis=1) / 2 / TAIL_FREEDOM)
            for mean in self.means
        ]
        return np.asarray(np.clip(far[1 - self.darker] - far[self.darker], -MOST_APPEARANCE, MOST_APPEARANCE))


def appearance_of(flat: Image, men: Sequence[FoundMan], radius: float) -> Floats:
    """Return how men look (n x 5): medians over a square on each man's top, ``radius`` in pixels of the canvas.

    First CIELAB, then how much more red and blue there is than green: a shadow does not change that.
    """
    height, width = flat.shape[:2]
    tops = np.array([man.top for man in men]).reshape(-1, 2)
    size = round(2 * radius + 1)
    x, y = (
        np.clip((tops[:, axis] - radius).astype(int)[:, None] + np.arange(size), 0, length - 1)
        for axis, length in ((0, width), (1, height))
    )
    pieces = flat[y[:, :, None], x[:, None, :]].reshape(len(men), size**2, 3)
    parts = _LOGS[pieces]
    tints = TINT_STEPS * np.stack([parts[:, :, 2] - parts[:, :, 1], parts[:, :, 0] - parts[:, :, 1]], axis=2)
    lab = cv2.cvtColor(pieces.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) if men else parts
    return np.asarray(np.median(np.concatenate([lab, tints], axis=2), axis=1), np.float64)


def two_sides(men: Sequence[FoundMan], seen: Floats, beside: Floats | None = None) -> Sides:
    """Return which side each man is of, judged by how he looks beside all others on the board.

    ``seen``: from `appearance_of`. ``beside``: from `shade.beside_ground`, where groups may differ by a shadow alone.

    Two cases are weighed: men of two sides are there, each side with its look; or men of one side only. In the second
    case the net's output for all men together decides which side it is. The net's outputs are alike for men who look
    alike. So a way that puts men with unlike outputs on one side is less likely the more of them there are; the views
    of a few do not overrule that. What may be a stray thing of a colour of its own is no side.
    """
    by_net = np.clip(np.array([man.darker for man in men]), 1e-3, 1 - 1e-3)
    there = np.array([man.chance for man in men])
    sure = there > SURE_MAN_CHANCE
    if not sure.any():
        return Sides(np.array([1.0]), by_net[None])
    votes = np.clip(np.log(by_net / (1 - by_net)), -MOST_VOTE, MOST_VOTE)
    one_side, found = 1.0, []
    strays = np.zeros(len(men), bool)
    parts = (seen[:, :3], seen[:, 3:]) if sure.sum() > 1 else ()
    parted = [_parted(part[sure], seen[sure, 0], votes[sure], there[sure]) for part in parts]
    least = min((_unlike(votes[sure], groups.both) for groups in parted), default=0.0)
    for part, groups in zip(parts, parted, strict=True):
        gap = abs(groups.light[0] - groups.light[1])
        turn = LIGHTER_BY[0] * gap + LIGHTER_BY[1] * np.clip(_contrast(groups, votes[sure]), -MOST_TURNED, MOST_TURNED)
        upright = float(_chance(np.clip(turn, -MOST_TURN, MOST_TURN)))
        may_be_shade = gap > LEAST_GAP and parted[-1].separation < OTHER_TINT
        shady = beside is not None and may_be_shade and groups.left(beside[sure]) < SHADED_LIGHT * gap
        doubt = SHADED_DOUBT if shady else CLEAR_SIDE_DOUBT
        darker_chance = np.clip(_chance(groups.darker_by(part) + NET_WEIGHT * votes), doubt, 1 - doubt)
        odds = float(np.exp(_odds(groups, votes[sure]) + UNLIKE_WEIGHT * least)) / 2
        real = groups.real(there[sure])
        one_side += odds * (1 - real)
        found += [(odds * real * upright, darker_chance), (odds * real * (1 - upright), 1 - darker_chance)]
        if real < 1:
            strays[np.flatnonzero(sure)[groups.smaller]] = True
    main = sure & ~strays if (sure & ~strays).any() else sure
    alone = float(np.clip(by_net[main].mean(), LONE_SIDE_DOUBT, 1 - LONE_SIDE_DOUBT))
    own = np.clip(by_net, LONE_SIDE_DOUBT, 1 - LONE_SIDE_DOUBT)
    ways = [
        (one_side * (1 - alone), np.where(strays, own, CLEAR_SIDE_DOUBT)),
        (one_side * alone, np.where(strays, own, 1 - CLEAR_SIDE_DOUBT)),
    ]
    weights = np.array([weight for weight, _ in (*ways, *found)])
    return Sides(weights / weights.sum(), np.stack([darker for _, darker in (*ways, *found)]))


def _chance(logits: npt.ArrayLike) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(logits, np.float64))))


def _contrast(groups: _Groups, votes: Floats) -> float:
    """Return how much more the net takes the less light group for the darker side than the other group, in log odds."""
    light, dark = groups.both if groups.darker == 1 else groups.both[::-1]
    darker = (votes * dark).sum() / (dark.sum() + 0.5)
    lighter = (votes * light).sum() / (light.sum() + 0.5)
    return float(np.clip(darker - lighter, -MOST_CONTRAST - 1, MOST_CONTRAST + 1))


def _odds(groups: _Groups, votes: Floats) -> float:
    """Return the log odds that two groups are two sides."""
    contrast = np.clip(_contrast(groups, votes), -MOST_CONTRAST, MOST_CONTRAST)
    both_odds = BOTH[0] + BOTH[1] * np.log1p(groups.separation) + BOTH[2] * contrast + np.log(BOTH_SIDES_ODDS)
    return float(both_odds - UNLIKE_WEIGHT * _unlike(votes, groups.both))


def _unlike(votes: Floats, shares: Floats) -> float:
    """Return how much the net's outputs differ within the groups, summed over all men.

    ``shares``: of each man in each group (groups x n).
    """
    by_net = _chance(votes)
    means = (shares * by_net).sum(axis=1) / np.maximum(shares.sum(axis=1), 1e-6)
    off = np.minimum((by_net - means[:, None]) ** 2 / (2 * NET_SPREAD**2), MOST_UNLIKE)
    return float((shares * off).sum())


def _parted(seen: Floats, light: Floats, votes: Floats, there: Floats) -> _Groups:
    """Return the two groups that are likeliest two sides, by the men's looks and the net's output.

    ``seen``: how the men look (n x features); ``light``: how light each is; ``votes``: the net's log odds; ``there``:
    the chance that he is a man (n each). Men of a group too small for a side are set aside, and the others are grouped
    again.
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
    """Return which men lie beyond the best cut across an axis (n, 0 or 1): it leaves the least spread in both parts."""
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
    """Return the groups to which a first cut converges (expectation-maximisation, one spread for both).

    ``counts``: which men take part (n); ``beyond``: which of these lie beyond the cut.
    """
    shares = np.zeros(len(seen))
    shares[counts] = beyond * 0.98 + 0.01
    for _ in range(SPREAD_ROUNDS):
        weights = np.stack([1 - shares, shares], axis=1) * counts[:, None] + 1e-6
        means = (weights.T @ seen) / weights.sum(axis=0)[:, None]
        inner = sum((weights[:, k : k + 1] * (seen - means[k]) ** 2).sum(axis=0) for k in range(2))
        spread = np.sqrt(inner / weights.sum() + LEAST_SPREAD**2)
        far = [((seen - mean) ** 2 / spread**2).sum(axis=1) / 2 for mean in means]
        shares = 1 / (1 + np.exp(np.clip(far[1] - far[0], -30, 30)))
    both = np.stack([1 - shares, shares]) * counts
    first, second = (float((light * part).sum() / part.sum()) for part in both + 1e-6)
    distances = float(np.linalg.norm((means[0] - means[1]) / spread))
    return _Groups(shares, means, spread, distances, (first, second), ~counts)
