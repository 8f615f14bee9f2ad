"""The men against the progressions of which Boethius and page 004 make them."""

import pytest

from companion.rules.rithmomachia.men import BLACK, WHITE, Part, army, array, whole_pyramid

SEEDS = {WHITE: (2, 4, 6, 8), BLACK: (3, 5, 7, 9)}


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_the_six_ranks_come_from_the_seeds(side: int) -> None:
    """Seeds n and their squares; n + n x n and the square of n + 1; the sum of both and the square of 2n + 1."""
    made = [
        *(Part("circle", number) for n in SEEDS[side] for number in (n, n**2)),
        *(Part("triangle", number) for n in SEEDS[side] for number in (n + n**2, (n + 1) ** 2)),
        *(Part("square", number) for n in SEEDS[side] for number in (n + n**2 + (n + 1) ** 2, (2 * n + 1) ** 2)),
    ]
    standing = [man for row in array(side) for man in row if man is not None]
    total = sum(part.number for part in whole_pyramid(side))
    assert Part("square", total) in made
    expected = sorted(part if part != Part("square", total) else Part("pyramid", total) for part in made)
    assert sorted(Part(man.shape, man.number) for man in standing) == expected


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_a_pyramid_is_a_run_of_squares_on_ever_smaller_shapes(side: int) -> None:
    roots = [round(part.number**0.5) for part in whole_pyramid(side)]
    assert [root**2 for root in roots] == [part.number for part in whole_pyramid(side)]
    assert roots == list(range(roots[0], roots[-1] - 1, -1))
    shapes = [part.shape for part in whole_pyramid(side)]
    assert shapes == sorted(shapes, key=("square", "triangle", "circle").index)


def test_there_are_35_different_numbers() -> None:
    numbers = {man.number for side in (WHITE, BLACK) for row in array(side) for man in row if man is not None}
    assert len(numbers) == 35
    assert sum(army(WHITE).values()) == 23 + len(whole_pyramid(WHITE))
