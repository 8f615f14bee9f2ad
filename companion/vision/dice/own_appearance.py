"""Reading an owner's dice by their own looks: compare a face with the learnt faces."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.language.sentence import N_, Sentence, Template
from companion.rules.dice import DiceSet, dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Chances, Marks, Texts
from companion.vision.dice.likeness import Floats, Outline, Prototypes, likeness, prepare, relief
from companion.vision.dice.profile import LearntFace, Profile, ProfileError, light_figures, load
from companion.vision.dice.score_calibration import READ, ScoreCalibration, by_face, fisher
from companion.vision.readings import Image

MOST_EXACT_FITS: Final = 8
"""How many learnt looks are compared exactly with a face."""

TWIN_STEP: Final = 0.15
"""The least lead in likeness (after Fisher's transformation) of one twin over the next for a face to count as it."""

SPREADS: Final = 4.0
"""Light has drifted if a figure is more than this many deviations of the learnt throws away, and by more than its least
change in `DRIFTS`."""

DRIFTS: Final[dict[str, tuple[float, Template, Template]]] = {
    "brightness": (
        0.5,
        N_("The dice look darker than when they were learnt ({times} times): restore the light, or learn them again."),
        N_(
            "The dice look brighter than when they were learnt ({times} times): restore the light, or learn them again."
        ),
    ),
    "contrast": (
        0.7,
        N_(
            "The marks look {times} times weaker than when they were learnt: light the dice as before, or learn them "
            "again."
        ),
        N_(
            "The marks look {times} times harsher than when they were learnt: light the dice as before, or learn "
            "them again."
        ),
    ),
    "sharpness": (
        0.3,
        N_("The dice look {times} times less sharp than when they were learnt: focus the camera, or learn them again."),
        N_(
            "The dice look {times} times sharper than when they were learnt: set the camera as it was, or learn them "
            "again."
        ),
    ),
    "colour": (
        0.35,
        N_("The light is {times} times bluer than when the dice were learnt: use the same lamp, or learn them again."),
        N_("The light is {times} times redder than when the dice were learnt: use the same lamp, or learn them again."),
    ),
}
"""For each figure: the least change (of the logarithm) worth a warning, and the sentences for less and for more of
it."""


def places(texts: Texts, outline: Outline, text: str, die: str | None = None) -> tuple[int, ...]:
    """Return the indices of a face among the set's texts of that shape: all with these marks, in any order.

    With ``die``, only those of that die. Empty if the set has none. ``die`` plays no part for a tetrahedron's side.
    """
    bag = bag_of(text)
    if outline == "side":
        return tuple(i for i, own in enumerate(texts.side) if bag_of(own) == bag)
    return tuple(i for i, (name, own) in enumerate(texts.upper) if bag_of(own) == bag and die in (None, name))


class _Shape:
    """The learnt faces of one shape."""

    def __init__(self, profile: Profile, outline: Outline, texts: Texts) -> None:
        self.outline = outline
        self.axis = profile.axis
        self.count = len(texts.upper) if outline == "square" else len(texts.side)
        calibration = profile.squares if outline == "square" else profile.sides
        faces = [face for face in profile.faces if face.outline == outline] if calibration else []
        where = [_where(face, texts, profile) for face in faces]
        kinds = sorted(set(where))
        self.calibration: ScoreCalibration | None = calibration
        self.prototypes: Prototypes = prepare(
            [relief(face.patch, outline, self.axis) for face in faces], [kinds.index(one) for one in where], outline
        )
        self.twins = [face.twin for face in faces]
        # texts that the looks cannot distinguish get equal shares
        self.shares: Chances = np.zeros((len(kinds), self.count))
        for number, kind in enumerate(kinds):
            self.shares[number, list(kind)] = 1 / len(kind)

    def marks(self, patches: Sequence[Image]) -> Marks:
        if self.calibration is None or not patches:
            return Marks(np.zeros((len(patches), self.count)), np.ones(len(patches)))
        scores = np.array(
            [likeness(relief(patch, self.outline, self.axis), self.prototypes, MOST_EXACT_FITS) for patch in patches]
        )
        chances = self.calibration.chances(by_face(scores, self.prototypes.faces, len(self.shares)))
        return Marks(chances @ self.shares, np.clip(1 - chances.sum(axis=1), 0, 1))

    def twins_of(self, patches: Sequence[Image]) -> list[int | None]:
        if not any(twin is not None for twin in self.twins) or self.calibration is None:
            return [None] * len(patches)
        return [self._twin(relief(patch, self.outline, self.axis)) for patch in patches]

    def _twin(self, one: Floats) -> int | None:
        assert self.calibration is not None
        first = likeness(one, self.prototypes, MOST_EXACT_FITS)
        chances = self.calibration.chances(by_face(first[None], self.prototypes.faces, len(self.shares)))[0]
        kind = int(chances.argmax())
        if chances[kind] < READ:
            return None
        mine = np.flatnonzero(self.prototypes.faces == kind)
        scores = fisher(likeness(one, self.prototypes.of(mine)))
        best: dict[int, float] = {}
        for place, score in zip(mine, scores, strict=True):
            twin = self.twins[place]
            if twin is not None:
                best[twin] = max(best.get(twin, -1.0), float(score))
        order = sorted(best, key=lambda twin: -best[twin])
        if len(order) < 2 or best[order[0]] - best[order[1]] < TWIN_STEP:  # noqa: PLR2004 (one alone has no twin)
            return None
        return order[0]


class OwnAppearance:
    """Reads one owner's dice by the looks in their profile.

    Args:
        profile: the learnt profile.
        dice: the set, if it comes from an owner's own file; by default the set that comes with the program.

    Raises:
        ProfileError: this program does not have the profile's set, or the set does not have the profile's faces.
    """

    def __init__(self, profile: Profile, dice: DiceSet | None = None) -> None:
        try:
            texts = Texts.of(dice or dice_set(profile.set_name))
        except ValueError as error:
            raise ProfileError(f"The profile {profile.name} cannot be used: {error}") from error
        self.profile = profile
        self._square = _Shape(profile, "square", texts)
        self._side = _Shape(profile, "side", texts)

    @classmethod
    def load(cls, path: Path, dice: DiceSet | None = None) -> "OwnAppearance":
        """Read a profile from its file.

        Raises:
            ProfileError: the file is missing or cannot be used.
        """
        return cls(load(path), dice)

    def faces(self, patches: Sequence[Image]) -> Marks:
        """Return the posteriors of flat upper faces over the set's texts.

        A face unlike every learnt look is unreadable.
        """
        return self._square.marks(patches)

    def sides(self, patches: Sequence[Image]) -> Marks:
        """Return the posteriors of a tetrahedron's flat sides, as `faces` does for upper faces."""
        return self._side.marks(patches)

    def twins(self, patches: Sequence[Image]) -> list[int | None]:
        """Return for each flat upper face which of the learnt twins with its text it is, by grain and wear.

        None where the face is not read for certain, where its twins were not learnt separately, or where it resembles
        two of them.
        """
        return self._square.twins_of(patches)

    def drift(self, patches: Sequence[Image]) -> Sentence | None:
        """Return a sentence if light or focus of a throw's flat upper faces has drifted since learning, else None."""
        if not patches:
            return None
        learnt = {name: (mean, off) for name, mean, off in self.profile.light.figures}
        worst: tuple[float, Sentence] | None = None
        for name, value in light_figures(patches):
            if name not in learnt or name not in DRIFTS:
                continue
            least, less, more = DRIFTS[name]
            mean, off = learnt[name]
            excess = abs(value - mean) / max(least, SPREADS * off)
            if excess > 1 and (worst is None or excess > worst[0]):
                times = round(math.exp(abs(value - mean)), 1)
                worst = excess, Sentence.of(more if value > mean else less, times=times)
        return worst[1] if worst else None


def fuse(own: Marks, general: Marks) -> Marks:
    """Combine the posteriors of an owner's own looks with the general reader's; where both differ, reduce them.

    The own looks come first: what they give to texts stays, and the general reader fills only their unknown part. Both
    use the same pixels, so their agreement is not independent evidence. No text gets more than the surer of the two
    gives it, and the chances are not multiplied. If the general reader is sure of another text, both lose up to half.
    So a sure contradiction ends below every threshold for reading, whichever of the two is right.
    """
    if not len(own):
        return own
    mixed = own.texts + own.unreadable[:, None] * general.texts
    rows = np.arange(len(own))
    first, second = own.texts.argmax(axis=1), general.texts.argmax(axis=1)
    rival = general.texts[rows, second] * (~_alike(own, general, first, second))
    known = 1 - own.unreadable
    # an unsure general reader is often wrong about unusual dice; only a sure one counts against the own looks
    doubt = (0.5 * rival**4 * known)[:, None]
    pooled = (1 - doubt) * mixed + doubt * general.texts
    texts = np.minimum(pooled, np.maximum(own.texts, general.texts))
    return Marks(texts, np.clip(1 - texts.sum(axis=1), 0, 1))


def _alike(
    own: Marks, general: Marks, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Return where both mean the same marks: the own looks give the general reader's text as much as their best."""
    rows = np.arange(len(own))
    same: npt.NDArray[np.bool_] = own.texts[rows, second] >= own.texts[rows, first] * 0.999
    return same & (general.texts[rows, second] > 0)


def _where(face: LearntFace, texts: Texts, profile: Profile) -> tuple[int, ...]:
    found = places(texts, face.outline, face.text, face.die)
    if not found:
        raise ProfileError(
            f"The profile {profile.name} names a face {face.text!r} that the {profile.set_name} set has not: "
            "learn the dice again."
        )
    return found
