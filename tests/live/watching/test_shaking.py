"""When dice are looked at although the picture does not come to rest: not while they may still be rolling."""

import pytest

from companion.live.watching.shaking import SHAKES, Shaking
from companion.vision.stillness import StillnessState

MOVING = StillnessState("moving", hand=False, interval=1, frames=())


@pytest.mark.parametrize(("reading_seconds", "rolling", "restless"), [(0.07, 1.4, 1.6), (0.45, 2.5, 2.8)])
def test_dice_may_roll_for_a_while_longer_where_a_reading_takes_long(
    reading_seconds: float, rolling: float, restless: float
) -> None:
    shaking = Shaking()
    shaking.reading_seconds = reading_seconds
    assert not shaking.due(MOVING, 10.0)
    assert not shaking.due(MOVING, 10.0 + rolling)
    assert shaking.trouble(10.0 + rolling) is None
    assert shaking.due(MOVING, 10.0 + restless)


def test_a_person_learns_of_shaking_ground_only_after_two_looks_at_the_dice() -> None:
    shaking = Shaking()
    shaking.reading_seconds = 0.5
    looks, now = 0, 10.0
    while shaking.trouble(now) is None:
        looks += shaking.due(MOVING, now)
        now += 0.5
    assert shaking.trouble(now) is SHAKES
    assert looks >= 2
