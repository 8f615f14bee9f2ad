"""The kit's own boards of virtues as a camera sees them: printed, laid on a table, with tokens, light and hands.

The page is the kit's PDF; tokens are discs with a thickness, a number and a shadow. Lengths are in millimetres from the
playing field's upper left corner. All that is chosen is in a `TokenScene`, so the same scene gives the same picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2

from calibration.kit.paper import STRIP_HEIGHT, WHITE_MARGIN_MM, Paper
from calibration.kit.sheets import document as document_of
from calibration.kit.virtue_boards import pairs_pages, rim_pages, wheel_pages
from companion.data_file import data_of
from companion.language.sentence import Sentence
from companion.vision.boards.kit import kit_boards
from companion.vision.boards.tokens.layout import SPOT_RADIUS, token_layouts
from companion.vision.readings import Image

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

SCALE = 4.0
"""Pixels a millimetre of the drawn table."""

FINER = 2
"""The print is drawn so many times finer than that, and then made smaller."""

TABLE = 60.0
"""Millimetres of table around the board."""

PAGES = {"rim": rim_pages, "pairs": pairs_pages, "wheel": wheel_pages}
SPREAD_MARGIN = 40.0


@cache
def page(board: str) -> Image:
    """Return the whole printed board, `SCALE` pixels a millimetre, RGB."""
    plan = kit_boards()[f"virtues-{board}"]
    width, height = plan.size
    paper = Paper(
        width + 2 * WHITE_MARGIN_MM + SPREAD_MARGIN, height + 2 * WHITE_MARGIN_MM + STRIP_HEIGHT + SPREAD_MARGIN
    )
    document = pypdfium2.PdfDocument(document_of(Sentence("{name}", name=board), PAGES[board](paper)[:1]).pdf())
    try:
        sheet = document[0]
        whole = np.array(sheet.render(scale=FINER * SCALE / 72 * 25.4, rev_byteorder=True).to_numpy())[..., :3]
        sheet.close()
    finally:
        document.close()
    # the board lies somewhere in the sheet's room: its upper left marker tells where
    return _cut(whole, plan.size, board)


def _cut(whole: Image, size: tuple[float, float], board: str) -> Image:
    fine = FINER * SCALE
    plan = kit_boards()[f"virtues-{board}"]
    grey = cv2.cvtColor(whole, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, numbers, _ = detector.detectMarkers(small)
    (first,) = (quad for quad, number in zip(corners, numbers.ravel(), strict=True) if number == 0)
    centre = first.reshape(4, 2).mean(axis=0) * FINER + FINER / 2
    left, top = (round(float(centre[axis] - (plan.centres[0][axis] + plan.edge[axis]) * fine)) for axis in (0, 1))
    width, height = (round(length * fine) for length in size)
    cut = whole[max(top, 0) : top + height, max(left, 0) : left + width]
    return np.asarray(
        cv2.resize(cut, (round(size[0] * SCALE), round(size[1] * SCALE)), interpolation=cv2.INTER_AREA), np.uint8
    )


@dataclass(frozen=True)
class Token:
    """One token: ``colour`` by name, or ``rgb`` of its own; ``off``: from the middle of its place; all millimetres."""

    colour: str
    off: tuple[float, float] = (0.0, 0.0)
    radius: float = 7.0
    thick: float = 1.5
    number: int = 0
    turn: float = 0.0
    rgb: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Arm:
    """A hand with its sleeve: a band from ``start`` (outside) to ``end`` (finger tips), and how it looks (sRGB)."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]
    seed: int = 0


@dataclass(frozen=True)
class TokenScene:
    """A board as it lies there. ``light``: what white paper gives back, linear RGB; ``fall``: how it falls off.

    ``turn``: degrees about the three axes; ``fill``: how much of the picture's height the board takes. ``veil``: stray
    light, of white; ``noise``: of 255, in even light.
    """

    board: str
    tokens: Mapping[str, Token]
    arms: tuple[Arm, ...] = ()
    light: tuple[float, float, float] = (0.7, 0.7, 0.7)
    fall: tuple[float, float] = (0.0, 0.0)
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)
    fill: float = 0.86
    size: tuple[int, int] = (960, 720)
    veil: float = 0.01
    ink: float = 0.03
    noise: float = 2.0
    blur: float = 0.6
    shadow: tuple[float, float] = (2.0, 1.5)
    table: tuple[float, float, float] = (0.25, 0.16, 0.1)
    gloss: tuple[tuple[float, float, float, float], ...] = ()
    seed: int = 1
    extra: Mapping[str, Token] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture (BGR), the field's corners in it, and what is true of each site: how much of its circle is covered."""

    image: Image
    corners: Points
    covered: Mapping[str, float]


def shown(scene: TokenScene) -> Shown:
    """Return what the camera sees of a scene."""
    plan = kit_boards()[f"virtues-{scene.board}"]
    edge = np.array(plan.edge)
    origin = (TABLE + edge) * SCALE
    size = (np.array(plan.size) + 2 * TABLE) * SCALE
    wide, high = (int(length) for length in size)
    rng = np.random.default_rng([scene.seed, 7])
    grain = rng.standard_normal((high // 8, wide // 30)).astype(np.float32)
    albedo = _tinted(np.asarray(1 + 0.1 * cv2.resize(grain, (wide, high)), np.float32), scene.table)
    print_ = page(scene.board)
    x, y = (int(length) for length in (TABLE * SCALE, TABLE * SCALE))
    albedo[y : y + print_.shape[0], x : x + print_.shape[1]] = _printed(print_, scene.ink)
    layout = token_layouts()[scene.board]
    middles = {name: np.array(place) for name, place in zip(layout.sites, layout.places, strict=True)}
    everything = [(middles[site], token) for site, token in (*scene.tokens.items(), *scene.extra.items())]
    for middle, token in everything:
        _cast(albedo, (middle + token.off) * SCALE + origin, token, scene.shadow)
    camera = np.array(plan.size) / 2 + np.array([scene.turn[1], -scene.turn[0]]) * 8
    for middle, token in everything:
        _lay(albedo, middle + token.off, token, origin, camera)
    over = np.zeros((high, wide), np.uint8)
    for arm in scene.arms:
        _reach(albedo, over, arm, origin)
    covered = _covered(over, middles, origin)
    lit = _lit(albedo, scene, origin)
    warp = _view(scene, np.array(plan.size), edge)
    to_pixels = warp @ np.array([[1 / SCALE, 0, -origin[0] / SCALE], [0, 1 / SCALE, -origin[1] / SCALE], [0, 0, 1]])
    image = _photographed(lit, to_pixels, scene)
    unit = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(plan.field)
    corners = _through(warp, unit)
    return Shown(image, corners, covered)


def _printed(rgb: Image, ink: float) -> Floats:
    """Return printed colours as they are given back: no ink is quite black."""
    given_back = ink + (1 - ink) * linear(np.arange(256, dtype=np.float32) / 255)
    return np.asarray(cv2.LUT(rgb, given_back.astype(np.float32)), np.float32)


def _tinted(brightness: Floats, rgb: Sequence[float]) -> Floats:
    """Return a picture of one colour; OpenCV puts three channels together far sooner than NumPy repeats one."""
    return np.asarray(cv2.merge([brightness * np.float32(part) for part in rgb]), np.float32)


def linear(value: npt.NDArray[np.floating]) -> Floats:
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def coded(value: Floats) -> Floats:
    value = np.clip(value, 0, 1)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055).astype(np.float32)


CODED = coded(np.linspace(0, 1, 2**16, dtype=np.float32)) * 255
"""For pictures: the bytes of light in steps so fine that none is off by more than a twentieth of a byte."""


def colour_of(token: Token, ink: float = 0.03) -> Points:
    """Return what a token gives back of the light, linear RGB."""
    if token.rgb is not None:
        return np.asarray(linear(np.array(token.rgb, np.float32)), np.float64)
    colours = data_of("companion.vision.boards.tokens", "token_colours.toml")
    named = {**colours["kit"], **colours["further"]}[token.colour]
    value = np.frombuffer(bytes.fromhex(named[1:]), np.uint8).astype(np.float32) / 255
    return np.asarray(ink + (1 - ink) * linear(value), np.float64)


def _disc(shape: tuple[int, int], centre: Points, radius: float) -> tuple[Floats, tuple[slice, slice]]:
    reach = int(radius) + 12
    x0, y0 = (max(0, int(value) - reach) for value in centre)
    x1, y1 = min(shape[1], int(centre[0]) + reach), min(shape[0], int(centre[1]) + reach)
    ys, xs = np.mgrid[y0:y1, x0:x1]
    inside = np.clip(radius - np.hypot(xs - centre[0], ys - centre[1]) + 0.5, 0, 1).astype(np.float32)
    return inside, (slice(y0, y1), slice(x0, x1))


def _cast(albedo: Floats, centre: Points, token: Token, shadow: tuple[float, float]) -> None:
    """Darken the board beside a token, and around its foot."""
    for share, strength in ((1.0, 0.35), (0.5, 0.2)):
        off = np.array(shadow) * share * token.thick / 1.5 * SCALE * 0.6
        inside, where = _disc(albedo.shape[:2], centre + off, token.radius * SCALE + 1)
        albedo[where] *= 1 - strength * cv2.GaussianBlur(inside, (0, 0), 1.2 + token.thick)[..., None]


def _lay(albedo: Floats, place: Points, token: Token, origin: Points, camera: Points) -> None:
    colour = colour_of(token)
    foot = place * SCALE + origin
    lean = (place - camera) / 650.0 * token.thick * SCALE
    for share in np.linspace(0, 1, 5):
        inside, where = _disc(albedo.shape[:2], foot + lean * share, token.radius * SCALE)
        side = colour * (0.7 if share < 1 else 1.0)
        albedo[where] = albedo[where] * (1 - inside[..., None]) + side * inside[..., None]
    if token.number:
        _number(albedo, foot + lean, token)


def _number(albedo: Floats, centre: Points, token: Token) -> None:
    edge = int(token.radius * 2 * SCALE)
    ink = np.zeros((edge, edge), np.uint8)
    text = str(token.number)
    high = 0.06 * edge
    (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, high / 4, 4)
    cv2.putText(ink, text, ((edge - wide) // 2, (edge + tall) // 2), cv2.FONT_HERSHEY_SIMPLEX, high / 4, 255, 4, 16)
    turn = cv2.getRotationMatrix2D((edge / 2, edge / 2), token.turn, 1.0)
    ink = np.asarray(cv2.warpAffine(ink, turn, (edge, edge)), np.uint8)
    x, y = (round(float(value)) - edge // 2 for value in centre)
    part = albedo[y : y + edge, x : x + edge]
    if part.shape[:2] == ink.shape:
        share = ink[..., None].astype(np.float32) / 255
        part[:] = part * (1 - share) + 0.9 * share


def _reach(albedo: Floats, over: npt.NDArray[np.uint8], arm: Arm, origin: Points) -> None:
    start, end = (np.array(point) * SCALE + origin for point in (arm.start, arm.end))
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    half = arm.width * SCALE / 2
    wrist = end - along * 2.6 * half
    shapes = [
        (
            np.array([start - across * half, wrist - across * half, wrist + across * half, start + across * half]),
            arm.sleeve,
        )
    ]
    palm = wrist + along * 1.0 * half
    rng = np.random.default_rng(arm.seed)
    mask = np.zeros(over.shape, np.uint8)
    for outline, _ in shapes:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
    cv2.circle(mask, tuple(int(v) for v in palm), int(0.95 * half), 2, -1)
    cv2.line(mask, tuple(int(v) for v in wrist), tuple(int(v) for v in palm), 2, int(1.3 * half))
    for finger in np.linspace(-0.75, 0.75, 4):
        tip = palm + along * (1.75 + 0.3 * float(rng.random())) * half + across * finger * half * 1.15
        cv2.line(
            mask, tuple(int(v) for v in palm + across * finger * half), tuple(int(v) for v in tip), 2, int(0.42 * half)
        )
    grain = 1 + 0.06 * cv2.resize(
        rng.standard_normal((over.shape[0] // 6, over.shape[1] // 6)).astype(np.float32), over.shape[::-1]
    )
    coarse = cv2.resize((mask > 0).astype(np.float32), None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    soft = cv2.resize(cv2.GaussianBlur(coarse, (0, 0), 6 * SCALE / 8), over.shape[::-1])
    albedo *= _tinted(np.asarray(1 - 0.5 * soft, np.float32), (1, 1, 1))
    for number, rgb in ((1, arm.sleeve), (2, arm.skin)):
        albedo[mask == number] = np.array(linear(np.array(rgb, np.float32))) * grain[mask == number][:, None]
    over |= (mask > 0).astype(np.uint8)


def _covered(over: npt.NDArray[np.uint8], middles: Mapping[str, Points], origin: Points) -> dict[str, float]:
    found = {}
    for site, middle in middles.items():
        inside, where = _disc(over.shape, middle * SCALE + origin, SPOT_RADIUS * SCALE)
        found[site] = float((over[where] * inside).sum() / inside.sum())
    return found


def _lit(albedo: Floats, scene: TokenScene, origin: Points) -> Floats:
    """Return what is given back in the light of the scene; ``albedo`` is overwritten."""
    high, wide = albedo.shape[:2]
    x = np.linspace(-1, 1, wide, dtype=np.float32)
    y = np.linspace(-1, 1, high, dtype=np.float32)[:, None]
    fall = np.exp(scene.fall[0] * x + scene.fall[1] * y - 0.15 * (x * x + y * y))
    lit = albedo
    lit *= _tinted(np.asarray(fall, np.float32), scene.light)
    for u, v, radius, strength in scene.gloss:
        inside, where = _disc((high, wide), np.array([u, v]) * SCALE + origin, radius * SCALE)
        lit[where] += (strength * cv2.GaussianBlur(inside, (0, 0), radius * SCALE / 4))[..., None]
    lit += np.multiply(scene.veil, scene.light, dtype=np.float32)
    return lit


def _view(scene: TokenScene, size: Points, edge: Points) -> Points:
    """Return the homography (3 x 3) from millimetres of the field to pixels."""
    width, height = scene.size
    turned = np.eye(3)
    for axis, degrees in zip(np.eye(3), scene.turn, strict=True):
        turned = cv2.Rodrigues(axis * np.radians(degrees))[0] @ turned
    focal = 1.1 * width
    away = 700.0
    middle = size / 2 - edge
    to_table = turned @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 0.0]])
    to_table[2, 2] += away
    camera = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    warp = camera @ to_table
    corners = _through(warp, np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) * size - edge)
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = scene.fill * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    centre = (low + high) / 2
    move = np.array(scene.size) / 2 - 0.5 + np.array(scene.shift) * np.array(scene.size)
    fit = np.array([[scale, 0, move[0] - scale * centre[0]], [0, scale, move[1] - scale * centre[1]], [0, 0, 1]])
    return np.asarray(fit @ warp, np.float64)


def _through(warp: Points, points: Points) -> Points:
    seen = np.column_stack([points, np.ones(len(points))]) @ warp.T
    return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def _photographed(lit: Floats, warp: Points, scene: TokenScene) -> Image:
    width, height = scene.size
    finer = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    large = cv2.warpPerspective(
        lit, finer @ warp, (2 * width, 2 * height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    image = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    if scene.blur:
        image = cv2.GaussianBlur(image, (0, 0), scene.blur)
    clean = CODED[(np.clip(image, 0, 1) * 65535 + 0.5).astype(np.uint16)]
    rng = np.random.default_rng([scene.seed, 11])
    noisy = clean + rng.standard_normal(clean.shape, np.float32) * scene.noise
    bgr = np.clip(noisy, 0, 255).astype(np.uint8)[..., ::-1]
    _, jpeg = cv2.imencode(".jpg", np.ascontiguousarray(bgr), [cv2.IMWRITE_JPEG_QUALITY, 88])
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
