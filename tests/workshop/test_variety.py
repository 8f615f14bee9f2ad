"""What the training draws more various: each kind looks as it is made, and nothing else is drawn differently by it."""

import re
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.dice.geometry import Points
from companion.vision.dice.spots import count_spots
from workshop.hands import BOOK_HANDS, CHOOSING, HANDS, choosing_hands, more_hands, split_fonts
from workshop.scenes.faces import FaceStyle, draw_cube_face, random_pip_style, random_style
from workshop.scenes.fonts import (
    GLYPH_SIZE,
    Font,
    draws,
    draws_small,
    find_fonts,
    glyph,
    listed,
    small_glyph,
)
from workshop.scenes.lighting import candle_lighting, half_lighting, random_lighting
from workshop.scenes.materials import Marking, Material, linear
from workshop.scenes.patches import picture_face
from workshop.scenes.pips import PipStyle, draw_pips, pip_spots
from workshop.scenes.scene import USUAL, random_bodies, random_scene
from workshop.scenes.strokes import place, stroke_glyph
from workshop.training.variety import (
    BESIDE,
    BOOKISH,
    RINGS,
    ROUNDED,
    darken,
    letter_count,
    vary_bodies,
    vary_lighting,
    vary_scene,
    vary_style,
)

SIZE = 160
INK = Marking("ink", linear(0.05, 0.05, 0.05), 1.0, 0.0, 0.0, 0)
BONE = Material("bone", linear(0.9, 0.86, 0.75), 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def fonts() -> tuple[Font, ...]:
    return find_fonts("train", bundled=True)


def named(name: str) -> Font:
    return next(font for font in find_fonts(bundled=True) if font.name == name)


def style(font: Font | None, **more: object) -> FaceStyle:
    return replace(FaceStyle(BONE, INK, font, 1.0, (0,) * 7, 0.0, 0.0, 0.03), **more)  # type: ignore[arg-type]


def dark(texture: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    return np.asarray(texture.mean(axis=2) < 0.3)


def pipped(count: int, pips: PipStyle) -> npt.NDArray[np.bool_]:
    body = np.full((SIZE, SIZE, 3), 0.8, np.float32)
    return dark(draw_pips(body, count, pips, INK, np.random.default_rng(1), light=(0.0, 0.0)))


def test_a_ring_around_a_dot_is_dark_light_dark_from_its_rim_to_its_middle() -> None:
    seen = pipped(1, PipStyle(diameter=0.26, ring=0.12, dot=0.3))
    across = seen[SIZE // 2]
    borders = np.flatnonzero(across[1:] != across[:-1])
    assert len(borders) == 6  # in and out of the ring, the dot, and the ring again
    wide = (borders[-1] - borders[0]) / SIZE
    assert wide == pytest.approx(0.26, abs=0.03)


def test_five_rings_are_five_rings_and_five_dots() -> None:
    seen = pipped(5, PipStyle(diameter=0.24, near=0.22, columns=0.22, ring=0.12, dot=0.3))
    parts, _ = cv2.connectedComponents(seen.astype(np.uint8))
    assert parts - 1 == 10


def test_two_pips_beside_each_other_lie_on_the_middle_line_and_other_numbers_as_ever() -> None:
    beside = PipStyle(beside=0.15)
    assert pip_spots(2, beside) == ((0.35, 0.5), (0.65, 0.5))
    assert all(pip_spots(count, beside) == pip_spots(count, PipStyle()) for count in (1, 3, 4, 5, 6))


def face_of(spots: tuple[tuple[float, float], ...], angle: float) -> tuple[npt.NDArray[np.uint8], Points]:
    """Return a picture of a pale face with dark spots, and the face's corners."""
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * 90 @ turn + 100
    picture = np.full((200, 200, 3), (70, 110, 90), np.uint8)
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (225, 230, 235), cv2.LINE_AA, 4)
    for spot in spots:
        at = ((np.array(spot) - 0.5) * 90 @ turn + 100) * 16
        cv2.circle(picture, (round(at[0]), round(at[1])), round(0.16 * 90 * 8), (25, 25, 30), -1, cv2.LINE_AA, 4)
    return picture, corners


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.2, 2.6])
@pytest.mark.parametrize("distances", [0.11, 0.15, 0.2])
def test_a_two_on_the_middle_line_is_counted_without_the_net(distances: float, angle: float) -> None:
    assert count_spots(*face_of(((0.5 - distances, 0.5), (0.5 + distances, 0.5)), angle)) == 2


def test_two_spots_that_lie_as_no_two_does_are_not_counted() -> None:
    assert count_spots(*face_of(((0.3, 0.35), (0.6, 0.35)), 0.0)) is None  # a row, but not through the middle
    assert count_spots(*face_of(((0.2, 0.5), (0.5, 0.5)), 0.0)) is None  # as two of a row of three


def test_small_letters_stand_on_one_line(fonts: tuple[Font, ...]) -> None:
    for font in (font for font in fonts if draws_small(font.path, "axpd")):
        x, descending, ascending = (small_glyph(font.path, letter) for letter in "XPD")
        rows = [np.flatnonzero(shape.max(axis=1) > 127) - shape.shape[0] / 2 for shape in (x, descending, ascending)]
        assert 0.6 * GLYPH_SIZE < len(rows[0]) < 0.95 * GLYPH_SIZE
        assert rows[1].max() > rows[0].max() + 5  # the p hangs down
        assert rows[2].min() < rows[0].min() - 5  # the d stands up
        assert abs(rows[0].max() + rows[0].min()) < 6  # the x is in the middle


def test_a_small_l_that_is_its_fonts_capital_i_is_not_drawn() -> None:
    karla = named("Karla-Regular")
    assert draws_small(karla.path, "AEIOU")
    assert not draws_small(karla.path, "AL")
    assert draws_small(named("GoudyBookletter1911").path, "AEIOUBCD")


def test_a_style_with_small_letters_draws_other_letters_and_the_same_numerals() -> None:
    font = named("Prociono")
    capitals, small = style(font), style(font, small=True)

    def drawn(text: str, letters: FaceStyle) -> npt.NDArray[np.float32]:
        return draw_cube_face(text, letters, np.random.default_rng(3), size=SIZE)

    assert (drawn("17", capitals) == drawn("17", small)).all()
    assert (dark(drawn("AEIOU", capitals)) != dark(drawn("AEIOU", small))).mean() > 0.02
    for text in ("BPDG", "AEIOUA"):
        seen = dark(drawn(text, small))
        assert not seen[[0, -1]].any()
        assert not seen[:, [0, -1]].any()


def test_small_letters_of_two_rows_do_not_run_into_each_other() -> None:
    drawn = style(named("Prociono"), small=True, scale=1.12)
    for text in ("PPBB", "GGDD", "PGPBDB"):
        seen = dark(draw_cube_face(text, drawn, np.random.default_rng(3), size=SIZE))
        parts, _ = cv2.connectedComponents(seen.astype(np.uint8))
        assert parts - 1 == len(text)


def test_a_glyph_of_a_capital_is_as_it_was(fonts: tuple[Font, ...]) -> None:
    for font in fonts:
        assert abs(glyph(font.path, "E").shape[0] - 4 - GLYPH_SIZE) <= 3


def test_shares_of_what_is_drawn_more_various(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(5)
    pips = [vary_style(rng, random_pip_style(rng), fonts, "", "cube") for _ in range(600)]
    assert np.mean([drawn.pips is not None and drawn.pips.ring > 0 for drawn in pips]) == pytest.approx(RINGS, abs=0.06)
    assert np.mean([drawn.pips is not None and drawn.pips.beside > 0 for drawn in pips]) == pytest.approx(
        BESIDE, abs=0.06
    )
    styles = [vary_style(rng, random_style(rng, fonts), fonts, "AEIOU", "cube") for _ in range(600)]
    assert np.mean([drawn.bevel > 0.13 for drawn in styles]) == pytest.approx(ROUNDED, abs=0.06)
    assert np.mean([drawn.small for drawn in styles if drawn.font and drawn.font.style in BOOKISH]) > 0.05
    assert not any(vary_style(rng, random_style(rng, fonts), fonts, "17", "octahedron").small for _ in range(60))
    counts = Counter(letter_count(rng) for _ in range(1000))
    assert counts[5] + counts[6] > 400


def test_hands_are_drawn_by_their_number_and_not_a_style_at_a_time() -> None:
    many = named("Karla-Regular")
    several = tuple(replace(many, name=f"copy {number}") for number in range(19))
    rare = replace(named("TriodPostnaja"), name="rare")
    rng = np.random.default_rng(2)
    drawn = [
        vary_style(rng, random_style(rng, (*several, rare)), (*several, rare), "AEIOU", "cube").font for _ in range(400)
    ]
    # of two styles alike it would be 200, of twenty hands alike 20
    assert 60 < drawn.count(rare) < 130


def test_an_owners_dice_stay_alike_and_their_truth_the_same(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(8)
    for name in ("wibold", "pips", "tiles", "d20"):
        for _ in range(12):
            bodies = random_bodies(rng, fonts, name, USUAL)
            varied = vary_bodies(rng, bodies, fonts)
            assert [body.die for body in varied] == [body.die for body in bodies]
            assert len({body.style.font for body in varied}) == len({body.style.font for body in bodies})
            assert len({body.style.small for body in varied}) <= 1
            if name == "tiles":
                assert [body.style for body in varied] == [body.style for body in bodies]


def test_a_candle_is_warm_and_low_and_half_the_picture_may_lie_in_shadow() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        candle = candle_lighting(rng)
        blue, _, red = candle.lights[0].colour
        assert red > 1.5 * blue
        assert candle.lights[0].direction[2] < 0.83
        over = half_lighting(rng).over(90, 120)
        assert over is not None
        assert over.max() > 1.7 * over.min()


def test_lighting_that_is_given_lights_the_face(fonts: tuple[Font, ...]) -> None:
    def seen(place: float) -> float:
        light = replace(random_lighting(np.random.default_rng(3)), spot=None, shade_edge=(0.0, place, 0.0, 0.05))
        shown = picture_face(
            np.random.default_rng(9), fonts, "A", edge=(90, 90.1), style=style(fonts[0]), lighting=light
        )
        left, right = np.array_split(shown.image.astype(float).mean(axis=2), 2, axis=1)
        return float(left.mean() / right.mean())

    assert seen(0.5) < 0.6  # the shadow's border lies across the face
    assert seen(-3.0) > 0.7


def test_dark_pictures_are_dark_and_most_are_left_as_they_are(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(6)
    grey = np.full((30, 30, 3), 200, np.uint8)
    levels = np.array([float(darken(grey, rng).mean()) for _ in range(300)])
    assert 0.04 < (levels < 150).mean() < 0.2
    assert (levels[levels >= 150] == 200).all()
    scene = random_scene(rng, fonts, set_name="wibold")
    varied = [vary_scene(rng, scene) for _ in range(200)]
    assert 5 < sum(one.lens.exposure < 0.5 * scene.lens.exposure for one in varied) < 45
    assert 0.1 < np.mean([vary_lighting(rng) is not None for _ in range(300)]) < 0.3
    assert all(one.dice == scene.dice for one in varied)


def test_fonts_that_only_teach_are_of_families_that_measure_nothing() -> None:
    held_out = {source.package for source in listed() if source.role == "held-out"}
    others = {source.name.split("-")[0].lower() for source in listed() if source.role == "held-out"}
    for source in listed(HANDS):
        assert source.role == "train"
        assert source.package not in held_out
        assert source.name.split("-")[0].lower() not in others


def test_hands_that_choose_are_of_families_that_neither_teach_nor_measure() -> None:
    known = {source.package for source in (*listed(), *listed(HANDS))}
    held_out = {source.name.split("-")[0].lower() for source in listed() if source.role == "held-out"}
    for source in listed(CHOOSING):
        assert source.package not in known
        assert source.name.split("-")[0] not in held_out
    assert len(listed(CHOOSING)) > 100


def test_fonts_set_aside_never_teach() -> None:
    teach, validate = split_fonts(1)
    teaching = {font.package for font in (*teach, *more_hands())}
    of_books = {source.package for source in listed(BOOK_HANDS)}
    assert not teaching & {font.package for font in (*validate, *choosing_hands(1))} - of_books


def test_a_family_of_book_hands_has_one_role() -> None:
    roles: dict[str, set[str]] = {}
    for source in listed(BOOK_HANDS):
        family = re.sub(r"r?b?\d+$", "", source.name).split("-")[0]
        roles.setdefault(family.rstrip("0123456789"), set()).add(source.role)
    assert all(len(each) == 1 for each in roles.values())
    shares = Counter(role for (role,) in roles.values())
    assert min(shares["choosing"], shares["held-out"]) * 4 >= len(roles) - 1
    assert shares["train"] * 2 <= len(roles) + 1


@pytest.mark.parametrize("number", range(0, 40, 3))
def test_a_hand_made_from_strokes_has_every_letter_and_is_always_the_same(number: int) -> None:
    path = place(number)
    assert draws(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZ+")
    assert not draws(path, "7")
    assert not draws_small(path, "A")
    for letter in "AEIOUN":
        shape = glyph(path, letter)
        assert shape.dtype == np.uint8
        assert 0.3 * GLYPH_SIZE < shape.shape[0] < 2.2 * GLYPH_SIZE  # from a small x to a letter with a long tail
        assert 0.02 < (shape > 127).mean() < 0.98
        stroke_glyph.cache_clear()
        assert np.array_equal(shape, glyph(path, letter))
    assert glyph(path, "AE").shape[1] > glyph(path, "A").shape[1]


def test_hands_made_from_strokes_differ() -> None:
    shapes = {glyph(place(number), "E").tobytes() for number in range(30)}
    assert len(shapes) == 30


def test_many_dice_for_teaching_are_in_hands_of_strokes_and_of_books(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(4)
    book = replace(named("Klaudia"), style="book-hand")
    drawn = Counter(
        vary_style(rng, style(fonts[0]), (*fonts, book), "AEIOU", "cube").font.style  # type: ignore[union-attr]
        for _ in range(600)
    )
    assert drawn["strokes"] > 100
    assert drawn["book-hand"] > 90
