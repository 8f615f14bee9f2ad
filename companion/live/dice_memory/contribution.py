"""Pictures of single dice that people were asked about, with their answers, for whoever teaches the reader.

A picture holds one die and its rim and nothing else of the table, so that no person can be in it; no name, no time and
no game goes with it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.live.camera_throws import middle
from companion.live.dice_memory.kept_throws import AuditAnswers, PictureReader, kept_throws, reread
from companion.referee.match import Match
from companion.vision.readings import Image, ReadDie

RIM_SHARE: Final = 0.3
"""How far a picture reaches beyond the die's face on each side, as a share of the face's longer extent."""

WITHIN_SHARE: Final = 0.5
"""A die lies where somebody spoke of one if its middle is at most so many of its extents away."""


@dataclass(frozen=True, eq=False)
class NamedDie:
    """A die that a person spoke of.

    ``image``: BGR, square where the table's picture reaches so far; ``corners``: of its face, in pixels of ``image``.
    ``face``: what the person says that it shows, None for no die; ``read``: what the program read, None for nothing.
    """

    image: Image
    corners: tuple[tuple[float, float], ...]
    set_name: str
    face: str | None
    read: str | None

    def to_json(self, file: str) -> dict[str, Any]:
        """Return what is written of it beside its picture, which is in this file."""
        corners = [[round(x, 1), round(y, 1)] for x, y in self.corners]
        return {"file": file, "set": self.set_name, "face": self.face, "read": self.read, "corners": corners}


def named_dice(
    match: Match,
    answers: AuditAnswers,
    picture: Callable[[str], bytes | None],
    reader: Callable[[str, tuple[str, ...]], PictureReader],
) -> Iterator[NamedDie]:
    """Yield the dice of a match that people spoke of, as far as pictures of their throws are kept.

    ``picture``: returns a kept JPEG by its hash; ``reader``: makes one for the dice of a set that are named so.
    """
    last = {throw.taught.event: throw for throw in kept_throws(match, answers)}  # a correction replaces it
    for throw in last.values():
        named = [lesson for lesson in throw.lessons if lesson.named]
        if not named:
            continue
        thrown = throw.seen.throw
        shown = reread(match, throw, picture, reader(thrown.set_name, tuple(name for name, _ in thrown.shown)))
        if shown is None:
            continue
        for lesson in named:
            x, y = (place * shown.scale for place in lesson.place)
            die = next((one for one in shown.reading.dice if _lies_at(one, x, y)), None)
            if die is not None:
                yield _cut(shown.image, die, lesson.text)


def _extent(die: ReadDie) -> float:
    xs, ys = zip(*die.polygon, strict=True)
    return float(max(max(xs) - min(xs), max(ys) - min(ys)))


def _lies_at(die: ReadDie, x: float, y: float) -> bool:
    there = middle(die.to_json())
    return float(np.hypot(there[0] - x, there[1] - y)) <= WITHIN_SHARE * _extent(die)


def _cut(image: Image, die: ReadDie, face: str | None) -> NamedDie:
    (x, y), reach = middle(die.to_json()), (0.5 + RIM_SHARE) * _extent(die)
    height, width = image.shape[:2]
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    right, bottom = min(width, int(x + reach) + 1), min(height, int(y + reach) + 1)
    corners = tuple((one[0] - left, one[1] - top) for one in die.polygon)
    return NamedDie(np.ascontiguousarray(image[top:bottom, left:right]), corners, die.set_name, face, die.face)
