"""Boards of virtues somewhere in a match, in any room: for measuring how tokens are read."""

import colorsys

import numpy as np

from companion.vision.boards.tokens.layout import token_layouts
from tests.vision.boards.printed import Arm, Token, TokenScene, coded, colour_of

COLOURS = ("blue", "red", "green", "violet", "brown", "grey")


def random_scene(
    rng: np.random.Generator, board: str, *, hands: float = 0.35, size: tuple[int, int] = (1280, 960)
) -> TokenScene:
    """Return a board somewhere in a match of two to six players, seen in some room."""
    layout = token_layouts()[board]
    players = int(rng.integers(2, 7))
    count = int(rng.integers(0, 57))
    sites = rng.permutation(layout.sites)[:count]
    shades = {colour: rng.uniform(0.88, 1.12, 3) for colour in COLOURS}
    ink = float(rng.uniform(0.015, 0.055))
    thick = float(rng.choice([0.4, 1.5, 3.0]))
    tokens = {}
    for site in sites:
        which = int(rng.integers(players))
        colour = COLOURS[which]
        base = Token(colour)
        rgb = np.clip(coded(np.asarray(colour_of(base, ink), np.float32)) * shades[colour], 0, 1)
        tokens[str(site)] = Token(
            colour,
            (float(rng.normal(0, 0.8)), float(rng.normal(0, 0.8))),
            float(rng.uniform(6.7, 7.2)),
            thick,
            which + 1,
            float(rng.uniform(0, 360)),
            (float(rgb[0]), float(rgb[1]), float(rgb[2])),
        )
    warm = float(rng.normal(0, 0.35))
    level = float(np.exp(rng.uniform(np.log(0.1), np.log(0.85))))
    light = np.array([np.exp(warm), 1.0, np.exp(-1.3 * warm)])
    light = light / light.max() * level
    noise = float(rng.uniform(1, 3)) * (1.6 if level < 0.15 else 1.0)
    arms = (
        tuple(_random_arm(rng, layout.kit.field) for _ in range(1 + int(rng.random() < 0.2)))
        if rng.random() < hands
        else ()
    )
    return TokenScene(
        board,
        tokens,
        arms,
        (float(light[0]), float(light[1]), float(light[2])),
        (float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
        (float(rng.normal(0, 8)), float(rng.normal(0, 8)), float(rng.normal(0, 10) + 90 * (board == "pairs"))),
        (float(rng.normal(0, 0.01)), float(rng.normal(0, 0.01))),
        float(rng.uniform(0.78, 0.9)),
        size,
        float(rng.uniform(0, 0.03)),
        ink,
        noise,
        float(rng.uniform(0.3, 1.0)),
        (float(rng.normal(0, 2)), float(rng.normal(0, 2))),
        tuple(float(value) for value in rng.uniform(0.03, 0.6, 3)),  # type: ignore[arg-type]
        _random_gloss(rng, layout.kit.field),
        int(rng.integers(2**31)),
    )


def _random_arm(rng: np.random.Generator, size: tuple[float, float]) -> Arm:
    turn = float(rng.uniform(0, 2 * np.pi))
    middle = np.array(size) / 2
    start = middle + np.array([np.cos(turn), np.sin(turn)]) * 420
    end = np.array(size) * rng.uniform(0.1, 0.9, 2)
    tone = float(rng.uniform(0.3, 0.97))
    skin = (tone, tone * float(rng.uniform(0.68, 0.82)), tone * float(rng.uniform(0.5, 0.7)))
    sleeve = colorsys.hsv_to_rgb(float(rng.random()), float(rng.uniform(0, 0.8)), float(rng.uniform(0.1, 0.95)))
    return Arm(
        (float(start[0]), float(start[1])),
        (float(end[0]), float(end[1])),
        float(rng.uniform(45, 75)),
        skin,
        sleeve,
        int(rng.integers(2**31)),
    )


def _random_gloss(rng: np.random.Generator, size: tuple[float, float]) -> tuple[tuple[float, float, float, float], ...]:
    if rng.random() > 0.15:
        return ()
    u, v = np.array(size) * rng.uniform(0, 1, 2)
    return ((float(u), float(v), float(rng.uniform(8, 40)), float(rng.uniform(0.2, 1.5))),)
