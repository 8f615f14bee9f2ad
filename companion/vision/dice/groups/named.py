"""Counting throws by groups that a person named: a throw counts for the one name that it is clearly most like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.vision.dice.groups.likeness import CropComparison, CropFeatures
from companion.vision.dice.groups.linkage import Likes

NEAREST_THROWS: Final = 3
"""A throw is as alike to a name as it is, on average, to so many of its nearest throws."""

LEAST_LIKENESS: Final = 1.2
"""A throw that is less alike to its name than this is doubtful."""

LIKENESS_MARGIN: Final = 0.6
"""A throw that is not more alike to its name than to any other by this much is doubtful."""

MOST_EACH: Final = 8
"""How many throws of one name a new throw is compared with."""

NAMELESS: Final = "\0"
"""With this begins what a row is called that nobody named. A throw that is like such a row shows none of the names, so
it is doubtful: a face without a name would else be counted as the named face that it resembles most."""

FEWEST_THROWS: Final = 2
"""A name of which fewer throws are known is never counted without a question."""


@dataclass(frozen=True)
class Verdict:
    """What a throw shows. ``sure``: it counts; else ``name`` is only the likeliest, None without any name.

    ``margin``: by how much it is more alike to this name than to the next.
    """

    name: str | None
    sure: bool
    margin: float


def by_likeness(alike: Mapping[str, Sequence[float]]) -> Verdict:
    """Return what a throw shows, given for each name how alike it is to throws of that name."""
    scores = {name: float(np.sort(np.asarray(own))[-NEAREST_THROWS:].mean()) for name, own in alike.items() if len(own)}
    if not scores:
        return Verdict(None, sure=False, margin=0.0)
    first, *others = sorted(scores, key=lambda name: -scores[name])
    if first.startswith(NAMELESS):
        return Verdict(None, sure=False, margin=0.0)
    # with one name only, nothing shows what the throw may be else
    margin = scores[first] - scores[others[0]] if others else 0.0
    sure = scores[first] >= LEAST_LIKENESS and margin >= LIKENESS_MARGIN and len(alike[first]) >= FEWEST_THROWS
    return Verdict(first, sure, margin)


def without_itself(pairs: Likes, names: Sequence[str | None]) -> list[Verdict]:
    """Return what each throw shows by all the other named ones, (n): a throw is never its own witness.

    ``names``: the name of each throw's group, None where it is in none; see `NAMELESS`.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name is not None:
            places.setdefault(name, []).append(place)
    return [
        by_likeness({name: [float(pairs[i, j]) for j in own if j != i] for name, own in places.items()})
        for i in range(len(names))
    ]


def strangers(pairs: Likes, names: Sequence[str | None]) -> list[str | None]:
    """Return the names with each throw that is in no group and surely like no name as a group of its own, unnamed.

    Where a face of the die has no name, one of these throws may show it: see `NAMELESS`.
    """
    verdicts = without_itself(pairs, names)
    return [
        f"{NAMELESS}alone {place}" if name is None and not verdict.sure else name
        for place, (name, verdict) in enumerate(zip(names, verdicts, strict=True))
    ]


def separation(names: Sequence[str | None], verdicts: Sequence[Verdict]) -> dict[str, dict[str, int]]:
    """Return how the throws of each name were counted by all others: the reader's error, as far as groups show it.

    The form is that of `companion.fairness.reader_file`: a doubtful throw is ``unread``. Two faces that always stayed
    in one group do not show here; only somebody who checks the rows, or the throws drawn to be checked, sees them.
    """
    counts: dict[str, dict[str, int]] = {}
    for name, verdict in zip(names, verdicts, strict=True):
        if name is not None and not name.startswith(NAMELESS):
            read = verdict.name if verdict.sure and verdict.name is not None else "unread"
            row = counts.setdefault(name, {})
            row[read] = row.get(read, 0) + 1
    return counts


def pooled(counts: Mapping[str, Mapping[str, int]], labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return a separation in which every label has the throws of all, as if no face were harder than another.

    Eight throws of a face alone leave room for so many errors that no die could ever be called biased. An error that
    took a throw for this very name counts as one that takes it for the other.
    """
    whole: dict[str, dict[str, int]] = {label: {} for label in labels}
    for own, row in whole.items():
        for true, reads in counts.items():
            for read, count in reads.items():
                seen = own if read == true else true if read == own else read
                row[seen] = row.get(seen, 0) + count
    return whole


class NamedThrows:
    """Reads new throws of a die by those that were named, and by those of rows without a name: see `NAMELESS`.

    Args:
        comparison: compares throws of this die.
        pairs: how alike the named throws are, (n, n), to keep those of each name that are most like the others.
        looks: the named throws.
        names: their names.
    """

    def __init__(
        self, comparison: CropComparison, pairs: Likes, features: Sequence[CropFeatures], names: Sequence[str]
    ) -> None:
        self._comparison = comparison
        self._kept: dict[str, list[CropFeatures]] = {}
        for name in dict.fromkeys(names):
            mine = np.array([i for i, own in enumerate(names) if own == name])
            order = mine[np.argsort(-pairs[np.ix_(mine, mine)].sum(axis=1), kind="stable")]
            self._kept[name] = [features[i] for i in order[:MOST_EACH]]

    def read(self, features: CropFeatures) -> Verdict:
        """Return what a new throw shows."""
        return by_likeness(
            {name: [float(one) for one in self._comparison.likeness(features, own)] for name, own in self._kept.items()}
        )
