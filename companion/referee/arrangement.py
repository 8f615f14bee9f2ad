"""Where the dice lie: whether they are still the dice of the last throw, or which of them moved since."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from companion.vision.readings import ReadDie

MOVED_DICE_WIDTHS = 0.25
"""A die has moved if its centre is further than this from before, in widths of a die (at rest it jitters by 0.03)."""
TURNED = math.radians(15)
"""Or if it turned by more than this, in radians (at rest it jitters by 3 degrees)."""
MOST_STRETCH = 0.06
"""A table that is pushed as a whole keeps its size within this share."""


@dataclass(frozen=True)
class LyingDie:
    """One die on the table: centre and width in pixels; ``angle`` in radians, less than one turn of its outline."""

    die: str
    face: str
    x: float
    y: float
    width: float
    angle: float
    corners: int

    def to_json(self) -> dict[str, Any]:
        """Return the form in which a journal keeps it."""
        return {
            "die": self.die,
            "face": self.face,
            "at": [round(self.x, 1), round(self.y, 1)],
            "width": round(self.width, 1),
            "angle": round(self.angle, 3),
            "corners": self.corners,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "LyingDie":
        """Read what `to_json` wrote.

        Raises:
            ValueError: the data does not have that form.
        """
        match data:
            case {
                "die": str(die),
                "face": str(face),
                "at": [int() | float() as x, int() | float() as y],
                "width": int() | float() as width,
                "angle": int() | float() as angle,
                "corners": int(corners),
            } if corners > 2 and width > 0 and all(map(math.isfinite, (x, y, width, angle))):  # noqa: PLR2004  (an outline)
                return cls(die, face, float(x), float(y), float(width), float(angle), corners)
        raise ValueError(f"Expected a die's place on the table, but got {data!r:.200}.")


Arrangement = tuple[LyingDie, ...]


class SeenSizes:
    """Knows in pixels of which picture dice were seen to lie: a camera may change its size while they stay there."""

    def __init__(self) -> None:
        self._width = 0  # of the newest picture; 0 where it is not known
        self._widths: dict[Arrangement, int] = {}

    def see(self, width: int, *earlier: Arrangement) -> None:
        """Note the width of the newest picture, and that these were seen in it or in an earlier one."""
        self._widths = {lying: self._widths.get(lying, self._width or width) for lying in earlier}
        self._width = width

    def now(self, lying: Arrangement) -> Arrangement:
        """Return an arrangement in pixels of the newest picture."""
        was = self._widths.get(lying, self._width)
        if was == self._width or not was:
            return lying
        share = self._width / was
        return tuple(replace(die, x=die.x * share, y=die.y * share, width=die.width * share) for die in lying)


@dataclass(frozen=True)
class ArrangementChange:
    """What differs between two arrangements, as indexes into the later one; ``gone`` counts dice of the earlier one.

    ``was``: for each kept die, its index in the earlier arrangement. ``pushed``: nothing was thrown; the table, the
    camera or all dice together moved a little.
    """

    kept: tuple[int, ...]
    moved: tuple[int, ...]
    gone: int
    was: Mapping[int, int]
    pushed: bool = False

    @property
    def same(self) -> bool:
        """Whether these are still the earlier dice."""
        return self.pushed or not (self.moved or self.gone)


def arranged(dice: Iterable[ReadDie]) -> Arrangement:
    """Return where the dice lie that were seen with an outline."""
    return tuple(_lying(die) for die in dice if len(die.polygon) > 2)  # noqa: PLR2004  (an outline)


def _lying(die: ReadDie) -> LyingDie:
    corners = [complex(x, y) for x, y in die.polygon]
    centre = sum(corners) / len(corners)
    edges = [after - before for before, after in zip(corners, corners[1:] + corners[:1], strict=True)]
    step = math.tau / len(corners)
    # the edges differ in direction by whole steps: take their mean on the circle of one step
    turn = sum((edge / (abs(edge) or 1)) ** len(corners) for edge in edges)
    angle = (math.atan2(turn.imag, turn.real) / len(corners)) % step
    width = sum(abs(edge) for edge in edges) / len(edges) or 1.0
    return LyingDie(die.die or "", die.face or "", centre.real, centre.imag, width, angle, len(corners))


def compare(before: Sequence[LyingDie], after: Sequence[LyingDie]) -> ArrangementChange:
    """Say which dice lie in their old places."""
    unit = median([die.width for die in after] or [1.0])
    near = sorted(
        (math.hypot(new.x - old.x, new.y - old.y) / unit, now, then)
        for now, new in enumerate(after)
        for then, old in enumerate(before)
        if new.corners == old.corners
    )
    was: dict[int, int] = {}
    for distance, now, then in near:
        if (
            distance <= MOVED_DICE_WIDTHS
            and now not in was
            and then not in was.values()
            and not _turned(before[then], after[now])
        ):
            was[now] = then
    moved = tuple(now for now in range(len(after)) if now not in was)
    return ArrangementChange(
        tuple(sorted(was)), moved, len(before) - len(was), was, pushed=_pushed(before, after, unit)
    )


def _turned(old: LyingDie, new: LyingDie) -> bool:
    step = math.tau / old.corners
    difference = abs(old.angle - new.angle) % step
    return min(difference, step - difference) > TURNED


def _pushed(before: Sequence[LyingDie], after: Sequence[LyingDie], unit: float) -> bool:
    """Whether one turn and shift of the whole picture takes every die to where the same die shows the same face."""
    old = {die.die: die for die in before}
    if len(before) != len(after) or len(after) < 3 or len(old) != len(before):  # noqa: PLR2004  (two fit too easily)
        return False
    pairs = [(old[die.die], die) for die in after if die.die in old and old[die.die].face == die.face]
    if len(pairs) != len(after):
        return False
    was, now = [complex(a.x, a.y) for a, _ in pairs], [complex(b.x, b.y) for _, b in pairs]
    from_, to = sum(was) / len(was), sum(now) / len(now)
    spread = sum(abs(point - from_) ** 2 for point in was)
    if not spread:
        return False
    turn = sum((b - to) * (a - from_).conjugate() for a, b in zip(was, now, strict=True)) / spread
    off = max(abs(to + turn * (a - from_) - b) for a, b in zip(was, now, strict=True))
    return abs(abs(turn) - 1) < MOST_STRETCH and off < MOVED_DICE_WIDTHS * unit
