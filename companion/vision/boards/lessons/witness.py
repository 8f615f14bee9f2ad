"""Weigh what the nets say of a site together with how the site looked when it was last known what stands there."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.vision.board_readings import EMPTY, Men, SiteReading, Standing
from companion.vision.boards.lessons.lesson import Lesson
from companion.vision.boards.sites import LONGEST, PILED_FROM

LOOKS_SAME: Final[Mapping[bool, tuple[float, float]]] = {True: (4.2, -2.3), False: (7.4, -3.5)}
"""At tables (True) and on squares (False), what the look of a site adds to the log odds that it is as it was: a
constant, and the weight of the logarithm of how unusually it differs from the lesson.

Logistic fits to 3,000 and 9,900 sites of drawn matches (seed 20261161) without the odds of a change there, reduced by a
fifth: neighbours that lean over a site spoil several sites at once.
"""

MOST_SAME, LEAST_SAME = 6.0, -2.5
"""Limits to what the look of a site may add. That it has changed does not tell what stands there: it may be a shadow,
or a hand."""

LEAST_SAID: Final = 1e-4
"""What the nets say of a site counts for no more than this leaves."""

COMES_FROM_BOARD: Final = 0.97
"""The share of men appearing on a square that have just left another square; the others come from beside the board.

Chosen, not measured, like the limits: people play most turns with men of the board.
"""

UNLISTED: Final = 1e-3
"""The chance of a man whom the nets do not list among the likeliest of a square."""


def with_lesson(
    sites: Mapping[str, SiteReading], lesson: Lesson, unusual: Mapping[str, float], above: float
) -> dict[str, SiteReading]:
    """Return the sites of a later picture with the evidence of the lesson weighed in.

    ``unusual``: from `Lesson.unusual`; ``above``: a site is read without asking from this chance upwards. A man with a
    number who appears on a square has most likely left another one.
    """
    was = lesson.men
    same = {
        name: _chance_unchanged(sites[name], was[name], off, tables=lesson.layout.is_tables)
        for name, off in unusual.items()
        if sites[name].candidates
    }
    left = {name: 1 - same[name] for name in same if (men := was[name]) is not None and men.shape}
    out = dict(sites)
    for name, chance in same.items():
        site = sites[name]
        before = [(men, part) for men, part in site.candidates if as_before(men, was[name])]
        others = [(men, part) for men, part in site.candidates if not as_before(men, was[name])]
        if left:
            others = _moved_there(others, [(was[one], gone) for one, gone in left.items() if one != name])
        candidates = [*_scaled(before or [(_seen(was[name]), 1.0)], chance), *_scaled(others, 1 - chance)]
        ordered = tuple(sorted(candidates, key=lambda one: -one[1])[:LONGEST])
        sure = ordered[0][1] >= above and (site.status == "read" or as_before(ordered[0][0], was[name]))
        out[name] = replace(site, candidates=ordered, status="read" if sure else "ask")
    return out


def _chance_unchanged(site: SiteReading, was: Standing, unusual: float, *, tables: bool) -> float:
    """Return the chance that a site is as it was, by the nets and by how unusually it differs from the lesson."""
    constant, weight = LOOKS_SAME[tables]
    net = sum(chance for men, chance in site.candidates if as_before(men, was))
    said = math.log((net + LEAST_SAID) / (1 - net + LEAST_SAID))
    looks = max(LEAST_SAME, min(MOST_SAME, constant + weight * math.log(unusual)))
    return 1 / (1 + math.exp(-said - looks))


def as_before(seen: Standing, was: Standing) -> bool:
    """Whether a site is read as it was; of a pile, no one can see how many men lie in it."""
    if seen is None or was is None or seen.shape:
        return seen == was or (seen is not None and was is not None and _one_pyramid(seen, was))
    piled = seen.count >= PILED_FROM and was.count >= PILED_FROM
    return seen.colour == was.colour and (piled or seen.count == was.count) and seen.also == was.also


def _one_pyramid(seen: Men, was: Men) -> bool:
    return seen.shape == was.shape == "pyramid" and seen.colour == was.colour


def _seen(was: Standing) -> Standing:
    """Return men as they are seen from above."""
    return replace(was, count=PILED_FROM) if was is not None and was.count > PILED_FROM else was


def _moved_there(
    others: Iterable[tuple[Standing, float]], left: Iterable[tuple[Standing, float]]
) -> list[tuple[Standing, float]]:
    """Return what else may stand on a square, weighed by which men may have left other squares; they are listed too."""
    gone: dict[Standing, float] = {}
    for men, chance in left:
        gone[men] = max(gone.get(men, 0.0), chance)
    listed = dict(others)
    for men in gone:
        listed.setdefault(men, UNLISTED)
    return [
        (men, chance * (1.0 if men is EMPTY else 1 - COMES_FROM_BOARD + COMES_FROM_BOARD * gone.get(men, 0.0)))
        for men, chance in listed.items()
    ]


def _scaled(parts: Iterable[tuple[Standing, float]], whole: float) -> list[tuple[Standing, float]]:
    """Return chances in proportion that sum to a whole."""
    parts = list(parts)
    total = sum(chance for _, chance in parts)
    return [(men, chance / total * whole) for men, chance in parts] if total > 0 else []
