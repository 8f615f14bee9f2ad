"""Path trace boards with their men, and films of matches on them."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.images import load_image
from workshop.board_scenes.filming import BoardFilm, Truth
from workshop.board_scenes.men import Prism
from workshop.board_scenes.render import RenderedBoard, marker_texture
from workshop.board_scenes.scene import BoardScene, Marker
from workshop.photoreal.describe import Plain, as_plain, described_camera, random_ground, random_lamps, tint
from workshop.photoreal.tracing import as_a_camera_delivers, trace
from workshop.scenes.camera import Points
from workshop.scenes.fonts import Font
from workshop.scenes.materials import Texture
from workshop.scenes.things import Hand, draw_hand

SAMPLES: Final = 4
"""For each pixel, before noise is taken out."""

SMALLER: Final = 0.75
"""Share of the wanted picture's width and height: each pixel costs time."""

ROOM: Final = 3.0
"""Lamps are this many times farther away and larger than over dice: a board is as much larger than they."""


def describe_board(scene: BoardScene, folder: Path, rng: np.random.Generator) -> Plain:
    """Return the description of a board on its table, and write its textures into ``folder``.

    Board, men, dice, markers and camera are those of the scene. Ground, lamps and the frame's grain are drawn from
    ``rng``, by Blender's own means.
    """
    folder.mkdir(parents=True, exist_ok=True)
    board = scene.board
    x, y = board.width / 2 + board.border, board.height / 2 + board.border
    pieces = [piece for man in scene.men for piece in man.pieces]
    frame = [float(v) for v in board.frame_colour[::-1]]
    _write(folder / "board.png", board.texture)
    return {
        "camera": described_camera(scene.camera),
        "dice": [],
        "ground": random_ground(rng) | {"level": -board.thickness},
        "lamps": [_farther(lamp) for lamp in random_lamps(rng)],
        "sky": {"colour": tint(rng, 0.1), "strength": float(rng.uniform(0.08, 0.9))},
        "tray": None,
        "things": [],
        "board": {
            "x": x,
            "y": y,
            "thickness": board.thickness,
            "texture": "board",
            "roughness": float(rng.uniform(0.3, 0.9)),
            "frame": {
                "kind": "wood" if board.frame == "wood" else "plain",
                "first": frame,
                "second": [value * float(rng.uniform(0.6, 0.95)) for value in frame],
                "scale": float(rng.uniform(0.6, 2)),
                "roughness": float(rng.uniform(0.2, 0.8)),
                "bump": float(rng.uniform(0.02, 0.2)),
                "turn": 0.0,
            },
            "rails": [[rail.left, rail.bottom, rail.right, rail.top, rail.height] for rail in board.rails],
            "pieces": [_piece(piece, f"piece{k}", folder) for k, piece in enumerate([*pieces, *scene.dice])],
            "sheets": [_sheet(marker, folder) for marker in scene.markers],
        },
        "exposure": float(rng.normal(-0.5, 0.4)),
        "seed": int(rng.integers(2**31)),
    }


def _farther(lamp: Plain) -> Plain:
    place = [value * ROOM for value in lamp["position"]]
    return lamp | {"position": place, "size": lamp["size"] * ROOM, "power": lamp["power"] * ROOM**2}


def _piece(piece: Prism, name: str, folder: Path) -> Plain:
    _write(folder / f"{name}.png", piece.top)
    return {
        "ring": piece.ring.tolist(),
        "low": piece.low,
        "high": piece.high,
        "colour": [float(v) for v in piece.colour[::-1]],
        "roughness": 0.75 - 0.6 * piece.gloss,
        "places": _places(piece.ring, piece.middle, piece.reach, piece.turn).tolist(),
        "texture": name,
    }


def _sheet(marker: Marker, folder: Path) -> Plain:
    texture = marker_texture(marker.number)
    name = f"marker{marker.number}"
    _write(folder / f"{name}.png", texture)
    half = marker.edge * texture.shape[0] / 96 / 2
    cos, sin = np.cos(marker.turn) * half, np.sin(marker.turn) * half
    middle = np.array([marker.x, marker.y])
    across, up = np.array([cos, sin]), np.array([-sin, cos])
    ring = np.array([middle - across - up, middle + across - up, middle + across + up, middle - across + up])
    places = _places(ring, (marker.x, marker.y), half, marker.turn)
    return {"ring": ring.tolist(), "level": marker.z + 0.004, "places": places.tolist(), "texture": name}


def _places(ring: Points, middle: tuple[float, float], reach: float, turn: float) -> Points:
    """Return where the corners of an outline (n x 2) lie on its texture: shares from its left and top."""
    away = ring - np.array(middle)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.column_stack([away @ [cos, sin], away @ [sin, -cos]]) / (2 * reach) + 0.5


def _write(path: Path, texture: Texture) -> None:
    cv2.imwrite(str(path), np.clip(np.sqrt(np.maximum(texture, 0)) * 255, 0, 255).astype(np.uint8))


class TracedFilm(BoardFilm):
    """One board with one set of men, each picture path traced; light and grounds are Blender's own and stay."""

    def __init__(
        self,
        kind: str,
        seed: int,
        fonts: Sequence[Font],
        *,
        size: tuple[int, int] = (960, 720),
        markers: bool = False,
        blender: str = "python",
    ) -> None:
        """Set up a board of this kind; ``blender``: an interpreter that has ``bpy``."""
        smaller = (round(size[0] * SMALLER), round(size[1] * SMALLER))
        super().__init__(kind, seed, fonts, size=smaller, markers=markers)
        self._blender = blender

    def picture(
        self,
        truth: Truth,
        number: int,
        *,
        hand: Hand | None = None,
        light: float = 1.0,
        shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> RenderedBoard:
        """Return the picture with this number; a hand is laid over the traced picture."""
        drawn = super().picture(truth, number, hand=hand, light=light, shift=shift)
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work)
            described = describe_board(drawn.scene, folder, np.random.default_rng([2033, self.seed]))
            described["exposure"] += float(np.log2(light)) + float(
                np.random.default_rng([self.seed, number]).normal(0, 0.04)
            )
            described["seed"] = (described["seed"] + number) % 2**31
            trace([as_plain(described, folder / "traced.png", folder, SAMPLES)], self._blender)
            traced = load_image(folder / "traced.png")
        if hand is not None:
            traced = _under(hand, traced)
        image, jpeg = as_a_camera_delivers(traced, drawn.scene.lens, drawn.scene.grain_seed)
        return replace(drawn, image=image, jpeg=jpeg)


def _under(hand: Hand, traced: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    cover, colours = draw_hand(hand, traced.shape[1], traced.shape[0])
    skin = np.sqrt(np.clip(colours, 0, 1)) * 255
    return np.clip(traced + cover[:, :, None] * (skin - traced), 0, 255).astype(np.uint8)
