"""What lies still in throw after throw is the ground; what once moved never is, however long it lies."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.ground import THROWS_TO_LEARN, Ground
from companion.vision.ground_lines import Outline
from companion.vision.readings import DiceReading, Image, ReadDie

SIDE = 28
DISC = (120, 350)
"""The middle of a printed disc that no die touches."""

PLACES = [(x, y) for x in (250, 340, 430, 520) for y in (80, 160, 240, 320, 400)]
"""Where dice come to rest."""

Die = tuple[tuple[int, int], int]
"""A die's middle and its pips."""


def outline(middle: tuple[float, float], side: float = SIDE) -> Outline:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 + middle


def read(*outlines: Outline) -> DiceReading:
    dice = [ReadDie("pips", None, "1", "ask", 1.0, (("1", 1.0),), tuple((x, y) for x, y in one)) for one in outlines]
    return DiceReading(tuple(dice), "ask")


@cache
def shown(*dice: Die, seed: int = 0, light: float = 1.0, shift: int = 0, shade: int = 0) -> Image:
    """Draw a printed sheet with a disc, and dice with their shadows on it; each picture once, and nobody changes it."""
    picture = np.full((480, 640, 3), (120, 140, 130), np.uint8)
    for row in range(0, 480, 60):
        cv2.line(picture, (0, row + 10), (640, row + 25), (90, 110, 100), 2)
    for column in (20, 61, 190, 222, 300, 381, 472, 590):  # a print that repeats nowhere
        cv2.line(picture, (column, 0), (column + 12, 480), (150, 110, 90), 3)
    cv2.circle(picture, DISC, 20, (40, 40, 40), -1, cv2.LINE_AA)
    cv2.circle(picture, DISC, 18, (200, 225, 230), -1, cv2.LINE_AA)
    cv2.circle(picture, DISC, 5, (30, 20, 160), -1, cv2.LINE_AA)
    for (x, y), pips in dice:
        half = SIDE // 2
        cv2.rectangle(picture, (x - half + 4, y - half + 5), (x + half + 5, y + half + 6), (60, 70, 65), -1)
        cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
        for k in range(pips):
            cv2.circle(picture, (x - 8 + 8 * (k % 3), y - 5 + 10 * (k // 3)), 3, (20, 20, 20), -1, cv2.LINE_AA)
    if shade:
        x, y = DISC
        half_lit = picture[y - 40 : y + shade, x - 40 : x + 40]
        half_lit[:] = (half_lit * 0.45).astype(np.uint8)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    drawn = np.roll(np.clip(picture * light + noise, 0, 255).astype(np.uint8), shift, axis=1)
    drawn.flags.writeable = False
    return drawn


def after(throws: Sequence[Sequence[Die]]) -> Ground:
    """Return the ground after these throws, in which the disc was found each time, too."""
    ground = Ground()
    for number, dice in enumerate(throws):
        ground.rest(shown(*dice, seed=number), read(outline(DISC), *(outline(at) for at, _ in dice)))
    return ground


THROWN: list[list[Die]] = [[(PLACES[k], 1 + k % 6), (PLACES[k + 7], 1 + (k + 2) % 6)] for k in range(6)]


def test_a_disc_is_ground_from_the_fourth_throw_on_and_no_die_ever_is() -> None:
    for number in range(1, len(THROWN)):
        ground = after(THROWN[:number])
        picture = shown(*THROWN[number], seed=99)
        assert ground.shows(picture, outline(DISC)) == (number > THROWS_TO_LEARN)
        assert not any(ground.shows(picture, outline(at)) for at, _ in THROWN[number])


@settings(max_examples=8)
@given(st.lists(st.integers(0, len(PLACES) - 1), min_size=3, max_size=7, unique=True), st.integers(1, 6))
def test_a_die_that_a_player_keeps_is_never_ground(places: list[int], pips: int) -> None:
    kept: Die = (PLACES[places[0]], pips)
    others: list[list[Die]] = [[], *([kept, (PLACES[place], 1 + place % 6)] for place in places[1:])]
    ground = after([*others, *others[1:]])
    picture = shown(*others[-1], seed=99)
    assert not ground.shows(picture, outline(kept[0]))
    assert ground.shows(picture, outline(DISC))


def test_a_die_that_comes_to_rest_where_it_lay_is_no_ground() -> None:
    die: Die = (PLACES[3], 5)
    throws: list[list[Die]] = [[], [die], [(PLACES[9], 2)], [die], [(PLACES[12], 6)], [die]]
    assert not after(throws).shows(shown(die, seed=99), outline(die[0]))


def test_a_disc_under_a_die_that_lay_there_first_becomes_ground_once_it_is_thrown() -> None:
    throws: list[list[Die]] = [[(DISC, 4)], *THROWN[:4]]
    ground = Ground()
    for number, dice in enumerate(throws):
        ground.rest(shown(*dice, seed=number), read(*(outline(at) for at, _ in dice)))
    assert ground.shows(shown(*THROWN[4], seed=99), outline(DISC))


def test_hands_that_come_and_go_make_no_ground_of_dice_that_wait() -> None:
    waiting = THROWN[0]
    assert not after([waiting] * 8).shows(shown(*waiting, seed=99), outline(waiting[0][0]))


@pytest.mark.parametrize("change", [{"light": 0.8}, {"light": 1.15}, {"shade": 3}, {"shift": 1}])
def test_light_shadow_and_a_trembling_camera_change_nothing(change: dict[str, float]) -> None:
    ground = after(THROWN[:4])
    picture = shown(*THROWN[4], seed=99, **change)
    assert ground.shows(picture, outline((DISC[0] + change.get("shift", 0), DISC[1])))
    assert not any(ground.shows(picture, outline(at)) for at, _ in THROWN[4])


@pytest.mark.parametrize("shade", [-4, 3, 24])
def test_what_lay_in_a_hard_shadow_first_is_ground_once_the_shadow_is_gone(shade: int) -> None:
    ground = Ground()
    for number, dice in enumerate(THROWN[:4]):
        found = [outline(DISC), *(outline(at) for at, _ in dice)]
        ground.rest(shown(*dice, seed=number, shade=0 if number else shade), read(*found))
    assert ground.shows(shown(*THROWN[4], seed=99), outline(DISC))


def test_light_that_drifts_is_followed() -> None:
    ground = Ground()
    for number in range(12):
        dice = THROWN[number % 6]
        ground.rest(shown(*dice, seed=number, light=1 - 0.04 * number), read(*(outline(at) for at, _ in dice)))
    picture = shown(*THROWN[2], seed=99, light=0.5)
    assert ground.shows(picture, outline(DISC))


def test_a_camera_that_was_bumped_is_followed_and_one_over_another_table_begins_again() -> None:
    ground = after(THROWN[:4])
    moved = read(*(outline((at[0] + 12, at[1])) for at, _ in THROWN[4]))
    ground.rest(shown(*THROWN[4], seed=98, shift=12), moved)
    assert ground.shows(shown(*THROWN[5], seed=99, shift=12), outline((DISC[0] + 12, DISC[1])))
    other = np.random.default_rng(5).integers(0, 255, (12, 16, 3), np.uint8)
    table = np.asarray(cv2.resize(other, (640, 480)), np.uint8)
    ground.rest(table, read())
    assert not ground.shows(table, outline(DISC))


def test_what_came_to_rest_unread_is_told_and_what_was_taken_away_is_not() -> None:
    ground = after(THROWN[:3])
    at = PLACES[18]
    (came,) = ground.rest(shown((at, 3), seed=7), read())
    assert np.linalg.norm(came.outline.mean(axis=0) - at) < SIDE / 3
    assert came.like
    assert ground.rest(shown(seed=8), read()) == []


@pytest.mark.parametrize("middle", [PLACES[18], DISC])
def test_a_hard_shadow_is_no_thing_that_came(middle: tuple[int, int]) -> None:
    ground = after(THROWN[:3])
    shadow = shown(seed=7).copy()
    inside = shadow[middle[1] - 12 : middle[1] + 20, middle[0] - 12 : middle[0] + 20]
    inside[:] = (inside * 0.45).astype(np.uint8)
    assert ground.rest(shadow, read()) == []


def test_a_print_that_is_known_is_blurred_and_the_dice_on_it_are_kept() -> None:
    ground = after(THROWN[:4])
    picture = shown(*THROWN[4], seed=99)
    assert ground.cleared(picture) is picture  # nothing that was found was the ground yet
    assert ground.shows(picture, outline(DISC))
    cleared = ground.cleared(picture)

    def patch(image: Image, middle: tuple[int, int]) -> Image:
        return image[middle[1] - 13 : middle[1] + 14, middle[0] - 13 : middle[0] + 14]

    assert patch(picture, DISC).std(axis=(0, 1)).max() > 50
    assert patch(cleared, DISC).std(axis=(0, 1)).max() < 5
    for at, _ in THROWN[4]:
        assert (patch(cleared, at) == patch(picture, at)).all()


def test_a_soft_shadow_is_not_learnt_as_ground() -> None:
    ground = after(THROWN[:4])
    shadow = shown(*THROWN[4], seed=98).copy()
    x, y = DISC
    shadow[y - 40 : y + 40, x - 40 : x + 40] = (shadow[y - 40 : y + 40, x - 40 : x + 40] * 0.75).astype(np.uint8)
    ground.rest(shadow, read(outline(DISC), *(outline(at) for at, _ in THROWN[4])))
    picture = shown(*THROWN[5], seed=99)
    assert ground.shows(picture, outline(DISC), exact=False)
