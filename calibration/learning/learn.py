"""From the faces of some throws to what a table remembers: sort them, get their names, keep them as exemplars."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Protocol

import numpy as np

from calibration.learning.gather import SeenFace
from calibration.learning.grouping import Groups, all_pairs, group, typical
from calibration.learning.naming import Name, NamedGroups, name_groups, name_members
from companion.rules.dice import DiceSet
from companion.vision.dice.faces import OUTLINES, FaceReader, Marks, Outline, rotations
from companion.vision.dice.groups.linkage import Likes
from companion.vision.dice.groups.sorting import mixed_groups
from companion.vision.dice.memory.profile import LearntFace, check_name, memory_of
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.nets import settings
from companion.vision.readings import Image, readable

LEAST_THROWS = 10
"""The fewest throws to learn from; 20 to 60 are usual."""

LEAST_GROUPS = 12
"""An owner may have to name this many groups, or half more than the set has faces if that is more."""

LEARNABLE = frozenset(("cube", "tile", "tetrahedron"))
"""The shapes whose faces have one of these outlines. Of the kites and triangles of other dice, groups would be made of
sides and upper faces alike."""

MOST_MIXED = 0.5
"""If more of a shape's faces than this are in groups that show two faces, no group of that shape is learnt."""


class NotLearntError(ValueError):
    """The dice cannot be learnt from these throws; the text is one sentence."""


class GeneralReader(Protocol):
    """A reader of flat faces that has not learnt these dice."""

    def squares(self, patches: list[Image]) -> Marks:
        """Return the posteriors of upper faces."""

    def sides(self, patches: list[Image]) -> Marks:
        """Return the posteriors of a tetrahedron's sides."""


@dataclass(frozen=True, eq=False)
class SortedFaces:
    """The faces of one shape, sorted into groups; ``typical`` are the places of the faces that represent the groups."""

    outline: Outline
    faces: tuple[SeenFace, ...]
    texts: tuple[tuple[str | None, str], ...]
    pairs: Likes
    groups: Groups
    typical: tuple[int, ...]

    @cached_property
    def mixed(self) -> tuple[int, ...]:
        """The numbers of the groups that probably hold two faces: no name fits all of their faces."""
        members = self.members()
        flagged = mixed_groups(self.pairs, members)
        inside = sum(len(own) for own, is_mixed in zip(members, flagged, strict=True) if is_mixed)
        most = inside > MOST_MIXED * sum(map(len, members))
        return tuple(number for number, is_mixed in enumerate(flagged) if is_mixed or most)

    def members(self) -> list[list[int]]:
        """Return the places of each group's faces, the least typical last."""
        found = []
        for number, stands in enumerate(self.typical):
            mine = np.flatnonzero(self.groups == number)
            found.append([int(i) for i in mine[np.argsort(-self.pairs[stands, mine])]])
        return found


def general_reader(dice: DiceSet) -> GeneralReader | None:
    """Return the general reader for a set, or None if it cannot read these dice yet."""
    return FaceReader(dice, settings().temperature) if readable(dice) else None


def sort_faces(faces: Sequence[SeenFace], dice: DiceSet) -> list[SortedFaces]:
    """Sort the faces of each shape into groups. Shapes that the set does not have are left out.

    Raises:
        NotLearntError: hardly any faces, too few throws, most groups show two faces, or the set has dice of other
            shapes.
    """
    if strange := sorted({die.shape for die in dice.dice} - LEARNABLE):
        raise NotLearntError(
            f"Expected cubes, tiles or tetrahedra, which companion learn knows, but the {dice.name} set has a die that "
            f"is a {strange[0]}: the table learns it while you play, and companion fairness watch --group counts it."
        )
    throws = len({face.throw for face in faces})
    if throws < LEAST_THROWS:
        raise NotLearntError(
            f"Expected at least {LEAST_THROWS} throws with dice to learn from (20 to 60 are best), but found "
            f"{throws}: throw more often, or set the camera nearer."
        )
    reader = FaceReader(dice, settings().temperature)
    every = reader.texts
    found = []
    for outline in OUTLINES:
        mine = tuple(face for face in faces if face.outline == outline)
        texts: tuple[tuple[str | None, str], ...] = (
            every.upper if outline == "square" else tuple((None, text) for text in every.side)
        )
        if len(mine) < LEAST_THROWS or not texts:
            continue
        views = reader.views([rotations(face.patch, outline) for face in mine])
        pairs = all_pairs([view.descriptors for view in views])
        # within a throw, sides of a die differ, and so do upper faces of a set whose dice all differ
        throw = np.array([face.throw for face in mine])
        separate = throw[:, None] == throw[None, :] if outline == "side" or not dice.alike else None
        groups = group(pairs, max(LEAST_GROUPS, math.ceil(1.5 * len(texts))), separate)
        found.append(SortedFaces(outline, mine, texts, pairs, groups, tuple(typical(groups, pairs))))
    if not found:
        raise NotLearntError(
            f"Expected faces of the {dice.name} set, but hardly any were found: set the camera nearer and straight "
            "above the dice."
        )
    if all(len(one.mixed) == len(one.typical) for one in found):
        raise NotLearntError(
            "Expected groups of one face each, but most of the groups show two faces: set the camera nearer, or light "
            "the dice so that their marks stand out."
        )
    return found


def name_faces(one: SortedFaces, general: GeneralReader | None, given: Mapping[int, Name]) -> NamedGroups:
    """Name the groups of one shape as far as the owner, the general reader and the counts allow.

    A group that shows two faces has no name, no matter who gave it one, and a note says so.
    """
    throws = len({face.throw for face in one.faces})
    named = name_groups(one.groups, _opinion(one, general), one.texts, given, throws)
    notes = tuple(
        f"Group {number + 1} shows two faces and is left out: no name fits all of it." for number in one.mixed
    )
    names = {number: name for number, name in named.names.items() if number not in one.mixed}
    return NamedGroups(names, named.notes + notes)


def _opinion(one: SortedFaces, general: GeneralReader | None) -> Marks:
    """Return the general reader's reading of each face; all unreadable if there is no reader."""
    patches = [face.patch for face in one.faces]
    if general is None:
        return Marks(np.zeros((len(patches), len(one.texts))), np.ones(len(patches)))
    return general.squares(patches) if one.outline == "square" else general.sides(patches)


def make_memory(
    name: str,
    dice: DiceSet,
    named: Sequence[tuple[SortedFaces, Mapping[int, Name]]],
    *,
    made: datetime,
    general: GeneralReader | None = None,
) -> TableMemory:
    """Return what a table knows of the named faces; leave out groups without a name, or of no face.

    ``general`` also judges each single face, see `name_members`.

    Raises:
        NotLearntError: nothing was named.
        ProfileError: the name is not allowed.
    """
    check_name(name)
    kept: list[LearntFace] = []
    for one, names in named:
        members = name_members(one.groups, names, _opinion(one, general), one.texts)
        kept += [
            LearntFace(face.patch, one.outline, who.text, face.throw)
            for face, who in zip(one.faces, members, strict=True)
            if who is not None and who.text is not None
        ]
    if not kept:
        raise NotLearntError("Nothing was learnt about these dice: no group has a name.")
    return memory_of(kept, dice, name, made.isoformat(timespec="seconds"))
