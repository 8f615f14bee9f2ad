"""Four markers begin a field where they lie around one as they are laid; however else they lie, it is found without."""

from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.kit.men_boards import tables_pages
from calibration.kit.paper import Paper
from calibration.kit.sheets import document as document_of
from companion.language.sentence import Sentence
from companion.vision.boards.field.search import kit_corners, lies_amid, outline
from companion.vision.boards.kit import kit_board
from companion.vision.boards.layout import layout
from companion.vision.boards.markers import Marker, MarkerFinder, MarkersSeen
from companion.vision.boards.reader import BoardReader
from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.readings import Image
from tests.vision.boards.drawn import Camera, project
from workshop.board_scenes.render import RenderedBoard, render_board
from workshop.board_scenes.scene import random_board_scene

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
TABLES = layout("tables")
CORNERS = np.array([[310.0, 120.0], [1480.0, 160.0], [1620.0, 1000.0], [190.0, 960.0]])


def seen(corners: dict[int, Points]) -> MarkersSeen:
    markers = {number: Marker(number, place) for number, place in corners.items()}
    return MarkersSeen(markers, every=tuple(markers.values()))


def laid(out: float = 0.06, edge: float = 0.06, corners: Points = CORNERS) -> dict[int, Points]:
    """Return markers beside the corners of a field, as far outside each as is given in parts of its width."""
    middles = UNIT + (UNIT * 2 - 1) * out
    return {n: mapped(mapping(UNIT, corners), middle + SQUARE * edge) for n, middle in enumerate(middles)}


@given(st.floats(0.035, 0.12), st.floats(0.03, 0.06), st.integers(0, 3))
def test_markers_around_a_board_begin_its_field(out: float, edge: float, turn: int) -> None:
    found = outline(seen({(n + turn) % 4: place for n, place in laid(out, edge).items()}))  # the camera stands anywhere
    assert found is not None
    beside = mapped(mapping(CORNERS, UNIT), found)
    assert np.abs(beside - UNIT).max() < 0.12
    assert lies_amid(CORNERS, seen(laid(out, edge)), TABLES)


@given(st.sampled_from([-2.0, -1.0, -0.8, 0.8, 1.0, 2.0]), st.sampled_from(["tables", "rithmomachia", "8x9"]))
def test_a_field_that_slipped_does_not_lie_amid_its_markers(slip: float, name: str) -> None:
    board = layout(name)
    column, row = np.array([slip / (board.columns + board.is_tables), 0.0]), np.array([0.0, slip / board.rows])
    assert not lies_amid(mapped(mapping(UNIT, CORNERS), UNIT + column), seen(laid()), board)
    if not board.is_tables:
        assert not lies_amid(mapped(mapping(UNIT, CORNERS), UNIT + row), seen(laid()), board)


GOOD = laid()
WRONG = {
    "mirrored": {0: GOOD[1], 1: GOOD[0], 2: GOOD[3], 3: GOOD[2]},
    "crossed": {0: GOOD[0], 1: GOOD[2], 2: GOOD[1], 3: GOOD[3]},
    "on one line": {n: np.array([200.0 + 300 * n, 500.0]) + SQUARE * 60 for n in range(4)},
    "one inside": GOOD | {2: CORNERS.mean(axis=0) - [150, 100] + SQUARE * 60},
    "one in the distance": GOOD | {1: GOOD[1].mean(axis=0) + SQUARE * 12},
    "in a heap": {n: np.array([700.0, 500.0]) + 70 * UNIT[n] + SQUARE * 60 for n in range(4)},
    "one is missing": {n: GOOD[n] for n in range(3)},
}


@pytest.mark.parametrize("way", sorted(WRONG))
def test_markers_that_lie_around_no_board_say_nothing(way: str) -> None:
    markers = seen(WRONG[way])
    assert outline(markers) is None
    assert kit_corners(markers, TABLES, (1800, 1200)) is None
    assert not lies_amid(CORNERS, markers, TABLES)


@pytest.mark.parametrize("turned", [False, True])
def test_a_sheet_of_the_kit_tells_its_field_exactly(*, turned: bool) -> None:
    camera = Camera(700, turn=(5, -4, 6)).homography()
    kit = kit_board("tables")
    true = project(camera, UNIT * kit.field)
    markers = {n: project(camera, place * kit.field) for n, place in kit.places().items()}
    if turned:  # the board lies upside down before the camera
        middle = true.mean(axis=0)
        true = np.roll(2 * middle - true, 2, axis=0)
        markers = {n: 2 * middle - place for n, place in markers.items()}
    found = kit_corners(seen(markers), TABLES, (1280, 960))
    assert found is not None
    assert np.allclose(found, true, atol=0.1)
    for other in ("rithmomachia", "8x14", "8x9"):
        assert kit_corners(seen(markers), layout(other), (1280, 960)) is None


@cache
def board() -> RenderedBoard:
    return render_board(random_board_scene(np.random.default_rng(5), "tables", (), size=(1280, 960), markers=False))


def with_markers(places: dict[int, Points]) -> Image:
    """Return the picture of a board with printed markers laid over it."""
    image = board().image.copy()
    for number, corners in places.items():
        sheet = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 96)
        sheet = cv2.copyMakeBorder(sheet, 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=255)
        flat = np.array([[16.0, 16], [112, 16], [112, 112], [16, 112]]) - 0.5
        warp = mapping(flat, corners)
        size = image.shape[1], image.shape[0]
        cover = cv2.warpPerspective(np.full(sheet.shape, 255, np.uint8), warp, size)
        drawn = cv2.warpPerspective(sheet, warp, size)
        image[cover > 127] = drawn[cover > 127][:, None]
    return image


def test_the_reader_begins_between_the_markers_and_does_without_where_they_lie_elsewhere() -> None:
    reader = BoardReader(TABLES)
    true = board().corners
    plain = reader.find(board().image)
    assert plain is not None
    assert not plain.marked
    around = reader.find(with_markers(laid(0.05, 0.05, true)))
    assert around is not None
    assert around.marked
    assert reader.certain(around)
    assert np.linalg.norm(around.corners - true, axis=1).max() < 0.02 * np.linalg.norm(true[1] - true[0])
    astray = reader.correct(with_markers(laid(0.05, 0.05, true)), true * 0.4)  # as at a table that was pushed
    assert astray is not None
    assert astray.marked
    assert np.linalg.norm(astray.corners - around.corners, axis=1).max() < 0.01 * np.linalg.norm(true[1] - true[0])
    shrunk = true.mean(axis=0) + (true - true.mean(axis=0)) * 0.35
    elsewhere = reader.find(with_markers(laid(0.05, 0.09, shrunk)))  # a picture of a board, say, lies on the board
    assert elsewhere is not None
    assert not elsewhere.marked
    assert np.linalg.norm(elsewhere.corners - true, axis=1).max() < 0.03 * np.linalg.norm(true[1] - true[0])


def test_a_printed_sheet_is_read_under_a_hand_that_covers_an_edge() -> None:
    kit = kit_board("tables")
    document = pypdfium2.PdfDocument(
        document_of(Sentence("tables"), tables_pages(Paper(kit.field[0] + 200, kit.field[1] + 250))[:1]).pdf()
    )
    try:
        page = document[0]
        sheet = np.array(page.render(scale=2 / 72 * 25.4, rev_byteorder=True).to_numpy())[..., 2::-1]
        page.close()
    finally:
        document.close()
    printed = MarkerFinder().find(np.ascontiguousarray(sheet)).markers
    to_sheet, _ = cv2.findHomography(
        np.concatenate([kit.places()[n] for n in range(4)]), np.concatenate([printed[n].corners for n in range(4)])
    )
    height, width = sheet.shape[:2]
    camera = mapping(UNIT * [width, height], np.array([[130.0, 20], [1150, 60], [1190, 930], [90, 900]]))
    image = cv2.warpPerspective(sheet, camera, (1280, 960), flags=cv2.INTER_AREA, borderValue=(70, 100, 120))
    true = mapped(np.asarray(camera @ to_sheet), UNIT)
    for side in (1, 3):  # left or right, where whole columns are covered
        x, y = (true[side] + true[(side + 1) % 4]) / 2
        covered = cv2.circle(image.copy(), (int(x), int(y)), 115, (120, 150, 205), -1)
        reading = BoardReader(TABLES).read(np.asarray(covered, np.uint8))
        assert reading.status == "read"
        assert np.abs(np.array(reading.corners) - true).max() < 1
