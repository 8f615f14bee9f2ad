"""A tetrahedron's hidden face, inferred from the sides around its apex, and its handedness, learnt from throws.

There are two ways to put four faces on a tetrahedron. One is the mirror image of the other, and no rotation maps them
to each other. List the hidden face, then the three visible ones clockwise as seen from above. All twelve ways to lay
one tetrahedron down are even permutations of each other; those of its mirror image are the odd ones. So if the
handedness is known, two neighbouring sides determine the hidden face.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, lgamma, log
from typing import Final, Literal

import numpy as np

from companion.vision.dice.faces import Chances
from companion.vision.dice.geometry import Points

Hand = Literal["clockwise", "anticlockwise"]
"""The direction of the set's second, third and fourth face around the apex, from above, with the first face hidden."""

VISIBLE_SIDES: Final = 3
TETRAHEDRON_FACES: Final = 4

MISREAD: Final = (1.0, 49.0)
"""How often a surely read throw has a misread side: a beta distribution with these parameters, 1 in 50 at first."""

TWO_DICE: Final = 0.01
"""The prior chance that players throw tetrahedra of both hands in turn."""

SURE_SIDES: Final = 0.99
"""A throw shows the handedness if the joint posterior of its three sides is at least this."""

ANSWER_WEIGHT: Final = 2
"""A throw of which a person said which face is hidden counts for so many: one answer then tells the handedness."""

CONTRADICTED_CHANCE: Final = 0.02
"""A person's word teaches no handedness if the sides leave it a smaller chance: they plainly show something else."""

SAME_PLACE: Final = 0.35
"""A tetrahedron whose middle has moved by no more than this, in its edges, was not thrown again."""


@dataclass(frozen=True)
class Handedness:
    """What is known about one tetrahedron's handedness: the number of throws that showed each hand.

    A single misread side makes a die look like its mirror image, so a few throws may show the wrong hand.
    """

    clockwise: int = 0
    anticlockwise: int = 0

    @property
    def chance(self) -> float:
        """Return the chance that the tetrahedron on the table has the clockwise hand."""
        one, other, both = self._posterior()
        share = (self.clockwise + 1) / (self.clockwise + self.anticlockwise + 2)
        return one + both * share if one + other + both > 0 else 0.5

    def after(self, hand: Hand, times: int = 1) -> "Handedness":
        """Return the handedness after one more throw (or, with ``times`` -1, after removing one)."""
        if hand == "clockwise":
            return Handedness(max(0, self.clockwise + times), self.anticlockwise)
        return Handedness(self.clockwise, max(0, self.anticlockwise + times))

    def _posterior(self) -> tuple[float, float, float]:
        """Return the chances of the clockwise hand, of the other hand, and of dice of both hands in turn."""
        wrong, right = MISREAD
        hits, misses = self.clockwise, self.anticlockwise
        logs = (
            log((1 - TWO_DICE) / 2) + _log_beta(wrong + misses, right + hits) - _log_beta(wrong, right),
            log((1 - TWO_DICE) / 2) + _log_beta(wrong + hits, right + misses) - _log_beta(wrong, right),
            log(TWO_DICE) + _log_beta(1.0 + hits, 1.0 + misses),
        )
        weights = [exp(value - max(logs)) for value in logs]
        one, other, both = (weight / sum(weights) for weight in weights)
        return one, other, both


class HandednessLearner:
    """Learns a tetrahedron's handedness while the reader reads throws. Only for the reader's thread.

    All frames of one throw count once: while the die lies in its place, it was not thrown again. If the frames
    contradict each other, the throw does not count.
    """

    def __init__(self, handedness: Handedness | None = None) -> None:
        self.handedness = handedness or Handedness()
        self._place: tuple[float, float] | None = None
        self._hand: Hand | None = None
        self._spoilt = False

    def see(self, sides: Sequence[Chances | None], base: Points, doubt: float = 0.0) -> None:
        """Learn from one frame.

        ``sides`` and ``doubt``: see `decode_hidden`; ``base``: the corners of the tetrahedron's base, shape (3, 2),
        pixels.
        """
        hand = hand_seen(sides, doubt)
        if hand is None:
            return
        if not self._lies(base):
            x, y = (float(value) for value in base.mean(axis=0))
            self._place, self._hand, self._spoilt = (x, y), hand, False
            self.handedness = self.handedness.after(hand)
        elif hand != self._hand and not self._spoilt:
            self._take_back()

    def answered(self, sides: Sequence[Chances | None], base: Points, doubt: float, hidden: int) -> None:
        """Learn from a frame of which a person said which face is hidden (0 to 3); it counts `ANSWER_WEIGHT` times.

        The other arguments are those of `see`. What the frames of the last throw showed by themselves counts no longer.
        """
        if self._lies(base) and not self._spoilt:
            self._take_back()
        hand = hand_seen(sides, doubt, hidden)
        if hand is not None:
            self.handedness = self.handedness.after(hand, ANSWER_WEIGHT)

    def _take_back(self) -> None:
        """Let the last throw count no longer, whatever further frames of it show."""
        assert self._hand is not None
        self._spoilt = True
        self.handedness = self.handedness.after(self._hand, -1)

    def _lies(self, base: Points) -> bool:
        """Whether the die lies where it lay in the last throw that showed its hand."""
        reach = SAME_PLACE * float(np.linalg.norm(base - np.roll(base, 1, axis=0), axis=1).mean())
        return self._place is not None and float(np.linalg.norm(base.mean(axis=0) - self._place)) <= reach


def hand_of(hidden: int, clockwise: Sequence[int]) -> Hand:
    """Return the hand of a tetrahedron that hides one face and shows the others in this order, clockwise from above.

    The faces have the numbers 0 to 3 in the order of their set; the three may begin anywhere.

    Raises:
        ValueError: the numbers are not those of the four faces.
    """
    order = (hidden, *clockwise)
    if sorted(order) != list(range(TETRAHEDRON_FACES)):
        raise ValueError(f"Expected the four faces 0 to 3, but got {hidden} hidden and {tuple(clockwise)} around.")
    swaps = sum(order[i] > order[j] for i in range(TETRAHEDRON_FACES) for j in range(i + 1, TETRAHEDRON_FACES))
    return "clockwise" if swaps % 2 == 0 else "anticlockwise"


HANDS: Final = {order: hand_of(order[0], order[1:]) for order in permutations(range(TETRAHEDRON_FACES))}
"""The hand of a tetrahedron for each way to lie: the number of the hidden face, then those around it clockwise."""


def hand_seen(sides: Sequence[Chances | None], doubt: float = 0.0, hidden: int | None = None) -> Hand | None:
    """Return the hand that three sides show, or None where one of them is unseen or unsure.

    It ignores what is already known about the hand; otherwise the evidence would confirm itself. ``doubt``: see
    `decode_hidden`; ``hidden``: the hidden face, 0 to 3, where a person said it: then two sides are enough.
    """
    seen = sum(side is not None for side in sides)
    if len(sides) != VISIBLE_SIDES or seen < VISIBLE_SIDES - (hidden is not None):
        return None
    all_ways = _ways(sides)
    ways = {order: value for order, value in all_ways.items() if hidden in {None, order[0]}}
    if sum(ways.values()) < CONTRADICTED_CHANCE * sum(all_ways.values()):
        return None
    best = max(ways, key=lambda order: ways[order])
    every = sum(ways.values()) * (1 - doubt) + len(ways) * doubt * _anything(sides)
    if ways[best] * (1 - doubt) < SURE_SIDES * every:
        return None
    return hand_of(best[0], best[1:])


def decode_hidden(
    sides: Sequence[Chances | None] | Chances,
    texts: Sequence[str],
    handedness: Handedness | None = None,
    doubt: float = 0.0,
) -> tuple[tuple[str, float], ...]:
    """Return the posterior of a tetrahedron's hidden text, likeliest first.

    ``sides``: the likelihoods of ``texts`` (shape (4,), up to any factor) for each of the three sides around the apex,
    clockwise as seen from above; None for an unseen side. The visible sides all differ, and the hidden side differs
    from them. ``handedness``: what is known about this die's hand. Without it both hands are equally likely, and the
    order of the sides carries no information: the caller may then pass fewer than three sides, the visible ones.
    ``doubt``: the prior chance that the sides were cut out wrongly, so that each may look like anything. Sides that
    cannot belong to one tetrahedron, for example two with the same marks, make that likelier.

    Raises:
        ValueError: more than three sides, or fewer together with a handedness.
    """
    if len(sides) > VISIBLE_SIDES:
        raise ValueError(f"Expected at most 3 visible sides, but {len(sides)} were given.")
    if handedness is not None and len(sides) < VISIBLE_SIDES:
        raise ValueError(f"Expected three sides in their order, None for an unseen one, but {len(sides)} were given.")
    hidden = np.zeros(len(texts))
    for order, value in ways_around([*sides, *[None] * (VISIBLE_SIDES - len(sides))], handedness).items():
        hidden[order[0]] += value
    # each hand has twelve ways
    hidden = hidden / 12 * (1 - doubt) + doubt * _anything(sides) / len(texts)
    hidden = hidden / hidden.sum() if hidden.sum() > 0 else np.full(len(texts), 1 / len(texts))
    return tuple(sorted(zip(texts, map(float, hidden), strict=True), key=lambda pair: -pair[1]))


def ways_around(sides: Sequence[Chances | None], handedness: Handedness | None = None) -> dict[tuple[int, ...], float]:
    """Return the likelihood of each way to lie: the number of the hidden face, then those around it clockwise.

    ``sides``, ``handedness``: see `decode_hidden`; three sides.
    """
    chance = 0.5 if handedness is None else handedness.chance
    return {
        order: value * (chance if HANDS[order] == "clockwise" else 1 - chance) for order, value in _ways(sides).items()
    }


def _ways(sides: Sequence[Chances | None]) -> dict[tuple[int, ...], float]:
    """Return the likelihood of what the sides show for each way to lie: the hidden face, then the others clockwise."""
    one, two, three = ([1.0] * TETRAHEDRON_FACES if side is None else side.tolist() for side in sides)
    return {order: one[order[1]] * two[order[2]] * three[order[3]] for order in HANDS}


def _anything(sides: Sequence[Chances | None] | Chances) -> float:
    """Return the likelihood of what the sides show if each may show any text, independently of the others."""
    return float(np.prod([1.0 if side is None else side.mean() for side in sides]))


def _log_beta(one: float, other: float) -> float:
    return lgamma(one) + lgamma(other) - lgamma(one + other)
