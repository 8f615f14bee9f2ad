"""Whether a table of throws is whole: rows that are missing, changed, sorted, pasted or joined from several tables.

The laboratory's own table carries a chain: each row's link is a hash of the row and of the link before it, and the last
row's link says that it is the last. So whoever deletes, changes, moves or adds a row leaves a link that does not fit.
The chain is no signature: it finds accidents and careless hands, and only the digest in a report proves more.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Final

import numpy as np

from companion.fairness.account import CountedThrow
from companion.fairness.mixture import Counts
from companion.fairness.tables.lines import MOST_THROWS
from companion.language.sentence import Sentence

LINK_DIGITS: Final = 16
"""Hexadecimal digits of a link; a letter before them keeps a spreadsheet from taking it for a number."""

CHANCE_OF_PASTED: Final = 1e-6
"""A block that comes twice is named if the chance that any so long one does by itself is at most this."""

FEWEST_SORTED: Final = 20
"""The fewest throws that count as sorted."""

MOST_NAMED: Final = 5
"""So many places at which a table is broken are named; of more their number is."""


@dataclass(frozen=True)
class WholeTable:
    """The throws of a table in their order, a throw that was not read for each row that is missing, and its faults."""

    throws: tuple[CountedThrow, ...]
    faults: tuple[Sentence, ...]


def with_links(rows: Iterable[Sequence[str]], many: int) -> Iterator[tuple[Sequence[str], str]]:
    """Yield each of so ``many`` rows, given by its cells, with its link."""
    link = ""
    for number, cells in enumerate(rows, 1):
        link = _link(link, cells, last=number == many)
        yield cells, link


def checked(
    throws: Sequence[CountedThrow], rows: Sequence[Sequence[str]] = (), links: Sequence[str] = ()
) -> WholeTable:
    """Return the throws in the order of their numbers, and everything that shows that the table is not whole.

    ``rows`` and ``links``: the cells and the link of each row, where the table has a chain.
    """
    faults: list[Sentence] = []
    places: Sequence[int] = range(len(throws))
    again = [one.number for one, other in pairwise(throws) if other.number <= one.number]
    unique = len({one.number for one in throws}) == len(throws)
    if again and unique:
        places = sorted(places, key=lambda place: throws[place].number)
        faults.append(
            Sentence("The rows were not in the order of their numbers; they are judged in that order. Who sorted them?")
        )
    elif again:
        faults.append(
            Sentence(
                "The numbers of the throws begin again after {number}: tables were joined, or rows were pasted.",
                number=again[0],
            )
        )
    ordered = [throws[place] for place in places]
    if any(links):
        broken, said = _broken(ordered, [rows[place] for place in places], [links[place] for place in places])
        faults += said
    else:
        broken = _gaps(ordered) if unique else []
        faults += missing_sentences(ordered) if broken else []
    whole: list[CountedThrow] = []
    begin = 0
    for place in broken:
        whole += [*ordered[begin:place], *_missing(ordered, place)]
        begin = place
    whole += ordered[begin:]
    shown = np.array([one.outcome for one in ordered if one.outcome is not None], np.int64)
    return WholeTable(tuple(whole), (*faults, *order_faults(shown)))


def missing_sentences(throws: Sequence[CountedThrow]) -> Iterator[Sentence]:
    """Yield how many numbers are missing between the first and the last throw of a table without a chain."""
    first, last = throws[0].number, throws[-1].number
    yield Sentence(
        "{count} throws between number {first} and number {last} are missing; each counts as not read. Somebody left "
        "them out, or they are of other dice.",
        count=last - first + 1 - len(throws),
        first=first,
        last=last,
    )


def order_faults(shown: Counts) -> Iterator[Sentence]:
    """Yield what the faces alone say: that they are sorted, or that a block of them comes twice (places, n)."""
    if len(shown) >= FEWEST_SORTED and len(np.unique(shown)) > 1 and (np.diff(shown) >= 0).all():
        yield Sentence("The throws are sorted by face: nothing that depends on their order can be trusted.")
    elif (block := pasted_block(shown)) is not None:
        first, second, length = block
        yield Sentence(
            "Throws {second} to {end} are the same as throws {first} to {stop}, one by one: a block was pasted.",
            first=first + 1,
            stop=first + length,
            second=second + 1,
            end=second + length,
        )


def pasted_block(shown: Counts) -> tuple[int, int, int] | None:
    """Return a block of throws (n places) that comes twice: where first, where again, how long; None if chance may.

    The length that chance does not reach counts with throws that repeat the one before more often than they should.
    """
    length = _longest_by_chance(shown)
    if length is None or len(shown) < 2 * length:
        return None
    windows = np.zeros(len(shown) - length + 1, np.uint64)
    for at in range(length):  # a hash of each window, modulo 2**64
        windows = windows * _HASH_FACTOR + shown[at : at + len(windows)].astype(np.uint64) + np.uint64(1)
    order = np.argsort(windows, kind="stable")
    begins = np.flatnonzero(np.diff(windows[order], prepend=~windows[order[:1]]))
    first_of = np.repeat(order[begins], np.diff(begins, append=len(order)))
    again = np.flatnonzero(order - first_of >= length)
    for place in again[np.argsort(order[again])].tolist():
        first, at, longer = int(first_of[place]), int(order[place]), length
        if (shown[first : first + length] != shown[at : at + length]).any():
            continue  # the same hash by chance
        while at + longer < len(shown) and first + longer < at and shown[first + longer] == shown[at + longer]:
            longer += 1
        return first, at, longer
    return None


_HASH_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)


def _longest_by_chance(shown: Counts) -> int | None:
    """Return a length of block that hardly ever comes twice by chance; None where any may."""
    if len(shown) < FEWEST_SORTED:
        return None
    shares = np.bincount(shown) / len(shown)
    same = float((shares**2).sum())
    repeats = max(same, float((shown[1:] == shown[:-1]).mean()), *_repeats(shown))
    if repeats >= 1:
        return None
    return math.ceil(math.log(len(shown) ** 2 / 2 / CHANCE_OF_PASTED) / -math.log(repeats))


def _repeats(shown: Counts) -> Iterator[float]:
    """Yield how often two throws agree whose predecessors agree: more often than chance where throws are dependent."""
    pairs = np.unique(shown[:-1] * (int(shown.max()) + 1) + shown[1:], return_counts=True)[1].astype(np.float64)
    single = np.bincount(shown[:-1]).astype(np.float64)
    yield float((pairs**2).sum() / (single**2).sum())


def _broken(
    throws: Sequence[CountedThrow], rows: Sequence[Sequence[str]], links: Sequence[str]
) -> tuple[list[int], list[Sentence]]:
    """Return the places whose link does not follow from the row before, and the sentences on them and on the end."""
    before = ["", *links[:-1]]
    last = len(rows) - 1
    fits = [
        link in {_link(prior, cells, last=False), _link(prior, cells, last=True)}
        for prior, cells, link in zip(before, rows, links, strict=True)
    ]
    broken = [place for place, fit in enumerate(fits) if not fit]
    said = [_break_sentence(throws, place) for place in broken[:MOST_NAMED]]
    if len(broken) > MOST_NAMED:
        said.append(Sentence("So it is in {count} places of the table.", count=len(broken)))
    if fits[last] and links[last] != _link(before[last], rows[last], last=True):
        said.append(
            Sentence(
                "The table goes on after throw {number}: the rows at its end are missing.", number=throws[-1].number
            )
        )
    return broken, said


def _break_sentence(throws: Sequence[CountedThrow], place: int) -> Sentence:
    number = throws[place].number
    gap = number - throws[place - 1].number - 1 if place else number - 1
    if gap > 0:
        return Sentence(
            "Up to {count} throws before number {number} are missing; each counts as not read.",
            count=gap,
            number=number,
        )
    return Sentence("The row of throw {number} was changed after the laboratory wrote it.", number=number)


def _gaps(throws: Sequence[CountedThrow]) -> list[int]:
    """Return the places after a gap in the numbers; none if most numbers do not follow the one before."""
    steps = [other.number - one.number for one, other in pairwise(throws)]
    if 2 * steps.count(1) <= len(steps):
        return []
    return [place for place, step in enumerate(steps, 1) if step > 1]


def _missing(throws: Sequence[CountedThrow], place: int) -> Iterator[CountedThrow]:
    """Yield a throw that was not read for each number that is missing before a place where the table is broken."""
    begin = throws[place - 1].number + 1 if place else 1
    for number in range(begin, min(throws[place].number, begin + MOST_THROWS)):
        yield _UNREAD._replace(number=number, together=throws[place].together)


_UNREAD: Final = CountedThrow(0, None, "file")


def _link(before: str, cells: Sequence[str], *, last: bool) -> str:
    text = "\x1f".join((before, *cells, "last" if last else ""))
    return "c" + sha256(text.encode("utf-8", "replace")).hexdigest()[:LINK_DIGITS]
