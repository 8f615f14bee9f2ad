"""Frames, readings and which dice a camera can read, as plain data. This module needs no camera and no OpenCV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence
from companion.rules.dice import DiceSet
from companion.rules.die import TYPED

ROUNDING_SUM: Final = 0.01
"""Stored chances may add up to more than one by this much, because they have only a few digits."""


def require_posterior(candidates: Sequence[tuple[object, float]], whose: str) -> None:
    """Check that the candidates are sorted likeliest first and that their chances sum to at most one.

    Callers take the first candidate as the likeliest, and its chance as the reader's confidence.

    Raises:
        ValueError: a chance is not from 0 to 1, the chances sum to more than one, or their order is wrong.
    """
    chances = [chance for _, chance in candidates]
    if not all(0 <= chance <= 1 for chance in chances) or sum(chances) > 1 + ROUNDING_SUM:
        raise ValueError(f"Expected chances of {whose} from 0 to 1, together at most 1, but got {chances!r:.200}.")
    if chances != sorted(chances, reverse=True):
        raise ValueError(f"Expected the candidates of {whose} likeliest first, but got {chances!r:.200}.")


Image = npt.NDArray[np.uint8]
Status = Literal["read", "ask", "ignored"]
Kind = Literal["die", "tile"]


def readable(dice: DiceSet) -> bool:
    """Return whether a camera can read these dice; nobody can read a wheel from a picture of dice."""
    return not TYPED & {die.shape for die in dice.dice}


@dataclass(frozen=True)
class GrabbingEffort:
    """What the thread that takes a camera's pictures has done so far.

    ``computed``: seconds of the processor, in all; ``part`` and ``passed``: of a part in which it does nothing but
    compute, the same and by the clock. From these follows how long the thread waited for a processor.
    """

    computed: float
    part: float
    passed: float

    def share_since(self, before: "GrabbingEffort", seconds: float) -> float:
        """Return the share of these seconds in which the thread computed, or wanted to; 0 where that is unknown."""
        computed, part = self.computed - before.computed, self.part - before.part
        if min(computed, part) <= 0:  # the clock of the processor is coarse, or another thread takes the pictures now
            return 0.0
        return min(1.0, computed * max(1.0, (self.passed - before.passed) / part) / seconds)


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: ``image`` is height x width x 3, BGR, uint8; ``taken`` is `time.monotonic` seconds.

    ``may_repeat``: the camera, or the way from it, may deliver an old picture again, so that a picture which is the
    same as the one before says nothing of the table. ``effort``: of the thread that took it; None where none does.
    """

    image: Image
    taken: float
    source: str
    number: int = 0
    may_repeat: bool = False
    effort: GrabbingEffort | None = None


class ReadDieJson(TypedDict):
    """One die or tile of a reading. ``candidates``: faces and their chances; ``polygon``: corners in pixels."""

    kind: Kind
    set: str
    die: NotRequired[str]
    face: str | None
    status: Status
    confidence: float
    candidates: list[list[str | float]]
    polygon: list[list[float]]
    twin: NotRequired[int]
    remembered: NotRequired[bool]
    reason: NotRequired[str]


@dataclass(frozen=True)
class ReadDie:
    """One die or tile of a reading.

    ``die`` names the die of the set; None if the picture cannot show which one it is: with dice that are alike, and
    with tiles.
    ``polygon``: the upper face (a tetrahedron: its outline) in pixels of the frame, corners in order.
    ``face`` is the likeliest text of the face that counts. ``candidates`` are faces with their posterior, likeliest
    first (checked); ``confidence`` is the posterior of the first. ``reason`` says why the status is `ask` or
    `ignored`.
    ``twin`` is an index in the die's ``faces``. It says which face this is where several faces of a die bear this text
    (`Die.twins`: the two X of a Ludix die) and the program learnt the appearance of the owner's own dice. None if that
    is unknown. Only the statistics of fairness need it: a throw consists of texts, and is the same with either twin.
    ``remembered``: the die is read only because the table remembers its faces, or because views under different lamps
    agree; one pass of the general reader would ask.
    ``short``: by how much its marks miss what one pass is read at, as log odds; negative where one pass is enough. None
    where something else than the marks stands against it, or where that is not known.
    """

    set_name: str
    die: str | None
    face: str | None
    status: Status
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    polygon: tuple[tuple[float, float], ...]
    reason: str = ""
    kind: Kind = "die"
    twin: int | None = None
    remembered: bool = False
    short: float | None = None

    def __post_init__(self) -> None:
        require_posterior(self.candidates, f"a die of {self.set_name}")

    def to_json(self) -> ReadDieJson:
        """Return the object that ``companion read --json`` prints for a die or tile, without unknown values."""
        data: ReadDieJson = {
            "kind": self.kind,
            "set": self.set_name,
            "face": self.face,
            "status": self.status,
            "confidence": round(self.confidence, 4),
            "candidates": [[face, round(chance, 4)] for face, chance in self.candidates],
            "polygon": [[round(x, 1), round(y, 1)] for x, y in self.polygon],
        }
        if self.die is not None:
            data["die"] = self.die
        if self.twin is not None:
            data["twin"] = self.twin
        if self.remembered:
            data["remembered"] = True
        if self.reason:
            data["reason"] = self.reason
        return data


@dataclass(frozen=True)
class DiceReading:
    """All dice of one throw, decoded together. ``status`` is `read` only if every expected die is read.

    ``expected`` is empty where any number of dice may lie on the table. ``stages``: milliseconds of each stage.
    ``drift``: one sentence if light or focus differ from when the program learnt these dice.
    """

    dice: tuple[ReadDie, ...]
    status: Status
    reason: str = ""
    milliseconds: float = 0.0
    frames: int = 1
    expected: tuple[str, ...] = field(default=())
    stages: Mapping[str, float] = field(default_factory=dict)
    drift: Sentence | None = None
