"""One die thrown at several stations at the same time: their throws merged into one order, for one verdict.

The bet may be looked at after every throw only in one order that no throw's outcome decides: that of the clock. What is
read later then never comes before what was judged earlier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from companion.fairness.account import CountedThrow, DieAccount, counts_of
from companion.fairness.dependence import Finding, between
from companion.language.sentence import Sentence


class StationsError(ValueError):
    """These throws cannot be merged."""


@dataclass(frozen=True, eq=False)
class Joined:
    """One die at its stations, in the order in which they were given.

    ``account``: of all throws together. ``parts``: the account of each station, which bears its name. ``at``: for each
    throw of ``account`` the name of its station.
    """

    account: DieAccount
    parts: tuple[DieAccount, ...]
    at: tuple[str, ...]

    def differ(self) -> Finding | None:
        """Ask whether the throws differ between the stations, as whether those of sessions do.

        None if there is only one station, or too few throws.
        """
        shown = self.account.shown
        if shown is None:
            return None
        throws = self.account.throws or ()
        at = [name for name, thrown in zip(self.at, throws, strict=True) if thrown.outcome is not None]
        return between(shown, at, len(self.account.outcomes.labels), "station", at_end=True)

    @property
    def has_sessions(self) -> bool:
        """Whether a station noted sessions of its own."""
        return any(thrown.session for part in self.parts for thrown in part.throws or ())


def joined(name: str, parts: Sequence[DieAccount]) -> Joined:
    """Return one die called ``name`` from its accounts at the stations, each of which bears its station's name.

    The throws of several stations are merged by the clock and renumbered, and each one's session names its station. A
    station's own order stays, also where its clock was set back. Those of a single one stay as they are.

    Raises:
        StationsError: two stations have one name or hold the same throws, or a station has no throws one by one, throws
            without a moment, or dice thrown together that nobody can distinguish.
    """
    first = parts[0]
    if len(parts) == 1:
        return Joined(replace(first, name=name), (first,), (first.name,) * len(first.throws or ()))
    order = _ordered(parts)
    throws = tuple(thrown for _, thrown in order)
    understood, faults = (
        tuple(
            Sentence("{station}: {said}", station=name, said=sentence)
            for name, sentences in of_parts
            for sentence in sentences
        )
        for of_parts in ([(one.name, one.understood) for one in parts], [(one.name, one.faults) for one in parts])
    )
    account = replace(
        first, name=name, counts=counts_of(throws, first.outcomes), throws=throws, understood=understood, faults=faults
    )
    return Joined(account, tuple(parts), tuple(station for station, _ in order))


def _ordered(stations: Sequence[DieAccount]) -> list[tuple[str, CountedThrow]]:
    """Return the throws of several stations in one order, each with the name of its station."""
    timed = sorted(
        ((moment, place, thrown) for place, station in enumerate(stations) for moment, thrown in _timed(station)),
        key=lambda one: one[:2],
    )
    for one, other in combinations(stations, 2):
        _expect_different(one, other)
    return [
        (stations[place].name, thrown._replace(number=number)) for number, (_, place, thrown) in enumerate(timed, 1)
    ]


def _timed(station: DieAccount) -> Iterator[tuple[float, CountedThrow]]:
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
        yield latest, one._replace(session=f"{station.name}, {one.session}" if one.session else station.name)


def _expect_different(one: DieAccount, other: DieAccount) -> None:
    if one.name == other.name:
        raise StationsError(f"Expected stations of different names, but two are called {one.name}.")
    mine, others = ({(thrown.at, thrown.outcome) for thrown in each.throws or ()} for each in (one, other))
    pictures, more = ({thrown.digest for thrown in each.throws or () if thrown.digest} for each in (one, other))
    if pictures & more or mine <= others or others <= mine:
        raise StationsError(
            f"Expected throws of different stations, but {one.name} and {other.name} hold the same throws."
        )
