"""Tables boards that are hard to read, to teach with: tall piles in low, hard light, and men in the board's colours."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.boards.layout import LOWER, TABLES, UPPER, layout
from workshop.board_scenes.arrange import tables_men
from workshop.board_scenes.board import Board
from workshop.board_scenes.men import LEAST_GAP, TablesStyle, random_tables_styles
from workshop.board_scenes.scene import BoardScene, random_board_scene
from workshop.scenes.fonts import Font
from workshop.scenes.lighting import Light, Lighting, random_lighting
from workshop.scenes.materials import Colour, brightness

HARD: Final = 0.7
"""Share of the boards under one low lamp with hard shadows; the others have the light of all boards."""

ALIKE: Final = 0.4
"""Share of the boards on which the men of one side have nearly the colour of the field or of its points."""

_TALL: Final = (6, 16)
_LOW: Final = (1, 4)


def hard_tables_scene(rng: np.random.Generator, fonts: Sequence[Font], *, size: tuple[int, int]) -> BoardScene:
    """Return a tables board whose shadows, or whose men's colours, mislead.

    A pile throws a shadow with a round end over the next points, which looks like dark men.
    """
    scene = random_board_scene(rng, TABLES, fonts, size=size, hand=0.1)
    styles = random_tables_styles(rng)
    if rng.random() < ALIKE:
        styles = _like_the_board(rng, styles, scene.board)
    men = tables_men(scene.board, styles, _piled(rng), int(rng.integers(2**31)))
    lighting = _low_lighting(rng) if rng.random() < HARD else scene.lighting
    return replace(scene, men=men, lighting=lighting)


def _piled(rng: np.random.Generator) -> dict[str, dict[str, int]]:
    """Return positions as games begin and end: some points with many men, the others with few."""
    points = [str(point) for point in rng.permutation([*UPPER, *LOWER])]
    truth: dict[str, dict[str, int]] = {}
    for colour in layout(TABLES).colours:
        left = int(rng.integers(9, 16))
        for _ in range(int(rng.integers(1, 3))):
            count = min(left, int(rng.integers(*_TALL)))
            if count:
                truth[points.pop()] = {colour: count}
            left -= count
        while left > 0 and len(points) > 1:
            count = min(left, int(rng.integers(*_LOW)))
            truth[points.pop()] = {colour: count}
            left -= count
    return truth


def _low_lighting(rng: np.random.Generator) -> Lighting:
    """Return the light of one low lamp with hard shadows."""
    lit = random_lighting(rng)
    azimuth, height = float(rng.uniform(0, 2 * np.pi)), float(np.radians(rng.uniform(22, 50)))
    flat = float(np.cos(height))
    direction = (float(np.cos(azimuth)) * flat, float(np.sin(azimuth)) * flat, float(np.sin(height)))
    level = float(rng.uniform(0.05, 0.4))
    strength = (1 - level) / direction[2] * np.exp(rng.normal(0, 0.08, 3))
    share = level / max(lit.ambient)
    ambient = (lit.ambient[0] * share, lit.ambient[1] * share, lit.ambient[2] * share)
    lamp = Light(direction, _colour(strength), float(rng.uniform(0, 0.3)))
    return Lighting(ambient, (lamp,), lit.spot, lit.shade_edge)


def _like_the_board(
    rng: np.random.Generator, styles: tuple[TablesStyle, TablesStyle], board: Board
) -> tuple[TablesStyle, TablesStyle]:
    """Return looks of which one has nearly a colour of the board; the lighter side stays the lighter one."""
    side = int(rng.integers(2))
    colour = np.array(board.field_colours[int(rng.integers(len(board.field_colours)))])
    near = _colour(np.clip(colour * np.exp(rng.normal(0, 0.12, 3)), 0.003, 1))
    other = brightness(styles[1 - side].material.colour)
    gap = brightness(near) - other if side == 0 else other - brightness(near)
    if gap <= LEAST_GAP:
        return styles
    changed = replace(styles[side], material=replace(styles[side].material, colour=near))
    return (changed, styles[1]) if side == 0 else (styles[0], changed)


def _colour(values: npt.NDArray[np.float64]) -> Colour:
    return (float(values[0]), float(values[1]), float(values[2]))
