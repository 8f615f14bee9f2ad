"""Samples for the corner net: dice and their sides, cut out by corners that are off as found corners are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.corners import (
    CHANCES,
    CLOSE,
    MOST_CORNER_EDGES,
    OFFSETS,
    OUTPUTS,
    SOLID,
    SQUARE,
    START,
    TRIANGLE,
    UPPER,
    UPPER_KINDS,
    back,
    kind_of,
    near,
    regular,
)
from companion.vision.dice.faces import patch_input
from companion.vision.dice.geometry import (
    Points,
    area,
    clockwise,
    edge_length,
    grow,
    inside,
    is_convex,
    mapped,
    mapping,
)
from companion.vision.readings import Image
from workshop.training.disturb import astray, recolour
from workshop.training.store import Scenes

Array = npt.NDArray[np.float32]
Answer = Callable[[Array], Array]
"""An earlier net: its outputs (n x outputs) for the input that `patch_input` makes of n patches."""

SEEN: Final = 0.4
"""Least visible share of a face that is used."""

MOST_FACES: Final = 4
MOST_SIDES: Final = 2
"""Most upper faces and most sides used of one picture; some pictures hold forty."""

RARE_TIMES: Final = 2
"""How often an upper face of three or five corners is used, each time with a new start: there are few."""

SOLID_TIMES: Final = 2
"""How often each tetrahedron is used from afar and from near, always cut out again: its apex is the hardest to find."""

LOCATED: Final = 2.7
"""Corner error of the locator relative to this net's; it is often nearly right and sometimes far off."""

NEARLY: Final = 0.5
"""Corner error in the close view relative to the locator's, because these corners were corrected before."""

FAR: Final = ((0.2, 0.4), (0.7, 0.35), (1.4, 0.17), (2.2, 0.08))
"""Sizes of the start corners' errors, relative to the locator's, each with its frequency."""

ANY_TURN: Final = 0.12
"""Share of upper faces that start in any turn, as if the locator had found the place but not the corners."""

TURNED: Final = (-0.8, 1.0)
"""The range of these turns, in halves of the step from corner to corner.

In the gap between its end and its start nobody can tell which way a polygon was turned, so the net need not: a polygon
turned by half a step always goes back the same way.
"""

GOLDEN: Final = (1 + 5**0.5) / 2

OF_ANOTHER_SIZE: Final = {True: 0.25, False: 0.06}
"""Share of upper faces that start as a polygon of a very different size: of those with three corners, and of others."""

ACROSS: Final = 0.5
"""Share of those with three corners that start upside down, through the far corners of the three neighbouring faces.

This triangle, larger by `GOLDEN`, is what is most often taken for the upper face of a d20.
"""

SIZES: Final = (1 / GOLDEN, GOLDEN)
"""The others start too small or too large by a factor between these."""

AGAIN: Final = 0.4
"""Share of faces that start where the net itself left them: only there it learns how far off that may still be."""

SIDE_WEIGHT: Final = 0.5
"""Weight of a side's corners in the loss: the net goes to the side's corners and states that it is a side."""

PARTS: Final = 0.35
PART: Final = (0.2, 0.5)
"""Share of pictures that show a part of a face, and its size in edges: a letter, a quarter, some pips."""

NONE: Final = 0.6
"""Share of pictures that show a place without such a die."""

APEX_WEIGHT: Final = 2.0
"""Weight of the apex's error."""

CLIP: Final = 0.6
"""Offsets are taught up to this size, as a share of the patch."""

UNKNOWN: Final = -1.0


@dataclass(frozen=True, eq=False)
class Shown:
    """A place of a picture as the net sees it, and the outputs that it should give.

    ``start``: the corners by which it is cut out (of a tetrahedron: its base). ``true``: the corners to find (and the
    apex), None where there are none. ``chance``, ``upper``: whether such a die is there, and whether this is its upper
    face; 0, 1 or `UNKNOWN`. ``weight``: weight of the corners.
    """

    picture: Image
    start: Points
    kind: int
    true: Points | None = None
    chance: float = UNKNOWN
    upper: float = UNKNOWN
    weight: float = 1.0

    def wanted(self) -> tuple[Array, Array]:
        """Return the outputs that the net should give, and the weight of each."""
        wanted, known = np.zeros(OUTPUTS, np.float32), np.zeros(OUTPUTS, np.float32)
        if self.true is not None:
            start = START[self.kind]
            offsets = mapped(mapping(self.start, start[: len(self.start)]), self.true) - start
            places = OFFSETS[self.kind]
            wanted[places], known[places] = np.clip(offsets, -CLIP, CLIP).ravel(), self.weight
            if self.kind in (SOLID, CLOSE):
                known[places.stop - 2 : places.stop] = APEX_WEIGHT
        if self.chance != UNKNOWN:
            wanted[CHANCES + self.kind], known[CHANCES + self.kind] = self.chance, 1
        if self.upper != UNKNOWN and self.kind in UPPER_KINDS:
            place = UPPER + UPPER_KINDS.index(self.kind)
            wanted[place], known[place] = self.upper, 1
        return wanted, known

    def patch(self) -> Image:
        """Return the patch that the net sees."""
        return near(self.picture, self.start, self.kind)


def batches(
    load: Callable[[], Scenes], size: int, rng: np.random.Generator, before: Answer | None = None
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield inputs, wanted outputs and their weights without end.

    ``before``: an earlier net; many faces then start where it leaves them.
    """
    pool: list[Shown] = []
    while True:
        scenes = load()
        for number in rng.permutation(len(scenes)):
            pool += samples(scenes, int(number), rng)
            while len(pool) >= 2 * size:
                chosen = set(rng.choice(len(pool), size, replace=False).tolist())
                taken = [pool[i] for i in sorted(chosen)]
                pool = [one for i, one in enumerate(pool) if i not in chosen]
                if before is not None:
                    taken = left_by(before, taken, rng)
                wanted = [one.wanted() for one in taken]
                yield (
                    patch_input(np.stack([recolour(one.patch(), rng) for one in taken])),
                    np.stack([one for one, _ in wanted]),
                    np.stack([one for _, one in wanted]),
                )


def left_by(before: Answer, shown: Sequence[Shown], rng: np.random.Generator) -> list[Shown]:
    """Replace the start corners of some samples, faces only, by those that a net gives them."""
    after = list(shown)
    some = [i for i, one in enumerate(shown) if one.true is not None and one.kind in UPPER_KINDS]
    some = [i for i in some if rng.random() < AGAIN]
    if not some:
        return after
    answers = before(patch_input(np.stack([recolour(shown[i].patch(), rng) for i in some])))
    for i, answer in zip(some, answers, strict=True):
        one = shown[i]
        moved = back(START[one.kind] + answer[OFFSETS[one.kind]].reshape(-1, 2), one.start, one.kind)
        far = np.linalg.norm(moved - one.start, axis=1).max() > MOST_CORNER_EDGES * edge_length(one.start)
        if is_convex(moved) and not far:
            after[i] = replace(one, start=moved)
    return after


def samples(scenes: Scenes, number: int, rng: np.random.Generator) -> list[Shown]:
    """Return samples of a picture: dice, some of their sides, sometimes a part of a face or a place without a die."""
    picture, truth = scenes.picture(number), scenes.truths[number]
    faces = [face.corners for face in truth.faces if face.seen > SEEN]
    sides = list(truth.sides)
    solids = [(base, apex) for base, apex, _ in truth.tetrahedra]
    if rng.random() < 0.5:  # the net need not know letters, so a mirrored die is one more die
        picture = np.ascontiguousarray(picture[:, ::-1])
        faces, sides = ([_mirrored(one, picture) for one in some] for some in (faces, sides))
        solids = [(_mirrored(base, picture), _mirrored(apex[None], picture)[0]) for base, apex in solids]
    shown = []
    for i in rng.permutation(len(faces))[:MOST_FACES]:
        kind = kind_of(len(faces[i]))
        for _ in range(1 if kind == SQUARE else RARE_TIMES):
            true = _any_first(faces[i], rng)
            shown.append(Shown(picture, bad_start(true, rng), kind, true, 1, 1))
    for side in _deceiving(sides, rng):
        true = _any_first(side, rng)
        start = astray(true, rng, _much(rng))
        shown.append(Shown(picture, start, kind_of(len(true)), true, upper=0, weight=SIDE_WEIGHT))
    for base, apex in solids * SOLID_TIMES:
        true = _any_first(base, rng)
        for kind, much, chance in ((SOLID, 1.0, 1.0), (CLOSE, NEARLY, UNKNOWN)):
            start = astray(true, rng, _much(rng) * much)
            shown.append(Shown(picture, start, kind, np.vstack([true, apex]), chance))
    if faces and rng.random() < PARTS:
        shown.append(_part(picture, faces[int(rng.integers(len(faces)))], rng))
    if rng.random() < NONE:
        shown += _none(picture, faces, [base for base, _ in solids], rng)
    return shown


def bad_start(true: Points, rng: np.random.Generator) -> Points:
    """Return corners from which an upper face may have to be found."""
    triangle = kind_of(len(true)) == TRIANGLE
    half = np.pi / len(true)
    pick = rng.random()
    if pick < ANY_TURN:
        return astray(regular(true, float(rng.uniform(*TURNED)) * half), rng, LOCATED * 0.5)
    if pick < ANY_TURN + OF_ANOTHER_SIZE[triangle]:
        if triangle and rng.random() < ACROSS:
            # through the far corners of a d20's three neighbouring faces; corner k is after the true k
            return astray(np.roll(grow(true, -GOLDEN), 1, axis=0), rng, LOCATED * 0.4)
        return astray(grow(true, float(np.exp(rng.uniform(*np.log(SIZES))))), rng, LOCATED * 0.5)
    return astray(true, rng, _much(rng))


def _much(rng: np.random.Generator) -> float:
    return LOCATED * float(rng.choice([far for far, _ in FAR], p=[share for _, share in FAR]))


def _any_first(corners: Points, rng: np.random.Generator) -> Points:
    return np.roll(clockwise(corners), int(rng.integers(len(corners))), axis=0)


def _mirrored(corners: Points, picture: Image) -> Points:
    return np.column_stack([picture.shape[1] - 1 - corners[:, 0], corners[:, 1]])


def _deceiving(sides: Sequence[Points], rng: np.random.Generator) -> list[Points]:
    """Return some sides; larger ones, which are seen better, more often."""
    if not sides:
        return []
    sizes = np.array([abs(area(side)) for side in sides])
    order = rng.choice(len(sides), min(MOST_SIDES, len(sides)), replace=False, p=sizes / sizes.sum())
    return [sides[i] for i in order]


def _part(picture: Image, face: Points, rng: np.random.Generator) -> Shown:
    """Return a part of a face, started with as many corners as the face has, or another number."""
    weights = rng.dirichlet(np.ones(len(face)))
    number = len(face) if rng.random() < 0.6 else int(rng.choice([3, 4, 5]))
    turn = rng.uniform(0, 2 * np.pi) + np.arange(number) * 2 * np.pi / number
    edge = edge_length(face) * float(rng.uniform(*PART)) * (1.0 if number > 3 else 1.4)
    ring = np.column_stack([np.cos(turn), np.sin(turn)]) * edge / (2 * np.sin(np.pi / number))
    return Shown(picture, ring + weights @ face, kind_of(number), chance=0, upper=0)


def _none(picture: Image, faces: list[Points], bases: list[Points], rng: np.random.Generator) -> list[Shown]:
    """Return for some kinds a place without such a die: perhaps with a die of another kind, or a die's side."""
    edge = float(np.exp(rng.uniform(np.log(20), np.log(110))))
    angle = rng.uniform(0, 2 * np.pi)
    known = [face.mean(axis=0) for face in (*faces, *bases)]
    place = rng.random(2) * picture.shape[1::-1]
    if known and rng.random() < 0.5:
        place = known[int(rng.integers(len(known)))] + rng.normal(0, 1.0, 2) * edge
    shown = []
    for kind, corners in enumerate((4, 3, 3, 5)):
        same = bases if kind == SOLID else [face for face in faces if kind_of(len(face)) == kind]
        if any(inside(place, one) or np.linalg.norm(one.mean(axis=0) - place) < 0.4 * edge_length(one) for one in same):
            continue
        turn = angle + np.arange(corners) * 2 * np.pi / corners
        start = np.column_stack([np.cos(turn), np.sin(turn)]) * edge * 0.65 + place
        shown.append(Shown(picture, start, kind, chance=0, upper=0))
    return [shown[i] for i in rng.permutation(len(shown))[:2]]
