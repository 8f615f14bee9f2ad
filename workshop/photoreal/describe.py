"""Describe a scene for Blender as plain data: meshes with their textures, camera, lamps, a table and things on it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.dice import PIP, UNDERLINE
from workshop.scenes.bodies import Body, Placed, Side, sides
from workshop.scenes.camera import Camera, Points
from workshop.scenes.faces import draw_cube_face, draw_polygon_face, draw_tetrahedron_face
from workshop.scenes.layouts import TRIANGLE
from workshop.scenes.polygons import flat
from workshop.scenes.scene import Scene

TEXTURE: Final = 256
"""Edge of a face's texture, pixels."""

SQUARE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

SHARPER: Final = 0.4
"""How much less the edges of dice are rounded off that are no cubes."""

UPSIDE_DOWN: Final = 2
"""The corner of a kite at which its numeral's top stands if it is turned round."""

GROUNDS: Final = ("wood", "felt", "leather", "stone", "boards", "plain")

APART: Final = 1.1
"""Least distance of things and tray walls from all dice, in edges of a cube."""

Plain = dict[str, Any]


class NotPathTracedError(ValueError):
    """The scene holds a die that has no even faces on every side, such as a stick."""


def describe(scene: Scene, folder: Path, rng: np.random.Generator) -> Plain:
    """Return the description of a scene, and write its textures into ``folder``.

    Only the dice and the camera come from the scene. Ground, lamps and things are drawn from ``rng``, by Blender's
    own means.

    Raises:
        NotPathTracedError: one of its dice has no even faces on every side, such as a stick.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "camera": described_camera(scene.camera),
        "dice": [_die(placed, number, folder) for number, placed in enumerate(scene.dice)],
        "ground": random_ground(rng),
        "lamps": random_lamps(rng),
        "sky": {"colour": tint(rng, 0.1), "strength": float(rng.uniform(0.08, 0.9))},
        "tray": _tray(scene, rng) if rng.random() < 0.25 else None,
        "things": _things(scene, rng),
        "exposure": float(rng.normal(-0.5, 0.4)),
        "seed": int(rng.integers(2**31)),
    }


def described_camera(camera: Camera) -> Plain:
    """Return a camera as Blender is told of it."""
    right, down, forward = camera.axes
    return {
        "width": camera.width,
        "height": camera.height,
        "focal": camera.focal,
        "position": camera.position.tolist(),
        "right": right.tolist(),
        "up": (-down).tolist(),
        "back": (-forward).tolist(),
    }


def _die(placed: Placed, number: int, folder: Path) -> Plain:
    body = placed.body
    if not (body.is_cube or body.is_tetrahedron or body.places):
        raise NotPathTracedError(f"Expected dice with even faces, but die {body.die.name} is a {body.die.shape}.")
    style = body.style
    shown = []
    for side in sides(placed):
        name = f"die{number}_face{side.face}"
        colour, depth = _textures(placed, side)
        cv2.imwrite(str(folder / f"{name}.png"), colour)
        cv2.imwrite(str(folder / f"{name}_depth.png"), depth)
        shown.append({"corners": side.corners.tolist(), "places": _places(body, side).tolist(), "texture": name})
    sunken = style.marking.relief > 0.1 or (style.pips is not None and style.pips.depth > 0.1)
    return {
        "sides": shown,
        "bevel": style.bevel * body.edge * (1.0 if body.is_cube else SHARPER),
        "roughness": 0.75 - 0.6 * style.material.gloss,
        "sunken": 0.5 if sunken else 0.0,
    }


def _places(body: Body, side: Side) -> Points:
    """Return where the corners of a side lie in its texture, in parts of the unit square."""
    if body.places:
        return flat(body.die.shape).corners
    return np.roll(TRIANGLE, side.rotation, axis=0) if body.is_tetrahedron else SQUARE


def _textures(placed: Placed, side: Side) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return a face's display colours, and a map that is 0 where its marks are sunk and 255 elsewhere."""
    body = placed.body
    style = replace(body.style, marking=replace(body.style.marking, relief=0.0))
    if style.pips is not None:
        style = replace(style, pips=replace(style.pips, depth=0.0))
    marks = next(face.marks for face in body.die.faces if face.text == side.text)
    text = str(len(marks)) if PIP in marks else side.text
    underlined, rng = UNDERLINE in side.marks, np.random.default_rng([body.seed, side.face])
    if body.places:
        upside_down, shape = side.rotation == UPSIDE_DOWN, body.die.shape
        marked = draw_polygon_face(
            text, shape, style, rng, size=TEXTURE, underlined=underlined, upside_down=upside_down
        )
    else:
        draw = draw_tetrahedron_face if body.is_tetrahedron else draw_cube_face
        marked = draw(text, style, rng, size=TEXTURE, underlined=underlined)
    bare = draw_cube_face("", style, np.random.default_rng([body.seed, side.face]), size=TEXTURE)
    colour = np.clip(np.sqrt(np.maximum(marked, 0)) * 255, 0, 255).astype(np.uint8)
    off = np.abs(marked - bare).max(axis=2)
    depth = 255 * (1 - np.clip(off / max(float(off.max()), 1e-6) * 2, 0, 1))
    return colour, np.asarray(cv2.GaussianBlur(depth.astype(np.uint8), (0, 0), 1.5), np.uint8)


def tint(rng: np.random.Generator, much: float) -> list[float]:
    """Return the colour of a warmer or cooler light; ``much``: its spread."""
    warm = rng.normal(0, much)
    return [float(v) for v in np.clip(np.array([1 + warm, 1.0, 1 - 1.5 * warm]), 0.2, 1.8)]


def random_ground(rng: np.random.Generator) -> Plain:
    """Return a ground of Blender's own."""
    kind = str(rng.choice(GROUNDS))
    tone = float(rng.uniform(0.05, 0.75))
    if kind in ("wood", "boards"):
        first = np.array([1.0, rng.uniform(0.5, 0.75), rng.uniform(0.25, 0.5)]) * tone
    else:
        first = np.clip(tone * np.exp(rng.normal(0, 0.35, 3)), 0.02, 0.85)
    second = np.clip(first * rng.uniform(0.45, 0.9), 0, 1)
    return {
        "kind": kind,
        "first": [float(v) for v in first],
        "second": [float(v) for v in second],
        "scale": float(np.exp(rng.uniform(np.log(0.6), np.log(4)))),
        "roughness": float(rng.uniform(0.2, 0.95)),
        "bump": float(rng.uniform(0.05, 0.6)),
        "turn": float(rng.uniform(0, np.pi)),
    }


def random_lamps(rng: np.random.Generator) -> list[Plain]:
    """Return one to three lamps around dice at the origin."""
    number = int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
    lamps = []
    for _ in range(number):
        azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 85))
        far = float(rng.uniform(7, 25))
        lamps.append(
            {
                "position": [
                    float(far * np.cos(azimuth) * np.cos(height)),
                    float(far * np.sin(azimuth) * np.cos(height)),
                    float(far * np.sin(height)),
                ],
                "size": float(far * np.exp(rng.uniform(np.log(0.02), np.log(0.8)))),
                "power": float(np.pi**2 * far**2 * rng.uniform(0.35, 1.0) / number),
                "colour": tint(rng, 0.15),
            }
        )
    return lamps


def _reach(scene: Scene) -> float:
    return max(float(np.hypot(die.x, die.y)) + die.body.reach for die in scene.dice) if scene.dice else 2.0


def _tray(scene: Scene, rng: np.random.Generator) -> Plain:
    half = _reach(scene) + APART + float(rng.uniform(0, 1.5))
    return {
        "half": half,
        "wall": float(rng.uniform(0.3, 1.2)),
        "thick": float(rng.uniform(0.2, 0.6)),
        "turn": float(rng.uniform(0, np.pi / 2)),
        "colour": [float(v) for v in rng.uniform(0.05, 0.6, 3)],
    }


def _things(scene: Scene, rng: np.random.Generator) -> list[Plain]:
    """Coins, round men and pens that lie beside the dice."""
    taken: list[tuple[Points, float]] = [(np.array([die.x, die.y]), die.body.reach) for die in scene.dice]
    things: list[Plain] = []
    for _ in range(int(rng.choice([0, 1, 3, 5], p=[0.5, 0.2, 0.2, 0.1]))):
        kind = str(rng.choice(["coin", "man", "pen"]))
        reach = {"coin": 0.55, "man": 0.7, "pen": 2.6}[kind]
        place = rng.normal(0, 0.7 * (_reach(scene) + 1.5), 2)
        if any(float(np.linalg.norm(place - other)) < reach + room + APART / 2 for other, room in taken):
            continue
        taken.append((place, reach))
        things.append(
            {
                "kind": kind,
                "place": place.tolist(),
                "turn": float(rng.uniform(0, 2 * np.pi)),
                "size": float(rng.uniform(0.7, 1.0)),
                "colour": [float(v) for v in rng.uniform(0.03, 0.8, 3)],
                "metal": float(kind == "coin"),
            }
        )
    return things


def as_plain(description: Mapping[str, Any], picture: Path, folder: Path, samples: int) -> Plain:
    """Return the job for Blender: the description, the folder of its textures, and the path of the picture."""
    return {"scene": dict(description), "textures": str(folder), "picture": str(picture), "samples": samples}
