"""Variety that real dice have and the drawings of `workshop.scenes` lack, added only for training.

Nothing else uses it, so the sample frames and all measurements stay the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.rules.dice import PIP
from companion.vision.readings import Image
from workshop.scenes.bodies import Body
from workshop.scenes.faces import FaceStyle
from workshop.scenes.fonts import Font, draws, draws_small
from workshop.scenes.lighting import Lighting, candle_lighting, half_lighting
from workshop.scenes.pips import PipStyle
from workshop.scenes.scene import Scene
from workshop.scenes.strokes import place

RINGS: Final = 0.22
"""Share of dice with pips whose pips are rings around a dot, as on old bone dice."""

BESIDE: Final = 0.3
"""Share of dice with pips whose two lie close together on the centre line."""

BY_HANDS: Final = 0.6
"""Share of dice whose font is drawn uniformly; for the rest the style is drawn first, so that each style appears."""

OF_BOOKS: Final = 0.22
OF_STROKES: Final = 0.25
"""Shares of dice in a book hand, and in a hand made at random from strokes: medieval dice, which few fonts resemble."""

HANDS_OF_STROKES: Final = 1_000_000

BOOKISH: Final = frozenset({"book-hand", "uncial", "blackletter", "gotico-antiqua", "slavonic", "hand", "oldstyle"})
"""Styles whose small letters appear on dice."""

SMALL: Final = 0.5
SMALL_OF_OTHERS: Final = 0.06
"""Share of dice with small letters, in these styles and in others."""

ROUNDED: Final = 0.22
"""Share of strongly rounded cubes."""

CANDLE: Final = 0.1
HALF: Final = 0.1
DARK: Final = 0.1
"""Shares of pictures by candlelight, half in shadow, and much too dark."""

LETTER_COUNTS: Final = (0.18, 0.08, 0.1, 0.14, 0.25, 0.25)
"""Frequencies of one to six letters on a cube's face: the reader asks most about faces with five and six."""


def letter_count(rng: np.random.Generator) -> int:
    """Return a random number of letters for a cube's face."""
    return int(rng.choice(len(LETTER_COUNTS), p=LETTER_COUNTS)) + 1


def vary_style(rng: np.random.Generator, style: FaceStyle, fonts: Sequence[Font], text: str, shape: str) -> FaceStyle:
    """Vary a die's look. ``text``: all its letters together; empty for pips."""
    if style.pips is not None:
        style = replace(style, pips=vary_pips(rng, style.pips))
    elif style.font is not None and shape != "tile" and not text.isdigit():
        style = _other_hand(rng, style, fonts, text)
    if shape == "cube" and rng.random() < ROUNDED:
        smaller = 1.0 if style.pips is not None else float(rng.uniform(0.75, 1.0))
        trimmed = float(rng.uniform(1.08, 1.35)) if rng.random() < 0.5 else style.trimmed
        bevel = float(rng.uniform(0.13, 0.3))
        style = replace(style, bevel=bevel, scale=style.scale * smaller, trimmed=trimmed)
    return style


def vary_pips(rng: np.random.Generator, pips: PipStyle) -> PipStyle:
    """Vary pips: some become rings around a dot, some two lie beside each other."""
    if rng.random() < RINGS:
        wide = float(rng.uniform(0.15, 0.27))
        near = max(pips.near, 0.06 + wide / 2)
        ring, dot = float(rng.uniform(0.07, 0.17)), float(rng.uniform(0.2, 0.45))
        pips = replace(pips, diameter=wide, near=near, columns=near, ring=ring, dot=dot, ace=1.0)
    if rng.random() < BESIDE:
        least = max(0.09, 0.55 * pips.diameter)
        pips = replace(pips, beside=float(rng.uniform(least, max(least + 0.02, 0.2))))
    return pips


def _other_hand(rng: np.random.Generator, style: FaceStyle, fonts: Sequence[Font], text: str) -> FaceStyle:
    font = style.font
    pick = rng.random()
    if pick < OF_STROKES:
        path = place(int(rng.integers(HANDS_OF_STROKES)))
        if draws(path, text):
            return replace(style, font=Font(path.stem, "", path, "strokes", "train"), small=False)
    elif pick < OF_STROKES + OF_BOOKS:
        books = [one for one in fonts if one.style == "book-hand" and draws(one.path, text)]
        font = books[int(rng.integers(len(books)))] if books else font
    elif rng.random() < BY_HANDS:
        able = [one for one in fonts if draws(one.path, text)]
        font = able[int(rng.integers(len(able)))] if able else font
    assert font is not None
    small = rng.random() < (SMALL if font.style in BOOKISH else SMALL_OF_OTHERS)
    return replace(style, font=font, small=small and draws_small(font.path, text))


def vary_bodies(rng: np.random.Generator, bodies: Sequence[Body], fonts: Sequence[Font]) -> tuple[Body, ...]:
    """Vary an owner's dice; dice that were alike stay alike."""
    styles: dict[tuple[Font | None, PipStyle | None], FaceStyle] = {}
    varied = []
    for body in bodies:
        texts = (face.text for one in bodies for face in one.die.faces if PIP not in face.marks)
        text = "".join(sorted(set("".join(texts)) - {"+"}))
        own = body.style
        key = (own.font, own.pips)
        if key not in styles:
            styles[key] = vary_style(rng, own, fonts, text, body.die.shape)
        style = styles[key]
        made = replace(own, font=style.font, small=style.small, pips=style.pips)
        if body.die.shape == "cube":
            made = replace(made, bevel=style.bevel, trimmed=style.trimmed, scale=style.scale)
        varied.append(replace(body, style=made))
    return tuple(varied)


def vary_lighting(rng: np.random.Generator) -> Lighting | None:
    """Return sometimes candlelight or a shadow's border, else None: the light stays."""
    pick = rng.random()
    return candle_lighting(rng) if pick < CANDLE else half_lighting(rng) if pick < CANDLE + HALF else None


def vary_scene(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return a scene that is sometimes in other light, and sometimes too dark, with the noise of that."""
    lighting = vary_lighting(rng)
    if lighting is not None:
        scene = replace(scene, lighting=lighting)
    if rng.random() < DARK:
        lens = replace(
            scene.lens,
            exposure=scene.lens.exposure * float(rng.uniform(0.08, 0.4)),
            noise=scene.lens.noise * float(rng.uniform(1.0, 1.8)),
        )
        scene = replace(scene, lens=lens)
    return scene


def darken(image: Image, rng: np.random.Generator) -> Image:
    """Return a small picture, sometimes as dark as `vary_scene` makes whole scenes."""
    if rng.random() >= DARK:
        return image
    level = float(np.sqrt(rng.uniform(0.08, 0.4)))
    noise = rng.normal(0, rng.uniform(1, 6), image.shape)
    return np.clip(image * level + noise, 0, 255).astype(np.uint8)
