"""Things that lie on a table all evening: a hexagon board with number discs, a keyboard, a printed game, coins."""

from collections.abc import Callable
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.camera import Camera
from workshop.scenes.clutter import Picture, Spot3, lay
from workshop.scenes.fonts import BUNDLED, glyph
from workshop.scenes.materials import Colour, hue_colour, linear
from workshop.scenes.noise import window

PrintKind = Literal["hexes", "keyboard", "track", "change"]

FINE = 40
"""Pixels of a printed sheet for the edge of a die."""

FACES = ("Karla-Regular.otf", "LeagueSpartan-Bold.otf", "Quattrocento-Regular.otf", "GoudyBookletter1911.otf")


def _font(rng: np.random.Generator) -> str:
    return FACES[int(rng.integers(len(FACES)))]


def _write(sheet: Picture, text: str, middle: tuple[float, float], tall: float, *, ink: Colour, font: str) -> None:
    """Write a text into a sheet, ``tall`` pixels high, about its middle."""
    shape = glyph(BUNDLED / font, text)
    wide = max(2, round(tall * shape.shape[1] / shape.shape[0]))
    cover = cv2.resize(shape, (wide, max(2, round(tall))), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    x, y = round(middle[0] - wide / 2), round(middle[1] - tall / 2)
    if x < 0 or y < 0 or x + wide > sheet.shape[1] or y + len(cover) > len(sheet):
        return
    area = sheet[y : y + len(cover), x : x + wide]
    area += cover[:, :, None] * (np.array(ink, np.float32) - area)


def _sheet(rng: np.random.Generator, rows: float, columns: float, colour: Colour) -> Picture:
    sheet = np.empty((round(rows * FINE), round(columns * FINE), 3), np.float32)
    sheet[:] = colour
    return sheet * (1 + np.float32(0.03) * window(rng, "soft", *sheet.shape[:2], zoom=4.0))[:, :, None]


def _round(sheet: Picture, middle: tuple[float, float], radius: float, colour: Colour) -> None:
    at = (round(middle[0] * 16), round(middle[1] * 16))
    cv2.circle(sheet, at, round(radius * 16), colour, -1, cv2.LINE_AA, 4)


def hexes(rng: np.random.Generator) -> Picture:
    """Return a board of hexagons, each with a disc that bears a number, or dots, or both."""
    sheet = _sheet(rng, 16, 16, linear(*rng.uniform(0.15, 0.6, 3)))
    size = float(rng.uniform(1.3, 2.2)) * FINE
    paper = linear(*(float(rng.uniform(0.85, 0.97)) * np.array([1, 0.97, rng.uniform(0.75, 0.95)])))
    style, font = int(rng.integers(3)), _font(rng)
    reach = float(rng.uniform(0.3, 0.5)) * size
    corners = np.column_stack([np.sin(np.arange(6) * np.pi / 3), np.cos(np.arange(6) * np.pi / 3)])
    lands = [hue_colour(rng, (0.2, 0.8), (0.3, 0.9)) for _ in range(5)]
    for row in range(-6, 7):
        for column in range(-6, 7):
            x = 8 * FINE + size * np.sqrt(3) * (column + row % 2 / 2)
            y = 8 * FINE + size * 1.5 * row
            if not (size < x < 16 * FINE - size and size < y < 16 * FINE - size):
                continue
            land = lands[int(rng.integers(len(lands)))]
            hexagon = np.round((corners * size * 0.96 + [x, y]) * 16).astype(np.int32)
            cv2.fillPoly(sheet, [hexagon], land, cv2.LINE_AA, 4)
            if rng.random() < 0.1:
                continue
            _round(sheet, (x + 2, y + 3), reach, (0.02, 0.02, 0.02))  # the edge of a disc of card
            _round(sheet, (x, y), reach, paper)
            number = int(rng.choice([2, 3, 4, 5, 6, 8, 9, 10, 11, 12]))
            ink = linear(0.75, 0.1, 0.1) if number in (6, 8) else linear(0.12, 0.1, 0.1)
            dots = 6 - abs(7 - number)
            if style != 1:
                _write(
                    sheet, str(number), (x, y - (0.12 * reach if style == 0 else 0)), reach * 0.9, ink=ink, font=font
                )
            if style == 0:
                for k in range(dots):
                    _round(sheet, (x + (k - (dots - 1) / 2) * 0.24 * reach, y + 0.6 * reach), 0.08 * reach, ink)
            elif style == 1:  # a token with a dot
                _round(sheet, (x, y), 0.3 * reach, ink)
    return sheet


def keyboard(rng: np.random.Generator) -> Picture:
    """Return a keyboard: rows of caps with a letter or numeral, lit from above."""
    base, pitch = float(rng.uniform(0.05, 0.9)), float(rng.uniform(1.0, 1.35)) * FINE
    sheet = _sheet(rng, 8, 18, linear(base * 0.6, base * 0.6, base * 0.6))
    cap = linear(base, base, base * rng.uniform(0.9, 1))
    ink: Colour = linear(0.95, 0.95, 0.95) if base < 0.5 else linear(0.1, 0.1, 0.1)
    font = _font(rng)
    for row, keys in enumerate(("1234567890-", "QWERTYUIOPU", "ASDFGHJKLO.", "ZXCVBNM,.A/")):
        for column, key in enumerate(keys):
            x, y = (1 + column + row * 0.3) * pitch, (1 + row) * pitch
            outer = (round(x), round(y), round(x + 0.9 * pitch), round(y + 0.9 * pitch))
            cv2.rectangle(sheet, outer[:2], outer[2:], tuple(v * 0.55 for v in cap), -1, cv2.LINE_AA)
            inset = round(0.1 * pitch)
            cv2.rectangle(
                sheet, (outer[0] + inset, outer[1] + inset // 2), (outer[2] - inset, outer[3] - 2 * inset), cap, -1
            )
            place = (x + (0.45 if row % 2 else 0.36) * pitch, y + 0.38 * pitch)
            _write(sheet, key, place, pitch * float(rng.uniform(0.24, 0.3)), ink=ink, font=font)
    return sheet


def track(rng: np.random.Generator) -> Picture:
    """Return a printed game: a ring or a field of squares with numbers, dots, letters or rings."""
    sheet = _sheet(rng, 16, 16, hue_colour(rng, (0.05, 0.5), (0.6, 0.95)))
    many = int(rng.integers(7, 12))
    side = 15 * FINE / many
    font, field = _font(rng), rng.random() < 0.5
    tints = [hue_colour(rng, (0.0, 0.7), (0.4, 0.98)) for _ in range(4)]
    for row in range(many):
        for column in range(many):
            if not field and 0 < row < many - 1 and 0 < column < many - 1:
                continue
            x, y = 0.5 * FINE + column * side, 0.5 * FINE + row * side
            tint = tints[int(rng.integers(len(tints)))]
            box = ((round(x + 1), round(y + 1)), (round(x + side - 2), round(y + side - 2)))
            cv2.rectangle(sheet, *box, tint, -1)
            cv2.rectangle(sheet, *box, (0.02, 0.02, 0.02), 1, cv2.LINE_AA)
            ink: Colour = linear(0.1, 0.1, 0.1) if sum(tint) > 0.5 else linear(0.95, 0.95, 0.95)
            middle, kind = (x + side / 2, y + side / 2), int(rng.integers(5))
            if kind < 2:
                _write(sheet, str(row * many + column + 1), middle, side * 0.35, ink=ink, font=font)
            elif kind == 2:
                _round(sheet, middle, side * float(rng.uniform(0.12, 0.3)), ink)
            elif kind == 3:
                _write(sheet, str(rng.choice(list("ABEHKLOSTX"))), middle, side * 0.5, ink=ink, font=font)
            else:
                _round(sheet, middle, side * 0.35, ink)
                _round(sheet, middle, side * 0.25, tint)
    return sheet


def change(rng: np.random.Generator) -> Picture:
    """Return a card with coins: a rim, a head or a numeral, of the colours of metals."""
    tone = float(rng.uniform(0.2, 0.9))
    sheet = _sheet(rng, 12, 12, linear(tone, tone, tone * rng.uniform(0.8, 1)))
    font = _font(rng)
    for _ in range(int(rng.integers(8, 16))):
        x, y = rng.uniform(1.2 * FINE, 10.8 * FINE, 2)
        reach = float(rng.uniform(0.55, 0.9)) * FINE
        metal = [linear(0.8, 0.65, 0.3), linear(0.7, 0.7, 0.72), linear(0.65, 0.4, 0.25)][int(rng.integers(3))]
        dark = (metal[0] * 0.45, metal[1] * 0.45, metal[2] * 0.45)
        _round(sheet, (x + 3, y + 4), reach, (0.01, 0.01, 0.01))
        _round(sheet, (x, y), reach, dark)
        _round(sheet, (x, y), reach * 0.93, metal)
        if rng.random() < 0.5:
            _write(sheet, str(rng.choice(["1", "2", "5", "10", "20", "50"])), (x, y), reach * 0.9, ink=dark, font=font)
        else:
            _round(sheet, (x - 0.1 * reach, y - 0.15 * reach), reach * 0.38, dark)
            _round(sheet, (x, y + 0.45 * reach), reach * 0.3, dark)
    return sheet


_SHEETS: dict[PrintKind, Callable[[np.random.Generator], Picture]] = {
    "hexes": hexes,
    "keyboard": keyboard,
    "track": track,
    "change": change,
}


def draw_print(kind: PrintKind, place: Spot3, camera: Camera, picture: npt.NDArray[np.float32], seed: int) -> None:
    """Lay a printed thing on the table; its ``size`` is its width in edges of a die."""
    sheet = np.maximum(_SHEETS[kind](np.random.default_rng(seed)), np.float32(0.004))
    half = 0.5 * np.array([1.0, sheet.shape[0] / sheet.shape[1]])
    quad = place.pixels(camera, np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half)
    factor = float(np.clip(np.linalg.norm(quad[0] - quad[1]) / sheet.shape[1], 0.1, 1.0))
    if factor < 1:
        sheet = np.asarray(cv2.resize(sheet, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.float32)
    lay(picture, sheet, np.ones(sheet.shape[:2], np.float32), quad)
