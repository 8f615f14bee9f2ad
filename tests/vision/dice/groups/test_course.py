"""A drawn die is counted by likeness: its throws are sorted, the rows named once, and further throws counted."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bench.fairness.frames import Table
from companion.rules.dice import dice_set
from companion.vision.dice.groups.course import GroupingCourse, TooFewThrowsError, rows_of_likes
from companion.vision.dice.groups.crops import CROP_PIXELS, Crop, Cropper, NoCropError
from companion.vision.dice.groups.likeness import CropComparison, features_of
from companion.vision.readings import Image

FACES = tuple(face.text for face in dice_set("d6").dice[0].faces)
EACH = 4
LEARNT = len(FACES) * EACH


@cache
def thrown() -> tuple[tuple[Crop, str], ...]:
    """Return crops of throws of one drawn die with their faces, and a few more of each."""
    table, cropper = Table("d6", 3), Cropper(dice_set("d6"))
    return tuple((cropper.crop(table.throw(face)), face) for face in FACES * (EACH + 1))


@cache
def course() -> GroupingCourse:
    """Return a course of the first throws, with its rows named by the labels."""
    made = GroupingCourse([crop for crop, _ in thrown()[:LEARNT]], len(FACES))
    made.name({place: thrown()[row.members[0]][1] for place, row in enumerate(made.rows) if not row.mixed})
    return made


def test_each_row_shows_one_face() -> None:
    for row in course().rows:
        assert not row.mixed
        assert len({thrown()[place][1] for place in row.members}) == 1
        assert set(row.shown) <= set(row.members)


def test_throws_count_for_their_face_or_are_doubtful() -> None:
    verdicts = course().verdicts
    assert len(verdicts) == LEARNT
    for verdict, (_, face) in zip(verdicts, thrown(), strict=False):
        assert not verdict.sure or verdict.name == face
    assert sum(verdict.sure for verdict in verdicts) >= 0.8 * LEARNT
    assert sum(row.get("unread", 0) + row[face] for face, row in course().separation.items()) <= LEARNT


def test_further_throws_are_counted() -> None:
    read = [(course().read(crop), face) for crop, face in thrown()[LEARNT:]]
    assert all(not verdict.sure or verdict.name == face for verdict, face in read)
    assert sum(verdict.sure for verdict, _ in read) >= len(FACES) - 2


def test_a_throw_is_most_like_itself_and_every_comparison_can_be_repeated() -> None:
    views = [features_of(crop) for crop, _ in thrown()[: len(FACES)]]
    comparison = CropComparison(views)
    for place, one in enumerate(views):
        likes = comparison.likeness(one, views)
        assert int(likes.argmax()) == place
        assert np.array_equal(likes, comparison.likeness(one, views))


def test_what_the_general_reader_says_makes_throws_more_or_less_alike() -> None:
    plain, other = (features_of(crop) for crop, _ in thrown()[:2])
    one, same, unlike = (replace(plain, guess=((text, 0.9), (rest, 0.1))) for text, rest in ("12", "12", "21"))
    comparison = CropComparison([one, unlike])
    near, nothing, far = comparison.likeness(one, [same, replace(plain, guess=()), unlike])
    assert near > nothing > far
    # without any guess only the pictures count, and both ways alike
    silent = CropComparison([replace(plain, guess=()), replace(other, guess=())])
    assert silent.likeness(plain, [same])[0] == silent.likeness(plain, [unlike])[0]


def test_rows_of_doubtful_throws_hold_one_face_each_and_every_throw_once() -> None:
    crops = [crop for crop, _ in thrown()[: 2 * len(FACES)]]
    rows = rows_of_likes(crops, range(len(crops)))
    assert sorted(place for row in rows for place in row) == list(range(len(crops)))
    for row in rows:
        assert len({thrown()[place][1] for place in row}) == 1
    assert rows_of_likes([], []) == []


def test_a_mixed_row_cannot_be_named_and_nothing_is_read_before_rows_have_names() -> None:
    fresh = GroupingCourse([crop for crop, _ in thrown()[:LEARNT]], len(FACES))
    with pytest.raises(ValueError, match="before further throws"):
        fresh.read(thrown()[0][0])
    with pytest.raises(ValueError, match="at least one row"):
        fresh.name({})
    fresh.rows[0] = replace(fresh.rows[0], mixed=True)
    with pytest.raises(ValueError, match="Row 1 shows two faces"):
        fresh.name({0: "1"})


def test_a_row_of_a_thing_that_never_moves_cannot_be_named() -> None:
    crops, faces = [crop for crop, _ in thrown()[:LEARNT]], [face for _, face in thrown()[:LEARNT]]
    # a print that the net took for this face in each of its throws
    still = [crops[0] if face == faces[0] else crop for crop, face in zip(crops, faces, strict=True)]
    rows = GroupingCourse(still, len(FACES)).rows
    assert {faces[row.members[0]] for row in rows if row.mixed} == {faces[0]}
    assert {faces[row.members[0]] for row in rows if not row.mixed} == set(faces[1 : len(FACES)])


def test_a_face_whose_rows_have_no_name_is_counted_for_no_other() -> None:
    fresh, truth = GroupingCourse([crop for crop, _ in thrown()[:LEARNT]], len(FACES)), [face for _, face in thrown()]
    faces = [truth[row.members[0]] for row in fresh.rows]
    left = faces[0]
    fresh.name({place: face for place, face in enumerate(faces) if face != left})
    assert left not in fresh.separation
    assert not [verdict for verdict, face in zip(fresh.verdicts, truth, strict=False) if verdict.sure and face == left]
    assert not [face for crop, face in thrown()[LEARNT:] if face == left and fresh.read(crop).sure]


def test_too_few_throws_are_told() -> None:
    with pytest.raises(TooFewThrowsError, match="at least 18 throws"):
        GroupingCourse([crop for crop, _ in thrown()[:5]], len(FACES))


def test_a_picture_without_a_die_is_told() -> None:
    empty: Image = np.full((480, 640, 3), 90, np.uint8)
    with pytest.raises(NoCropError, match="found none"):
        Cropper(dice_set("d6")).crop(empty)


def test_a_crop_shows_the_face_and_what_lies_around_it() -> None:
    crop, _ = thrown()[0]
    assert crop.picture.shape == (CROP_PIXELS, CROP_PIXELS, 3)
    assert len(crop.descriptors) == 4
    assert crop.guess
