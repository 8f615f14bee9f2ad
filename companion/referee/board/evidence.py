"""How well a reading agrees with what a position expects on each site."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.referee.board.seating import Seating
from companion.referee.board.standing import BAR, Expected, ExpectedBoard, Stand
from companion.vision.board_readings import BoardReading, Men, SiteReading, Standing

READER_ERROR_FLOOR: Final = 0.002
"""How often a reader may be wrong about a site, however sure it says it is.

Readers of boards aim at one silent error in a thousand sites. A reader's own confidence is believed only up to half
that quality, so no single site weighs more than ``log(1 / FLOOR)``, about 6.2.
"""

CONTRADICTING_CHANCE: Final = 0.2
"""A site contradicts a position if what the position expects there has at most this chance."""

EXPLAINED_CHANCE: Final = 0.4
"""A play explains a site that it changes if its result has at least this chance there."""

DOUBTFUL_CHANCE: Final = 0.75
"""If a site was agreed on with less than this chance, it may be read now as it could have been read then.

A reading that wavers between two men is no change.
"""

LEAST_POSSIBLE_CHANCE: Final = 0.005
"""Anything less likely is not searched for: a play that needs it is worse by more than any margin."""


class Evidence:
    """One reading in the game's own names, which gives the chance of each standing.

    ``hidden``: the sites that the camera cannot see; ``piled``: those where more men may lie than it can see;
    ``across``: those on whose edge a man lies, with the site beyond that edge.
    ``agreed``: the expected board of the last agreed position; ``before``: the reading of that agreement. Some sites
    were read differently or doubtfully even then: a misread man, or a man who was hit and still lies there. Such a site
    counts as unchanged while it is read as it was, or could have been, then.
    """

    def __init__(
        self,
        reading: BoardReading,
        seating: Seating,
        agreed: ExpectedBoard,
        sites: Sequence[str],
        before: BoardReading | None,
    ) -> None:
        self.seating = seating
        self.agreed = agreed
        self.sites = tuple(sites)
        self._read = {seating.site(name): site for name, site in reading.sites.items()}
        self._before = {} if before is None else {seating.site(name): site for name, site in before.sites.items()}
        self._chances: dict[tuple[str, Expected], float] = {}
        self.across = {seating.site(one): seating.site(other) for one, other in reading.across.items()}
        self.hidden = frozenset(
            site for site in self.sites if site not in self._read or not self._read[site].candidates
        )
        self.piled = frozenset(site for site in self.sites if site in self._read and self._read[site].piled)

    def agreed_before(self, site: str) -> bool:
        """Whether a site was seen as agreed at the agreement, and nothing has changed on it since."""
        was = self._before.get(site)
        if was is None or not was.candidates:
            return False
        expected = self.agreed.get(site)
        return (
            sum(chance for seen, chance in was.candidates if self._fits(expected, seen, piled=was.piled))
            >= EXPLAINED_CHANCE
        )

    def owners(self, site: str) -> frozenset[int]:
        """Return whose men can stand on a site, by the reading and the agreement; 0 for an unknown colour."""
        if site in self.hidden:
            return frozenset((1, 2))
        found = {0}
        for men, _ in self._read[site].candidates:
            while men is not None:
                found.add(self.seating.owners.get(men.colour, 0))
                men = men.also  # noqa: PLW2901 - the men of the other side beside these
        was = self.agreed.get(site)
        return frozenset(found | {was.owner}) if isinstance(was, Stand) else frozenset(found)

    def seen(self, site: str) -> Standing:
        """Return what most likely stands on a site, in the picture's terms."""
        return self._read[site].standing if site in self._read else None

    def sure(self, site: str) -> bool:
        """Whether the reader is sure of what it sees on a visible site."""
        return site in self._read and self._read[site].status == "read"

    def chance(self, site: str, expected: Expected) -> float:
        """Return how likely it is that a site looks as expected; 1 for a hidden site."""
        key = (site, expected)
        known = self._chances.get(key)
        if known is None:
            known = self._chances[key] = 1.0 if site in self.hidden else self._chance(site, expected)
        return known

    def _chance(self, site: str, expected: Expected) -> float:
        read = self._read[site]
        found = sum(chance for seen, chance in read.candidates if self._admits(site, expected, seen, piled=read.piled))
        if expected == self.agreed.get(site) and site in self._before and found < EXPLAINED_CHANCE:
            was = self._before[site]
            usual = sum(chance for seen, chance in was.candidates if self._fits(expected, seen, piled=was.piled))
            if usual < EXPLAINED_CHANCE:
                found = max(found, sum(min(chance, was.chance(seen)) for seen, chance in read.candidates))
            elif usual < DOUBTFUL_CHANCE and isinstance(expected, Stand):
                # The reader wavers between men of his side; no man, or another side's, would be a change.
                same = [(seen, chance) for seen, chance in read.candidates if self._wavers(expected, seen)]
                found = max(found, sum(min(chance, was.chance(seen)) for seen, chance in same))
        return min(1.0, found)

    def _wavers(self, expected: Stand, seen: Men | None) -> bool:
        """Whether what is seen is also one man of the same side, perhaps with another shape or number."""
        lone = seen is not None and seen.also is None and seen.count == expected.count == 1
        return lone and seen is not None and self.seating.owners.get(seen.colour) == expected.owner

    def _admits(self, site: str, expected: Expected, seen: Men | None, *, piled: bool) -> bool:
        return self._fits(expected, seen, piled=piled) or self._unlifted(site, expected, seen)

    def _fits(self, expected: Expected, seen: Men | None, *, piled: bool) -> bool:
        if expected is None:
            return seen is None
        return expected.admits(seen, self.seating.owners, piled=piled)

    def _unlifted(self, site: str, expected: Expected, seen: Men | None) -> bool:
        """Whether a lone man who was hit still lies beside those who hit him."""
        was = self.agreed.get(site)
        if seen is None or seen.also is None or site == BAR or not isinstance(expected, Stand):
            return False
        hit = isinstance(was, Stand) and was.owner != expected.owner and was.count == 1 and not was.shape
        return hit and replace(expected, beside=1).admits(seen, self.seating.owners, piled=False)

    def unlifted(self, site: str, expected: Expected) -> bool:
        """Whether a site is read with a man on it who was hit and must still be lifted."""
        return (
            site not in self.hidden
            and not self._fits(expected, self.seen(site), piled=self._read[site].piled)
            and self._unlifted(site, expected, self.seen(site))
        )

    def weight(self, site: str, expected: Expected) -> float:
        """Return the logarithm of the `chance`, the reader's own doubt mixed with ours; 0 for a hidden site."""
        if site in self.hidden:
            return 0.0
        return math.log((1 - READER_ERROR_FLOOR) * self.chance(site, expected) + READER_ERROR_FLOOR)

    def unlikelier(self, site: str, expected: Expected) -> float:
        """Return by how much less likely a site looks as expected than as what it looks most like, as a logarithm."""
        if site in self.hidden:
            return 0.0
        most = math.log((1 - READER_ERROR_FLOOR) * self._read[site].confidence + READER_ERROR_FLOOR)
        return max(0.0, most - self.weight(site, expected))

    def contradicts(self, site: str, expected: Expected) -> bool:
        """Whether a visible site clearly shows something else."""
        return site not in self.hidden and self.chance(site, expected) <= CONTRADICTING_CHANCE

    def contradictions(self, found: ExpectedBoard) -> frozenset[str]:
        """Return every site that contradicts an expected board."""
        return frozenset(site for site in self.sites if self.contradicts(site, found.get(site)))

    def gain(self, found: ExpectedBoard) -> float:
        """Return how much better a board explains the reading than the agreed one does, as a difference of logarithms.

        Only sites on which the two differ count: a change of light lowers both alike.
        """
        return sum(
            self.weight(site, found.get(site)) - self.weight(site, self.agreed.get(site))
            for site in self.changed(found)
        )

    def changed(self, found: ExpectedBoard) -> tuple[str, ...]:
        """Return the sites where an expected board differs from the agreed one; the bar, which is never sure, last."""
        agreed = self.agreed
        return tuple(site for site in self.sites if found.get(site) != agreed.get(site))


def pooled(readings: Sequence[BoardReading]) -> BoardReading:
    """Return the observations of one still interval as one: each site has the mean posterior of those that saw it.

    Readings with another status than `read` are left out if there is a better one.

    Raises:
        ValueError: there is no reading.
    """
    if not readings:
        raise ValueError("Expected at least one reading of the board, but none came.")
    used = [reading for reading in readings if reading.status == "read"] or list(readings[-1:])
    if len(used) == 1:
        return used[0]
    names = dict.fromkeys(name for reading in used for name in reading.sites)
    sites = {
        name: _pooled_site(name, [reading.sites[name] for reading in used if name in reading.sites]) for name in names
    }
    return replace(used[-1], sites=sites, milliseconds=sum(reading.milliseconds for reading in used))


def _pooled_site(name: str, readings: Sequence[SiteReading]) -> SiteReading:
    seen = [reading for reading in readings if reading.candidates]
    if not seen:
        return readings[-1]
    chances: dict[Standing, float] = {}
    for reading in seen:
        for standing, chance in reading.candidates:
            chances[standing] = chances.get(standing, 0.0) + chance / len(seen)
    ordered = tuple(sorted(chances.items(), key=lambda entry: -entry[1]))
    asked = any(reading.status == "ask" for reading in seen)
    return SiteReading(name, ordered, "ask" if asked else "read", any(reading.piled for reading in seen))
