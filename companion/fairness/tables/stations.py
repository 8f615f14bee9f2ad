"""One die thrown at several stations at the same time: their throws merged into one order, for one verdict.

The bet may be looked at after every throw only in one order that no throw's outcome decides: that of the clock. What is
read later then never comes before what was judged earlier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from companion.fairness.account import Thrown


class StationsError(ValueError):
    """These throws cannot be merged."""


@dataclass(frozen=True)
class Station:
    """A station: its name, and its throws in their order."""

    name: str
    throws: Sequence[Thrown]


def merged(stations: Sequence[Station]) -> tuple[Thrown, ...]:
    """Return the throws of all stations by the clock, numbered anew; each one's session names its station.

    A station's own order stays, also where its clock was set back.

    Raises:
        StationsError: two stations have one name or hold the same throws, or a station has no throws one by one, throws
            without a moment, or dice thrown together that nobody can tell apart.
    """
    timed = sorted(
        ((moment, place, thrown) for place, station in enumerate(stations) for moment, thrown in _timed(station)),
        key=lambda one: one[:2],
    )
    for one, other in combinations(stations, 2):
        _expect_apart(one, other)
    return tuple(replace(thrown, number=number) for number, (_, _, thrown) in enumerate(timed, 1))


def _timed(station: Station) -> Iterator[tuple[float, Thrown]]:
    """Yield each throw of a station with its moment, or that of the one before if the clock was set back."""
    if not station.throws:
        raise StationsError(f"Expected throws one by one, but {station.name} holds only counts.")
    latest = float("-inf")
    for one in station.throws:
        if one.at is None:
            raise StationsError(
                "Expected the moment of every throw, as the laboratory's own tables have it in the column at, but "
                f"throw {one.number} of {station.name} has none: without moments nobody knows the order."
            )
        if one.together > 1:
            raise StationsError(
                f"Expected dice thrown one by one, but {station.name} threw {one.together} together that nobody can "
                "tell apart."
            )
        latest = max(latest, one.at)
        yield latest, replace(one, session=f"{station.name}, {one.session}" if one.session else station.name)


def _expect_apart(one: Station, other: Station) -> None:
    if one.name == other.name:
        raise StationsError(f"Expected stations of different names, but two are called {one.name}.")
    mine, others = ({(thrown.at, thrown.outcome) for thrown in each.throws} for each in (one, other))
    pictures, more = ({thrown.digest for thrown in each.throws if thrown.digest} for each in (one, other))
    if pictures & more or mine <= others or others <= mine:
        raise StationsError(
            f"Expected throws of different stations, but {one.name} and {other.name} hold the same throws."
        )
