"""What the renderer says of a scene is what it draws."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.dice import dice_set
from workshop.scenes import (
    USUAL,
    WIDE,
    Font,
    Rendered,
    Scene,
    find_fonts,
    random_scene,
    render,
    render_face_patch,
    render_tetrahedron_patches,
)
from workshop.scenes.bodies import Placed, footprint, overlap, sides
from workshop.scenes.faces import FaceStyle, draw_cube_face, draw_tetrahedron_face
from workshop.scenes.fonts import NoFontsError, Role, missing_packages
from workshop.scenes.labels import READABLE_CONTRAST, contrast
from workshop.scenes.layouts import TRIANGLE
from workshop.scenes.materials import Marking, Material, linear
from workshop.scenes.render import CUBE_TOP, HAND, TETRAHEDRON, draw_order
from workshop.scenes.scene import NotDrawnError

SMALL = replace(USUAL, size=(640, 480), edge=(50, 80), things=0.0, hand=0.0, moving=0.0)
TILTED = replace(WIDE, size=(640, 480), edge=(50, 80), things=0.0, hand=0.0, moving=0.0)


def scene_of(seed: int, fonts: tuple[Font, ...], *, tilted: bool = False, set_name: str = "wibold") -> Scene:
    ranges = TILTED if tilted else SMALL
    return random_scene(np.random.default_rng(seed), fonts, ranges=ranges, set_name=set_name)


@pytest.fixture(scope="module")
def pictures(fonts: tuple[Font, ...]) -> list[tuple[Scene, Rendered]]:
    scenes = [scene_of(seed, fonts, tilted=seed % 2 == 1) for seed in range(8)]
    return [(scene, render(scene)) for scene in scenes]


def inside(polygon: tuple[tuple[float, float], ...], shape: tuple[int, ...]) -> np.ndarray:
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(polygon) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask > 0


def test_every_die_is_labelled_inside_the_picture(pictures: list[tuple[Scene, Rendered]]) -> None:
    for _, rendered in pictures:
        height, width = rendered.image.shape[:2]
        assert [label.die for label in rendered.labels] == ["1", "2", "3", "consonants"]
        for label in rendered.labels:
            points = np.array(label.polygon)
            assert (points > -3).all()
            assert (points < np.array([width, height]) + 3).all()


def test_polygons_cover_the_pixels_of_their_die(pictures: list[tuple[Scene, Rendered]]) -> None:
    for _, rendered in pictures:
        for number, label in enumerate(rendered.labels):
            mine = rendered.instances == number + 1
            top = mine & (rendered.classes == (TETRAHEDRON if label.apex else CUBE_TOP))
            polygon = inside(label.polygon, rendered.image.shape)
            assert (top & ~polygon).sum() <= 0.03 * top.sum() + 8
            if label.visible > 0.99:
                assert top.sum() >= 0.85 * polygon.sum()


def test_a_hidden_die_is_not_called_legible(pictures: list[tuple[Scene, Rendered]]) -> None:
    for _, rendered in pictures:
        for label in rendered.labels:
            if label.visible < 0.7:
                assert not label.legible


def test_a_burnt_out_face_is_not_called_legible() -> None:
    noise = np.random.default_rng(1).normal(252, 3, (80, 80, 3))
    blank = np.clip(noise, 0, 255).astype(np.uint8)
    square = np.array([[10.0, 10.0], [70.0, 10.0], [70.0, 70.0], [10.0, 70.0]])
    assert contrast(blank, square) < READABLE_CONTRAST
    cv2.putText(blank, "A", (25, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (40, 40, 40), 4)
    assert contrast(blank, square) > READABLE_CONTRAST


def test_a_tetrahedrons_sides_are_all_faces_but_the_hidden_one(pictures: list[tuple[Scene, Rendered]]) -> None:
    every = {face.text for face in dice_set("wibold").die("consonants").faces}
    for scene, rendered in pictures:
        placed, label = scene.dice[3], rendered.labels[3]
        assert {side.text for side in sides(placed)} == every
        assert label.face not in {side.text for side in label.sides}
        assert {side.text for side in label.sides} <= every - {label.face}


def test_a_tetrahedrons_side_starts_at_the_apex_and_goes_clockwise(pictures: list[tuple[Scene, Rendered]]) -> None:
    for _, rendered in pictures:
        label = rendered.labels[3]
        for side in label.sides:
            apex, right, left = (np.array(corner) for corner in side.corners)
            assert label.apex == pytest.approx(tuple(apex), abs=0.01)
            one, two = right - apex, left - apex
            assert one[0] * two[1] - one[1] * two[0] > 0  # y points down


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), tilted=st.booleans())
def test_dice_touch_but_never_run_into_each_other(seed: int, tilted: bool) -> None:  # noqa: FBT001
    scene = scene_of(seed, find_fonts(bundled=True), tilted=tilted)
    outlines = [footprint(die) for die in scene.dice]
    for i, one in enumerate(outlines):
        for other in outlines[:i]:
            assert overlap(one, other) < 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_opposite_faces_hold_seven_letters(seed: int) -> None:
    scene = scene_of(seed, find_fonts(bundled=True))
    for die in scene.dice[:3]:
        found = sides(die)
        for one in found:
            opposite = next(other for other in found if float(one.normal @ other.normal) < -0.99)
            assert len(one.text) + len(opposite.text) == 7


def test_a_cubes_letters_stand_upright_from_its_first_corner(fonts: tuple[Font, ...]) -> None:
    scene = scene_of(3, fonts)
    for die, label in zip(scene.dice[:3], render(scene).labels, strict=False):
        upper = next(side for side in sides(die) if side.upper)
        assert upper.text == label.face
        corners = scene.camera.project(upper.corners)
        assert np.allclose(corners, label.corners)
        across, down = corners[1] - corners[0], corners[3] - corners[0]
        assert across[0] * down[1] - across[1] * down[0] > 0


def test_the_same_scene_gives_the_same_bytes(fonts: tuple[Font, ...]) -> None:
    assert render(scene_of(5, fonts)).jpeg == render(scene_of(5, fonts)).jpeg


def test_another_frame_of_a_scene_differs_in_noise_only(fonts: tuple[Font, ...]) -> None:
    scene = scene_of(5, fonts)
    one, two = render(scene), render(replace(scene, grain_seed=scene.grain_seed + 1))
    assert one.jpeg != two.jpeg
    assert np.abs(one.image.astype(int) - two.image).mean() < 6
    assert one.labels == two.labels


def test_what_may_hide_is_drawn_later(fonts: tuple[Font, ...]) -> None:
    scene = scene_of(9, fonts)
    body = scene.dice[0].body
    camera = replace(scene.camera, tilt=45.0, azimuth=0.0)  # the camera stands where x is large
    row = tuple(Placed(body, x, 0.0, 0.0, 0) for x in (1.2, -1.2, 0.0))
    assert draw_order(row, camera) == (1, 2, 0)


def test_a_hand_hides_what_lies_below(fonts: tuple[Font, ...]) -> None:
    ranges = replace(SMALL, hand=1.0)
    rendered = render(random_scene(np.random.default_rng(2), fonts, ranges=ranges))
    assert (rendered.classes == HAND).any()
    assert not rendered.instances[rendered.classes == HAND].any()


@pytest.mark.parametrize("set_name", ["pips", "wibold", "tiles"])
def test_every_set_can_be_drawn(set_name: str, fonts: tuple[Font, ...]) -> None:
    rendered = render(scene_of(4, fonts, set_name=set_name))
    line = rendered.to_json("a.jpg")
    assert len(line["objects"]) == len(rendered.labels) > 0
    for thing in line["objects"]:
        assert thing["set"] == set_name
        dice_set(set_name).die(thing.get("die", "tile")).face(thing["face"])


def test_a_wheel_is_not_drawn_as_dice(fonts: tuple[Font, ...]) -> None:
    with pytest.raises(NotDrawnError, match="is a wheel with a pointer"):
        scene_of(4, fonts, set_name="wheel")


def plain_style(fonts: tuple[Font, ...], layouts: tuple[int, ...] = (0, 2, 3, 0, 0, 0, 0)) -> FaceStyle:
    bone = Material("bone", linear(0.9, 0.86, 0.75), 0.02, 0.0, 0.0)
    ink = Marking("ink", linear(0.05, 0.05, 0.05), 1.0, 0.0, 0.0, 0)
    return FaceStyle(bone, ink, fonts[0], 1.0, layouts, 0.0, 0.0, 0.05)


def likeness(one: np.ndarray, other: np.ndarray, where: np.ndarray) -> float:
    return float(np.corrcoef(one[where], other[where])[0, 1])


def gray(image: np.ndarray) -> np.ndarray:
    return np.asarray(np.mean(image, axis=2, dtype=np.float32), np.float32)


def test_a_patch_turned_back_stands_upright(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(1)
    style = plain_style(fonts)
    upright = gray(np.sqrt(draw_cube_face("IOUA", style, rng, size=64)))
    inner = np.zeros((64, 64), bool)
    inner[8:56, 8:56] = True
    right = 0
    for _ in range(24):
        patch = render_face_patch(rng, fonts, texts=["IOUA"], edge=(90, 140), corner_error=0.0, style=style)
        assert patch.image.shape == (64, 64, 3)
        likes = [likeness(gray(np.rot90(patch.image, turn)), upright, inner) for turn in range(4)]
        right += int(np.argmax(likes)) == patch.rotation
    assert right >= 22


def test_a_tetrahedrons_patch_turned_back_stands_upright(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(2)
    style = plain_style(fonts)
    corners = (TRIANGLE * 64 - 0.5).astype(np.float32)
    inner = np.zeros((64, 64), np.uint8)
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(inner, np.round((corners - middle) * 0.8 + middle).astype(np.int32), 1)
    right = seen = 0
    for _ in range(12):
        for patch in render_tetrahedron_patches(rng, fonts, edge=(300, 400), tilt=4, corner_error=0.0, style=style):
            upright = gray(np.sqrt(draw_tetrahedron_face(patch.text, style, rng, size=64)))
            likes = []
            for turn in range(3):
                back = cv2.getAffineTransform(np.roll(corners, -turn, axis=0), corners)
                likes.append(likeness(gray(cv2.warpAffine(patch.image, back, (64, 64))), upright, inner > 0))
            right += int(np.argmax(likes)) == patch.rotation
            seen += 1
    assert right >= 0.9 * seen > 25


def test_a_tetrahedrons_patches_name_the_side_they_show(fonts: tuple[Font, ...]) -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        patches = render_tetrahedron_patches(rng, fonts)
        texts = [patch.text for patch in patches]
        assert len(set(texts)) == len(texts)
        for patch in patches:
            assert patch.hidden not in texts
            assert 0 <= patch.rotation < 3


def test_no_font_family_is_both_learned_and_measured() -> None:
    train, held = find_fonts("train"), find_fonts("held-out")
    assert not {font.path for font in train} & {font.path for font in held}
    families = [{font.name.split("-")[0] for font in fonts} for fonts in (train, held)]
    assert not families[0] & families[1]


@pytest.mark.parametrize("role", ["train", "held-out"])
def test_fonts_of_both_roles_come_with_the_program(role: Role) -> None:
    assert len({font.style for font in find_fonts(role, bundled=True)}) >= 3


def test_missing_fonts_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathlib.Path.is_file", lambda _: False)
    with pytest.raises(NoFontsError, match="fonts-goudybookletter"):
        find_fonts("held-out")
    assert "Debian packages" in missing_packages("train")
