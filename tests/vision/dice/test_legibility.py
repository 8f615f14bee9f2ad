"""What can be read from here, and what to do: judged on dice that a camera of known place is given to see."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.dice import dice_set
from companion.vision.dice.geometry import Points
from companion.vision.dice.legibility import Band, Legibility, hindrance, judge, large_enough, needed, side_letters
from companion.vision.dice.pose import flat_face

WIBOLD, PIPS = dice_set("wibold"), dice_set("pips")
TOP = np.sqrt(2 / 3)


def camera(points: Points, tilt: float, scale: float) -> Points:
    """Return the pixels of points in space (n, 3) seen from far away, so many degrees off overhead, y down."""
    away = np.radians(tilt)
    down = -(points[:, 1] * np.cos(away) + points[:, 2] * np.sin(away))
    return np.column_stack([points[:, 0], down]) * scale + 300


def cube(tilt: float, edge: float, yaw: float = 0.4) -> Points:
    cos, sin = np.cos(yaw), np.sin(yaw)
    flat = flat_face("cube") @ np.array([[cos, -sin], [sin, cos]])
    return camera(np.column_stack([flat, np.ones(4)]), tilt, edge)


def tetrahedron(tilt: float, edge: float, yaw: float) -> tuple[Points, Points]:
    turn = yaw - np.arange(3) * 2 * np.pi / 3  # clockwise from above
    base = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(3)]) / np.sqrt(3)
    pixels = camera(np.vstack([base, [[0, 0, TOP]]]), tilt, edge)
    return pixels[:3], pixels[3]


def words(found: Legibility) -> str:
    return " ".join(map(str, found.advice))


def test_large_dice_from_above_are_fine() -> None:
    found = judge(WIBOLD, [cube(2, 150)] * 3, [tetrahedron(2, 220, 0.3)])
    assert found.good
    assert words(found).startswith("The dice can be read from here: a letter has")
    assert found.sides is not None
    assert not found.sides.estimated


def upper(tilt: float, edge: float) -> Points:
    flat = flat_face("icosahedron")
    return camera(np.column_stack([flat, np.ones(3)]), tilt, edge)


@given(st.floats(0, 45), st.integers(1, 4))
def test_a_d20_from_the_side_is_told_the_tilt_in_degrees(tilt: float, count: int) -> None:
    dice = dice_set("d20")
    found = judge(dice, [upper(tilt, 150)] * count, [])
    shown = f"{'One die is' if count == 1 else f'{count} dice are'} seen, {round(tilt)} degrees off overhead"
    slanted = round(tilt) > 21  # from there on a neighbour of the upper face is more frontal
    assert (shown in words(found)) == slanted
    assert (shown in str(hindrance(dice, [upper(tilt, 150)] * count))) == slanted


def test_what_keeps_dice_from_being_read_is_told_in_numbers() -> None:
    assert hindrance(PIPS, []) is None
    assert hindrance(PIPS, [cube(2, 80)] * 3) is None
    assert str(hindrance(PIPS, [cube(2, 25)])).startswith("An edge of a die has 25 pixels and 67 are needed")
    assert "leans on something" in str(hindrance(PIPS, [cube(2, 90), cube(3, 90), cube(40, 90)]))


def test_small_dice_are_to_be_looked_at_from_nearer() -> None:
    found = judge(WIBOLD, [cube(2, 25)] * 3, [tetrahedron(2, 220, 0.3)])
    assert not found.good
    assert "Move the camera nearer" in words(found)
    nearer = judge(
        WIBOLD, [cube(2, 25 * found.dice[0].needed / found.dice[0].letter / 0.9)] * 3, [tetrahedron(2, 400, 0.3)]
    )
    assert nearer.good


def test_from_the_side_the_far_side_of_the_tetrahedron_is_hidden_unless_its_hand_is_known() -> None:
    lying = [tetrahedron(35, 220, yaw) for yaw in np.linspace(0, 2 * np.pi / 3, 12)]
    found = [judge(WIBOLD, [cube(35, 150)] * 3, [one]) for one in lying]
    assert any("Look more from above" in words(one) for one in found)
    assert any(one.sides is not None and one.sides.letters[0] == 0 for one in found)
    handed = [judge(WIBOLD, [cube(35, 150)] * 3, [one], handed=True) for one in lying]
    assert sum(one.good for one in handed) > sum(one.good for one in found)


def test_letters_that_are_only_too_flat_ask_for_a_look_from_above() -> None:
    found = judge(PIPS, [cube(44, 1.2 * needed("cube", ("pip",)) / 0.18)], [])
    assert "Look more from above: 44" in words(found)
    assert "nearer" not in words(found)


@given(st.floats(0, 80))
def test_from_where_sides_look_at_the_camera_as_much_as_upper_faces_the_tilt_is_told_in_degrees(tilt: float) -> None:
    found = judge(PIPS, [cube(tilt, 400)] * 3, [])
    assert (f"3 dice are seen, {round(tilt)} degrees off overhead" in words(found)) == (round(tilt) > 45)


@given(st.floats(0, 60), st.floats(30, 300))
def test_beside_cubes_a_tetrahedron_is_judged_as_it_lies_worst(tilt: float, edge: float) -> None:
    estimated = side_letters(edge, tilt, 0.166)
    assert list(estimated) == sorted(estimated)
    worst = min(
        min(judge(WIBOLD, [], [tetrahedron(tilt, edge, yaw)]).sides.letters)  # type: ignore[union-attr]
        for yaw in np.linspace(0, 2 * np.pi / 3, 25)
    )
    assert estimated[0] == pytest.approx(worst, abs=0.02 * edge)
    assert (estimated[0] == 0) == (tilt >= 19.47)


def test_without_a_tetrahedron_in_the_set_or_in_the_picture_the_cubes_speak() -> None:
    assert judge(PIPS, [cube(2, 150)], []).sides is None
    sides = judge(WIBOLD, [cube(2, 150)], []).sides
    assert sides is not None
    assert sides.estimated


def test_dice_seen_at_different_angles_tell_of_a_wide_lens() -> None:
    wide = judge(PIPS, [cube(tilt, 200) for tilt in (0, 10, 30, 40)], [])
    assert "narrower lens" in words(wide)
    assert "narrower lens" not in words(judge(PIPS, [cube(tilt, 200) for tilt in (28, 30, 31, 33)], []))
    one_off = judge(PIPS, [cube(tilt, 200) for tilt in (10, 11, 12, 9, 45)], [])
    assert "narrower lens" not in words(one_off)


def test_an_empty_table_asks_for_dice() -> None:
    found = judge(WIBOLD, [], [])
    assert not found.good
    assert words(found).startswith("The camera sees no dice of this set")
    assert found.to_json()["dice"] == []


bands = st.lists(st.tuples(st.integers(1, 200), st.floats(0, 1)), min_size=1, max_size=12).map(
    lambda rows: [Band(float(i), i + 1.0, n, int(share * n)) for i, (n, share) in enumerate(rows)]
)


@given(bands)
def test_what_is_large_enough_is_one_of_the_measured_sizes(table: list[Band]) -> None:
    assert large_enough(table) in [band.low for band in table]


def test_the_size_is_where_reading_falls() -> None:
    shares = [0.0, 0.1, 0.5, 0.93, 0.9, 0.97, 0.95]
    table = [Band(float(size), size + 1.0, 100, round(100 * share)) for size, share in enumerate(shares, 2)]
    assert large_enough(table) == 5.0
    with_few = [*table, Band(9.0, 10.0, 1, 0)]  # one large die that was not read says nothing
    assert large_enough(with_few) == 5.0


def test_every_shape_has_a_measured_or_borrowed_size() -> None:
    assert needed("cube", ("A",)) > 0
    assert needed("icosahedron", ("6", "_")) > 0
