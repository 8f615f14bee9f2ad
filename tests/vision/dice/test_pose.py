"""How a face is seen, compared with faces that a pinhole camera is given to see."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.dice import Shape
from companion.vision.dice.geometry import Points, area, edge_length
from companion.vision.dice.pose import CORNERS, flat_face, foreshortening

shapes = st.sampled_from(sorted(CORNERS))
angles = st.floats(0, 2 * np.pi)


def seen(flat: Points, tilt: float, yaw: float, distance: float, focal: float) -> Points:
    """Return the pixels of a flat face on a table, seen from so many degrees off overhead."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    turned = flat @ np.array([[cos, sin], [-sin, cos]])
    away = np.radians(tilt)
    depth = distance + turned[:, 1] * np.sin(away)
    pixels: Points = np.column_stack([turned[:, 0], turned[:, 1] * np.cos(away)]) * focal / depth[:, None]
    return pixels


@settings(deadline=None)
@given(shapes, st.floats(5, 60), angles, st.integers(0, 4))
def test_tilt_and_scale_are_found_whichever_way_the_die_lies(shape: Shape, tilt: float, yaw: float, first: int) -> None:
    corners = np.roll(seen(flat_face(shape), tilt, yaw, 40.0, 4000.0), first, axis=0)
    found = foreshortening(corners, shape)
    assert found.tilt == pytest.approx(tilt, abs=3)
    assert found.along == pytest.approx(100, rel=0.04)
    assert found.across == pytest.approx(100 * np.cos(np.radians(tilt)), rel=0.04)


@pytest.mark.parametrize("shape", sorted(CORNERS))
def test_a_face_seen_straight_is_not_foreshortened(shape: Shape) -> None:
    flat = flat_face(shape)
    assert foreshortening(flat * 50, shape).tilt == pytest.approx(0, abs=0.1)
    assert area(flat) > 0
    if shape != "trapezohedron":
        assert edge_length(flat) == pytest.approx(1)


def test_what_is_no_such_face_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected 5 corners of the face of a dodecahedron, but 4"):
        foreshortening(flat_face("cube"), "dodecahedron")
    with pytest.raises(ValueError, match="wheel has none"):
        flat_face("wheel")
