"""Judge legibility: how many pixels a letter has, whether that is enough, and what to do if it is not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians
from typing import Any, Final

import numpy as np

from companion.data_file import data_of
from companion.language.sentence import Sentence
from companion.rules.dice import PIP, UNDERLINE, DiceSet, Shape
from companion.vision.dice.geometry import Points, area
from companion.vision.dice.pose import CORNERS, foreshortening

TABLE: Final = "legibility.toml"

Shares = Mapping[str, Mapping[int, float]]
"""By shape and number of marks on a face: the height of a mark in edges of the die."""

ASSUMED: Final[dict[Shape, float]] = {
    "cube": 0.5,
    "tetrahedron": 0.3,
    "octahedron": 0.35,
    "trapezohedron": 0.35,
    "dodecahedron": 0.6,
    "icosahedron": 0.33,
    "tile": 0.55,
}
"""The usual height of a single numeral or letter, in edges of its die (of a kite: the longer edge).

Assumed, not measured: a maker may choose another height.
"""

TWO_ROWS_FROM_MARKS: Final = 3
"""This many marks or more are assumed to stand in two rows, and to be smaller by a third."""

PIP_SHARE: Final = 0.18
"""The diameter of a pip in edges of its cube, also assumed."""

TETRAHEDRON_EDGE: Final = 1.4
"""A tetrahedron's edge in edges of the cubes beside it: assumed if the picture shows only cubes."""

SIDE_LEAN: Final = 70.53
"""Degrees between two faces of a tetrahedron: from above, its sides appear with a third of their height."""

SIDE_HEIGHT: Final = float(np.sqrt(3) / 2)
"""The height of a tetrahedron's side in edges."""

LARGE_ENOUGH_SHARE: Final = 0.9
"""Letters are large enough if their share of dice read right is at least this part of the largest letters' share."""

LARGEST_DICE: Final = 60
"""Dice with the largest letters; their share read right shows how well the reader reads large enough letters."""

UNEVEN_DEGREES: Final = 12.0
"""If the angles of view differ by more degrees than this within the middle half of the dice, the lens is wide."""

SEVERAL_DICE: Final = 4
"""Fewer dice say nothing about the lens, because one inexact corner looks like that much tilt."""

SLANT: Final[dict[Shape, float]] = {
    "cube": 45.0,
    "octahedron": 35.0,
    "trapezohedron": 35.0,
    "dodecahedron": 31.0,
    "icosahedron": 21.0,
}
"""From so many degrees off overhead, a neighbour of the upper face looks more towards the camera than that face does:
half of the angle between the two. Of drawn cubes in choosing hands, 94 % are read from 35 degrees on, 77 % from 45 on
and 39 % from 55 on."""

LEANING_DEGREES: Final = 20.0
LEANS_AMONG: Final = 3
"""Of so many dice or more, one leans that is seen so many degrees farther off overhead than most of them."""

ROOM_FACTOR: Final = 0.9
"""The advice is to move the camera a tenth nearer than necessary."""


@dataclass(frozen=True)
class Band:
    """Dice with letters from ``low`` to ``high`` pixels high: how many there are, and how many were read right."""

    low: float
    high: float
    dice: int
    right: int


@dataclass(frozen=True)
class SeenDie:
    """A die as the camera sees it.

    ``edge``: pixels of an edge; ``tilt``: degrees off overhead; ``letter``: height in pixels of the smallest mark on
    the set's dice of this shape, in the direction of the strongest foreshortening; ``least_edge``: pixels of an edge at
    which it is large enough from overhead.
    """

    shape: Shape
    edge: float
    tilt: float
    letter: float
    needed: float
    least_edge: float

    @property
    def enough(self) -> bool:
        """Whether its letters are large enough."""
        return self.letter >= self.needed


@dataclass(frozen=True)
class SeenSides:
    """A tetrahedron's three sides: the heights of their letters in pixels, smallest first; 0 for a hidden side.

    ``estimated``: the picture shows no tetrahedron; the heights assume one beside the cubes, turned the worst way.
    """

    letters: tuple[float, float, float]
    needed: float
    estimated: bool

    def enough(self, *, handed: bool) -> bool:
        """Return whether the sides show the hidden face: three of them, or two if the handedness is known."""
        return self.letters[1 if handed else 0] >= self.needed


@dataclass(frozen=True)
class Legibility:
    """What a camera can read from here, and advice, the most useful first. ``good``: nothing has to change."""

    dice: tuple[SeenDie, ...]
    sides: SeenSides | None
    advice: tuple[Sentence, ...]
    good: bool

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``companion advise --json`` prints; lengths in pixels, angles in degrees."""
        data: dict[str, Any] = {
            "good": self.good,
            "advice": [str(sentence) for sentence in self.advice],
            "dice": [
                {
                    "shape": die.shape,
                    "edge": round(die.edge, 1),
                    "tilt": round(die.tilt, 1),
                    "letter": round(die.letter, 1),
                    "needed": die.needed,
                }
                for die in self.dice
            ],
        }
        if self.sides is not None:
            data["tetrahedron"] = {
                "letters": [round(letter, 1) for letter in self.sides.letters],
                "needed": self.sides.needed,
                "estimated": self.sides.estimated,
            }
        return data


def judge(
    dice: DiceSet,
    faces: Sequence[Points],
    tetrahedra: Sequence[tuple[Points, Points | None]],
    *,
    handed: bool = False,
) -> Legibility:
    """Return what can be read from where the camera stands.

    ``faces``: corners of upper faces in pixels, each (n, 2); ``tetrahedra``: base corners (3, 2), clockwise, and the
    apex (2,) or None. ``handed``: the tetrahedron's handedness is known, so two of its sides are enough.
    """
    seen = tuple(die for die in (_die(dice, corners) for corners in faces) if die is not None)
    sides = _sides(dice, seen, tetrahedra)
    advice = _advice(dice, seen, sides, handed=handed)
    good = bool(seen or sides) and not advice
    return Legibility(seen, sides, (_fine(seen, sides),) if good else advice, good)


def hindrance(dice: DiceSet, faces: Sequence[Points]) -> Sentence | None:
    """Return what keeps dice with these upper faces from being read: tilt of camera or die, or size; None if neither.

    ``faces``: as in `judge`.
    """
    seen = [die for die in (_die(dice, corners) for corners in faces) if die is not None]
    return (_slanted(seen) or _leaning(seen) or _too_small(seen)) if seen else None


def _leaning(seen: Sequence[SeenDie]) -> Sentence | None:
    tilts = sorted(die.tilt for die in seen)
    if len(seen) < LEANS_AMONG or tilts[-1] - float(np.median(tilts)) < LEANING_DEGREES:
        return None
    return Sentence("A die leans on something: move it free, and throw it again.")


def _slanted(seen: Sequence[SeenDie]) -> Sentence | None:
    tilt = round(float(np.median([die.tilt for die in seen])))
    if tilt <= min(SLANT.get(die.shape, 90.0) for die in seen):
        return None
    if len(seen) == 1:
        return Sentence("One die is seen, {tilt} degrees off overhead: look more from above.", tilt=tilt)
    return Sentence(
        "{count} dice are seen, {tilt} degrees off overhead: look more from above.", count=len(seen), tilt=tilt
    )


def _too_small(seen: Sequence[SeenDie]) -> Sentence | None:
    worst = min(seen, key=lambda die: die.letter / die.needed)
    if worst.edge < worst.least_edge:
        return Sentence(
            "An edge of a die has {have} pixels and {least} are needed: move the camera nearer.",
            have=_figure(worst.edge),
            least=_figure(worst.least_edge),
        )
    return None if worst.enough else _straighter(worst)


def needed(shape: Shape, marks: Sequence[str]) -> float:
    """Return the necessary height in pixels of a mark on such a die, as measured; see `TABLE`.

    A shape without measurements needs the same as a cube; pips have their own measurements.
    """
    every = _table()
    kind = f"{shape} pips" if PIP in marks else shape
    return large_enough(every[kind] if kind in every else every["cube"])


def large_enough(bands: Sequence[Band]) -> float:
    """Return the size from which the reader reads dice about as well as the largest: see `LARGE_ENOUGH_SHARE`.

    Larger letters are never harder to read. Where a band contradicts this, it is merged with its neighbour (isotonic
    regression). The largest letters are the bands that hold the last `LARGEST_DICE` dice.
    """
    pools: list[list[float]] = []  # lower bound, dice, right
    for band in sorted(bands, key=lambda one: one.low):
        pools.append([band.low, band.dice, band.right])
        while len(pools) > 1 and pools[-1][2] * pools[-2][1] <= pools[-2][2] * pools[-1][1]:
            _, number, hits = pools.pop()
            pools[-1] = [pools[-1][0], pools[-1][1] + number, pools[-1][2] + hits]
    dice = right = 0.0
    for _, more, hits in reversed(pools):
        dice, right = dice + more, right + hits
        if dice >= LARGEST_DICE:
            break
    best = right / dice
    return next(low for low, number, hits in pools if hits / number >= LARGE_ENOUGH_SHARE * best)


def letter_share(shares: Shares, shape: Shape, marks: Sequence[str]) -> float:
    """Return the height of one of a face's marks in edges of the die."""
    if PIP in marks:
        return PIP_SHARE
    number = sum(mark != UNDERLINE for mark in marks)
    return shares.get(shape, {}).get(number, ASSUMED[shape] / (1.0 if number < TWO_ROWS_FROM_MARKS else 1.5))


def side_letters(edge: float, tilt: float, share: float) -> tuple[float, float, float]:
    """Return the heights in pixels of the letters on a tetrahedron's sides, smallest first, in the worst rotation.

    In it, one side points straight away from the camera, and the other two are a third of a turn to its left and
    right. ``edge`` in pixels, ``tilt`` in degrees off overhead; the height is 0 for a hidden side.
    """
    high = edge * share
    straight = cos(radians(SIDE_LEAN + tilt))
    lean, off = radians(SIDE_LEAN), radians(tilt)
    half = float(np.cos(lean) * np.cos(off) + 0.5 * np.sin(lean) * np.sin(off))
    return (max(0.0, high * straight), high * half, high * half)


def _die(dice: DiceSet, corners: Points) -> SeenDie | None:
    """Return the die of this set with such a face, or None; the smallest marks of all such dice count."""
    fitting = [die for die in dice.dice if CORNERS.get(die.shape) == len(corners) and die.shape != "tetrahedron"]
    if not fitting:
        return None
    shares, shape = _shares(), fitting[0].shape
    shortened = foreshortening(corners, shape)
    marked = [face.marks for die in fitting if die.shape == shape for face in die.faces if face.marks]
    smallest = min(marked, key=lambda marks: letter_share(shares, shape, marks), default=("X",))
    share, least = letter_share(shares, shape, smallest), needed(shape, smallest)
    return SeenDie(shape, shortened.along, shortened.tilt, shortened.across * share, least, least / share)


def _sides(
    dice: DiceSet, seen: Sequence[SeenDie], tetrahedra: Sequence[tuple[Points, Points | None]]
) -> SeenSides | None:
    die = next((one for one in dice.dice if one.shape == "tetrahedron"), None)
    if die is None:
        return None
    marks = max((face.marks for face in die.faces), key=len)
    share, least = letter_share(_shares(), "tetrahedron", marks), needed("tetrahedron", marks)
    for base, apex in tetrahedra:
        if apex is not None:
            letters = sorted(_side_height(apex, base, i) / SIDE_HEIGHT * share for i in range(3))
            return SeenSides((letters[0], letters[1], letters[2]), least, estimated=False)
    if not seen:
        return None
    edge = TETRAHEDRON_EDGE * float(np.median([one.edge for one in seen]))
    return SeenSides(side_letters(edge, float(np.median([one.tilt for one in seen])), share), least, estimated=True)


def _side_height(apex: Points, base: Points, i: int) -> float:
    """Return the height of a side in pixels; 0 if the camera does not see it."""
    side = np.array([apex, base[i], base[(i + 1) % 3]])
    return max(0.0, 2 * area(side) / float(np.linalg.norm(side[1] - side[2])))


def _advice(dice: DiceSet, seen: Sequence[SeenDie], sides: SeenSides | None, *, handed: bool) -> tuple[Sentence, ...]:
    """Return what should change, the most useful first."""
    if not seen and sides is None:
        return (
            Sentence(
                "The camera sees no dice of this set: lay some in the picture, apart from each other, in even light."
            ),
        )
    advice = []
    tilts = [one.tilt for one in seen]
    blurred = [one for one in seen if not one.enough]
    slanted = _slanted(seen) if seen else None
    if slanted is not None:
        advice.append(slanted)
    elif blurred:
        worst = min(blurred, key=lambda one: one.letter / one.needed)
        if worst.letter >= worst.needed * cos(radians(worst.tilt)):  # large enough from straight above
            advice.append(_straighter(worst))
        else:
            advice.append(_nearer(Sentence("letter"), worst.letter, worst.needed))
    if sides is not None and not sides.enough(handed=handed):
        second = sides.letters[1 if handed else 0]
        tilt = round(float(np.median(tilts))) if tilts else None
        if second < sides.needed / 2 <= sides.letters[2] / 2:
            advice.append(_from_above(tilt))
        else:
            advice.append(_nearer(Sentence("letter on the sides of the tetrahedron"), second, sides.needed))
        if not blurred and len(dice.dice) > 1:
            advice.append(Sentence("The other dice can be read from here; the table will ask about the tetrahedron."))
    least, most = np.percentile(tilts, (25, 75)) if len(tilts) >= SEVERAL_DICE else (0.0, 0.0)
    if most - least > UNEVEN_DEGREES:
        advice.append(
            Sentence(
                "Use a narrower lens from farther away, or throw in the middle of the picture: the camera sees some "
                "dice {least} degrees off overhead, others {most}.",
                least=round(float(least)),
                most=round(float(most)),
            )
        )
    return tuple(advice)


def _nearer(what: Sentence, have: float, least: float) -> Sentence:
    return Sentence(
        "Move the camera nearer, to about {share} % of its distance, or take larger pictures: "
        "a {what} has {have} pixels and {least} are needed.",
        share=max(10, round(100 * ROOM_FACTOR * have / least / 5) * 5),
        what=what,
        have=_figure(have),
        least=_figure(least),
    )


def _straighter(die: SeenDie) -> Sentence:
    return Sentence(
        "Look more from above: {tilt} degrees off overhead a letter has {have} pixels and {least} are needed.",
        tilt=round(die.tilt),
        have=_figure(die.letter),
        least=_figure(die.needed),
    )


def _from_above(tilt: int | None) -> Sentence:
    if tilt is None:
        return Sentence("Look more from above: the far side of the tetrahedron is hidden.")
    return Sentence(
        "Look more from above: from {tilt} degrees off overhead the far side of the tetrahedron is hidden or too flat.",
        tilt=tilt,
    )


def _fine(seen: Sequence[SeenDie], sides: SeenSides | None) -> Sentence:
    on_sides = None
    if sides is not None:
        on_sides = Sentence(
            "a letter on the sides of the tetrahedron has {have} pixels and {least} are needed",
            have=_figure(next(letter for letter in sides.letters if letter >= sides.needed)),
            least=_figure(sides.needed),
        )
    if not seen:
        return Sentence("The dice can be read from here: {letter}.", letter=on_sides)
    worst = min(seen, key=lambda one: one.letter / one.needed)
    on_faces = Sentence(
        "a letter has {have} pixels and {least} are needed", have=_figure(worst.letter), least=_figure(worst.needed)
    )
    if on_sides is None:
        return Sentence("The dice can be read from here: {letter}.", letter=on_faces)
    return Sentence("The dice can be read from here: {letter}, {side}.", letter=on_faces, side=on_sides)


def _figure(pixels: float) -> int:
    return round(float(pixels))


@cache
def _shares() -> Shares:
    shares = data_of(__package__, TABLE)["share"]
    return {shape: {int(number): float(share) for number, share in known.items()} for shape, known in shares.items()}


@cache
def _table() -> dict[str, tuple[Band, ...]]:
    """Return the measured bands by shape; pips have their own key."""
    table: dict[str, tuple[Band, ...]] = {}
    for band in data_of(__package__, TABLE)["band"]:
        kind = f"{band['shape']} pips" if band["set"] == "pips" else band["shape"]
        table[kind] = (*table.get(kind, ()), Band(band["from"], band["to"], band["n"], band["right"]))
    return table
