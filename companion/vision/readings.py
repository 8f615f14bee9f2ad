"""What the camera says, as plain data: frames, readings, and which dice can be read. No camera and no OpenCV here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence
from companion.rules.dice import DiceSet
from companion.vision.posterior import require_posterior

Image = npt.NDArray[np.uint8]
Status = Literal["read", "ask", "ignored"]
Kind = Literal["die", "tile"]


def readable(dice: DiceSet) -> bool:
    """Tell whether a camera can read these dice; nobody can read a wheel from a picture of dice."""
    return all(die.shape != "wheel" for die in dice.dice)


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: ``image`` is height x width x 3, BGR, uint8; ``taken`` is `time.monotonic` seconds."""

    image: Image
    taken: float
    source: str
    number: int = 0


class ReadDieJson(TypedDict):
    """One die or tile as a reader found it. ``candidates``: faces and their chances; ``polygon``: corners in pixels."""

    kind: Kind
    set: str
    die: NotRequired[str]
    face: str | None
    status: Status
    confidence: float
    candidates: list[list[str | float]]
    polygon: list[list[float]]
    twin: NotRequired[int]
    reason: NotRequired[str]


@dataclass(frozen=True)
class ReadDie:
    """One die as seen.

    ``die`` is which die of the set it is, None where looking does not tell: of dice that are alike, and of tiles.
    ``polygon``: the upper face (a tetrahedron: its outline) in pixels of the frame, corners in order.
    ``face`` is the likeliest text of the face that counts; ``candidates`` are faces with their posterior,
    likeliest first (checked), and ``confidence`` is the first of them. ``reason`` says why a die was asked about or
    ignored.
    ``twin``: where several faces of a die bear this text (`Die.twins`: the two X of a Ludix die) and the looks of the
    owner's own dice were learnt, which of them it is, as a place in the die's ``faces``; None where that cannot be
    told. It is for the fairness of dice only: a throw is of texts, and the same whichever twin lies up.
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

    def __post_init__(self) -> None:
        require_posterior(self.candidates, f"a die of {self.set_name}")

    def to_json(self) -> ReadDieJson:
        """Return the object that ``companion read --json`` prints for a die or tile; what is not known is left out."""
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
        if self.reason:
            data["reason"] = self.reason
        return data


@dataclass(frozen=True)
class DiceReading:
    """All dice of one throw, decoded together. ``status`` is `read` only if every expected die was read.

    ``expected`` is empty where any number of dice may lie there. ``stages`` says where the time went, milliseconds.
    ``drift``: one sentence where light or focus are not as they were when these very dice were learnt.
    """

    dice: tuple[ReadDie, ...]
    status: Status
    reason: str = ""
    milliseconds: float = 0.0
    frames: int = 1
    expected: tuple[str, ...] = field(default=())
    stages: Mapping[str, float] = field(default_factory=dict)
    drift: Sentence | None = None
