"""Readings refuse candidates that no reader could mean."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.board_readings import Men, SiteReading
from companion.vision.readings import ReadDie

chances = st.lists(st.floats(0, 1), min_size=1, max_size=8).map(
    lambda found: sorted((one / max(1.0, sum(found)) for one in found), reverse=True)
)


def die(*chances: float) -> ReadDie:
    candidates = tuple((f"{n}", chance) for n, chance in enumerate(chances, 1))
    return ReadDie("pips", "1", "1", "read", chances[0], candidates, ())


def site(*chances: float) -> SiteReading:
    return SiteReading("a", tuple((Men("light", n), chance) for n, chance in enumerate(chances, 1)), "ask")


@given(chances)
def test_any_chances_that_fall_and_make_up_at_most_one_are_a_reading(found: list[float]) -> None:
    assert die(*found).candidates[0][1] == found[0]
    assert site(*found).confidence == max(found)


@given(chances.filter(lambda found: found != sorted(found)))
def test_candidates_that_do_not_begin_with_the_likeliest_are_refused(found: list[float]) -> None:
    for made in (die, site):
        with pytest.raises(ValueError, match="likeliest first"):
            made(*reversed(found))


@pytest.mark.parametrize("found", [(0.8, 0.7), (1.2,), (0.9, -0.1), (math.nan,)])
def test_chances_that_are_none_are_refused(found: tuple[float, ...]) -> None:
    for made in (die, site):
        with pytest.raises(ValueError, match="together at most 1"):
            made(*found)


def test_a_hidden_site_has_no_candidates() -> None:
    assert SiteReading("a", (), "hidden").standing is None
