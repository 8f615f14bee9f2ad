"""Read what lies on each printed circle: nothing, one token, something to ask about, or a cover.

A circle is empty only if the picture shows it: its ground must look like the print, perhaps shaded, and differ from the
ground around it as printed. A token lies there only if the picture shows that too: a disc of one colour, about as large
as tokens are, near the middle, with print all around it. Everything else is a doubt, or a hand.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board_readings import EMPTY, Men, SiteReading, SiteStatus, Standing
from companion.vision.boards.tokens.colours import named
from companion.vision.boards.tokens.layout import PLACE_REACH_MM, SPOT_RADIUS, TokenLayout
from companion.vision.boards.tokens.print_light import Floats, PrintLight, StraightBoard, lab_of, linear

Bools = npt.NDArray[np.bool_]
Points = npt.NDArray[np.float64]

SEEN_MM: Final = 13.0
"""How far the reader looks to each side of a circle's middle, in millimetres."""

SMOOTHING_MM: Final = 0.35
"""The standard deviation of the blur that averages colours against noise, in millimetres."""

FOREIGN_DISTANCE: Final = 11.0
"""A pixel that differs more than this from the print, in CIELAB, is foreign. Shade that leaves at least
`LEAST_SHADE_LIGHT` does not count."""

LEAST_SHADE_LIGHT: Final = 0.4
"""Shade leaves at least this much of the light."""

MOST_GLOSS: Final = 1.25
"""Gloss on the print makes it lighter by no more than this."""

STROKE_HALF_WIDTH: Final = 0.65
"""Strokes of printed words are thinner than twice this, in millimetres, and are left out."""

BARE_RADIUS: Final = 5.0
"""The radius within a circle that must be bare for it to be empty, in millimetres."""

BARE, FULL = 0.04, 0.9
"""The largest foreign share of an empty circle's middle, and the least one under a token."""

OFF_MIDDLE_MM: Final = 4.0
"""A token whose middle lies further off, in millimetres, may belong to the next place."""

CORE_RADIUS: Final = 5.5
"""The radius of a token that surely shows its own colour, in millimetres."""

SMALL, LARGE = 4.9, 8.9
"""The least and the largest radius of something as large as a token, in millimetres."""

FINGER_SHARE: Final = 0.5
"""A finger takes more than this of a side; printed words take less."""

PRINT_MARGIN: Final = 2.4
"""Millimetres around the largest token in which the reader looks for print."""

ALONE, SURROUNDED = 0.2, 0.45
"""The largest foreign share around a token, and the least one around a circle that something larger covers."""

SAME_COLOUR_LAB: Final = 13.0
"""A pixel that differs less than this from a token's median colour, in CIELAB, is of the same colour."""

UNIFORM, UNIFORM_RIM = 0.6, 0.85
"""The least share of a token that is of one colour, and the same around its number; the rest is the number, or
gloss."""

NUMBER_RADIUS: Final = 3.6
"""The radius of a token within which its number stands, in millimetres."""

SET_OFF: Final = 0.4
"""The least contrast of an empty circle with the ground, as a fraction of the printed contrast."""

CIRCLE_SIDES: Final = 12
"""The number of sides of a circle on which the reader looks for print."""

LEAST_SIDES: Final = 3
"""The least number of them on which its edge must be seen."""

MOST_RISE: Final = 0.13
"""An empty circle is lighter than its print by no more than this, in logarithms; a lighter one may be a pale token."""

LUMA: Final = np.array([0.2126, 0.7152, 0.0722])
"""The weights of red, green and blue light in brightness (sRGB)."""

CLIPPED_CHANNEL: Final = 252
GLARE_SHARE: Final = 0.3
"""A circle of which more than this share is clipped to white shows nothing."""

OUTSIDE_SHARE: Final = 0.1
"""A circle of which more than this share lies outside the picture is not seen."""

READ_ABOVE: Final = 0.93
"""A site that is surer than this is read without asking."""

MOST_CHANCE: Final = 0.998
"""The highest chance of an empty circle or a token."""

DOUBTFUL_CHANCE: Final = 0.45
"""The chance of each of two answers where the picture shows neither."""

LEAST_NAMED: Final = 0.002


@dataclass(frozen=True, eq=False)
class _Window:
    """The surroundings of one circle, all of one size: what is not print, what is clipped, and what is in view."""

    albedo: Floats
    foreign: Bools
    clipped: Bools
    seen: Bools
    away: Points
    """From each pixel to the circle's middle, and to that of the nearest other one, in millimetres (2, h, w)."""
    grid: Points
    """Where each pixel lies, from the circle's middle, in millimetres (h, w, 2)."""


def read_sites(board: StraightBoard, layout: TokenLayout, light: PrintLight) -> dict[str, SiteReading]:
    """Return what lies on each site of a straightened board, by the light that was fitted to it."""
    half = round(SEEN_MM * board.pitch)
    wide = np.arange(-half, half + 1) / board.pitch
    grid = np.stack(np.meshgrid(wide, wide), axis=-1)
    smooth = np.asarray(cv2.GaussianBlur(board.image, (0, 0), SMOOTHING_MM * board.pitch), np.uint8)
    own = np.hypot(*grid.transpose(2, 0, 1))
    out = {}
    for site, middle in zip(layout.sites, layout.places, strict=True):
        column, row = np.round(middle * board.pitch + board.origin).astype(int)
        cut = slice(row - half, row + half + 1), slice(column - half, column + half + 1)
        albedo = np.asarray((linear(smooth[cut]) - light.veil) / light.at(middle[None])[0], np.float32)
        away = np.stack([own, _to_others(grid, layout.places - middle)])
        clipped = board.image[cut].min(axis=2) >= CLIPPED_CHANNEL
        window = _Window(albedo, _foreign(albedo, own, light, board.pitch), clipped, board.seen[cut], away, grid)
        out[site] = _read(site, window, light, middle)
    return out


def _to_others(grid: Points, offsets: Points) -> Points:
    """Return how far each pixel is from the nearest other circle; ``offsets``: from this circle to all circles."""
    far = np.abs(offsets).max(axis=1)
    near = offsets[(far < 3 * SEEN_MM) & (far > 0)]
    return np.asarray(np.min([np.hypot(*(grid - one).transpose(2, 0, 1)) for one in near], axis=0), np.float64)


def _foreign(albedo: Floats, own: Points, light: PrintLight, pitch: float) -> Bools:
    """Return what is neither ground nor printed word; the number on a token counts as a part of it."""
    expected = np.where((own < SPOT_RADIUS)[..., None], light.frame, light.ground)
    foreign = (differs(albedo, expected) > FOREIGN_DISTANCE).astype(np.uint8)
    opened = cv2.morphologyEx(foreign, cv2.MORPH_OPEN, _round(STROKE_HALF_WIDTH, pitch))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(np.zeros_like(opened), outlines, -1, 1, -1) > 0, np.bool_)


def _round(radius: float, pitch: float) -> npt.NDArray[np.uint8]:
    size = 2 * max(1, round(radius * pitch)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def differs(albedo: Floats, expected: Points) -> Floats:
    """Return how much colours (h, w, 3; linear) differ from expected ones in CIELAB, at the same shade."""
    shade = np.clip(np.clip(albedo, 1e-4, None) @ LUMA / (expected @ LUMA), LEAST_SHADE_LIGHT, MOST_GLOSS)
    shaded = np.asarray(expected * shade[..., None], np.float32)
    return np.asarray(np.linalg.norm(lab_of(albedo) - lab_of(shaded), axis=-1), np.float32)


def _read(site: str, window: _Window, light: PrintLight, middle: Points) -> SiteReading:
    own, other = window.away
    spot = own < SPOT_RADIUS
    if not window.seen[spot].mean() > 1 - OUTSIDE_SHARE:
        return SiteReading(site, (), "hidden")
    inner = own < BARE_RADIUS
    bare = float(window.foreign[inner].mean())
    if bare <= BARE:
        return _empty(site, window, light)
    mine = window.foreign & (own < PLACE_REACH_MM) & (own <= other)
    centre = window.grid[mine].mean(axis=0)
    off = np.linalg.norm(window.grid - centre, axis=2)
    core = off < CORE_RADIUS
    around = (off > LARGE) & (off < LARGE + PRINT_MARGIN) & (other > LARGE)
    outer = float(window.foreign[around].mean()) if around.any() else 1.0
    covered = float(window.foreign[core].mean())
    if outer >= SURROUNDED and bare > 1 - FULL:
        return SiteReading(site, (), "hidden")
    albedo = np.asarray(np.median(window.albedo[core & window.foreign], axis=0), np.float64)
    colours, strange = named(np.maximum(albedo, 0.0), light, middle + centre)
    alike = np.linalg.norm(lab_of(window.albedo) - lab_of(albedo.astype(np.float32)), axis=-1) < SAME_COLOUR_LAB
    radius = float(np.sqrt(mine.sum() / len(own) ** 2 * (2 * SEEN_MM) ** 2 / np.pi))
    token = (
        covered >= FULL
        and float(np.linalg.norm(centre)) <= OFF_MIDDLE_MM
        and SMALL <= radius <= LARGE
        and float(alike[core].mean()) >= UNIFORM
        and float(alike[core & (off > NUMBER_RADIUS)].mean()) >= UNIFORM_RIM
        and _print_around(window.foreign | _without_words(alike), window.grid - centre, around)
        and float(window.clipped[core].mean()) <= GLARE_SHARE
    )
    if not token:
        return _doubtful(site, colours[0][0], min(bare, DOUBTFUL_CHANCE))
    candidates: list[tuple[Standing, float]] = [
        (Men(colour), MOST_CHANCE * chance) for colour, chance in colours if chance > LEAST_NAMED
    ]
    candidates.append((EMPTY, 1 - MOST_CHANCE))
    sure = colours[0][1] * MOST_CHANCE
    status: SiteStatus = "read" if sure >= READ_ABOVE and strange < 1 - READ_ABOVE else "ask"
    return SiteReading(site, tuple(sorted(candidates, key=lambda one: -one[1])), status)


def _without_words(alike: Bools) -> Bools:
    """Return what looks like a token, without thin strokes: printed words may be as dark as the token."""
    pitch = (len(alike) - 1) / (2 * SEEN_MM)
    return np.asarray(
        cv2.morphologyEx(alike.astype(np.uint8), cv2.MORPH_OPEN, _round(STROKE_HALF_WIDTH, pitch)) > 0, np.bool_
    )


def _print_around(token: Bools, off: Points, around: Bools) -> bool:
    """Whether there is print on all sides of a token but one: a finger that ends on the token goes on beyond it.

    ``token``: what is not print or looks like the token; ``off``: from its middle (h, w, 2); ``around``: where to look.
    """
    if not around.any() or float(token[around].mean()) > ALONE:
        return False
    turns = (np.arctan2(off[..., 1], off[..., 0]) + np.pi) / (2 * np.pi)
    side = (turns * CIRCLE_SIDES).astype(int).clip(0, CIRCLE_SIDES - 1)
    strange = [float(token[around & (side == one)].mean()) for one in np.unique(side[around])]
    return sum(share > FINGER_SHARE for share in strange) <= 1


def _empty(site: str, window: _Window, light: PrintLight) -> SiteReading:
    """Return an empty circle, or a doubt if the picture does not show that it is empty."""
    own, other = window.away
    if float(window.clipped[own < SPOT_RADIUS].mean()) > GLARE_SHARE:
        return _doubtful(site, "", DOUBTFUL_CHANCE)
    bright = window.albedo @ LUMA
    turns = np.arctan2(window.grid[..., 1], window.grid[..., 0])
    wanted = float(np.log((light.frame @ LUMA) / (light.ground @ LUMA)))
    found = []
    for turn in np.linspace(-np.pi, np.pi, CIRCLE_SIDES, endpoint=False):
        near = (turns >= turn) & (turns < turn + 2 * np.pi / CIRCLE_SIDES) & ~window.foreign
        inside = near & (own > BARE_RADIUS) & (own < SPOT_RADIUS - 0.7)
        outside = near & (own > SPOT_RADIUS + 0.5) & (own < SPOT_RADIUS + 1.9) & (other > SPOT_RADIUS + 0.5)
        if inside.sum() > 3 and outside.sum() > 3:  # noqa: PLR2004 (pixels)
            found.append(float(np.log(bright[inside].clip(1e-4).mean() / bright[outside].clip(1e-4).mean())))
    set_off = len(found) >= LEAST_SIDES and float(np.median(found)) >= SET_OFF * wanted
    risen = float(np.log(bright[own < BARE_RADIUS].mean() / (light.frame @ LUMA)))
    if not set_off or risen > MOST_RISE:
        return _doubtful(site, "", DOUBTFUL_CHANCE)
    sides = float(window.foreign[own < SPOT_RADIUS].mean())
    sure = MOST_CHANCE if sides < BARE else MOST_CHANCE - min(sides, 0.5)
    return SiteReading(site, ((EMPTY, sure),), "read" if sure >= READ_ABOVE else "ask")


def _doubtful(site: str, colour: str, taken: float) -> SiteReading:
    """Return a site of which the reader cannot decide whether something lies on it, and what."""
    candidates: list[tuple[Standing, float]] = [(EMPTY, 1 - DOUBTFUL_CHANCE - 0.1)]
    if colour:
        candidates.append((Men(colour), taken))
    return SiteReading(site, tuple(sorted(candidates, key=lambda one: -one[1])), "ask")
