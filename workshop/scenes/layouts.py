"""Layouts of dice makers: where one to six letters stand on a face, and four on a triangle."""

import numpy as np

Place = tuple[float, float, float]
"""Centre of a letter, x and y in a unit square (y down), and its height."""

TRIANGLE = np.array([[0.5, 0.067], [1.0, 0.933], [0.0, 0.933]])
"""Corners of an equilateral triangle in the unit square, clockwise from the top; a tetrahedron's side fills it."""


def _rows(counts: tuple[int, ...], height: float, dx: float, dy: float, *, left: bool = False) -> tuple[Place, ...]:
    places = []
    widest = max(counts)
    for row, count in enumerate(counts):
        shift = widest if left else count
        for column in range(count):
            x = 0.5 + (column - (shift - 1) / 2) * dx
            places.append((x, 0.5 + (row - (len(counts) - 1) / 2) * dy, height))
    return tuple(places)


LAYOUTS: dict[int, tuple[tuple[Place, ...], ...]] = {
    1: (((0.5, 0.5, 0.50),), ((0.5, 0.5, 0.36),)),
    2: (
        _rows((2,), 0.42, 0.40, 0.0),
        _rows((1, 1), 0.36, 0.0, 0.44),
        ((0.30, 0.29, 0.34), (0.70, 0.71, 0.34)),
        ((0.36, 0.33, 0.30), (0.64, 0.67, 0.30)),
    ),
    3: (
        _rows((3,), 0.32, 0.30, 0.0),
        _rows((1, 1, 1), 0.25, 0.0, 0.29),
        ((0.24, 0.24, 0.26), (0.5, 0.5, 0.26), (0.76, 0.76, 0.26)),
        _rows((1, 2), 0.33, 0.40, 0.42),
        _rows((2, 1), 0.33, 0.40, 0.42),
        _rows((2, 1), 0.33, 0.40, 0.42, left=True),
    ),
    4: (_rows((2, 2), 0.33, 0.40, 0.42), _rows((2, 2), 0.28, 0.34, 0.38), _rows((2, 2), 0.25, 0.46, 0.48)),
    5: (
        _rows((2, 3), 0.31, 0.29, 0.42),
        _rows((3, 2), 0.31, 0.29, 0.42),
        _rows((3, 2), 0.30, 0.29, 0.42, left=True),
        ((0.25, 0.25, 0.26), (0.75, 0.25, 0.26), (0.5, 0.5, 0.26), (0.25, 0.75, 0.26), (0.75, 0.75, 0.26)),
        _rows((2, 1, 2), 0.24, 0.40, 0.29),
        _rows((1, 2, 2), 0.25, 0.38, 0.29),
        _rows((2, 2, 1), 0.25, 0.38, 0.29, left=True),
    ),
    6: (
        _rows((3, 3), 0.31, 0.29, 0.42),
        _rows((2, 2, 2), 0.25, 0.38, 0.29),
        _rows((2, 2, 2), 0.22, 0.46, 0.30),
        _rows((3, 3), 0.26, 0.27, 0.36),
    ),
}
"""The usual layouts for each number of letters: one place per letter, in reading order."""

TRIANGLE_LAYOUTS: tuple[tuple[Place, ...], ...] = (
    ((0.5, 0.37, 0.19), (0.25, 0.78, 0.19), (0.5, 0.78, 0.19), (0.75, 0.78, 0.19)),
    ((0.5, 0.36, 0.17), (0.25, 0.80, 0.16), (0.5, 0.62, 0.17), (0.75, 0.80, 0.16)),
    ((0.5, 0.35, 0.19), (0.5, 0.64, 0.19), (0.23, 0.80, 0.18), (0.77, 0.80, 0.18)),
    ((0.5, 0.34, 0.17), (0.39, 0.58, 0.17), (0.61, 0.58, 0.17), (0.5, 0.80, 0.17)),
    ((0.5, 0.42, 0.23), (0.29, 0.76, 0.22), (0.5, 0.76, 0.22), (0.71, 0.76, 0.22)),
    ((0.41, 0.54, 0.19), (0.60, 0.54, 0.19), (0.37, 0.78, 0.19), (0.63, 0.78, 0.19)),
    ((0.5, 0.32, 0.15), (0.22, 0.82, 0.15), (0.5, 0.82, 0.15), (0.78, 0.82, 0.15)),
)
"""Four letters on a triangle that stands on its base: one above three, and other layouts that dice have."""
