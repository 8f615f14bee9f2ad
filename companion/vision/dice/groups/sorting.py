"""Throws sorted into groups that a person can name, and groups that hold two faces, which nobody may name."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.vision.dice.groups.linkage import Likes, joinings, numbered

MORE_ROWS: Final = 1.25
"""A person names at most so many groups for each face of the die: one face in two groups is named twice, which costs
little, but two faces in one group would be counted wrongly."""

SORTED_SHARE: Final = 0.85
"""The share of throws that are in a group of two or more."""

MIXED_LIKENESS: Final = 0.55
"""A group is mixed if its two parts are less alike than this, where 0 is how alike two groups usually are, and 1 is how
alike the throws of one group usually are."""

LEAST_PART: Final = 2
"""One throw that is unlike the rest of its group is a doubtful throw, not a second face."""


@dataclass(frozen=True)
class Group:
    """Throws that look as if they showed one face: their places, the most typical one first.

    ``mixed``: they probably show two faces, so that no name fits all of them.
    """

    members: tuple[int, ...]
    mixed: bool


def most_rows(faces: int) -> int:
    """Return how many groups a person has to name at most for a die with so many faces."""
    return math.ceil(MORE_ROWS * faces)


def sort_throws(pairs: Likes, faces: int) -> list[Group]:
    """Return the groups of throws of one die, the largest first; a throw like no other is in none.

    It joins the two most alike groups again and again, and stops as soon as a person can be asked to name them. A mixed
    group is taken apart again, as far as the person need not name more groups for it.

    Args:
        pairs: how alike every two throws are, (n, n).
        faces: how many different faces the die has.
    """
    cuts, _ = joinings(pairs)
    fine = (
        cut
        for cut in cuts
        if sum(len(one) > 1 for one in cut) <= most_rows(faces)
        and sum(len(one) == 1 for one in cut) <= (1 - SORTED_SHARE) * len(pairs)
    )
    numbers = numbered(next(fine, cuts[-1]), len(pairs))
    groups = [np.flatnonzero(numbers == number).tolist() for number in range(int(numbers.max(initial=-1)) + 1)]
    groups = _halved(pairs, groups, most_rows(faces))
    found = []
    for members, is_mixed in zip(map(np.array, groups), mixed_groups(pairs, groups), strict=True):
        within = pairs[np.ix_(members, members)].sum(axis=1)
        found.append(Group(tuple(int(i) for i in members[np.argsort(-within, kind="stable")]), is_mixed))
    return found


def _halved(pairs: Likes, groups: list[list[int]], most: int) -> list[list[int]]:
    """Return the groups with the mixed ones in their two parts, the largest first, as far as a person has taps for it.

    A mixed group that stays whole is not named, so it takes no tap.
    """
    flagged = mixed_groups(pairs, groups)
    spare = most - flagged.count(False)
    found = []
    for members, is_mixed in zip(groups, flagged, strict=True):
        parts = _halves(pairs, members) if is_mixed and spare >= 2 else [members]  # noqa: PLR2004 (the parts)
        spare -= len(parts) if len(parts) > 1 else 0
        found += parts
    return sorted(found, key=len, reverse=True)


def mixed_groups(pairs: Likes, groups: Sequence[Sequence[int]], share: float = MIXED_LIKENESS) -> list[bool]:
    """Return which groups probably hold two faces: their two parts are hardly more alike than two groups are.

    ``share``: see `MIXED_LIKENESS`. With a single group nothing tells how alike two faces are, so none is called mixed.
    """
    if len(groups) <= 1:
        return [False] * len(groups)
    between = float(np.median([_mean(pairs, one, other) for i, one in enumerate(groups) for other in groups[:i]]))
    halves = [_halves(pairs, one) for one in groups]
    inside = [_within(pairs, part) for both in halves for part in both if len(part) > 1]
    if not inside:
        return [False] * len(groups)
    least = between + share * (float(np.median(inside)) - between)
    return [
        len(both) == 2  # noqa: PLR2004 (a group of one throw has no parts)
        and min(map(len, both)) >= LEAST_PART
        and _mean(pairs, both[0], both[1]) < least
        for both in halves
    ]


def _halves(pairs: Likes, members: Sequence[int]) -> list[list[int]]:
    """Return the two parts of a group that were joined last; the one throw of a group of one."""
    places = np.array(members)
    cuts, _ = joinings(pairs[np.ix_(places, places)])
    return [[int(places[i]) for i in part] for part in cuts[max(0, len(members) - 2)]]


def _mean(pairs: Likes, one: Sequence[int], other: Sequence[int]) -> float:
    return float(pairs[np.ix_(one, other)].mean())


def _within(pairs: Likes, members: Sequence[int]) -> float:
    own = pairs[np.ix_(members, members)]
    return float((own.sum() - np.trace(own)) / (len(members) * (len(members) - 1)))
