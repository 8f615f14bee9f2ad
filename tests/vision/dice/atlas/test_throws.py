"""A die with signs of its own is joined to one map, named once and counted, on a ground with things that never move."""

from collections import Counter
from functools import cache

import cv2
import numpy as np
import pytest

from companion.fairness.series.dice import WantedDie, named_dice
from companion.vision.dice.atlas.method import Sorted, cuts_of, method_for, sorted_throws
from companion.vision.dice.atlas.place import FEWEST_THROWS, EmptyPlace, NoSpotError
from companion.vision.dice.atlas.throws import DieCut
from companion.vision.dice.groups.course import TooFewThrowsError
from companion.vision.readings import Image
from tests.vision.dice.atlas.drawn import SHAPE, SIZE, Thrown, ground, signs, throw

LEARNT, LATER = 36, 8
(OWN,) = named_dice([WantedDie(SHAPE)])
NAMES = OWN.by_face
METHOD = method_for(OWN.dice, OWN.die, surface=True)


@cache
def thrown() -> tuple[Thrown, ...]:
    """Return the throws of one die."""
    rng, marks, empty = np.random.default_rng(8), signs(), ground()
    return tuple(throw(rng, marks, empty) for _ in range(LEARNT + LATER))


@cache
def cuts() -> tuple[DieCut, ...]:
    """Return what is cut out of each throw."""
    found = [one for _, one in cuts_of(METHOD, [one.image for one in thrown()])]
    assert all(isinstance(one, DieCut) for one in found)
    return tuple(one for one in found if isinstance(one, DieCut))


@cache
def empty_place() -> EmptyPlace:
    """Return the empty place as the fewest throws show it."""
    return EmptyPlace([one.image for one in thrown()[:FEWEST_THROWS]])


@cache
def course() -> Sorted:
    """Return the throws in rows, each named by what the first shown one bears, as a person would."""
    made = sorted_throws(cuts()[:LEARNT], OWN.dice, OWN.die, len(NAMES))
    made.name({place: NAMES[thrown()[row.shown[0]].face] for place, row in enumerate(made.rows)})
    return made


def test_the_die_is_found_where_it_lies_and_nothing_that_never_moves_is() -> None:
    with pytest.raises(NoSpotError, match="Nothing is there"):
        empty_place().spot(noisy(ground()))
    for one, found in zip(thrown(), cuts(), strict=True):
        for spot in (empty_place().spot(one.image), found.spot):
            assert np.hypot(spot.x - one.middle[0], spot.y - one.middle[1]) < 4


def test_no_row_holds_two_faces() -> None:
    for row in course().rows:
        assert len({thrown()[number].face for number in row.members}) == 1
    assert sum(len(row.members) for row in course().rows) >= 0.9 * LEARNT


def test_throws_count_for_their_face_or_not_at_all() -> None:
    named = {NAMES[thrown()[row.shown[0]].face] for row in course().rows}
    verdicts = [*course().verdicts, *(course().read(one) for one in cuts()[LEARNT:])]
    counted = 0
    for one, verdict in zip(thrown(), verdicts, strict=True):
        assert not verdict.sure or verdict.name == NAMES[one.face]
        counted += verdict.sure
    of_named = sum(NAMES[one.face] in named for one in thrown())
    assert counted >= 0.85 * of_named
    # a throw is checked by the others, or by the person who saw it
    checked = sum(sum(row.values()) for row in course().separation.values())
    assert 0.7 * LEARNT <= checked <= LEARNT
    assert all(set(row) <= {name, "unread"} for name, row in course().separation.items())


def test_a_person_sees_the_upper_face_in_the_middle() -> None:
    picture = course().picture(cuts()[course().rows[0].shown[0]])
    assert picture.shape == (160, 160, 3)
    outline = (picture.astype(int) - [60, 60, 255]).__abs__().sum(axis=2) < 60
    assert outline.sum() > 40
    assert np.abs(np.argwhere(outline).mean(axis=0) - 80).max() < 40


def test_doubtful_throws_stand_in_rows_of_one_face() -> None:
    rows = course().likes(cuts()[LEARNT:], range(LEARNT, LEARNT + LATER))
    assert Counter(number for row in rows for number in row) == Counter(range(LEARNT, LEARNT + LATER))
    assert sum(len({thrown()[number].face for number in row}) > 1 for row in rows) == 0


def test_other_pictures_are_refused_in_one_sentence() -> None:
    hand = thrown()[0].image.copy()
    hand[40:, 27:220] = (120, 150, 200)
    torn = np.random.default_rng(1).integers(0, 255, hand.shape).astype(np.uint8)
    for image, why in (
        (hand, "Most of the picture has changed"),
        (torn, "Most of the picture has changed"),
        (hand[:67], f"Expected a picture of {SIZE[0]} x {SIZE[1]} pixels"),
    ):
        with pytest.raises(NoSpotError, match=why):
            empty_place().spot(image)


def test_a_place_needs_pictures_of_one_camera_that_stands_still() -> None:
    images = [one.image for one in thrown()[:FEWEST_THROWS]]
    odd = [cv2.resize(images[0], (120, 96)).astype(np.uint8)]
    assert EmptyPlace([*odd, *images]).spot(images[0]) == empty_place().spot(images[0])
    moved = [np.full_like(images[0], 30 * number) for number in range(FEWEST_THROWS)]
    for pictures in (images[:-1], moved):
        with pytest.raises(NoSpotError, match="Expected at least 8 pictures of one place, but got"):
            EmptyPlace(pictures)


def test_too_few_throws_are_told_before_anything_is_named() -> None:
    with pytest.raises(TooFewThrowsError, match="Expected at least 36 throws"):
        sorted_throws(cuts()[:20], OWN.dice, OWN.die, len(NAMES))


def noisy(image: Image) -> Image:
    """Return a picture with the noise of a camera."""
    rng = np.random.default_rng(2)
    return np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)
