"""The faces of a solid and the rotations that map it to itself."""

import numpy as np
import pytest

from companion.vision.dice.atlas.facets import SHAPES, facets


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_each_symmetry_carries_every_point_of_a_face_to_a_point_of_another(shape: str) -> None:
    solid = facets(shape)
    assert len(solid.faces) == len(solid.points) * solid.steps
    for faces, turns in zip(solid.faces, solid.turns, strict=True):
        there = np.stack([solid.points[face][solid.turned[turn]] for face, turn in zip(faces, turns, strict=True)])
        one, other = solid.points.reshape(-1, 3), there.reshape(-1, 3)
        left, _, right = np.linalg.svd(one.T @ other)
        rotation = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
        assert np.abs(one @ rotation - other).max() < 1e-5


def test_face_0_looks_up_when_the_solid_is_level() -> None:
    for shape in SHAPES:
        solid = facets(shape)
        assert solid.solid.normals[0] @ solid.level.T == pytest.approx([0, 0, 1], abs=1e-5)
