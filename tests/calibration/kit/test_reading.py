"""The project's own reader reads what the kit prints: nets rendered, folded in space and seen from above."""

from collections import Counter

import cv2
import numpy as np
import numpy.typing as npt

from calibration.kit.dice import net_places
from calibration.kit.paper import PAPERS, WHITE_MARGIN_MM
from companion.rules.dice import dice_set
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import Image
from tests.calibration.kit.printing import MILLIMETRE, Printed, print_part
from workshop.paper_dice import PaperNet, net_in_kit

Points = npt.NDArray[np.float64]

MAT = (70, 92, 58)
"""A plain green mat, BGR."""

SCALE = 4.0
"""Pixels of the picture in a millimetre of the table, as a camera 30 cm above it sees them."""

NEAR = 60.0
"""Pixels from a die's middle within which a reading is of that die."""


def thrown(folded: PaperNet, face: int, turn: float, centre: Points) -> list[tuple[int, Points, float]]:
    """Return the panels of a folded die that are seen from above, lowest first: corners in pixels, and how bright.

    The face lies up, of a tetrahedron down. Light comes from above and a little from one side.
    """
    middle = np.vstack(folded.folded).mean(axis=0)
    down = folded.die.counts == "down"
    normal = _out(folded, face) * (-1 if down else 1)
    right = folded.folded[face_panel(folded, face)][0] - middle
    right = right - (right @ normal) * normal
    right /= np.linalg.norm(right)
    up = np.cross(normal, right)
    cos, sin = np.cos(turn), np.sin(turn)
    level = np.stack([cos * right - sin * up, sin * right + cos * up, normal])
    seen = []
    for number, corners in enumerate(folded.folded):
        out = level @ _out(folded, folded.panels[number].face)
        if out[2] > 0.1:
            flat = (corners - middle) @ level.T
            pixels = centre + flat[:, :2] * [SCALE, -SCALE]
            light = np.array([0.35, 0.2, 1.0])
            seen.append((number, pixels, float(np.clip(0.35 + 0.6 * out @ light / np.linalg.norm(light), 0, 0.95))))
    return seen


def face_panel(folded: PaperNet, face: int) -> int:
    return next(number for number, panel in enumerate(folded.panels) if panel.face == face)


def _out(folded: PaperNet, face: int) -> Points:
    corners = folded.folded[face_panel(folded, face)]
    across = np.cross(corners[1] - corners[0], corners[2] - corners[1])
    return np.asarray(-across / np.linalg.norm(across))


def middles(seed: int, count: int) -> Points:
    """Return where the dice of a throw lie, in pixels."""
    rng = np.random.default_rng([seed, 1])
    return np.array([[150.0 + 265 * number, 360.0] for number in range(count)]) + rng.uniform(-40, 40, (count, 2))


def table(page: Printed, dice: list[tuple[PaperNet, float, float]], faces: list[int], seed: int) -> Image:
    """Return a picture, BGR, of dice folded from a printed page that show these faces, on a plain mat."""
    rng = np.random.default_rng(seed)
    places = middles(seed, len(dice))
    picture = np.empty((720, 1100, 3), np.float64)
    picture[:] = MAT
    for (folded, x, y), face, centre in zip(dice, faces, places, strict=True):
        for panel, corners, light in thrown(folded, face, float(rng.uniform(0, 2 * np.pi)), centre):
            on_page = (folded.panels[panel].corners + np.array([x, y]) + WHITE_MARGIN_MM) * MILLIMETRE
            turn = cv2.getAffineTransform(on_page[:3].astype(np.float32), corners[:3].astype(np.float32))
            size = (picture.shape[1], picture.shape[0])
            laid = cv2.warpAffine(page.image, turn, size, flags=cv2.INTER_AREA)
            cover = np.zeros(size[::-1], np.uint8)
            cv2.fillConvexPoly(cover, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
            share = cover[..., None] / 255.0
            picture = picture * (1 - share) + laid[..., None] * light * share
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.7) + rng.normal(0, 2, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def outcomes(name: str, throws: list[list[int]]) -> Counter[tuple[str, str]]:
    """Return how often cubes and tetrahedra were read rightly, asked about or missed, or read wrongly."""
    (page,) = print_part({"wibold": "letter-dice", "ludix": "ludix-dice"}[name])
    dice = dice_set(name).dice
    reader = DiceReader(name)
    nets = [(net_in_kit(placed.die), x, y) for placed, x, y in net_places((name,), PAPERS["a4"])]
    counted: Counter[tuple[str, str]] = Counter()
    for seed, faces in enumerate(throws):
        reading = reader.read(table(page, nets, faces, seed))
        surely = [die for die in reading.dice if die.status == "read"]
        for (folded, _, _), face, place in zip(nets, faces, middles(seed, len(nets)), strict=True):
            here = [die for die in surely if np.linalg.norm(np.mean(die.polygon, axis=0) - place) < NEAR]
            truth = (folded.die.name if name == "wibold" else None, folded.die.faces[face].text)
            right = [(die.die, die.face) == truth for die in here]
            counted[folded.die.shape, "open" if not here else "right" if all(right) else "wrong"] += 1
        counted["cube", "wrong"] += len(surely) > len(dice)
    return counted


def test_every_letter_of_the_folded_cubes_is_read() -> None:
    # six throws that show each face of each cube once, and each of the tetrahedron at least once
    seen = outcomes("wibold", [[(n + 2 * die) % 6 for die in range(3)] + [n % 4] for n in range(6)])
    assert seen["cube", "wrong"] == seen["tetrahedron", "wrong"] == 0
    assert seen["cube", "right"] == 18
    assert seen["tetrahedron", "right"] >= 4


def test_every_face_of_the_folded_ludix_dice_is_read() -> None:
    seen = outcomes("ludix", [[0, 1, 2, 3], [4, 5, 0, 1]])
    assert seen["cube", "wrong"] == 0
    assert seen["cube", "right"] == 8
