"""A picture in, the dice of one throw out: located, cut out flat, read, decoded together, and judged."""

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.rules.dice import dice_set
from companion.vision.dice.corners import Corners
from companion.vision.dice.decode import Decoded, decode_alone, decode_cubes, decode_hidden
from companion.vision.dice.faces import Chances, FaceReader, Marks
from companion.vision.dice.geometry import Points, area, cut_side, cut_square, edge_length
from companion.vision.dice.locate import Cube, Found, Locator, Tetrahedron
from companion.vision.dice.nets import Settings, settings
from companion.vision.readings import DiceReading, Image, ReadDie, Status

LEAST_SIDE: Final = 64
"""Smaller pictures hold no dice that could be read, in pixels of the shorter side."""

LEAST_EDGE: Final = 18.0
"""Letters of dice with shorter edges (pixels of the picture) are asked about, whatever the net says."""

LEAST_RISE: Final = 0.08
"""A tetrahedron's side is seen if its apex stands at least so many base edges inside its base line."""

PHANTOM: Final = 0.6
"""What is no likelier a die than this, and has nothing to read on it, is no die."""

LEAST_CHANCE: Final = 0.0005
"""Rarer candidates are not listed."""


class DiceSetNotReadError(ValueError):
    """The reader was not trained for this dice set."""


class DiceReader:
    """Reads one set of dice. Keeps its nets; use one for each thread.

    Args:
        set_name: ``"wibold"``.
        dice: the dice that are expected on the table, by default the whole set.
        chosen: when to ask; by default as chosen for these weights.

    Raises:
        DiceSetNotReadError: the set is not one that this reader knows.
        ThrowError: the set has no such die.
    """

    def __init__(self, set_name: str, dice: tuple[str, ...] | None = None, chosen: Settings | None = None) -> None:
        if set_name != "wibold":
            raise DiceSetNotReadError(
                f"The reader knows the dice set wibold, but {set_name!r} was asked for; tap these dice in by hand."
            )
        known = dice_set(set_name)
        expected = tuple(die.name for die in known.dice) if dice is None else dice
        shapes = {name: known.die(name).shape for name in expected}
        self.set_name = set_name
        self.expected = expected
        self._cubes = tuple(name for name in expected if shapes[name] == "cube")
        self._tetrahedron = next((name for name in expected if shapes[name] == "tetrahedron"), None)
        self._locator = Locator()
        self._corners = Corners()
        self._chosen = chosen or settings()
        self._faces = FaceReader(set_name, self._chosen.temperature)

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""
        begun = time.perf_counter()
        if min(image.shape[:2]) < LEAST_SIDE:
            reason = f"The picture is {image.shape[1]} x {image.shape[0]} pixels, too small to read dice in."
            return DiceReading((), "ignored", reason, expected=self.expected)
        found = self._corners.correct(image, self._locator.find(image))
        seen, sides = _visible_sides(found.tetrahedra)
        squares = [cut_square(image, cube.corners) for cube in found.cubes]
        marks, side_marks = self._faces.read(squares, [cut_side(image, side) for side in sides])
        dice = self._judge_cubes(found, marks, image) + self._judge_tetrahedra(seen, side_marks, image)
        reading = conclude(dice, self.expected)
        return replace(reading, milliseconds=(time.perf_counter() - begun) * 1000)

    def _judge_cubes(self, found: Found, marks: Marks, image: Image) -> list[ReadDie]:
        judged: list[ReadDie] = []
        kept: list[int] = []
        for i, cube in enumerate(found.cubes):
            if _leaves(cube.corners, image):
                judged.append(self._ignored(cube.corners, "It lies partly outside the picture."))
            elif marks.unreadable[i] > 0.5 and cube.score < PHANTOM:  # noqa: PLR2004
                judged.append(self._ignored(cube.corners, "It does not look like the upper face of a die."))
            else:
                kept.append(i)
        spare = len(kept) - len(self._cubes)
        blank = [i for i in kept if marks.unreadable[i] > 0.5]  # noqa: PLR2004
        if 0 < spare == len(blank):
            judged += [self._ignored(found.cubes[i].corners, "It shows no letters of these dice.") for i in blank]
            kept = [i for i in kept if i not in blank]
            spare = 0
        chances = marks.spread()[kept]
        if spare > 0:
            reason = f"{len(kept)} cubes are seen, but {len(self._cubes)} are expected."
            decoded = decode_alone(chances, self._faces.texts.cube, self._cubes) if self._cubes else []
            return judged + [
                self._cube(found.cubes[i], one, reason) for i, one in zip(kept, decoded, strict=bool(self._cubes))
            ]
        decoded = decode_cubes(chances, self._faces.texts.cube, self._cubes) if kept else []
        return judged + [self._cube(found.cubes[i], one) for i, one in zip(kept, decoded, strict=True)]

    def _cube(self, cube: Cube, decoded: Decoded, reason: str = "") -> ReadDie:
        letters = decoded.letters()
        sure = letters[0][1]
        if not reason and edge_length(cube.corners) < LEAST_EDGE:
            reason = "Its letters are too small in the picture."
        if not reason and (sure < self._chosen.cube_read_above or letters[0][0] != decoded.text):
            reason = "Its letters are not clear."
        return self._die(decoded.die, letters, cube.corners, reason)

    def _judge_tetrahedra(self, seen: Sequence[tuple[Tetrahedron, int]], marks: Marks, image: Image) -> list[ReadDie]:
        judged: list[ReadDie] = []
        first = np.cumsum([0, *(count for _, count in seen)])
        parts = [slice(int(begin), int(end)) for begin, end in itertools.pairwise(first)]
        told = [
            one.score * float((1 - marks.unreadable[part]).sum()) for (one, _), part in zip(seen, parts, strict=True)
        ]
        open_place = self._tetrahedron is not None
        for i in np.argsort(told)[::-1]:
            one = seen[i][0]
            outline = one.outline()
            if self._tetrahedron is None:
                judged.append(self._ignored(outline, "No tetrahedron is thrown here."))
            elif _leaves(outline, image):
                judged.append(self._ignored(outline, "It lies partly outside the picture."))
            elif not open_place:
                judged.append(self._ignored(outline, "One tetrahedron is expected, and a clearer one was seen."))
            else:
                open_place = False
                judged.append(self._hidden(one, marks.spread()[parts[i]]))
        return judged

    def _hidden(self, one: Tetrahedron, sides: Chances) -> ReadDie:
        candidates = decode_hidden(sides, self._faces.texts.side)
        reason = ""
        if one.apex is None:
            reason = "Its apex was not found, so its sides cannot be told apart."
        elif len(sides) < 3:  # noqa: PLR2004
            reason = "Not all of its three sides are seen."
        elif len(set(sides.argmax(axis=1))) < len(sides):
            reason = "Two of its sides look alike."  # one of them is misread, and which letters it shows is not known
        elif candidates[0][1] < self._chosen.tetrahedron_read_above:
            reason = "The letters on its sides are not clear."
        return self._die(self._tetrahedron, candidates, one.outline(), reason)

    def _die(self, die: str | None, candidates: Sequence[tuple[str, float]], corners: Points, reason: str) -> ReadDie:
        likely = tuple(pair for pair in candidates if pair[1] >= LEAST_CHANCE) or tuple(candidates[:1])
        status: Status = "ask" if reason else "read"
        return ReadDie(self.set_name, die, likely[0][0], status, likely[0][1], likely, _plain(corners), reason)

    def _ignored(self, corners: Points, reason: str) -> ReadDie:
        return ReadDie(self.set_name, None, None, "ignored", 0.0, (), _plain(corners), reason)


def conclude(dice: Sequence[ReadDie], expected: tuple[str, ...], frames: int = 1) -> DiceReading:
    """Return the reading of a whole throw: `read` only if each expected die was read."""
    there = [die for die in dice if die.status != "ignored"]
    read = sorted(die.die or "" for die in there if die.status == "read")
    if not there:
        return DiceReading(tuple(dice), "ignored", "No dice are seen.", frames=frames, expected=expected)
    if len(there) != len(expected):
        reason = f"{len(there)} dice are seen, but {len(expected)} are expected."
        return DiceReading(tuple(dice), "ask", reason, frames=frames, expected=expected)
    if read != sorted(expected):
        reason = next((die.reason for die in there if die.reason), "Two dice cannot be told apart.")
        return DiceReading(tuple(dice), "ask", reason, frames=frames, expected=expected)
    return DiceReading(tuple(dice), "read", frames=frames, expected=expected)


def _plain(corners: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in corners)


def _leaves(corners: Points, image: Image) -> bool:
    """Tell whether an outline reaches beyond the picture or to its last pixel."""
    height, width = image.shape[:2]
    return bool((corners < 1).any() or (corners[:, 0] > width - 2).any() or (corners[:, 1] > height - 2).any())


def _visible_sides(tetrahedra: Sequence[Tetrahedron]) -> tuple[list[tuple[Tetrahedron, int]], list[Points]]:
    """Return each tetrahedron with the number of its visible sides, and the sides: apex, base corners clockwise."""
    seen: list[tuple[Tetrahedron, int]] = []
    sides: list[Points] = []
    for one in tetrahedra:
        own = []
        if one.apex is not None:
            for i in range(3):
                side = np.array([one.apex, one.base[i], one.base[(i + 1) % 3]])
                rise = 2 * area(side) / float(np.linalg.norm(side[1] - side[2]))
                if rise > LEAST_RISE * edge_length(one.base):
                    own.append(side)
        seen.append((one, len(own)))
        sides += own
    return seen, sides
