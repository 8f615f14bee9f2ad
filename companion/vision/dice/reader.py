"""A picture in, the dice of one throw out: located, cut out flat, read, decoded together, and judged."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.rules.dice import dice_set
from companion.vision.dice.corners import Corners
from companion.vision.dice.decode import Decoded, decode_alone, decode_cubes, decode_hidden
from companion.vision.dice.faces import Chances, FaceReader, Marks
from companion.vision.dice.geometry import Points, area, cut_side, cut_square, edge_length, grow, inside
from companion.vision.dice.locate import Cube, Found, Locator, Tetrahedron
from companion.vision.dice.nets import Settings, settings
from companion.vision.readings import READ_SETS, DiceReading, Image, ReadDie, Status

LEAST_SIDE: Final = 64
"""Smaller pictures hold no dice that could be read, in pixels of the shorter side."""

LEAST_EDGE: Final = 18.0
"""Letters of dice with shorter edges (pixels of the picture) are asked about, whatever the net says."""

LEAST_RISE: Final = 0.08
"""A tetrahedron's side is seen if its apex stands at least so many base edges inside its base line."""

PHANTOM: Final = 0.6
"""What is no likelier a die than this, and has nothing to read on it, is no die."""

BLANK: Final = 0.5
"""A face that is less likely to be read than this shows nothing."""

CLEAR: Final = 0.985
"""What is read less surely is looked at again, cut out in several ways."""

LOOK_TURN: Final = 0.09
"""Those ways: turned by so much (radians), and a little wider or narrower."""

AROUND: Final = 6
APEX_REACH: Final = 0.07
"""An unclear tetrahedron is looked at with so many other apexes, so far (in base edges) from the found one."""

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
        if set_name not in READ_SETS:
            raise DiceSetNotReadError(
                f"The reader knows the dice set {' and '.join(READ_SETS)}, but {set_name!r} was asked for; "
                "tap these dice in by hand."
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
        for part in (self._locator, self._corners, self._faces):
            part.load()  # once, and not a part of a throw's time
        begun = time.perf_counter()
        if min(image.shape[:2]) < LEAST_SIDE:
            reason = f"The picture is {image.shape[1]} x {image.shape[0]} pixels, too small to read dice in."
            return DiceReading((), "ignored", reason, expected=self.expected)
        found = distinct(self._corners.correct(image, self._locator.find(image)))
        dice = self._judge_cubes(found.cubes, image) + self._judge_tetrahedra(found.tetrahedra, image)
        reading = conclude(dice, self.expected)
        return replace(reading, milliseconds=(time.perf_counter() - begun) * 1000)

    def _marks(self, cubes: Sequence[Cube], image: Image) -> list[Marks]:
        """Return what stands on each upper face; the unclear ones are cut out anew in several ways."""
        first = self._faces.squares([cut_square(image, cube.corners) for cube in cubes])
        looks = [Marks(first.texts[i : i + 1], first.unreadable[i : i + 1]) for i in range(len(cubes))]
        unclear = [i for i, look in enumerate(looks) if look.texts.max() < CLEAR]
        again = self._faces.squares([cut_square(image, near) for i in unclear for near in _nearly(cubes[i].corners)])
        for number, i in enumerate(unclear):
            part = slice(number * len(again) // len(unclear), (number + 1) * len(again) // len(unclear))
            texts = np.vstack([looks[i].texts, again.texts[part]])
            looks[i] = Marks(texts, np.concatenate([looks[i].unreadable, again.unreadable[part]])).clearest()
        return looks

    def _judge_cubes(self, cubes: Sequence[Cube], image: Image) -> list[ReadDie]:
        judged: list[ReadDie] = []
        kept: list[tuple[Cube, Marks]] = []
        for cube, marks in zip(cubes, self._marks(cubes, image), strict=True):
            if _leaves(cube.corners, image):
                judged.append(self._ignored(cube.corners, "It lies partly outside the picture."))
            elif marks.unreadable[0] > BLANK and cube.score < PHANTOM:
                judged.append(self._ignored(cube.corners, "It does not look like the upper face of a die."))
            else:
                kept.append((cube, marks))
        kept.sort(key=lambda pair: -pair[0].score * float(pair[1].texts.max()))
        while len(kept) > len(self._cubes) and (kept[-1][1].unreadable[0] > BLANK or kept[-1][0].score < PHANTOM):
            judged.append(self._ignored(kept.pop()[0].corners, "It shows no letters of these dice."))
        if not kept:
            return judged
        chances = np.vstack([marks.spread() for _, marks in kept])
        reason = ""
        if len(kept) > len(self._cubes):
            reason = f"{len(kept)} cubes are seen, but {len(self._cubes)} are expected."
            if not self._cubes:
                return judged + [self._ignored(cube.corners, reason) for cube, _ in kept]
        decode = decode_alone if reason else decode_cubes
        decoded = decode(chances, self._faces.texts.cube, self._cubes)
        return judged + [self._cube(cube, one, reason) for (cube, _), one in zip(kept, decoded, strict=True)]

    def _cube(self, cube: Cube, decoded: Decoded, reason: str = "") -> ReadDie:
        letters = decoded.letters()
        sure = letters[0][1]
        if not reason and edge_length(cube.corners) < LEAST_EDGE:
            reason = "Its letters are too small in the picture."
        if not reason and (sure < self._chosen.cube_read_above or letters[0][0] != decoded.text):
            reason = "Its letters are not clear."
        return self._die(decoded.die, letters, cube.corners, reason)

    def _judge_tetrahedra(self, tetrahedra: Sequence[Tetrahedron], image: Image) -> list[ReadDie]:
        if self._tetrahedron is None:
            return [self._ignored(one.outline(), "No tetrahedron is thrown here.") for one in tetrahedra]
        judged: list[ReadDie] = []
        whole: list[tuple[float, int, Marks]] = []
        for i, one in enumerate(tetrahedra):
            if _leaves(one.outline(), image):
                judged.append(self._ignored(one.outline(), "It lies partly outside the picture."))
                continue
            marks = self._faces.sides([cut_side(image, side) for side in visible_sides(one)])
            whole.append((one.score * float((1 - marks.unreadable).sum()), i, marks))
        whole.sort(key=lambda entry: -entry[0])
        for number, (_, i, marks) in enumerate(whole):
            if number == 0:
                judged.append(self._hidden(tetrahedra[i], marks, image))
            else:
                reason = "One tetrahedron is expected, and a clearer one was seen."
                judged.append(self._ignored(tetrahedra[i].outline(), reason))
        return judged

    def _hidden(self, one: Tetrahedron, marks: Marks, image: Image) -> ReadDie:
        sides = marks.spread()
        candidates = decode_hidden(sides, self._faces.texts.side)
        reason = ""
        if one.apex is None:
            reason = "Its apex was not found, so its sides cannot be told apart."
        elif len(marks) < 3:  # noqa: PLR2004
            reason = "Not all of its three sides are seen."
        else:
            if candidates[0][1] < CLEAR or _alike(sides):
                looks = [sides, *self._looks_around(one, image)]
                sides = max(looks, key=lambda look: (not _alike(look), float(np.prod(look.max(axis=1)))))
                candidates = decode_hidden(sides, self._faces.texts.side)
            if _alike(sides):
                reason = "Two of its sides look alike."  # one is misread, and what it shows is not known
            elif candidates[0][1] < self._chosen.tetrahedron_read_above:
                reason = "The letters on its sides are not clear."
        return self._die(self._tetrahedron, candidates, one.outline(), reason)

    def _looks_around(self, one: Tetrahedron, image: Image) -> list[Chances]:
        """Return the sides' posteriors for apexes all around the found one: it is the least exact of the corners."""
        assert one.apex is not None
        turn = np.arange(AROUND) * 2 * np.pi / AROUND
        ring = one.apex + np.column_stack([np.cos(turn), np.sin(turn)]) * APEX_REACH * edge_length(one.base)
        shifted = [visible_sides(replace(one, apex=apex)) for apex in ring]
        usable = [sides for sides in shifted if len(sides) == 3]  # noqa: PLR2004
        spread = self._faces.sides([cut_side(image, side) for sides in usable for side in sides]).spread()
        return [spread[3 * i : 3 * i + 3] for i in range(len(usable))]

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


def _alike(sides: Chances) -> bool:
    """Tell whether two sides most likely show the same letters, which no two sides do."""
    return len(set(sides.argmax(axis=1))) < len(sides)


def _nearly(corners: Points) -> list[Points]:
    """Return a face's corners a little wider, narrower, and turned both ways."""
    centre = corners.mean(axis=0)
    turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (-LOOK_TURN, LOOK_TURN)]
    return [grow(corners, 1.09), grow(corners, 0.92), *((corners - centre) @ turn.T + centre for turn in turns)]


def distinct(found: Found) -> Found:
    """Return the dice with each once: of upper faces that lie on each other the likelier one."""
    cubes: list[Cube] = []
    for cube in sorted(found.cubes, key=lambda one: -one.score):
        centre = cube.corners.mean(axis=0)
        if not any(
            inside(centre, other.corners) or inside(other.corners.mean(axis=0), cube.corners) for other in cubes
        ):
            cubes.append(cube)
    return Found(tuple(cubes), found.tetrahedra)


def visible_sides(one: Tetrahedron) -> list[Points]:
    """Return the sides that the camera sees, each as apex and two base corners, clockwise."""
    if one.apex is None:
        return []
    sides = []
    for i in range(3):
        side = np.array([one.apex, one.base[i], one.base[(i + 1) % 3]])
        rise = 2 * area(side) / float(np.linalg.norm(side[1] - side[2]))
        if rise > LEAST_RISE * edge_length(one.base):
            sides.append(side)
    return sides
