"""A scene as plain data (camera, light, table, dice, other things, the camera's faults), and random scenes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.rules.dice import PIP, DiceSet, Die, dice_set
from companion.rules.die import TYPED
from workshop.scenes.bodies import Body, Placed, contact, overlap, random_body
from workshop.scenes.camera import Camera
from workshop.scenes.faces import random_numeral_style, random_pip_style, random_style, random_tile_style
from workshop.scenes.fonts import Font
from workshop.scenes.grounds import GROUNDS, Ground, GroundKind, random_ground
from workshop.scenes.lighting import Lighting, random_lighting
from workshop.scenes.paint import silhouette
from workshop.scenes.solids import box
from workshop.scenes.things import FLAT, Hand, Thing, random_hand, random_thing, random_tray

CONTACT = 0.004
"""Gap between touching dice, in edges: they seem to touch and never overlap."""

RIM = 24
"""Width of the picture's border that stays free of dice, in pixels: a die that leaves the picture is not readable."""

CROWDED = 0.28
"""Largest share of a picture that dice may cover; beyond it there is no room for them."""

BLANK = 0.05
"""How often a tile shows its back."""

FREQUENT = "EEEEEAAAAIIIIOOONNNRRRTTTSSSLLLUUDDHHMMCCGGKKPPBBFFVVWWYYZÄÖÜJQX"
"""Frequencies of letters on tiles, roughly as in word games; half of the letters follow them, half are uniform."""


class NotDrawnError(ValueError):
    """The set is a wheel with a pointer: it has no dice to draw, and no camera reads it."""


class NoRoomError(ValueError):
    """The dice do not fit into the picture."""


@dataclass(frozen=True)
class Ranges:
    """Bounds of random scenes. Pairs are lower and upper bounds."""

    size: tuple[int, int] = (1280, 960)
    edge: tuple[float, float] = (70, 200)
    """Edge of a cube's upper face in pixels."""
    field_of_view: tuple[float, float] = (17, 40)
    """Degrees across the picture's width."""
    tilt: tuple[float, float] = (0, 10)
    touching: float = 0.5
    things: float = 0.35
    tray: float = 0.06
    hand: float = 0.04
    moving: float = 0.03
    softness: tuple[float, float] = (0.4, 1.3)
    """Standard deviation of the lens's blur in pixels."""
    noise: tuple[float, float] = (0.5, 5.0)
    quality: tuple[int, int] = (70, 95)
    tetrahedron: tuple[float, float] = (1.05, 1.8)
    """A tetrahedron's edge, in edges of a cube."""
    grounds: tuple[GroundKind, ...] = GROUNDS
    sizes: tuple[tuple[int, int], ...] = ()
    """Widths and heights to choose from, instead of ``size``."""
    rim: int = RIM
    """Width of the picture's border that stays free of dice, in pixels."""


TRAY = Ranges(size=(1920, 1440), edge=(100, 350), field_of_view=(17, 30), tilt=(0, 8))
USUAL = Ranges()
WIDE = Ranges(edge=(90, 240), field_of_view=(45, 70), tilt=(0, 45))
HARD = Ranges(
    edge=(50, 240), field_of_view=(17, 70), tilt=(0, 50), noise=(2, 9), softness=(0.6, 2.2), moving=0.1, hand=0.1
)
TRAINING = Ranges(
    sizes=((640, 480), (640, 480), (480, 640), (640, 360), (512, 512)),
    rim=4,
    edge=(16, 130),
    field_of_view=(17, 70),
    tilt=(0, 55),
    touching=0.5,
    things=0.5,
    tray=0.12,
    hand=0.05,
    moving=0.05,
    softness=(0.4, 1.6),
    noise=(0.5, 9.0),
    quality=(50, 95),
)
"""Small pictures of every kind, drawn fast: the training material of a net that finds dice."""

RANGES = {"training": TRAINING, "tray": TRAY, "usual": USUAL, "wide": WIDE, "hard": HARD}


@dataclass(frozen=True)
class Lens:
    """The camera's effects: blur (pixels), exposure, white balance (B, G, R), noise (of 255), JPEG quality."""

    softness: float
    exposure: float
    balance: tuple[float, float, float]
    noise: float
    quality: int
    level: float | None = None
    """The light that comes out as white; None: the camera sets it from the picture's bright parts, as cameras do."""
    protect: float = 0.0
    """How far the camera darkens a picture to protect its few brightest spots, 0 to 1."""


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
    """Seed of how the light varies over the table."""
    grain_seed: int
    """Seed of the sensor's noise: another number gives another frame of the same scene."""


def random_bodies(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    dice: str | DiceSet,
    ranges: Ranges = USUAL,
    *,
    count: int | None = None,
) -> tuple[Body, ...]:
    """Return dice as one owner has them: a whole set, or ``count`` of a set whose dice are alike.

    ``dice`` is a set or the name of one that comes with the program. The default of ``count`` is 1 to 6 dice or 3 to 40
    tiles for a set whose dice are alike, and each die once for another set. If it exceeds the set, dice repeat.

    Raises:
        NotDrawnError: the set is a wheel.
    """
    owned = dice_set(dice) if isinstance(dice, str) else dice
    if TYPED & {die.shape for die in owned.dice}:
        raise NotDrawnError(f"Expected a set of dice to draw, but {owned.name} is a wheel with a pointer.")
    if all(die.shape == "tile" for die in owned.dice):
        number = count if count is not None else int(np.exp(rng.uniform(np.log(3), np.log(41))))
        return _random_tiles(rng, fonts, owned, number)
    pips = all(mark == PIP for die in owned.dice for face in die.faces for mark in face.marks)
    many = int(rng.integers(1, 7)) if owned.alike and pips else len(owned.dice)
    made = [owned.dice[k % len(owned.dice)] for k in range(count if count is not None else many)]
    numerals = all(face.text.isdigit() for die in owned.dice for face in die.faces)
    if pips:
        first = random_pip_style(rng)
    else:
        first = random_numeral_style(rng, fonts) if numerals else random_style(rng, fonts)
    bodies = []
    for number, die in enumerate(made):
        if pips:
            style = first if number == 0 or rng.random() < 0.8 else random_pip_style(rng)
        else:
            style = first if number == 0 else random_style(rng, fonts, like=first)
        if die.shape == "tetrahedron":
            # flatter sides are less rounded, or their edges would be lost
            style = replace(style, bevel=style.bevel * float(rng.uniform(0.3, 1.0)))
        bodies.append(random_body(rng, die, owned.name, style, _edge(rng, die, ranges)))
    return tuple(bodies)


def _edge(rng: np.random.Generator, die: Die, ranges: Ranges) -> float:
    match die.shape:
        case "tetrahedron":
            return float(rng.uniform(*ranges.tetrahedron))
        case "cube":
            return float(rng.normal(1, 0.01))
        case _:
            return float(rng.uniform(0.9, 1.35))


def _random_tiles(rng: np.random.Generator, fonts: Sequence[Font], owned: DiceSet, number: int) -> tuple[Body, ...]:
    """Return tiles of one make."""
    style = random_tile_style(rng, fonts)
    oblong = float(rng.uniform(0.78, 1.0)) if rng.random() < 0.6 else 1.0
    wide, long_ = (oblong, 1.0) if rng.random() < 0.7 else (1.0, oblong)
    form = box(round(wide, 3), round(long_, 3), round(float(rng.uniform(0.14, 0.35)), 3))
    die = owned.dice[0]
    return tuple(
        Body(die, owned.name, style, 1.0, (), right_handed=True, seed=int(rng.integers(2**31)), solid=form)
        for _ in range(number)
    )


def random_camera(rng: np.random.Generator, ranges: Ranges) -> Camera:
    """Return a camera that shows cubes at a size within the bounds."""
    width, height = ranges.sizes[int(rng.integers(len(ranges.sizes)))] if ranges.sizes else ranges.size
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
    """Return a random camera's faults."""
    warm = rng.normal(0, 0.15) + (0.35 if rng.random() < 0.2 else 0.0)
    balance = np.exp(np.array([-1.3, 0.0, 0.9]) * warm + rng.normal(0, 0.05, 3))
    return Lens(
        float(ranges.softness[0] + (ranges.softness[1] - ranges.softness[0]) * rng.random() ** 2),
        float(np.exp(rng.normal(-0.1, 0.3))),
        (float(balance[0]), float(balance[1]), float(balance[2])),
        float(ranges.noise[0] + (ranges.noise[1] - ranges.noise[0]) * rng.random() ** 2),
        int(rng.integers(ranges.quality[0], ranges.quality[1] + 1)),
        protect=float(rng.uniform(0.2, 0.9)),
    )


def random_scene(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    *,
    ranges: Ranges = USUAL,
    set_name: str | DiceSet = "wibold",
    bodies: Sequence[Body] | None = None,
    faces: Mapping[str, str] | None = None,
    camera: Camera | None = None,
) -> Scene:
    """Return a random scene with all dice of a set, inside the picture and not overlapping.

    ``bodies`` gives these dice instead of new ones; ``faces`` gives, for a die's name, the face that counts.
    """
    made = tuple(bodies) if bodies is not None else random_bodies(rng, fonts, set_name, ranges)
    view = camera or _far_enough(random_camera(rng, ranges), made)
    for _ in range(40):
        try:
            dice = throw_dice(rng, made, view, touching=ranges.touching, faces=faces, rim=ranges.rim)
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
    if rng.random() < ranges.tray:
        slope = float(np.tan(np.radians(view.tilt)))
        things.append(random_tray(rng, np.array([[die.x, die.y] for die in dice]).reshape(-1, 2), reach, slope))
    while len(things) < 5 and rng.random() < ranges.things:
        thing = random_thing(rng, reach, fonts)
        if thing.kind in FLAT or _free(thing, dice):
            things.append(thing)
    flat = [thing for thing in things if thing.kind in FLAT and thing.kind != "tray"]  # the other things lie on these
    return Scene(
        view,
        random_lighting(rng),
        random_ground(rng, ranges.grounds),
        dice,
        (*flat, *(thing for thing in things if thing not in flat)),
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
    rim: int = RIM,
) -> tuple[Placed, ...]:
    """Return the dice where they come to rest, some touching. Dice in ``lying`` stay where they are.

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
        if faces and body.die.name in faces:
            face = names.index(faces[body.die.name])
        elif body.die.shape == "tile" and rng.random() < 0.5:
            letter = FREQUENT[int(rng.integers(len(FREQUENT)))]
            face = names.index(letter) if letter in names else 0
        else:
            face = int(rng.integers(len(names)))
        blank = body.die.shape == "tile" and rng.random() < BLANK
        for _ in range(60):
            yaw = float(rng.uniform(0, 2 * np.pi))
            if placed and rng.random() < touching:
                found = _beside(rng, Placed(body, 0.0, 0.0, yaw, face, blank=blank), placed)
            else:
                x, y = _in_picture(camera, rng.uniform(-1, 1, 2) * spread * narrow)
                found = Placed(body, x, y, yaw, face, blank=blank)
            if not any(_meet(found, other) for other in placed) and _inside(found, camera, rim):
                placed.append(found)
                fresh.append(found)
                break
        else:
            raise NoRoomError(f"Expected room for {len(bodies)} dice, but die {body.die.name} found none in 60 tries.")
    return tuple(fresh)


def _in_picture(camera: Camera, offset: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    """Turn an offset along the picture's right and down into a point on the table."""
    right, down = camera.axes[0, :2], camera.axes[1, :2]
    right = right / max(1e-6, float(np.linalg.norm(right)))
    down = down / max(1e-6, float(np.linalg.norm(down)))
    at = np.array(camera.target) + offset[0] * right + offset[1] * down
    return float(at[0]), float(at[1])


def _beside(rng: np.random.Generator, die: Placed, placed: Sequence[Placed]) -> Placed:
    """Push a die from afar towards another die until they touch."""
    other = placed[int(rng.integers(len(placed)))]
    tile = die.body.die.shape == "tile"
    if rng.random() < (0.6 if tile else 0.35):  # side by side
        turn = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2] if tile else [0, np.pi / 2, np.pi / 6]))
        die = replace(die, yaw=other.yaw + turn)
    angle = rng.uniform(0, 2 * np.pi)
    if tile and rng.random() < 0.4:  # in a row
        angle = other.yaw + np.pi / 2 * rng.integers(4) + rng.normal(0, 0.03)
    way = np.array([np.cos(angle), np.sin(angle)])
    far = contact(die.footprint - [die.x, die.y], other.footprint - [other.x, other.y], way, gap=CONTACT)
    return replace(die, x=float(other.x + far * way[0]), y=float(other.y + far * way[1]))


def _meet(one: Placed, other: Placed) -> bool:
    """Whether two dice would overlap."""
    if np.hypot(one.x - other.x, one.y - other.y) > one.body.reach + other.body.reach:
        return False
    return overlap(one.footprint, other.footprint) >= 0


def _inside(placed: Placed, camera: Camera, rim: int) -> bool:
    far = np.array([camera.width, camera.height]) - rim
    at = camera.project(np.array([[placed.x, placed.y, placed.body.height / 2]]))[0]
    if (at < rim).any() or (at > far).any():
        return False
    hull = silhouette(placed, camera)
    return bool((hull > rim).all() and (hull < far).all())


def _far_enough(camera: Camera, bodies: Sequence[Body]) -> Camera:
    """Move a camera back until these dice have room in its picture."""
    needed = sum(body.edge**2 for body in bodies) / CROWDED
    upright = np.cos(np.radians(camera.tilt))
    seen = camera.width * camera.height * (camera.distance / camera.focal) ** 2 / max(upright, 0.3)
    return replace(camera, distance=camera.distance * float(np.sqrt(max(1.0, needed / seen))))


def _free(thing: Thing, dice: Sequence[Placed]) -> bool:
    room = thing.size / 2 + (2.5 if thing.kind == "chessman" else 0.0)  # its head reaches over what lies behind it
    return all(np.hypot(thing.x - die.x, thing.y - die.y) > room + 0.9 * die.body.edge for die in dice)
