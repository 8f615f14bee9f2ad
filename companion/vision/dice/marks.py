"""The mark net's output for a flat face: which rotation is upright, and how often each mark stands on it.

A set of dice may bear any marks. What the nets know of them stands here; the others are learnt from persons.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.rules.die import PIP, UNDERLINE

Chances = npt.NDArray[np.float64]

SINGLE: Final = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ", *"0123456789", "+", UNDERLINE)
"""The marks that the net counts one by one, in the order of its outputs; ``_`` is the line under a 6 or 9."""

MOST_COUNTED: Final = 3
"""The net does not distinguish this count of one mark from higher counts."""

MOST_PIPS: Final = 6
"""Faces with more pips cannot be read."""

UPRIGHT_OUTPUT: Final = 0
READABLE_OUTPUT: Final = 1
_PIPS: Final = slice(2, 2 + MOST_PIPS + 1)
_SINGLE: Final = slice(_PIPS.stop, _PIPS.stop + len(SINGLE) * (MOST_COUNTED + 1))
OUTPUTS: Final = _SINGLE.stop
"""The number of logits: this rotation is upright, the face is readable, 0 to 6 pips, 0 to 3 of each single mark."""

ALIKE_MARKS: Final = (("I", "1"), ("O", "0"))
"""Marks that look the same in many handwritings. Nobody can distinguish two faces that differ only in these."""

FOREIGN_FACE_CHANCE: Final = 0.002
"""How likely a face outside the set is, relative to one face of the set. Its likelihood is that of the best marks."""


UNKNOWN_CHANCE: Final = 0.02
"""How likely a face of the set whose marks no net knows is, relative to one that the net knows. Its likelihood is that
of the best marks: a net takes a mark that it was not taught for any that it knows."""

UNKNOWN_SHARE: Final = 0.9
"""How often a face that the net cannot read is one of the set whose marks no net knows, where there is one."""


def spelled(marks: Sequence[str]) -> tuple[str, ...]:
    """Return marks as the nets were taught them: a number in its digits, a small letter as the capital."""
    digits = [part for mark in marks for part in (mark if mark.isascii() and mark.isdigit() else (mark,))]
    return tuple(mark.upper() if mark.upper() in SINGLE else mark for mark in digits)


def known(marks: Sequence[str]) -> bool:
    """Return whether the nets know all marks of a face; they count no more than `MOST_PIPS` pips."""
    return {PIP, *SINGLE}.issuperset(spelled(marks)) and list(marks).count(PIP) <= MOST_PIPS


def counts(marks: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return how often each mark that the nets know stands on a face: pips, then `SINGLE` up to `MOST_COUNTED`."""
    there = spelled(marks)
    return np.array([there.count(PIP), *(min(MOST_COUNTED, there.count(mark)) for mark in SINGLE)], np.int64)


@dataclass(frozen=True, eq=False)
class Bags:
    """The faces of a set as bags of marks. ``pips``: (faces,), ``singles``: (faces, marks), each a count.

    ``unknown``: (faces,), 0 where the nets know all marks of a face, else a number of its bag, from 1.
    """

    pips: npt.NDArray[np.int64]
    singles: npt.NDArray[np.int64]
    unknown: npt.NDArray[np.int64]

    @classmethod
    def of(cls, faces: Sequence[Sequence[str]]) -> "Bags":
        """Return the bags of faces given by their marks."""
        strange = sorted({tuple(sorted(marks)) for marks in faces if not known(marks)})
        unknown = [0 if known(marks) else 1 + strange.index(tuple(sorted(marks))) for marks in faces]
        table = np.array([counts(marks) for marks in faces], np.int64).reshape(len(faces), 1 + len(SINGLE))
        return cls(table[:, 0], table[:, 1:], np.array(unknown, np.int64))

    def among(self, places: Sequence[int]) -> "Bags":
        """Return the bags of some of the faces."""
        chosen = list(places)
        return Bags(self.pips[chosen], self.singles[chosen], self.unknown[chosen])

    @cached_property
    def alike(self) -> npt.NDArray[np.int64]:
        """The number of each face's bag: faces with the same marks, in any order, share one number."""
        _, number = np.unique(np.column_stack([self.pips, self.singles, self.unknown]), axis=0, return_inverse=True)
        return number.ravel()

    def likeliest(self, chances: Chances, *, unlearnt: bool) -> float:
        """Return the chance of the likeliest bag, given those of the faces, (faces,).

        ``unlearnt``: nobody can tell the faces that no net knows from one another yet: all of them count as one.
        """
        bags = float(np.bincount(self.alike, chances).max(initial=0.0))
        return max(bags, float(chances[self.unknown > 0].sum())) if unlearnt else bags

    @cached_property
    def lookalikes(self) -> tuple[npt.NDArray[np.int64], ...]:
        """The indices of faces that differ only in `ALIKE_MARKS`, group by group."""
        merged = self.singles.copy()
        for kept, other in ((SINGLE.index(one), SINGLE.index(two)) for one, two in ALIKE_MARKS):
            merged[:, kept] += merged[:, other]
            merged[:, other] = 0
        rows = np.column_stack([self.pips, merged, self.unknown])
        _, group = np.unique(rows, axis=0, return_inverse=True)
        groups = [np.flatnonzero(group.ravel() == number) for number in range(int(group.max(initial=-1)) + 1)]
        return tuple(places for places in groups if len(np.unique(self.singles[places], axis=0)) > 1)


@dataclass(frozen=True)
class Witness:
    """The evidence of one face's marks before the posterior caps it, as natural logarithms.

    ``odds``: the likeliest face of the set against all other faces of the set. Faces with the same marks count as one.
    ``beside``: how much likelier a combination of marks that the set does not have is than that face; 0 if the marks
    are those of one of the set's faces. ``readable``: the odds that the face is readable.
    """

    odds: float
    beside: float
    readable: float


MOST_ODDS: Final = 30.0
"""The largest odds that the reader distinguishes, as a natural logarithm."""

MOST_UNLIKE: Final = 1e6
"""What a witness says against a face that no net knows, as a natural logarithm: it is no witness of it."""


@dataclass(frozen=True, eq=False)
class Opinion:
    """The net's output for one face in each of its n rotations, as logarithms of chances.

    ``upright``: (n,), the chances of the rotations, of which exactly one is upright; ``readable``: (n,);
    ``pips``: (n, 7); ``singles``: (n, marks, 4).
    """

    upright: Chances
    readable: Chances
    pips: Chances
    singles: Chances

    @classmethod
    def of(cls, logits: npt.NDArray[np.floating], temperature: float) -> "Opinion":
        """Return the opinion for the net's outputs, shape (rotations, `OUTPUTS`)."""
        cool = np.asarray(logits, np.float64) / temperature
        singles = cool[:, _SINGLE].reshape(len(cool), len(SINGLE), MOST_COUNTED + 1)
        return cls(
            _log_softmax(cool[:, UPRIGHT_OUTPUT], 0),
            -np.logaddexp(0, -cool[:, READABLE_OUTPUT]),
            _log_softmax(cool[:, _PIPS], 1),
            _log_softmax(singles, 2),
        )

    def chances(self, bags: Bags) -> tuple[Chances, float]:
        """Return the posterior over faces and the chance that none of them can be read; together they sum to 1."""
        faces, anything = self.weights(bags)
        every = np.column_stack([faces, anything + np.log(FOREIGN_FACE_CHANCE)])
        top = every.max()
        likely = np.exp(every - top).sum(axis=0)
        likely /= likely.sum()
        for places in bags.lookalikes:
            likely[places] = likely[places].mean()
        readable = float(np.exp(self.upright + self.readable).sum())
        read: Chances = likely[:-1] * readable
        strange = bags.unknown > 0
        if strange.any():
            read[strange] += UNKNOWN_SHARE * (1.0 - read.sum()) / strange.sum()
        return read, 1.0 - float(read.sum())

    def witness(self, bags: Bags, shown: int | None = None) -> Witness:
        """Return how clearly one of these faces stands out from the others, and from marks outside the set.

        ``shown``: the index of this face; by default the likeliest. Only another one has negative odds.
        Faces that no net knows are not compared: where there are any, this witness alone reads nothing.
        """
        faces, anything = self.weights(bags)
        logs = np.where(bags.unknown > 0, -MOST_UNLIKE, _over_rotations(faces, bags))
        every = np.full(int(bags.alike.max()) + 1, -np.inf)
        np.logaddexp.at(every, bags.alike, logs)
        best = int(every.argmax()) if shown is None else int(bags.alike[shown])
        others = np.logaddexp.reduce(np.delete(every, best)) if len(every) > 1 else -np.inf
        likeliest = logs[bags.alike == best].max()
        readable = float(np.exp(self.upright + self.readable).sum())
        return Witness(
            float(np.clip(every[best] - others, -MOST_ODDS, MOST_ODDS)),
            float(np.clip(np.logaddexp.reduce(anything) - likeliest, 0.0, MOST_ODDS)),
            float(np.clip(np.log(max(readable, 1e-13) / max(1 - readable, 1e-13)), -MOST_ODDS, MOST_ODDS)),
        )

    def logs(self, bags: Bags) -> tuple[Chances, float]:
        """Return the log likelihood of each face, over all rotations, (faces,), and of the best marks of any kind."""
        faces, anything = self.weights(bags)
        return _over_rotations(faces, bags), float(np.logaddexp.reduce(anything))

    def weights(self, bags: Bags) -> tuple[Chances, Chances]:
        """Return log likelihoods by rotation: of each face, (rotations, faces), and of the best marks of any kind."""
        faces = self.pips[:, bags.pips]
        # for each mark, pick the one of its four counts that the face has
        picked = np.ascontiguousarray(self.singles[:, np.arange(len(SINGLE)), bags.singles])
        faces = faces + picked.sum(axis=2) + self.upright[:, None]
        anything: Chances = self.pips.max(axis=1) + self.singles.max(axis=2).sum(axis=1) + self.upright
        faces = np.where(bags.unknown > 0, anything[:, None] + np.log(UNKNOWN_CHANCE), faces)
        return faces, anything


def _over_rotations(faces: Chances, bags: Bags) -> Chances:
    """Return the log likelihood of each face from those by rotation, (rotations, faces); lookalikes share theirs."""
    logs: Chances = np.logaddexp.reduce(faces, axis=0)
    for places in bags.lookalikes:
        logs[places] = np.logaddexp.reduce(logs[places]) - np.log(len(places))
    return logs


def _log_softmax(logits: Chances, axis: int) -> Chances:
    shifted: Chances = logits - logits.max(axis=axis, keepdims=True)
    logs: Chances = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return logs
