"""The balance between the general reader and the table's exemplars: how much each has to say at this table.

Both look at the same pixels, but ask different questions: which marks are these, and which known face is this? In
letters that the general reader knows, it says most; in odd ones the exemplars do. Each face whose text becomes known
shows which balance would have served best. The usual balance comes from drawn sittings that measure nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import NET_SLIP_SHARE
from companion.vision.dice.memory.exemplars import NOTHING, Likeness
from companion.vision.dice.memory.scores import Numbers, Scores

SLOPES: Final = (5.0, 6.5, 8.0, 10.0, 13.0)
"""What a likeness counts, as natural logarithm per unit of its Fisher transformation."""

MIDDLES: Final = (0.62, 0.71, 0.78, 0.85)
"""The likeness that speaks neither for nor against a text."""

TRUSTS: Final = (0.08, 0.2, 0.4, 0.7, 1.0, 1.3)
"""The power to which the general reader's chances are raised."""

SHARES: Final = (0.0, 0.5, 1.0)
"""How much reliefs count: at 1, likeness of the nets counts `NETS_WEIGHT` less, and likeness of the reliefs counts
`RELIEF_WEIGHT`. In letters carved without colour reliefs change with the light; on small ones they tell most."""

NETS_WEIGHT: Final = 0.37
RELIEF_WEIGHT: Final = 0.76
"""Fitted together on 2,393 faces of 16 developing hands: by both, 31 would be asked about, by the nets alone 40."""

RELIEF_OFFSET: Final = 0.4
"""What is added to the likeness of reliefs (Fisher): reliefs of one face are less alike than what the nets make of it.
Of 0, 0.25 and 0.4, this left the fewest questions in the first thirty throws of those hands."""

USUAL: Final = (8.0, 0.71, 1.0, 1.0)
SPREADS: Final = (0.3, 0.15, 0.7, 0.7)
"""The usual balance, and how far tables differ from it: the logarithm of the slope, the middle (Fisher), the logarithm
of the trust, the share of the reliefs."""

PRIOR_WEIGHT: Final = 0.3
"""How much the usual balance counts against what a table shows."""

FOR: Final = (0.0, 4.0, 9.0, 14.0, 18.0)
"""The most that exemplars may say for a text, by their number: one alone may have been named wrongly."""

MOST_AGAINST: Final = -3.0
"""The most that unlike exemplars may say against a text: they may not show all its views yet."""

EQUAL_LIKENESS: Final = 0.995
"""Likenesses above this are equal."""

BLANK_FACE_CHANCE: Final = 0.5
"""How often a face that the general reader cannot read is a face of the set."""

MOST_SURPRISE: Final = -8.0
"""The most that one face may count against a balance, as log likelihood: its text may have been named wrongly."""

UNKNOWN: Final = Likeness(nets=0.0)
"""The likeness of a bag without exemplars."""

_GRID: Final = np.array(
    [
        (slope, np.arctanh(middle), trust, share)
        for slope, middle, trust, share in product(SLOPES, MIDDLES, TRUSTS, SHARES)
    ]
)

BALANCES: Final = len(_GRID)
"""How many balances are weighed."""


@dataclass(frozen=True, eq=False)
class FaceEvidence:
    """What both say of one face, for each of the set's bags of marks, and last for "it cannot be read".

    ``general``: log chances; ``alike``: Fisher transformed likeness to the nearest exemplar; ``number``: of exemplars;
    ``relief``: as ``alike``, by the reliefs; None where they were not compared.
    """

    general: Numbers
    alike: Numbers
    number: npt.NDArray[np.int64]
    relief: Numbers | None = None


def evidence(
    general: Numbers, unreadable: float, likeness: Mapping[str, Likeness], bags: Sequence[str]
) -> FaceEvidence:
    """Return the evidence about one face.

    ``general``: the general reader's chances of ``bags``, which with ``unreadable`` sum to 1. ``likeness``: see
    `Exemplars.likeness`; of a find that is no die, for `NOTHING`.
    """
    chances = general + BLANK_FACE_CHANCE * unreadable / len(bags)
    known = [likeness.get(bag, UNKNOWN) for bag in (*bags, NOTHING)]
    compared = any(one.relief is not None for one in known)
    return FaceEvidence(
        np.log(
            np.append(
                (1 - NET_SLIP_SHARE) * chances + NET_SLIP_SHARE / len(bags), (1 - BLANK_FACE_CHANCE) * unreadable + 1e-9
            )
        ),
        _fisher([one.nets for one in known]),
        np.array([one.number for one in known]),
        _fisher([one.relief or 0.0 for one in known]) if compared else None,
    )


class Balance:
    """The balance at one table.

    Args:
        scores: the log likelihood of each balance so far, as the attribute of this name holds it.

    Raises:
        ValueError: there are more or fewer scores than balances.
    """

    def __init__(self, scores: Scores | None = None) -> None:
        usual = (np.log(USUAL[0]), np.arctanh(USUAL[1]), np.log(USUAL[2]), USUAL[3])
        there = np.column_stack([np.log(_GRID[:, 0]), _GRID[:, 1], np.log(_GRID[:, 2]), _GRID[:, 3]])
        self._prior: Numbers = -PRIOR_WEIGHT / 2 * (((there - usual) / SPREADS) ** 2).sum(axis=1)
        self.scores = Scores(np.zeros(BALANCES)) if scores is None else scores
        if self.scores.whole.shape != self._prior.shape:
            raise ValueError(f"Expected {BALANCES} scores of a balance, but got {self.scores.whole.shape}.")

    def weigh(self, seen: FaceEvidence) -> tuple[Numbers, Numbers]:
        """Return the posterior of each bag (last: it cannot be read), and what the exemplars say for it.

        The second are log likelihood ratios, 0 where there is no exemplar.
        """
        best = _GRID[[int((self._prior + self.scores.whole).argmax())]]
        trusted = _trusted(best, seen)[0]
        return np.exp(_logs(best, seen)[0]), trusted

    def learn(self, seen: FaceEvidence, truth: int, source: str) -> None:
        """Note that a face of a throw shows the bag number ``truth``; nothing where there is no exemplar.

        A face of which there is no exemplar tells how alike different faces look.
        """
        if seen.number.any():
            self.scores.add(np.maximum(_logs(_GRID, seen)[:, truth], MOST_SURPRISE), source)


def _fisher(alike: Sequence[float]) -> Numbers:
    return np.asarray(np.arctanh(np.clip(alike, 0.0, EQUAL_LIKENESS)), np.float64)


def _trusted(grid: Numbers, seen: FaceEvidence) -> Numbers:
    most = np.array(FOR)[np.minimum(seen.number, len(FOR) - 1)]
    beyond = seen.alike[None] - grid[:, 1:2]
    if seen.relief is not None:
        share = grid[:, 3:]
        beyond = (1 - NETS_WEIGHT * share) * beyond + RELIEF_WEIGHT * share * (
            seen.relief[None] + RELIEF_OFFSET - grid[:, 1:2]
        )
    beyond = grid[:, :1] * beyond
    return np.where(seen.number > 0, np.clip(beyond, MOST_AGAINST, most), 0.0)


def _logs(grid: Numbers, seen: FaceEvidence) -> Numbers:
    logs = grid[:, 2:3] * seen.general[None] + _trusted(grid, seen)
    likely: Numbers = logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)
    return likely
