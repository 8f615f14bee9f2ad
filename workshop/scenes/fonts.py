"""The fonts that draw letters: their list with its split into training and measuring, and their glyphs."""

import os
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from workshop.scenes.strokes import SUFFIX, letters, stroke_glyph

Role = Literal["train", "choosing", "held-out"]

_HERE = Path(__file__).parents[1]
BUNDLED = _HERE / "fonts"
"""Folder of the few fonts that come with the program."""

GLYPH_SIZE = 96
"""Height in pixels at which a capital letter is drawn once and cached."""

SMALL_SIZE: Final = 0.74
"""Height of a small x, in capitals: people who cut small letters cut them nearly as large."""

ALIKE: Final = 0.7
"""Share of overlap from which two shapes, laid on each other, count as one letter."""


class NoFontsError(RuntimeError):
    """None of the listed fonts is installed."""


@dataclass(frozen=True)
class Font:
    """One font file with its style (``"uncial"``, ``"slab"``) and its role."""

    name: str
    package: str
    path: Path
    style: str
    role: Role


@dataclass(frozen=True)
class Source:
    """A font that a list names. ``weight``: the file of an @fontsource package, None for the usual one."""

    name: str
    package: str
    file: str
    style: str
    role: Role
    weight: int | None

    @property
    def font(self) -> Font:
        """The font at the path where it would be on this machine."""
        return Font(self.name, self.package, _place(self.package, self.file), self.style, self.role)


LIST: Final = _HERE / "fonts.toml"
"""The fonts that pictures are drawn with."""


@cache
def listed(path: Path = LIST) -> tuple[Source, ...]:
    """Return the fonts of a list, whether installed or not; those without a role are for training."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Source(
            entry["name"],
            entry["package"],
            entry["file"],
            entry["style"],
            entry.get("role", "train"),
            entry.get("weight"),
        )
        for entry in data["font"]
    )


@cache
def _listed() -> tuple[Font, ...]:
    return tuple(source.font for source in listed())


def _place(package: str, file: str) -> Path:
    # the bundled copy comes first, so that every machine draws the tests and sample frames with the same outlines
    own = BUNDLED / Path(file).name
    if own.is_file():
        return own
    gathered = Path(os.environ.get("ALEA_FONTS", Path.home() / ".local/share/fonts/fontsource")) / Path(file).name
    if package.startswith("@") or gathered.is_file():
        return gathered
    return Path("/usr/share/fonts") / file


def find_fonts(role: Role | None = None, *, bundled: bool = False) -> tuple[Font, ...]:
    """Return the installed fonts of a role (default: all), in the order of the list.

    ``bundled`` restricts them to those that come with the program, so that every machine draws alike.

    Raises:
        NoFontsError: none of them is installed.
    """
    found = tuple(
        font
        for font in _listed()
        if role in (None, font.role) and (not bundled or font.path.parent == BUNDLED) and font.path.is_file()
    )
    if not found:
        raise NoFontsError(f"Expected fonts to draw letters with, but found none. {missing_packages(role)}")
    return found


def missing_packages(role: Role | None = None) -> str:
    """Return one sentence that names the packages whose fonts are not installed, or an empty text."""
    missing = sorted({font.package for font in _listed() if role in (None, font.role) and not font.path.is_file()})
    if not missing:
        return ""
    debian = [name for name in missing if not name.startswith("@")]
    others = [name for name in missing if name.startswith("@")]
    parts = []
    if debian:
        parts.append(f"the Debian packages {', '.join(debian)} (apt-get install)")
    if others:
        parts.append(f"the npm packages {', '.join(others)}, unpacked to the folder ALEA_FONTS")
    return f"More fonts come with {' and '.join(parts)}."


@lru_cache(maxsize=8192)
def glyph(path: Path, letter: str) -> npt.NDArray[np.uint8]:
    """Return a letter's coverage (height x width, uint8), cropped to its ink; capitals are about `GLYPH_SIZE` high."""
    if path.suffix == SUFFIX:
        return stroke_glyph(path, letter)
    font = _sized(path)
    left, top, right, bottom = font.getbbox(letter)
    canvas = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4), 0)
    ImageDraw.Draw(canvas).text((2 - left, 2 - top), letter, font=font, fill=255)
    return np.asarray(canvas, dtype=np.uint8)


@lru_cache(maxsize=8192)
def small_glyph(path: Path, letter: str) -> npt.NDArray[np.uint8]:
    """Return a small letter's coverage, centred on the middle of an x: letters placed by it then share one baseline."""
    font = _sized_small(path)
    left, top, right, bottom = font.getbbox(letter.lower(), anchor="ls")
    _, upper, _, lower = font.getbbox("x", anchor="ls")
    middle = (upper + lower) / 2
    reach = int(np.ceil(max(middle - top, bottom - middle))) + 2
    canvas = Image.new("L", (int(right - left) + 4, 2 * reach), 0)
    ImageDraw.Draw(canvas).text((2 - left, reach - middle), letter.lower(), font=font, fill=255, anchor="ls")
    return np.asarray(canvas, dtype=np.uint8)


def draws_small(path: Path, text: str) -> bool:
    """Return whether a font has these letters as small ones, none of which (as an l may) looks like its capital I."""
    return draws(path, text.lower()) and not any(_is_a_stroke(path, letter) for letter in text)


@cache
def _is_a_stroke(path: Path, letter: str) -> bool:
    if letter == "I":
        return False
    small, capital = (_trimmed(shape) for shape in (small_glyph(path, letter), glyph(path, "I")))
    wide = small.shape[1] / small.shape[0] / (capital.shape[1] / capital.shape[0])
    if not 0.5 < wide < 2:
        return False
    one, other = (np.asarray(Image.fromarray(shape).resize((24, 48))) > 127 for shape in (small, capital))
    return bool((one & other).sum() > ALIKE * (one | other).sum())


def _trimmed(shape: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    rows, columns = np.flatnonzero(shape.max(axis=1) > 127), np.flatnonzero(shape.max(axis=0) > 127)
    return shape[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def draws(path: Path, text: str) -> bool:
    """Return whether a font has a glyph of its own for each of these letters."""
    if path.suffix == SUFFIX:
        return letters().issuperset(text)
    return all(_draws(path, letter) for letter in text)


@cache
def _draws(path: Path, letter: str) -> bool:
    font = _sized(path)
    shape = bytes(font.getmask(letter))
    return any(shape) and shape != bytes(font.getmask("\uffff"))


@cache
def _sized(path: Path) -> ImageFont.FreeTypeFont:
    # an em is not the height of a capital: measure a plain capital and scale to it
    trial = ImageFont.truetype(str(path), GLYPH_SIZE)
    _, top, _, bottom = trial.getbbox("E")
    return ImageFont.truetype(str(path), round(GLYPH_SIZE * GLYPH_SIZE / max(8.0, bottom - top)))


@cache
def _sized_small(path: Path) -> ImageFont.FreeTypeFont:
    trial = ImageFont.truetype(str(path), GLYPH_SIZE)
    _, top, _, bottom = trial.getbbox("x")
    return ImageFont.truetype(str(path), round(SMALL_SIZE * GLYPH_SIZE * GLYPH_SIZE / max(8.0, bottom - top)))
