"""Weigh what the nets say of a site together with how the site looked when it was last known what stands there."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.vision.board_readings import EMPTY, Men, SiteReading, Standing
from companion.vision.boards.lessons.lesson import Lesson
from companion.vision.boards.sites import MOST_CANDIDATES, PILED_FROM

SEEMS_UNCHANGED: Final[Mapping[bool, tuple[float, float]]] = {True: (4.2, -2.3), False: (7.4, -3.5)}
"""At tables (True) and on squares (False), what the view of a site adds to the log odds that it is as it was: a
constant, and the weight of the logarithm of how unusually it differs from the lesson.

Logistic fits to 3,000 and 9,900 sites of drawn matches (seed 20261161) without the odds of a change there, reduced by a
fifth: neighbours that lean over a site spoil several sites at once.
"""

MOST_SAME, LEAST_SAME = 6.0, -2.5
"""Limits to what the view of a site may add. That it has changed does not tell what stands there: it may be a shadow,
or a hand."""

LEAST_NET_CHANCE: Final[Mapping[bool, float]] = {True: 1e-4, False: 1e-3}
"""At tables (True) and on squares (False), what the nets say of a site counts for no more than this leaves.

On squares a net that errs in one picture must not outweigh a square that looks exactly as before.
"""

COMES_FROM_BOARD: Final = 0.97
"""The share of men appearing on a square that have just left another square; the others come from beside the board.

Chosen, not measured, like the limits: people play most turns with men of the board.
"""

LEAST_LEAVING_CHANCE: Final = 0.01
"""Men less likely than this to have left their square are sought on no other."""

NOWHERE_ELSE: Final = 1e-3
"""The odds that a man with a number appears on a square although he is seen where he stood, or on another one, before
anything is seen of it: no turn does that. A net that errs is likelier."""

MOST_LEAVE: Final = 4
"""No more men leave a point in one turn."""

FURTHER_MAN_FACTOR: Final = 0.2
"""How much likelier it is that one man comes to a point, or leaves it, in a turn than that one more does as well.

Chosen, not measured. Many men who seem to have come at once are a shadow, or the next pile that leans over the point.
"""

UNLISTED_CHANCE: Final = 1e-3
"""The chance of a man whom the nets do not list among the likeliest of a square."""

Candidates = tuple[tuple[Standing, float], ...]
"""What may stand on a site, with the chance of each."""


class Travels:
    """Which men with numbers may have gone to which squares in one turn, by the nets alone.

    Args:
        sites: a later picture.
        was: what stood on each site before.
        away: how many men of each shape and number have left the board before.
    """

    def __init__(
        self, sites: Mapping[str, SiteReading], was: Mapping[str, Standing], away: Mapping[tuple[str, int], int]
    ) -> None:
        self._away = away
        self._left: dict[Standing, float] = {}
        self._come: dict[Standing, dict[str, float]] = {}
        for name, stood in was.items():
            if name not in sites or not sites[name].candidates:
                if stood is not None:
                    self._left[_identity(stood)] = 1.0  # nobody sees whether he is there still
                continue
            candidates = sites[name].candidates
            if stood is not None:
                there = sum(part for seen, part in candidates if as_before(seen, stood))
                one = _identity(stood)
                self._left[one] = max(self._left.get(one, 0.0), 1 - there)
            for seen, part in candidates:
                if seen is not None and not as_before(seen, stood):
                    self._come.setdefault(_identity(seen), {})[name] = part

    def odds(self, men: Standing, site: str) -> float:
        """Return the odds that men come to a square in a turn, before anything is seen of it; 1 for no man.

        A man comes who has left his square and is not more surely seen on a third one.
        """
        if men is None:
            return 1.0
        one = _identity(men)
        come = self._come.get(one, {})
        mine = come.get(site, 0.0)
        elsewhere = max((part for name, part in come.items() if name != site), default=0.0)
        free = 1 - elsewhere if elsewhere > mine else 1.0
        beside = 1 - COMES_FROM_BOARD if self._away.get((men.shape, men.number), 0) > 0 else NOWHERE_ELSE
        return max(NOWHERE_ELSE, beside, self._left.get(one, 0.0) * free)


def with_lesson(
    sites: Mapping[str, SiteReading], lesson: Lesson, unusual: Mapping[str, float], above: float
) -> dict[str, SiteReading]:
    """Return the sites of a later picture with the evidence of the lesson weighed in.

    ``unusual``: from `Lesson.unusual`; ``above``: a site is read without asking from this chance upwards. A man with a
    number who appears on a square has most likely left another one.
    """
    was = lesson.men
    sites = {name: _still_piled(site, was[name]) if name in was else site for name, site in sites.items()}
    tables = lesson.layout.is_tables
    travels = None if tables else Travels(sites, was, lesson.away)
    same = {
        name: _chance_unchanged(
            _evidence(
                _unchanged_by_net(sites[name], was[name], travels, tables=tables) - lesson.denied[name],
                was[name],
                lesson.miscounted.get(name),
            ),
            was[name],
            off,
            tables=tables,
        )
        for name, off in unusual.items()
        if sites[name].candidates
    }
    numbered = [name for name in same if (men := was[name]) is not None and men.shape]
    left = [(name, was[name], 1 - same[name]) for name in numbered if 1 - same[name] > LEAST_LEAVING_CHANCE]
    out = dict(sites)
    for name, chance in same.items():
        site = sites[name]
        seen = site.candidates
        if name in lesson.miscounted:
            seen = _as_miscounted(seen, lesson.miscounted[name])
        before = [(men, part) for men, part in seen if as_before(men, was[name])]
        others = [(men, part * _at_once(men, was[name])) for men, part in seen if not as_before(men, was[name])]
        if numbered:
            others = _moved_there(others, [(men, gone) for one, men, gone in left if one != name], lesson.away)
        candidates = [*_scaled(before or [(_seen(was[name]), 1.0)], chance), *_scaled(others, 1 - chance)]
        ordered = tuple(sorted(candidates, key=lambda one: -one[1])[:MOST_CANDIDATES])
        best = ordered[0][0]
        alike = sum(part for men, part in ordered if as_before(men, best))  # a pile of five looks like one of six
        sure = alike >= above and (site.status == "read" or as_before(best, was[name]))
        out[name] = replace(site, candidates=ordered, status="read" if sure else "ask")
    return out


def _high(was: Standing) -> bool:
    """Whether so many men lie there that a pile is left after any turn."""
    return was is not None and not was.shape and was.count - MOST_LEAVE >= PILED_FROM


def _still_piled(site: SiteReading, was: Standing) -> SiteReading:
    """Return a site with a pile so high that its men cannot have become countable in one turn: it is a pile still."""
    if not _high(was):
        return site
    assert was is not None
    chances: dict[Standing, float] = {}
    for men, chance in site.candidates:
        few = men is not None and men.also is None and men.colour == was.colour and 1 < men.count < PILED_FROM
        what = replace(men, count=PILED_FROM) if few and men is not None else men
        chances[what] = chances.get(what, 0.0) + chance
    ordered = tuple(sorted(chances.items(), key=lambda one: -one[1]))
    return replace(site, candidates=ordered, piled=site.piled or ordered[:1] != site.candidates[:1])


def denied(site: SiteReading, was: Standing, *, tables: bool) -> float:
    """Return the log odds, at most 0, by which the nets deny what everybody agrees stands on a site.

    They will go on denying it while nothing changes there: only what they say beyond that tells of a change.
    """
    there = sum(chance for men, chance in _still_piled(site, was).candidates if as_before(men, was))
    least = LEAST_NET_CHANCE[tables]
    return min(0.0, math.log((there + least) / (1 - there + least)))


def miscounted(sites: Mapping[str, SiteReading], men: Mapping[str, Standing]) -> dict[str, tuple[str, int]]:
    """Return on which points the nets saw another number of men than everybody agrees stand there (``men``).

    With each its side, and how many men more they saw. Piles and men with numbers cannot be miscounted.
    """
    found = {}
    for name, was in men.items():
        if not sites[name].candidates:
            continue
        both = (was, _still_piled(sites[name], was).standing)
        counts = [0 if one is None else one.count for one in both]
        colours = {one.colour for one in both if one is not None}
        plain = all(one is None or not (one.shape or one.also or one.count >= PILED_FROM) for one in both)
        if plain and len(colours) == 1 and counts[0] != counts[1]:
            found[name] = colours.pop(), counts[1] - counts[0]
    return found


def _evidence(by_net: float, was: Standing, off: tuple[str, int] | None) -> float:
    """Return what the nets say for a site's being as it was; ``off``: how they miscounted it, if they did.

    Where they took a shadow for one man more, they may do so still. So if they see what stood there then, it may also
    be gone: that is no evidence.
    """
    return by_net if off is None or _truly(was, off) == was else min(by_net, 0.0)


def _as_miscounted(seen: Candidates, off: tuple[str, int]) -> Candidates:
    """Return the candidates of a point on which the nets miscounted: that they still do and do not is as likely."""
    found: dict[Standing, float] = {}
    for men, part in seen:
        for one in (men, _truly(men, off)):
            found[one] = found.get(one, 0.0) + part / 2
    return tuple(found.items())


def _truly(seen: Standing, off: tuple[str, int]) -> Standing:
    """Return what stands where so many men too many are seen; the same where that cannot be."""
    colour, more = off
    if seen is None or seen.colour != colour or seen.also is not None or not 0 <= seen.count - more < PILED_FROM:
        return seen
    return replace(seen, count=seen.count - more) if seen.count > more else EMPTY


def _unchanged_by_net(site: SiteReading, was: Standing, travels: Travels | None, *, tables: bool) -> float:
    """Return the log odds, by the nets and by what happens in a turn, that a site is as it was."""
    net = sum(chance for men, chance in site.candidates if as_before(men, was))
    others = sum(
        chance * (_at_once(men, was) if travels is None else travels.odds(men, site.site))
        for men, chance in site.candidates
        if not as_before(men, was)
    )
    return math.log((net + LEAST_NET_CHANCE[tables]) / (others + LEAST_NET_CHANCE[tables]))


def _chance_unchanged(by_net: float, was: Standing, unusual: float, *, tables: bool) -> float:
    """Return the chance that a site is as it was, by the nets and by how unusually it differs from the lesson."""
    constant, weight = SEEMS_UNCHANGED[tables]
    least = 0.0 if _high(was) else LEAST_SAME  # a pile that looks otherwise is a pile still
    appearance = max(least, min(MOST_SAME, constant + weight * math.log(unusual)))
    return 1 / (1 + math.exp(-by_net - appearance))


def as_before(seen: Standing, was: Standing) -> bool:
    """Whether a site is read as it was; of a pile, no one can see how many men lie in it."""
    if seen is None or was is None:
        return seen is was
    if seen.shape:
        return (seen.number == was.number and seen == was) or _one_pyramid(seen, was)
    piled = seen.count >= PILED_FROM and was.count >= PILED_FROM
    return seen.colour == was.colour and (piled or seen.count == was.count) and seen.also == was.also


def may_teach(seen: SiteReading | None, stood: Standing) -> bool:
    """Whether the view of a site, read like this, teaches how it looks with the men that everybody agrees stood there.

    They may be of another side, shape or number than was read: the agreement tells these better. But where another
    number of men was seen, one who was hit may still lie there, or a man is not set down yet. Of a pile, all but one
    are enough.
    """
    if seen is None or not seen.candidates:
        return False
    read = seen.standing
    if read is None or stood is None or read.also is not None or stood.also is not None:
        return as_before(read, stood)
    return read.count == stood.count or min(read.count, stood.count) >= PILED_FROM - 1


def _identity(men: Men) -> Men:
    """Return a man as he is the same everywhere: nobody can read a pyramid's number from all sides."""
    return replace(men, number=0) if men.shape == "pyramid" else men


def _one_pyramid(seen: Men, was: Men) -> bool:
    return seen.shape == was.shape == "pyramid" and seen.colour == was.colour


def _at_once(seen: Standing, was: Standing) -> float:
    """Return the odds of so many men coming to a point or leaving it, before anything is seen; 1 for one man."""
    now, before = _counts(seen), _counts(was)
    moved = max((abs(now.get(colour, 0) - before.get(colour, 0)) for colour in now.keys() | before.keys()), default=0)
    return float(FURTHER_MAN_FACTOR ** max(0, moved - 1))


def _counts(men: Standing) -> dict[str, int]:
    """Return how many men of each side can be counted."""
    found: dict[str, int] = {}
    while men is not None:
        found[men.colour] = min(men.count, PILED_FROM)
        men = men.also
    return found


def _seen(was: Standing) -> Standing:
    """Return men as they are seen from above."""
    return replace(was, count=PILED_FROM) if was is not None and was.count > PILED_FROM else was


def _moved_there(
    others: Iterable[tuple[Standing, float]],
    left: Iterable[tuple[Standing, float]],
    away: Mapping[tuple[str, int], int],
) -> list[tuple[Standing, float]]:
    """Return what else may stand on a square, weighed by which men may have left other squares; they are listed too.

    ``away``: how many men of each shape and number have left the board. Which men have left is judged here by the view
    of their squares, too, unlike in `Travels`, from which that look is weighed.
    """
    gone: dict[Standing, float] = {}
    for men, chance in left:
        gone[men] = max(gone.get(men, 0.0), chance)
    listed = dict(others)
    for men in gone:
        listed.setdefault(men, UNLISTED_CHANCE)

    def comes(men: Standing) -> float:
        if men is EMPTY:
            return 1.0
        beside = 1 - COMES_FROM_BOARD if away.get((men.shape, men.number), 0) > 0 else NOWHERE_ELSE
        return beside + (1 - beside) * gone.get(men, 0.0)

    return [(men, chance * comes(men)) for men, chance in listed.items()]


def _scaled(parts: Iterable[tuple[Standing, float]], whole: float) -> list[tuple[Standing, float]]:
    """Return chances in proportion that sum to a whole."""
    parts = list(parts)
    total = sum(chance for _, chance in parts)
    return [(men, chance / total * whole) for men, chance in parts] if total > 0 else []
