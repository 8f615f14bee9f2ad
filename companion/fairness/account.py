"""All that is known about one die's throws, from whatever origin. A report is built from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from companion.fairness.hanging import UNREAD
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Outcomes
from companion.fairness.reader_errors import Reader
from companion.fairness.stakes import CURRENT
from companion.rules.die import Die

How = Literal["camera", "typed", "file", "program"]
"""Who saw a throw: the camera, a person who typed it in, or a file; or the program, which threw a die of its own."""


@dataclass(frozen=True)
class Thrown:
    """One throw as it counts now; ``number`` counts the die's throws from 1.

    ``outcome``: its place in `Outcomes.labels`, None if the throw was not read. ``suspected``: the likely outcome in
    that case. ``asked``: a person was asked what it shows. ``corrected``: a person changed what had been counted.
    ``digest``: SHA-256 of the picture that it was read from, in hexadecimal digits. ``at``: seconds since 1970.
    ``session`` and ``hand`` name the groups it belongs to. ``together``: how many dice that nobody can tell apart were
    thrown as this one.
    """

    number: int
    outcome: int | None
    how: How
    at: float | None = None
    suspected: int | None = None
    asked: bool = False
    corrected: bool = False
    digest: str | None = None
    session: str = ""
    hand: str = ""
    together: int = 1


@dataclass(frozen=True, eq=False)
class Account:
    """One die and its throws.

    ``name``: what its owner calls it. ``set_name``: its dice set. ``throws``: in their order, None if only ``counts``
    (k whole numbers, by outcome) are known. ``about``: what the owner wrote down (`who`, `surface`, `method`) and what
    the program knows (`camera`, `profile`, `software`), each by its name. ``photographs``: a JPEG of the face by label.
    ``smallest``: the bias that matters, as a difference of chances. ``fixed``: the number of throws if it was fixed
    before the first one, else None. ``reader``: how the reader read faces that a person named. ``stakes``: the number
    of the stakes that were agreed before the first throw.
    """

    name: str
    set_name: str
    die: Die
    outcomes: Outcomes
    counts: Counts
    throws: Sequence[Thrown] | None
    about: Mapping[str, str] = field(default_factory=dict)
    photographs: Mapping[str, bytes] = field(default_factory=dict)
    smallest: float | None = None
    fixed: int | None = None
    reader: Reader | None = None
    stakes: int = CURRENT

    @property
    def together(self) -> int:
        """How many dice that nobody can tell apart were thrown at a time and are judged as one."""
        return max((one.together for one in self.throws or ()), default=1)

    @property
    def shown(self) -> Counts | None:
        """The places of the outcomes that were read, in their order (n); None if only counts are known."""
        if self.throws is None:
            return None
        return np.array([one.outcome for one in self.throws if one.outcome is not None], np.int64)

    @property
    def seen(self) -> Counts | None:
        """The same with `companion.fairness.hanging.UNREAD` for each throw that was not read; None likewise."""
        if self.throws is None:
            return None
        return np.array([UNREAD if one.outcome is None else one.outcome for one in self.throws], np.int64)
