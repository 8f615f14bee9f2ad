"""One die's throws under one camera: kept, sorted into rows that a person names once, and then counted one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.vision.dice.groups.crops import Crop
from companion.vision.dice.groups.likeness import CropComparison, features_of
from companion.vision.dice.groups.linkage import Likes, joinings
from companion.vision.dice.groups.named import NAMELESS, NamedThrows, Verdict, separation, strangers, without_itself
from companion.vision.dice.groups.sorting import sort_throws
from companion.vision.dice.groups.still import still_rows
from companion.vision.readings import Image

LEAST_EACH: Final = 3
"""Fewer throws than this for each face of the die, on average, leave faces that nobody could name."""

CROPS_SHOWN: Final = 5
"""How many crops of a row a person sees: the most typical one, and those that are least like it."""

SURELY_ALIKE: Final = 3.5
"""Doubtful throws stand in one row if they are at least this much alike."""


class TooFewThrowsError(ValueError):
    """There are too few throws to sort them; the text is one sentence."""


@dataclass(frozen=True)
class ThrowRow:
    """A group of throws as a person sees it.

    ``members``: the numbers of its throws, from 0, the most typical one first; ``guess``: what the general reader takes
    most of them for, None if it takes them for nothing; ``mixed``: it probably holds two faces, or what never moves,
    and cannot be named.
    """

    members: tuple[int, ...]
    guess: str | None
    mixed: bool

    @property
    def shown(self) -> tuple[int, ...]:
        """The throws that a person sees: the most typical one, and those that are least like it."""
        return (self.members[0], *self.members[1:][-(CROPS_SHOWN - 1) :])


def refuse_few(throws: int, faces: int) -> None:
    """Refuse to sort throws of a die with so many faces.

    Raises:
        TooFewThrowsError: there are fewer than `LEAST_EACH` throws for each face.
    """
    if throws < LEAST_EACH * faces:
        raise TooFewThrowsError(
            f"Expected at least {LEAST_EACH * faces} throws of a die with {faces} faces before they are sorted, "
            f"but got {throws}: throw more often."
        )


def names_of_throws(rows: Sequence[ThrowRow], names: Mapping[int, str], throws: int) -> list[str | None]:
    """Return the name of each throw, (throws), by those of rows; see `NAMELESS`. None for a throw in no row.

    Raises:
        ValueError: a mixed row has a name, or no row has one.
    """
    if wrong := sorted(row + 1 for row in names if rows[row].mixed):
        raise ValueError(f"Row {wrong[0]} shows two faces: no name fits all of its throws.")
    if not names:
        raise ValueError("Expected a name for at least one row.")
    found: list[str | None] = [None] * throws
    for place, row in enumerate(rows):
        for member in row.members:
            found[member] = names.get(place, f"{NAMELESS}{place}")
    return found


class GroupingCourse:
    """Counts the throws of one die by likeness.

    Args:
        crops: the throws from which it learns.
        faces: how many different faces the die has.

    Raises:
        TooFewThrowsError: there are fewer than `LEAST_EACH` throws for each face.
    """

    def __init__(self, crops: Sequence[Crop], faces: int) -> None:
        refuse_few(len(crops), faces)
        self._crops = list(crops)
        self._features = [features_of(crop) for crop in crops]
        self._comparison = CropComparison(self._features)
        self._pairs: Likes = self._comparison.pairs(self._features)
        self._faces = faces
        self._known: NamedThrows | None = None
        groups = sort_throws(self._pairs, faces)
        still = still_rows(crops, [group.members for group in groups])
        self.rows = [
            ThrowRow(group.members, _guess([crops[i] for i in group.members]), group.mixed or is_still)
            for group, is_still in zip(groups, still, strict=True)
        ]
        self.verdicts: list[Verdict] = []
        """What each of the throws shows, once the rows have names."""
        self.separation: dict[str, dict[str, int]] = {}
        """How well the names separate, as `named.separation` says it."""

    def name(self, names: Mapping[int, str]) -> None:
        """Take the names of rows, by their places; what is like a row without a name stays doubtful.

        Raises:
            ValueError: a mixed row has a name, or no row has one.
        """
        named = names_of_throws(self.rows, names, len(self._crops))
        if len(set(names.values())) < self._faces:
            named = strangers(self._pairs, named)
        self.verdicts = without_itself(self._pairs, named)
        self.separation = separation(named, self.verdicts)
        # a throw that the others contradict is no witness for later ones
        sure = [
            i
            for i, (name, verdict) in enumerate(zip(named, self.verdicts, strict=True))
            if name is not None and (name.startswith(NAMELESS) or verdict.name == name)
        ]
        self.verdicts = [
            # nor does it count for a name against its own row
            Verdict(verdict.name, verdict.sure and named[i] in (None, verdict.name), verdict.margin)
            for i, verdict in enumerate(self.verdicts)
        ]
        self._known = NamedThrows(
            self._comparison,
            self._pairs[np.ix_(sure, sure)],
            [self._features[i] for i in sure],
            [name for i in sure if (name := named[i]) is not None],
        )

    def picture(self, crop: Crop) -> Image:
        """Return a throw as a person sees it."""
        return crop.picture

    def likes(self, crops: Sequence[Crop], numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Return doubtful throws in rows of likes, see `rows_of_likes`."""
        return rows_of_likes(crops, numbers)

    def read(self, crop: Crop) -> Verdict:
        """Return what a further throw shows.

        Raises:
            ValueError: no row has a name yet.
        """
        if self._known is None:
            raise ValueError("Expected the rows to be named before further throws are read.")
        return self._known.read(features_of(crop))


def _guess(crops: Sequence[Crop]) -> str | None:
    """Return what the general reader takes most of these crops for."""
    chances: dict[str, float] = {}
    for crop in crops:
        for text, chance in crop.guess:
            chances[text] = chances.get(text, 0.0) + chance
    return max(chances, key=lambda text: chances[text], default=None)


def rows_of_likes(crops: Sequence[Crop], numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """Return doubtful throws in rows of likes: only throws that are surely alike stand in one row.

    ``numbers``: what the throws are called in the answer.
    """
    if not crops:
        return []
    features = [features_of(crop) for crop in crops]
    pairs = CropComparison(features).pairs(features)
    cuts, heights = joinings(pairs)
    step = sum(height >= SURELY_ALIKE for height in heights)
    return [tuple(numbers[i] for i in row) for row in sorted(cuts[step], key=lambda row: (-len(row), row))]
