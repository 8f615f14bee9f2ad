"""Turn the men found on the canvas into readings of sites; keep every doubt about man, side, site and number."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.board_readings import EMPTY, Men, SiteReading, Standing
from companion.vision.boards.layout import BAR, Layout
from companion.vision.boards.men import CELL_PIXELS, HIDDEN, SHAPE_NAMES, Canvas, FoundMan, Maps
from companion.vision.boards.numbers import copies, kinds, whites
from companion.vision.boards.sides import Sides

Floats = npt.NDArray[np.float64]

ASSIGNING_ROUNDS: Final = 10

UNLISTED_MAN_CHANCE: Final = 1e-4
"""The chance that a man is of no listed kind, or one more than there should be: real boards may break the limits."""


def assigned(chances: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return how the limits change each man's chances: factors (n x kinds) to multiply them with.

    A man that looks like 225 or 289 is the 225 if the 289 stands elsewhere. Messages between men and kinds give the
    chances of each man's kinds under the limits (sum-product on the bipartite graph, as for matchings).

    ``chances``: of each man to be of each kind (n x kinds). What is missing from 1 is the chance that he is nothing,
    for which there is no limit. ``limits``: how many men there are of each kind.
    """
    nothing = np.maximum(1 - chances.sum(axis=1, keepdims=True), 0) + UNLISTED_MAN_CHANCE
    factors = np.ones_like(chances)
    if len(chances) < 2:  # noqa: PLR2004 (one man shares with nobody)
        return factors
    for turn in range(ASSIGNING_ROUNDS):
        weighed = chances * factors
        odds = chances / np.maximum(weighed.sum(axis=1, keepdims=True) + nothing - weighed, 1e-12)
        room = _room(odds, limits)
        factors = room if turn == 0 else np.sqrt(factors * room)
    return factors


def _room(odds: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return for each man and kind the chance that the others leave one man of that kind to him (n x kinds).

    ``odds``: of each man to be of a kind. With at most m of it, the others may be m - 1 with him and m without him.
    """
    room = np.empty_like(odds)
    single = limits == 1
    room[:, single] = 1 / (1 + odds[:, single].sum(axis=0) - odds[:, single])
    if not single.all():
        room[:, ~single] = _shared(odds[:, ~single], limits[~single])
    return room


def _shared(odds: Floats, limits: npt.NDArray[np.intp]) -> Floats:
    """Return the room for kinds with several men: sums over all sets of others, by the size of the set."""
    most = int(limits.max())
    before, after = _sums(odds, most)[:-1], _sums(odds[::-1], most)[-2::-1]  # nobody is among the others of himself
    weights = np.stack(
        [sum(before[:, :, k] * after[:, :, many - k] for k in range(many + 1)) for many in range(most + 1)], axis=2
    )
    many = np.arange(most + 1)
    with_him = (weights * (many < limits[:, None])).sum(axis=2)
    without = (weights * (many <= limits[:, None])).sum(axis=2)
    return np.asarray(with_him / without)


def _sums(odds: Floats, most: int) -> Floats:
    """Return for the first 0 to n men the sums over their sets of 0 to ``most`` men: (n + 1) x kinds x (most + 1)."""
    men, kinds = odds.shape
    sums = np.zeros((men + 1, kinds, most + 1))
    sums[:, :, 0] = 1.0
    for man, one in enumerate(odds):
        sums[man + 1, :, 1:] = sums[man, :, 1:] + one[:, None] * sums[man, :, :-1]
    return sums


MOST_CANDIDATES: Final = 6
"""The number of candidates kept for a site."""

POINT_DEPTH: Final = 0.44
"""How far from the edge towards the middle men on a point may lie, as a fraction of the field's height."""

ASIDE_SHARE: Final = 0.42
"""A man whose foot lies farther off the middle of his point or square than this fraction of its width may belong to the
next one."""

ASTRIDE_SHARE: Final = 0.38
"""The same for a man whom no move explains: he is to be set straight before he is read."""

OVER_EDGE_SHARE: Final = 0.3
"""How far men may stand over the field's edge, as a fraction of a point or square. Anything farther out is not a
man."""

MIDDLING_CHANCE: Final = 0.5
"""Men less likely than this are no evidence of where the field lies, nor of how the men of a site look."""

HIDDEN_SHARE: Final = 0.2
"""A site is hidden if a hand covers more than this share of it."""

OUTER_END: Final = 0.1
"""The outer end of a point, where its first man lies, as a fraction of the field's height."""

HIDDEN_END_SHARE: Final = 0.3
"""A point is also hidden if a hand covers more than this share of its outer end: a fingertip covers a lone man."""

PILED_FROM: Final = 5
"""From this many men on a point, some may lie on top of others."""


MIXED_FACTOR: Final = 0.1
"""The factor by which men of both sides on one point are less likely than their appearance suggests: only a man that
was just hit stands like that."""

USUAL_SET: Final = 0.8
"""The chance that White's numbers stand on the lighter men; in other sets they stand on the darker."""

OWN_COLOUR: Final = 0.9
"""The chance that a man still has the colour that he began with: a taken man may be turned over and put in again."""


MOST_MEN: Final = 15
"""No side of a game of tables has more men."""


def nothing_there(confidence: float) -> tuple[tuple[Standing, float], ...]:
    """Return the candidates of a site where no man was found."""
    return ((EMPTY, confidence),)


def on_board(men: Iterable[FoundMan], layout: Layout, canvas: Canvas) -> list[FoundMan]:
    """Return the men who stand on the field, or over its edge by at most `OVER_EDGE_SHARE` of a point or square."""
    over = (
        OVER_EDGE_SHARE / layout.columns,
        OVER_EDGE_SHARE / layout.rows if not layout.is_tables else OVER_EDGE_SHARE / layout.columns,
    )
    found = []
    for man in men:
        u, v = canvas.to_field(man.x, man.y)
        if -over[0] < u < 1 + over[0] and -over[1] < v < 1 + over[1]:
            found.append(man)
    return found


def placed(
    men: Iterable[FoundMan], layout: Layout, canvas: Canvas, bar: float
) -> tuple[dict[str, list[FoundMan]], set[str], dict[str, str]]:
    """Return the men by site, the sites that a man lies between, who may belong to either, and the neighbours.

    The neighbours: for each site on whose edge a man lies (`ASTRIDE_SHARE`), the site beyond that edge.
    """
    found: dict[str, list[FoundMan]] = defaultdict(list)
    between: set[str] = set()
    across: dict[str, str] = {}
    for man in men:
        u, v = (_on_field(x) for x in canvas.to_field(man.x, man.y))
        site = layout.site_at(u, v, bar)
        assert site is not None
        found[site].append(man)
        for aside in (ASIDE_SHARE, ASTRIDE_SHARE):
            for du, dv in _nudges(layout, bar, aside):
                other = layout.site_at(_on_field(u + du), _on_field(v + dv), bar)
                if other is not None and other != site and aside == ASIDE_SHARE:
                    between |= {site, other}
                elif other is not None and other != site:
                    across |= {site: other, other: site}
    return found, between, across


def off_centre(men: Iterable[FoundMan], layout: Layout, canvas: Canvas, bar: float) -> float:
    """Return the median distance of men from the middles of their points or squares, as a fraction of these.

    People set men down near the middle. If most men stand far off it, the field is misplaced.
    """
    offs = []
    for man in men:
        u, v = (_on_field(x) for x in canvas.to_field(man.x, man.y))
        site = layout.site_at(u, v, bar)
        if site is None or site == BAR or man.chance < MIDDLING_CHANCE:
            continue
        middle_u, middle_v = layout.place(site, bar)
        wide = (1 - bar) / layout.columns
        across = abs(u - middle_u) / wide
        offs.append(across if layout.is_tables else max(across, abs(v - middle_v) * layout.rows))
    return float(np.median(offs)) if offs else 0.0


def _on_field(x: float) -> float:
    return min(max(float(x), 0.0), 1.0)


def _nudges(layout: Layout, bar: float, aside: float) -> tuple[tuple[float, float], ...]:
    """Return the shifts that must not move a man to another site."""
    slack = 0.5 - aside
    if layout.is_tables:
        wide = (1 - bar) / 12 * slack
        return (-wide, 0.0), (wide, 0.0), (0.0, -0.03), (0.0, 0.03)
    wide, high = slack / layout.columns, slack / layout.rows
    return (-wide, 0.0), (wide, 0.0), (0.0, -high), (0.0, high)


def hidden_sites(maps: Maps, layout: Layout, canvas: Canvas, bar: float, seen: npt.NDArray[np.bool_]) -> frozenset[str]:
    """Return the sites that a hand covers or that lie outside the picture.

    ``maps``: as the men net gives them; ``seen``: the canvas's pixels that the picture shows (height x width).
    """
    covered = (maps[HIDDEN] > 0) | ~seen[CELL_PIXELS // 2 :: CELL_PIXELS, CELL_PIXELS // 2 :: CELL_PIXELS][
        : maps.shape[1], : maps.shape[2]
    ]
    if not covered.any():
        return frozenset()
    hidden = set()
    for site in layout.sites:
        u0, v0, u1, v1 = extent(layout, site, bar)
        x0, x1 = (int((canvas.left + u * canvas.field_width) / CELL_PIXELS) for u in (u0, u1))
        y0, y1 = (int((canvas.top + v * canvas.field_height) / CELL_PIXELS) for v in (v0, v1))
        x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
        if covered[y0:y1, x0:x1].mean() > HIDDEN_SHARE:
            hidden.add(site)
        elif layout.is_tables and site != BAR:
            end = max(1, round(OUTER_END * canvas.field_height / CELL_PIXELS))
            rows = slice(y0, y0 + end) if v0 < 1 - v1 else slice(y1 - end, y1)
            if covered[rows, x0:x1].mean() > HIDDEN_END_SHARE:
                hidden.add(site)
    return frozenset(hidden)


def extent(layout: Layout, site: str, bar: float) -> tuple[float, float, float, float]:
    """Return where men of a site may stand: left, top, right and bottom as u and v."""
    u, v = layout.place(site, bar)
    if not layout.is_tables:
        wide, high = 0.5 / layout.columns, 0.5 / layout.rows
        return u - wide, v - high, u + wide, v + high
    if site == BAR:
        return 0.5 - bar / 2, 0.0, 0.5 + bar / 2, 1.0
    wide = (1 - bar) / 24
    return u - wide, 0.0 if v == 0 else 1 - POINT_DEPTH, u + wide, POINT_DEPTH if v == 0 else 1.0


def counted(
    men: Sequence[FoundMan], colours: tuple[str, str], mixed: float = 1.0
) -> tuple[tuple[Standing, float], ...]:
    """Return what may stand on a point, likeliest first: how many men of which side, each man there or not.

    ``mixed``: the factor on the chance that men of both sides stand together. On a point it is `MIXED_FACTOR`: a doubt
    about the sides there mostly concerns all its men at once.
    """
    chances: dict[tuple[int, int], float] = {(0, 0): 1.0}
    for man in men:
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (light, dark), chance in chances.items():
            after[light, dark] += chance * (1 - man.chance)
            after[light + 1, dark] += chance * man.chance * (1 - man.darker)
            after[light, dark + 1] += chance * man.chance * man.darker
        chances = {key: value for key, value in after.items() if value > 1e-7}  # noqa: PLR2004
    chances = {(light, dark): chance * (mixed if light and dark else 1.0) for (light, dark), chance in chances.items()}
    whole = sum(chances.values())
    out: list[tuple[Standing, float]] = []
    for (light, dark), chance in chances.items():
        darker = Men(colours[1], dark) if dark else None
        out.append((Men(colours[0], light, also=darker) if light else darker, chance / whole))
    return tuple(sorted(out, key=lambda one: -one[1])[:MOST_CANDIDATES])


def numbered(
    men: Sequence[FoundMan], chances: npt.NDArray[np.float64], sides: Sides, colours: tuple[str, str]
) -> list[tuple[tuple[Standing, float], ...]]:
    """Return what may stand on each square where a man was found, judging the whole board together.

    ``chances``: of each man to be of each of `kinds` (n x kinds); ``sides``: which side each may be of. Men begin with
    one army and rarely change it, so their kinds show which of them are of one side. Their appearance shows which side
    that is, because a set may have White's numbers on its dark men. And there is a limited number of men of each kind.
    """
    if not men:
        return []
    places = [SHAPE_NAMES.index(shape) for shape, _ in kinds()]
    shapes = np.array([man.shapes for man in men])[:, places]
    there = np.array([man.chance for man in men])
    joint = chances * np.sqrt(shapes + 1e-6)
    usual = OWN_COLOUR * whites() + (1 - OWN_COLOUR) * (1 - whites())
    ways = []
    for likely, white in ((USUAL_SET, usual), (1 - USUAL_SET, 1 - usual)):
        weighed, agrees = sides.weighed(1 - (joint @ white) / joint.sum(axis=1), there)
        dark = weighed.mixed()[:, None]
        both = np.stack([joint * (1 - dark) * white, joint * dark * (1 - white)], axis=2)
        ways.append((np.log(likely) + agrees, both / both.sum(axis=(1, 2), keepdims=True)))
    best = max(agrees for agrees, _ in ways)
    weights = [float(np.exp(agrees - best)) for agrees, _ in ways]
    both = sum(weight * found for weight, (_, found) in zip(weights, ways, strict=True)) / sum(weights)
    both = both * there[:, None, None]
    both = both * assigned(both.sum(axis=2), np.array(copies()))[:, :, None]
    nothing = 1 - there
    whole = both.sum(axis=(1, 2)) + nothing
    return [
        _likeliest(one / total, empty / total, colours) for one, empty, total in zip(both, nothing, whole, strict=True)
    ]


def _likeliest(
    chances: npt.NDArray[np.float64], nothing: float, colours: tuple[str, str]
) -> tuple[tuple[Standing, float], ...]:
    """Return the likeliest candidates of a square; ``chances``: of each kind and colour (kinds x 2)."""
    out: list[tuple[Standing, float]] = [(EMPTY, float(nothing))]
    for place in np.argsort(-chances, axis=None)[: 2 * MOST_CANDIDATES]:
        kind, side = divmod(int(place), 2)
        out.append((Men(colours[side], 1, *kinds()[kind]), float(chances[kind, side])))
    return tuple(sorted(out, key=lambda one: -one[1])[:MOST_CANDIDATES])


def ask_about_excess(sites: Mapping[str, SiteReading]) -> dict[str, SiteReading]:
    """Return the sites, with status ``ask`` where they claim more men than there are.

    Of a numbered kind: more than both sides have together. Of a side's men without numbers: more than `MOST_MEN`; then
    the least certain sites are asked about, as many as hold the men too many. A round foot of a point looks like a man.
    """
    claims: dict[tuple[str, int], list[str]] = defaultdict(list)
    sides: dict[str, list[tuple[float, int, str]]] = defaultdict(list)
    for name, site in sites.items():
        men = site.standing
        if men is None:
            continue
        if men.shape:
            claims[men.shape, men.number].append(name)
        for one in (men, men.also):
            if one is not None and not one.shape:
                sides[one.colour].append((site.confidence, one.count, name))
    there = dict(zip(kinds(), copies(), strict=True))
    doubted = {name for kind, names in claims.items() if len(names) > there[kind] for name in names}
    for claimed in sides.values():
        excess = sum(count for _, count, _ in claimed) - MOST_MEN
        for _, count, name in sorted(claimed):
            if excess > 0:
                doubted.add(name)
                excess -= count
    return {name: replace(site, status="ask") if name in doubted else site for name, site in sites.items()}
