"""One map of a die's surface, joined from throws: each shows several faces, and neighbours show which rotation it is.

A solid that lies on a face has as many rotations as it has symmetries. All visible faces vote for one of them: two
throws that share few or worn marks still agree in many faces at once. The first throw begins the map, those that fit it
best extend it, and each throw is judged by a map of which it is no part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.vision.dice.atlas.facets import Facets, Floats
from companion.vision.dice.atlas.marked import Common, fit
from companion.vision.dice.atlas.pose import LyingThrow, Pose, Visible

HALF_TRUST_THROWS: Final = 0.5
"""The map of a face that so many throws show counts for half."""

FIRST_LEAD, LAST_LEAD, LEAD_STEP = 0.45, 0.18, 0.03
"""By how much a throw must fit one rotation better than any other to extend the map: at first, at last, and the step
between two rounds."""

MAP_ROUNDS: Final = 25
MAP_STARTS: Final = 8
"""How many throws begin a map; the one that explains all throws best is kept."""

SETTLED_ROUNDS: Final = 4
"""After so many rounds the first throw is judged like any other."""

COMMON_SHARE: Final = 1.5
"""How much a pose counts by what all faces have in common, against what its own marks say."""

ROTATIONS_FOLLOWED: Final = 3
"""How many rotations of a throw, and how many symmetries of each, are followed."""

OWN_SHARE: Final = 0.6
"""How much the map counts against what all faces have in common when a pose is refined."""

JUDGING_PASSES: Final = 2
"""How often all throws are judged again by the map of the others."""

LEAST_LEAD: Final = 0.25
"""A throw whose upper face leads by less stays out of the map."""


@dataclass(frozen=True, eq=False)
class FoundPose:
    """How a throw lies, by the map. ``face``: which face of the die is up; ``symmetry``: its rotation.

    ``lead``: by how much this face is likelier than any other, as a difference of correlations; ``common``: how well
    the pose fits what all faces have in common, from 0 to 1.
    """

    face: int
    symmetry: int
    lead: float
    common: float
    pose: Pose


class Map:
    """The sum of what throws show of each face: (faces, samples), and how much of it: (faces)."""

    def __init__(self, solid: Facets) -> None:
        self._solid = solid
        self.sums = np.zeros((len(solid.points), len(solid.weights)))
        self.amounts = np.zeros(len(solid.points))

    def add(self, own: Visible, symmetry: int, sign: float = 1.0) -> None:
        """Add what a throw in this rotation shows; take it away with ``sign`` -1."""
        faces = self._solid.faces[symmetry, own.faces]
        places = self._solid.turned[self._solid.turns[symmetry, own.faces]]
        for number, face in enumerate(faces):
            self.sums[face, places[number]] += sign * own.facing[number] * own.samples[number]
        self.amounts[faces] += sign * own.facing

    def templates(self) -> tuple[Floats, Floats]:
        """Return what each face looks like in each of its positions, and how far that is to be trusted (faces)."""
        length = np.linalg.norm(self.sums, axis=1, keepdims=True)
        known = (self.amounts > 1e-6)[:, None]  # noqa: PLR2004 (what is left of sums that were taken away)
        flat = np.where(known, self.sums / np.maximum(length, 1e-9), 0)
        trust = self.amounts / (self.amounts + HALF_TRUST_THROWS)
        return np.asarray(flat[:, self._solid.turned], np.float32), trust.astype(np.float32)

    def scores(self, own: Visible) -> Floats:
        """Return how well a throw fits the map in each symmetry, (symmetries)."""
        templates, trust = self.templates()
        alike = own.samples @ templates.reshape(-1, templates.shape[2]).T
        alike = alike.reshape(len(own.faces), *templates.shape[:2])
        faces, turns = self._solid.faces[:, own.faces], self._solid.turns[:, own.faces]
        each = alike[np.arange(len(own.faces))[None], faces, turns]
        score = (each * own.facing[None] * trust[faces]).sum(axis=1)
        return np.asarray(score / np.sqrt(float(own.facing @ own.facing)), np.float32)

    def without(self, own: Visible, symmetry: int) -> "Map":
        """Return the map without a throw that is part of it."""
        other = Map(self._solid)
        other.sums, other.amounts = self.sums.copy(), self.amounts.copy()
        other.add(own, symmetry, -1.0)
        other.amounts = np.maximum(other.amounts, 0)
        return other


class Atlas:
    """Reads which face of a die is up, without knowing what is on it.

    Args:
        common: what all faces of the die have in common.
        throws: throws of the die.
        poses: how each of them lies, as far as `common` shows it.
    """

    def __init__(self, common: Common, throws: Sequence[LyingThrow], poses: Sequence[Pose]) -> None:
        self._common = common
        owns = [common.own(throw, pose) for throw, pose in zip(throws, poses, strict=True)]
        _, self.map = max(
            (_grown(common.solid, owns, start) for start in range(min(MAP_STARTS, len(owns)))), key=lambda one: one[0]
        )
        members: dict[int, tuple[Visible, int]] = {}
        for _ in range(JUDGING_PASSES):
            self.found = [
                self._judged(throw, self.map.without(*members[number]) if number in members else self.map)
                for number, throw in enumerate(throws)
            ]
            members = {
                number: (common.own(throws[number], one.pose), one.symmetry)
                for number, one in enumerate(self.found)
                if one.lead >= LEAST_LEAD
            }
            self.map = Map(common.solid)
            for own, symmetry in members.values():
                self.map.add(own, symmetry)

    def read(self, throw: LyingThrow) -> FoundPose:
        """Return which face of the die is up in a throw that is no part of the map."""
        return self._judged(throw, self.map)

    def extend(self, throw: LyingThrow, found: FoundPose) -> None:
        """Let the map learn from a throw that is surely read."""
        self.map.add(self._common.own(throw, found.pose), found.symmetry)

    def _judged(self, throw: LyingThrow, by: Map) -> FoundPose:
        """Return the likeliest pose: some rotations are followed, each refined by the map in the symmetries it fits."""
        common, solid = self._common, self._common.solid
        tried: list[tuple[float, int, Pose]] = []
        for start in common.starts(throw, ROTATIONS_FOLLOWED):
            pose = common.refined(throw, start, common.target, (1.0, 0.5))
            seen = common.see(throw, pose)
            plain = COMMON_SHARE * fit(seen, common.target(pose, seen))
            scores = by.scores(common.own(throw, pose))
            tried += [(plain + float(scores[k]), int(k), pose) for k in np.argsort(-scores)[:ROTATIONS_FOLLOWED]]
        tried.sort(key=lambda one: -one[0])
        templates, trust = by.templates()
        best: dict[int, tuple[float, FoundPose]] = {}
        for _, symmetry, start in tried[: ROTATIONS_FOLLOWED + 2]:

            def both(pose: Pose, seen: Visible, symmetry: int = symmetry) -> Floats:
                faces, turns = solid.faces[symmetry, seen.faces], solid.turns[symmetry, seen.faces]
                wanted = common.target(pose, seen) + OWN_SHARE * trust[faces][:, None] * templates[faces, turns]
                return np.asarray(wanted / np.maximum(np.linalg.norm(wanted, axis=1, keepdims=True), 1e-9), np.float32)

            pose = common.refined(throw, start, both, (0.5, 0.25))
            seen = common.see(throw, pose)
            plain = fit(seen, common.target(pose, seen))
            worth = COMMON_SHARE * plain + float(by.scores(common.own(throw, pose))[symmetry])
            one = FoundPose(int(solid.faces[symmetry, 0]), symmetry, 0.0, plain, pose)
            if one.face not in best or worth > best[one.face][0]:
                best[one.face] = worth, one
        for worth, symmetry, pose in tried:  # a rotation that was not followed is another reading, and never a sure one
            one = FoundPose(int(solid.faces[symmetry, 0]), symmetry, 0.0, 0.0, pose)
            best.setdefault(one.face, (worth, one))
        (first, one), *others = sorted(best.values(), key=lambda each: -each[0])
        return replace(one, lead=first - others[0][0] if others else 0.0)


def _grown(solid: Facets, owns: Sequence[Visible], start: int) -> tuple[float, Map]:
    """Return a map that begins with one throw, and by how much the throws then fit one symmetry better than others."""
    identity = _identity(solid)
    members: Mapping[int, int] = {start: identity}
    whole, leads = Map(solid), [0.0]
    for turn in range(MAP_ROUNDS):
        whole = Map(solid)
        for number, symmetry in members.items():
            whole.add(owns[number], symmetry)
        leads, best = [], []
        for number, own in enumerate(owns):
            alone = number in members and len(members) > 1
            scores = (whole.without(own, members[number]) if alone else whole).scores(own)
            order = np.argsort(-scores)
            leads.append(float(scores[order[0]] - scores[order[1]]))
            best.append(int(order[0]))
        least = max(LAST_LEAD, FIRST_LEAD - LEAD_STEP * turn)
        new = {number: best[number] for number, lead in enumerate(leads) if lead > least}
        if len(new) < 2:  # noqa: PLR2004 (the first throw alone is no map)
            new = {int(number): best[number] for number in np.argsort(leads)[::-1][: 2 + turn]}
        new[start] = best[start] if turn >= SETTLED_ROUNDS else identity
        if new == members and least == LAST_LEAD:
            break
        members = new
    return float(np.mean(leads)), whole


def _identity(solid: Facets) -> int:
    """Return the symmetry that leaves the solid as it is."""
    same = (solid.faces == np.arange(len(solid.points))).all(axis=1) & (solid.turns == 0).all(axis=1)
    return int(np.flatnonzero(same)[0])
