"""A scene as plain data: camera, light, table, dice, other things, the camera's faults; and random ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.scenes.bodies import Body, Placed, footprint, overlap, random_body
from calibration.scenes.camera import Camera
from calibration.scenes.faces import random_style
from calibration.scenes.fonts import Font
from calibration.scenes.grounds import GROUNDS, Ground, GroundKind, random_ground
from calibration.scenes.lighting import Lighting, random_lighting
from calibration.scenes.paint import silhouette
from calibration.scenes.things import Hand, Thing, random_hand, random_thing
from companion.rules.dice import dice_set

CONTACT = 0.004
"""Gap between touching dice, in edges: they touch to the eye and never run into each other."""

RIM = 24
"""Pixels of the picture's edge that stay free of dice: one that leaves the picture is not to be read."""


class NotDrawnError(ValueError):
    """A set holds something that is no die: a wheel with its pointer is not drawn, nor read by a camera."""


class NoRoomError(ValueError):
    """The dice do not fit into the picture."""


@dataclass(frozen=True)
class Ranges:
    """Bounds within which random scenes are drawn. Pairs are lower and upper bounds."""

    size: tuple[int, int] = (1280, 960)
    edge: tuple[float, float] = (70, 200)
    """Upper face of a cube in pixels."""
    field_of_view: tuple[float, float] = (17, 40)
    """Degrees across the picture's width."""
    tilt: tuple[float, float] = (0, 10)
    touching: float = 0.5
    things: float = 0.35
    hand: float = 0.04
    moving: float = 0.03
    softness: tuple[float, float] = (0.4, 1.3)
    """Deviation of the lens's blur in pixels."""
    noise: tuple[float, float] = (0.5, 5.0)
    quality: tuple[int, int] = (70, 95)
    tetrahedron: tuple[float, float] = (1.05, 1.8)
    """A tetrahedron's edge in edges of a cube."""
    grounds: tuple[GroundKind, ...] = GROUNDS


TRAY = Ranges(size=(1920, 1440), edge=(100, 350), field_of_view=(17, 30), tilt=(0, 8))
USUAL = Ranges()
WIDE = Ranges(edge=(90, 240), field_of_view=(45, 70), tilt=(0, 45))
HARD = Ranges(
    edge=(50, 240), field_of_view=(17, 70), tilt=(0, 50), noise=(2, 9), softness=(0.6, 2.2), moving=0.1, hand=0.1
)
RANGES = {"tray": TRAY, "usual": USUAL, "wide": WIDE, "hard": HARD}


@dataclass(frozen=True)
class Lens:
    """What the camera adds: blur (pixels), exposure, white balance (B, G, R), noise (of 255), JPEG quality."""

    softness: float
    exposure: float
    balance: tuple[float, float, float]
    noise: float
    quality: int
    level: float | None = None
    """The light that comes out as white; None: by itself, from the picture's bright parts, as cameras do."""


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows. The same scene gives the same picture."""

    camera: Camera
    lighting: Lighting
    ground: Ground
    dice: tuple[Placed, ...]
    things: tuple[Thing, ...]
    hand: Hand | None
    lens: Lens
    light_seed: int
    """How the light varies over the table."""
    grain_seed: int
    """The sensor's noise: another number is another frame of the same scene."""


def random_bodies(
    rng: np.random.Generator, fonts: Sequence[Font], set_name: str, ranges: Ranges = USUAL
) -> tuple[Body, ...]:
    """Return a whole set of dice as one owner has it.

    Raises:
        NotDrawnError: the set is a wheel.
    """
    dice = dice_set(set_name).dice
    if any(die.shape == "wheel" for die in dice):
        raise NotDrawnError(f"Expected a set of dice to draw, but {set_name} is a wheel with a pointer.")
    lettered = any(not face.text.isdigit() for die in dice for face in die.faces)
    first = random_style(rng, fonts if lettered else ())
    bodies = []
    for number, die in enumerate(dice):
        style = first if number == 0 else random_style(rng, fonts if lettered else (), like=first)
        if die.shape == "tetrahedron":
            # flatter sides are rounded less: their edges would be lost
            style = replace(style, bevel=style.bevel * float(rng.uniform(0.3, 1.0)))
        edge = float(rng.uniform(*ranges.tetrahedron)) if die.shape == "tetrahedron" else float(rng.normal(1, 0.01))
        bodies.append(random_body(rng, die, set_name, style, edge))
    return tuple(bodies)


def random_camera(rng: np.random.Generator, ranges: Ranges) -> Camera:
    """Return a camera whose cubes come out within the wanted size."""
    width, height = ranges.size
    focal = width / 2 / np.tan(np.radians(rng.uniform(*ranges.field_of_view) / 2))
    edge = float(np.exp(rng.uniform(*np.log(ranges.edge))))
    distance = max(3.2, float(focal) / edge + 1)
    return Camera(
        width,
        height,
        float(focal),
        distance,
        float(rng.uniform(*ranges.tilt)),
        float(rng.uniform(0, 360)),
        float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 8)),
    )


def random_lens(rng: np.random.Generator, ranges: Ranges) -> Lens:
    """Return a camera's faults."""
    warm = rng.normal(0, 0.15) + (0.35 if rng.random() < 0.2 else 0.0)
    balance = np.exp(np.array([-1.3, 0.0, 0.9]) * warm + rng.normal(0, 0.05, 3))
    return Lens(
        float(ranges.softness[0] + (ranges.softness[1] - ranges.softness[0]) * rng.random() ** 2),
        float(np.exp(rng.normal(-0.1, 0.3))),
        (float(balance[0]), float(balance[1]), float(balance[2])),
        float(ranges.noise[0] + (ranges.noise[1] - ranges.noise[0]) * rng.random() ** 2),
        int(rng.integers(ranges.quality[0], ranges.quality[1] + 1)),
    )


def random_scene(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    *,
    ranges: Ranges = USUAL,
    set_name: str = "wibold",
    bodies: Sequence[Body] | None = None,
    faces: Mapping[str, str] | None = None,
    camera: Camera | None = None,
) -> Scene:
    """Return a random scene with all dice of a set, inside the picture and never in each other.

    ``bodies``: these dice instead of new ones; ``faces``: for each die's name the face that is to count.
    """
    made = tuple(bodies) if bodies is not None else random_bodies(rng, fonts, set_name, ranges)
    view = camera or random_camera(rng, ranges)
    for _ in range(40):
        try:
            dice = throw_dice(rng, made, view, touching=ranges.touching, faces=faces)
            break
        except NoRoomError:
            view = replace(view, distance=view.distance * 1.08)
    else:
        raise NoRoomError(
            f"Expected {len(made)} dice to fit into {view.width} x {view.height} pixels, but found no place for them."
        )
    if rng.random() < ranges.moving:
        dice = tuple(replace(die, blur=(float(rng.normal(0, 0.3)), float(rng.normal(0, 0.3)))) for die in dice)
    reach = 0.5 * min(view.width, view.height) * view.distance / view.focal
    things: list[Thing] = []
    while len(things) < 4 and rng.random() < ranges.things:
        thing = random_thing(rng, reach, fonts)
        if thing.kind in ("sheet", "fibre") or _free(thing, dice):
            things.append(thing)
    return Scene(
        view,
        random_lighting(rng),
        random_ground(rng, ranges.grounds),
        dice,
        tuple(things),
        random_hand(rng) if rng.random() < ranges.hand else None,
        random_lens(rng, ranges),
        int(rng.integers(2**31)),
        int(rng.integers(2**31)),
    )


def throw_dice(
    rng: np.random.Generator,
    bodies: Sequence[Body],
    camera: Camera,
    *,
    touching: float,
    faces: Mapping[str, str] | None = None,
    lying: Sequence[Placed] = (),
) -> tuple[Placed, ...]:
    """Return the dice as they come to rest, some against each other. ``lying`` dice stay where they are.

    Raises:
        NoRoomError: they do not fit into the picture.
    """
    placed = list(lying)
    fresh: list[Placed] = []
    scale = camera.focal / camera.distance
    spread = np.array([camera.width, camera.height]) / scale / 2 * 0.75
    narrow = float(rng.uniform(0.45, 1.0))
    for body in bodies:
        names = [face.text for face in body.die.faces]
        face = names.index(faces[body.die.name]) if faces and body.die.name in faces else int(rng.integers(len(names)))
        for _ in range(60):
            yaw = float(rng.uniform(0, 2 * np.pi))
            if placed and rng.random() < touching:
                found = _beside(rng, body, face, yaw, placed)
            else:
                x, y = _in_picture(camera, rng.uniform(-1, 1, 2) * spread * narrow)
                found = Placed(body, x, y, yaw, face)
            if all(overlap(footprint(found), footprint(other)) < 0 for other in placed) and _inside(found, camera):
                placed.append(found)
                fresh.append(found)
                break
        else:
            raise NoRoomError(f"Expected room for {len(bodies)} dice, but die {body.die.name} found none in 60 tries.")
    return tuple(fresh)


def _in_picture(camera: Camera, offset: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    """Turn an offset along the picture's right and down into a place on the table."""
    right, down = camera.axes[0, :2], camera.axes[1, :2]
    right = right / max(1e-6, float(np.linalg.norm(right)))
    down = down / max(1e-6, float(np.linalg.norm(down)))
    at = np.array(camera.target) + offset[0] * right + offset[1] * down
    return float(at[0]), float(at[1])


def _beside(rng: np.random.Generator, body: Body, face: int, yaw: float, placed: Sequence[Placed]) -> Placed:
    """Push a die from afar against one that lies there, until they touch."""
    other = placed[int(rng.integers(len(placed)))]
    if rng.random() < 0.35:  # side by side
        yaw = other.yaw + float(rng.choice([0, np.pi / 2, np.pi / 6]))
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    near, far = 0.0, 4.0
    for _ in range(24):
        middle = (near + far) / 2
        trial = Placed(body, other.x + middle * way[0], other.y + middle * way[1], yaw, face)
        if overlap(footprint(trial), footprint(other)) > -CONTACT:
            near = middle
        else:
            far = middle
    return Placed(body, float(other.x + far * way[0]), float(other.y + far * way[1]), yaw, face)


def _inside(placed: Placed, camera: Camera) -> bool:
    hull = silhouette(placed, camera)
    return bool((hull > RIM).all() and (hull < np.array([camera.width, camera.height]) - RIM).all())


def _free(thing: Thing, dice: Sequence[Placed]) -> bool:
    return all(np.hypot(thing.x - die.x, thing.y - die.y) > thing.size / 2 + 0.9 * die.body.edge for die in dice)
