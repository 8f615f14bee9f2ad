"""Dice on ground that shakes: the picture never comes to rest, but no die moves against the others."""

import math
from statistics import median
from typing import Final

from companion.desk.sight import DiceSeen
from companion.language.sentence import Sentence
from companion.referee.arrangement import TURNED, Arrangement, LyingDie, arranged
from companion.vision.stillness import StillnessState

ROLL_SECONDS: Final = 1.5
"""Dice roll for about so many seconds; a table on which something moves for longer is read all the same."""

COMPARE_SECONDS: Final = 0.3
"""The least seconds between two observations."""

ANNOUNCED_AFTER: Final = 4.0
"""After so many seconds of motion, without dice that lie still in it, a person learns what is wrong."""

ROLL_READINGS: Final = 6.0
COMPARE_READINGS: Final = 2.0
ANNOUNCED_READINGS: Final = 12.0
"""The same three, at least so many times as long as a reading takes: a slow computer must see dice come to rest."""

CREEP_WIDTHS: Final = 0.5
REST_WIDTHS: Final = 0.15
"""Between two observations, resting dice move by no more than this, also against each other, in widths of a die."""

SHAKES: Final = Sentence(
    "The picture never comes to rest: put camera and table on firm ground, and keep everything else out of the picture."
)


class Shaking:
    """Decides in which pictures of a restless table dice are compared, and whether they lie still in it."""

    def __init__(self) -> None:
        self._since: float | None = None  # when the motion began; None while there is none
        self._compared_at = -math.inf
        self.reading_seconds = 0.0
        """How long the last reading took here."""
        self._before: Arrangement | None = None
        self._shown: DiceSeen | None = None  # the newest rest in a picture that shook, until a hand comes
        self.rests = False
        """Whether the newest observation shows dice that lie as in the observation before."""

    def due(self, state: StillnessState, taken: float) -> bool:
        """Return whether to look at the picture that was taken then, in seconds."""
        if state.hand and not self.rests:
            self._shown = None
        if state.phase == "still" or (state.hand and not self.rests):
            self._since, self._before, self.rests = None, None, False
            return False
        if self._since is None:
            self._since = taken
        roll = max(ROLL_SECONDS, ROLL_READINGS * self.reading_seconds)
        between = max(COMPARE_SECONDS, COMPARE_READINGS * self.reading_seconds)
        return taken - self._since > roll and taken - self._compared_at > between

    def take(self, seen: DiceSeen, taken: float) -> bool:
        """Take what an observation shows; return whether dice lie there that came to rest since the last one."""
        self._compared_at, now = taken, lying(seen)
        rested, self.rests = self.rests, self._before is not None and rest(self._before, now)
        self._before = now
        return self.rests and not rested

    def one_rest(self, seen: DiceSeen) -> DiceSeen:
        """Return what lies there at rest; dice that ground which shakes has only moved on are those seen before."""
        if self._shown is not None and rest(lying(self._shown), lying(seen)):
            return self._shown
        self._shown = seen if self.rests else None
        return seen

    def trouble(self, taken: float) -> Sentence | None:
        """Return what to say to a person of the picture that was taken then; None as long as dice may be rolling."""
        announced = max(ANNOUNCED_AFTER, ANNOUNCED_READINGS * self.reading_seconds)
        lasts = self._since is not None and taken - self._since > announced
        return SHAKES if lasts and not self.rests else None


def lying(seen: DiceSeen) -> Arrangement:
    """Return how the dice lie that were seen."""
    return arranged(die for die in seen.reading.dice if die.status != "ignored")


def rest(before: Arrangement, now: Arrangement) -> bool:
    """Tell whether no die has turned, and all moved alike and only a little, between two observations."""
    if len(before) != len(now):
        return False
    pairs: list[tuple[LyingDie, LyingDie]] = []
    left = list(before)
    for die in now:
        near = [one for one in left if one.corners == die.corners and _same_face(one, die)]
        if not near:
            return False
        pairs.append((min(near, key=lambda one: math.hypot(one.x - die.x, one.y - die.y)), die))
        left.remove(pairs[-1][0])
    if not pairs:
        return True
    width = median(die.width for die in now)
    x, y = median(new.x - old.x for old, new in pairs), median(new.y - old.y for old, new in pairs)
    off = max(math.hypot(new.x - old.x - x, new.y - old.y - y) for old, new in pairs)
    return math.hypot(x, y) < CREEP_WIDTHS * width and off < REST_WIDTHS * width


def _same_face(old: LyingDie, new: LyingDie) -> bool:
    step = math.tau / old.corners
    turned = abs(old.angle - new.angle) % step
    return min(turned, step - turned) < TURNED and not (old.face and new.face and old.face != new.face)
