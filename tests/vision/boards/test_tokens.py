"""Tokens on the printed boards are read in any light; what is unsure is asked, what is covered is unknown."""

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.kit.plans import sizes
from companion.data_file import data_of
from companion.referee.board.seating import TOKEN_COLOURS
from companion.rules.ludus_regularis.boards import pairs, rim, wheel
from companion.vision.board_readings import BoardReading, Men
from companion.vision.boards.kit import kit_boards
from companion.vision.boards.tokens.layout import SPOT_RADIUS, TOKEN_RADIUS, token_layouts
from companion.vision.boards.tokens.print_light import FRAME, GROUND
from companion.vision.boards.tokens.reader import TokenReader
from companion.vision.readings import Image
from tests.vision.boards.printed import Arm, Shown, Token, TokenScene, shown
from tests.vision.boards.token_rooms import COLOURS, random_scene

Offset = npt.NDArray[np.float64]

BOARDS = ("rim", "pairs", "wheel")
COVERED = 0.5


@cache
def seen(scene_key: str) -> Shown:
    """Return one of a few scenes that several tests look at."""
    board, _, what = scene_key.partition(" ")
    sites = token_layouts()[board].sites
    laid = {site: Token(COLOURS[n % 6], number=n % 6 + 1, turn=40.0 * n) for n, site in enumerate(sites[::3])}
    return shown(TokenScene(board, {} if what == "empty" else laid, turn=(4.0, -6.0, 3.0)))


@cache
def found_out(board: str) -> BoardReading:
    """Return what is read of a full board by a reader that is not told which board it is."""
    return TokenReader().read(seen(board).image)


def read(board: str, tokens: Mapping[str, Token], **more: object) -> BoardReading:
    return TokenReader(board).read(shown(TokenScene(board, tokens, **more)).image)  # type: ignore[arg-type]


def read_surely(reading: BoardReading) -> dict[str, str]:
    """Return what was read without asking, but for what is empty."""
    return {
        site: one.standing.colour
        for site, one in reading.sites.items()
        if one.standing is not None and one.status == "read"
    }


@pytest.mark.parametrize("board", [rim(), pairs(), wheel()], ids=BOARDS)
def test_tokens_are_looked_for_where_the_rules_lay_the_board_out(board: object) -> None:
    assert isinstance(board, type(rim()))
    layout, (width, height) = token_layouts()[board.name], kit_boards()[f"virtues-{board.name}"].field
    assert layout.sites == tuple(site.name for site in board.sites)
    printed = np.array([(site.x * width, site.y * height) for site in board.sites])
    assert np.abs(layout.places - printed).max() < 0.01
    for site in board.sites:
        assert layout.site_at(site.x, site.y) == site.name
    assert layout.site_at(0.5, 0.5) is None or board.name == "pairs"


def test_what_is_known_of_the_print_is_what_the_kit_prints() -> None:
    printed = data_of("companion.vision.boards.tokens", "token_colours.toml")["kit"]
    assert list(printed.values()) == sizes()["tokens"]["colours"]
    assert tuple(printed) == TOKEN_COLOURS
    assert sizes()["tokens"]["diameter"] == 2 * TOKEN_RADIUS
    assert SPOT_RADIUS == TOKEN_RADIUS + 0.4
    colours = sizes()["colours"]
    assert bytes(FRAME).hex() == colours["frame"][1:]
    assert bytes(GROUND).hex() == colours["light_field"][1:]


@pytest.mark.parametrize("board", BOARDS)
def test_all_six_colours_are_told_on_every_board(board: str) -> None:
    sites = token_layouts()[board].sites
    reading = found_out(board)
    assert reading.status == "read"
    assert read_surely(reading) == {site: COLOURS[n % 6] for n, site in enumerate(sites[::3])}
    assert set(reading.sites) == set(sites)
    assert all(reading.sites[site].status == "read" for site in sites)


@pytest.mark.parametrize("board", BOARDS)
def test_which_board_lies_there_is_found_out(board: str) -> None:
    reading = found_out(board)
    assert (reading.status, reading.board) == ("read", board)
    assert np.abs(np.array(reading.corners) - seen(board).corners).max() < 1.0


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**20), st.sampled_from(BOARDS))
def test_nothing_is_guessed_in_silence_whatever_the_room(seed: int, board: str) -> None:
    scene = random_scene(np.random.default_rng(seed), board, hands=0.6, size=(960, 720))
    picture = shown(scene)
    reading = TokenReader(board).read(picture.image)
    for site, one in reading.sites.items():
        if one.status != "read":
            assert one.confidence < 1
            continue
        assert picture.covered[site] <= COVERED, f"{site} is under a hand"
        true = scene.tokens[site].colour if site in scene.tokens else None
        assert (one.standing.colour if one.standing is not None else None) == true
        assert sum(chance for _, chance in one.candidates) <= 1 + 1e-9


@pytest.mark.parametrize(
    ("light", "fall"),
    [
        ((0.5, 0.33, 0.17), (0.4, 0.0)),
        ((0.25, 0.33, 0.45), (0.0, -0.4)),
        ((0.2, 0.19, 0.17), (-0.3, 0.3)),
    ],
    ids=["lamp", "sky", "dim"],
)
def test_light_that_changes_is_no_token_and_changes_none(
    light: tuple[float, float, float], fall: tuple[float, float]
) -> None:
    sites = token_layouts()["wheel"].sites
    laid = {site: Token(COLOURS[n % 6]) for n, site in enumerate(sites[::9])}
    reading = read("wheel", laid, light=light, fall=fall)
    for site, one in reading.sites.items():
        true = laid[site].colour if site in laid else None
        best = one.standing.colour if one.standing is not None else None
        assert best == true
        assert one.status == "read" or (site in laid and one.confidence > COVERED)


def test_a_shadow_or_a_gleam_is_no_token() -> None:
    shade = tuple((20.0 * n, 11.5, 14.0, -0.18) for n in range(3, 9))
    reading = read("rim", {}, gloss=(*shade, (300.0, 11.5, 30.0, 1.5)))
    assert read_surely(reading) == {}


@pytest.mark.parametrize(
    ("board", "skin", "sleeve"),
    [
        ("rim", (0.95, 0.76, 0.65), (0.82, 0.78, 0.67)),
        ("pairs", (0.45, 0.32, 0.25), (0.2, 0.3, 0.7)),
        ("wheel", (0.95, 0.76, 0.65), (0.2, 0.3, 0.7)),
    ],
    ids=BOARDS,
)
def test_hands_and_sleeves_leave_circles_unknown_and_never_empty(
    board: str, skin: tuple[float, float, float], sleeve: tuple[float, float, float]
) -> None:
    sites, (width, height) = token_layouts()[board].sites, token_layouts()[board].kit.field
    laid = {site: Token("red") for site in sites[::2]}
    arm = Arm((width * 0.7, height + 150.0), (width * 0.7, height * 0.4), 60.0, skin, sleeve)
    picture = shown(TokenScene(board, laid, (arm,), size=(1280, 960)))
    under = {site for site, share in picture.covered.items() if share > COVERED}
    assert under
    reading = TokenReader(board).read(picture.image)
    assert reading.status == "read"
    assert not any(reading.sites[site].status == "read" for site in under)
    clear = [site for site, share in picture.covered.items() if share == 0]
    right = [site for site in clear if read_surely(reading).get(site) == ("red" if site in laid else None)]
    assert len(right) > 0.9 * len(clear)


@pytest.mark.parametrize("board", BOARDS)
def test_what_lies_between_two_circles_or_twice_on_one_is_asked_about(board: str) -> None:
    sites, places = token_layouts()[board].sites, token_layouts()[board].places

    def beside(here: int) -> tuple[int, Offset]:
        """Return the nearest place, and how far it lies."""
        distances = places - places[here]
        there = int(np.argsort(np.hypot(*distances.T))[1])
        return there, distances[there]

    def off(way: Offset, millimetres: float) -> tuple[float, float]:
        x, y = way / np.hypot(*way) * millimetres
        return float(x), float(y)

    (other, to_other), (_, along) = beside(3), beside(15)
    one, twice, large, pale = (sites[n] for n in (3, 15, 30, 45))
    laid = {
        one: Token("blue", off(to_other, float(np.hypot(*to_other)) / 2)),
        twice: Token("blue", off(along, -3)),
        large: Token("green", radius=12.0),
        pale: Token("", rgb=(0.9, 0.85, 0.75)),
    }
    reading = read(board, laid, extra={twice: Token("red", off(along, 5))})
    assert {reading.sites[site].status for site in (one, sites[other], twice, pale)} == {"ask"}
    assert reading.sites[large].status in ("ask", "hidden")


def test_tokens_of_other_make_are_told_by_the_colour_they_are_nearest_to() -> None:
    sites = token_layouts()["rim"].sites
    laid = {site: Token(colour) for site, colour in zip(sites, ("white", "yellow", "orange", "pink"), strict=False)}
    assert read_surely(read("rim", laid)) == {site: token.colour for site, token in laid.items()}


def test_two_colours_that_this_light_makes_alike_are_asked_about() -> None:
    sites = token_layouts()["rim"].sites
    between = (0.19, 0.28, 0.39)  # printed paler than it should be, half way from blue to grey
    one = read("rim", {sites[5]: Token("", rgb=between)}, light=(0.3, 0.2, 0.1)).sites[sites[5]]
    assert one.status == "ask"
    assert one.chance(Men("blue")) > 0.02 < one.chance(Men("grey"))


# what is wrong is said


def why(image: Image, board: str = "rim") -> str:
    reading = TokenReader(board).read(image)
    assert (reading.status, dict(reading.sites)) == ("ignored", {})
    return reading.reason


def test_a_mirrored_picture_a_missing_marker_and_another_board_are_told_in_a_sentence() -> None:
    image = seen("rim empty").image
    assert "write mirror: before" in why(np.ascontiguousarray(image[:, ::-1]))
    covered = image.copy()
    corners = seen("rim empty").corners
    for corner in corners[:2]:
        x, y = (corner + (corners.mean(axis=0) - corner) * 0.26).astype(int)
        cv2.circle(covered, (int(x), int(y)), 45, (90, 90, 90), -1)
    assert "except 0, 1" in why(covered)
    assert "is rim, but the camera should read wheel" in why(image, "wheel")
    assert "The camera sees no marker" in why(np.full((480, 640, 3), 120, np.uint8))


def test_a_board_that_is_too_small_or_too_dark_is_told() -> None:
    sites = token_layouts()["pairs"].sites
    small = shown(TokenScene("pairs", {sites[0]: Token("red")}, fill=0.3, turn=(0.0, 0.0, 90.0)))
    assert "bring the camera nearer" in why(small.image, "pairs")
    dark = (seen("rim empty").image * 0.03).astype(np.uint8)
    assert why(dark) != ""


def test_one_marker_under_a_hand_still_leaves_the_board_known() -> None:
    picture = seen("rim")
    covered = picture.image.copy()
    x, y = (picture.corners[2] + (picture.corners.mean(axis=0) - picture.corners[2]) * 0.26).astype(int)
    cv2.circle(covered, (int(x), int(y)), 41, (120, 150, 200), -1)
    reading = TokenReader("rim").read(covered)
    width = float(np.linalg.norm(picture.corners[1] - picture.corners[0]))
    assert np.abs(np.array(reading.corners) - picture.corners).max() < 0.004 * width
    true = {site: COLOURS[n % 6] for n, site in enumerate(token_layouts()["rim"].sites[::3])}
    assert all(true.get(site) == colour for site, colour in read_surely(reading).items())


def test_a_picture_of_forty_megapixels_is_read_like_a_small_one() -> None:
    picture = seen("rim")
    large = cv2.resize(picture.image, (7300, 5475), interpolation=cv2.INTER_CUBIC)
    reading = TokenReader("rim").read(np.asarray(large, np.uint8))
    assert reading.status == "read"
    assert read_surely(reading) == read_surely(found_out("rim"))


def test_a_board_that_is_pushed_is_followed_from_where_it_was() -> None:
    reader = TokenReader()
    before = reader.find(seen("wheel").image)
    assert before is not None
    sites = token_layouts()["wheel"].sites
    laid = {sites[4]: Token("green")}
    moved = shown(TokenScene("wheel", laid, turn=(4.0, -6.0, 4.0), shift=(0.012, -0.01)))
    after = reader.correct(moved.image, before.corners)
    assert after is not None
    assert np.abs(after.corners - moved.corners).max() < 1.0
    assert read_surely(reader.read(moved.image, after)) == {sites[4]: "green"}


def test_a_place_that_is_known_needs_no_markers_but_the_board_must_be_named() -> None:
    picture = seen("wheel")
    bare = picture.image.copy()
    for corner in picture.corners:
        x, y = (corner + (picture.corners.mean(axis=0) - corner) * 0.11).astype(int)
        cv2.circle(bare, (int(x), int(y)), 9, (120, 120, 120), -1)
    named = TokenReader("wheel")
    reading = named.read(bare, named.known(bare, picture.corners))
    true = {site: COLOURS[n % 6] for n, site in enumerate(token_layouts()["wheel"].sites[::3])}
    assert reading.status == "read"
    assert read_surely(reading).items() <= true.items()
    unnamed = TokenReader()
    assert (
        "It is not known which board of virtues this is"
        in unnamed.read(bare, unnamed.known(bare, picture.corners)).reason
    )
