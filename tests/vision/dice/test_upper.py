"""Which faces are the upper ones of a throw, and which of them are asked about."""

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.dice import dice_set
from companion.vision.dice.answers import NOT_UPPER, Answers
from companion.vision.dice.asking.certainty import Certainty
from companion.vision.dice.asking.rows import RowReader
from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.decode import kinds_of
from companion.vision.dice.faces import Marks, Texts
from companion.vision.dice.geometry import Points, area, clockwise
from companion.vision.dice.locate import Impression, UpperFace
from companion.vision.dice.marks import Witness
from companion.vision.dice.nets import Nets
from companion.vision.dice.scene import Scene
from companion.vision.dice.seen import Seen
from companion.vision.dice.upper import NO_DICE, OUTSIDE, UpperFaces
from companion.vision.readings import ReadDie
from tests.vision.dice.test_scene import PICTURE, camera, face

BARE = np.zeros((*PICTURE, 3), np.uint8)
PLAIN = Witness(12.0, 0.0, 9.0)
PLACES = ((380.0, 300.0), (900.0, 360.0), (620.0, 700.0), (800.0, 620.0))
ABOVE = camera(np.radians(10), 0.4, 1.2)
ASLANT = camera(np.radians(44), -np.pi / 2, 1.2)  # things rise towards the lower edge


def judge_of(name: str, *, named: bool = True, sure: bool = True) -> UpperFaces:
    """Return what judges the cubes of a set, and reads whatever it would not ask about for another reason.

    ``sure``: whether the general reader alone is sure of every face.
    """
    dice = dice_set(name)
    texts = Texts.of(dice)
    names = tuple(die.name for die in dice.dice)
    return UpperFaces(
        kinds_of(dice, names, texts.upper),
        texts,
        Answers(name, "die"),
        Certainty(
            texts,
            {4: "cube"},
            RowReader(texts.marks, Nets()),
            SecondMarks(texts.upper_bags, 1.0, Nets()),
            reads=lambda _: sure,
        ),
        likely=lambda find: find.impression.located > 0.5,
        named=named,
    )


def seen(judge: UpperFaces, corners: Points, text: str, chance: float = 0.99, *, error: float = 0.03) -> Seen:
    """Return a face that shows a text."""
    columns = [shown == text for _, shown in judge._texts.upper]
    texts = np.array([columns], float) / sum(columns) * chance
    one = UpperFace(clockwise(corners), 0.99, error)
    marks = Marks(texts, np.array([1 - chance]))
    return Seen(one, marks, judge.evidence(one, marks), PLAIN)


def by_place(dice: list[ReadDie], corners: Points) -> ReadDie:
    """Return what is said of a face."""
    return min(dice, key=lambda die: float(np.linalg.norm(np.mean(die.polygon, axis=0) - corners.mean(axis=0))))


def side_of(scene: Scene, corners: Points) -> Points:
    """Return the side of a cube that faces the camera most."""
    return max(scene.sides(clockwise(corners)), key=area)


def test_three_faces_of_one_plane_are_read() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:3])]
    dice = judge.judge(
        [seen(judge, one, text) for one, text in zip(faces, ("EIOU", "IO", "AEI"), strict=True)], PICTURE
    )
    assert [by_place(dice, one).face for one in faces] == ["EIOU", "IO", "AEI"]
    assert {die.status for die in dice} == {"read"}


@pytest.mark.parametrize("evidence", [0.6, 0.99])
def test_a_side_is_no_fourth_die(evidence: float) -> None:
    judge = judge_of("wibold")
    scene = camera(np.radians(30), -np.pi / 2, 1.2)
    faces = [face(scene, place, 0.7 + 0.1 * i) for i, place in enumerate(PLACES[:3])]
    side = side_of(scene, faces[2])
    shown = [seen(judge, one, text) for one, text in zip(faces, ("EIOU", "IO", "AEI"), strict=True)]
    dice = judge.judge([*shown, seen(judge, side, "OU", evidence)], PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["read"] * 3
    assert by_place(dice, side).status == "ignored"


def test_a_side_that_looks_like_an_upper_face_is_not_read_before_it() -> None:
    judge = judge_of("wibold")
    # turned straight to the camera, a side is seen as the upper face is: from 45 degrees off
    faces = [face(ASLANT, place, turn) for place, turn in zip(PLACES[:3], (0.3, 0.9, np.pi / 4), strict=True)]
    side = side_of(ASLANT, faces[2])
    shown = [seen(judge, one, text, 0.8) for one, text in zip(faces, ("EIOU", "IO", "AEI"), strict=True)]
    dice = judge.judge([*shown, seen(judge, side, "A")], PICTURE)
    assert by_place(dice, side).status != "read"


def test_where_no_two_faces_lie_alike_any_of_them_may_be_a_side() -> None:
    judge = judge_of("wibold")
    one, other = face(ABOVE, PLACES[0], 0.2), face(ASLANT, PLACES[1], 0.9)
    dice = judge.judge([seen(judge, one, "EIOU"), seen(judge, other, "IO")], PICTURE)
    assert {die.reason for die in dice} == {NOT_UPPER}
    assert {die.short for die in dice} == {None}, "more than marks is in doubt: looks that agree must not settle it"


@pytest.mark.parametrize(("chance", "status"), [(0.7, "ask"), (0.8, "read")])
def test_a_face_that_may_well_be_another_is_asked_about_whatever_else_speaks_for_it(chance: float, status: str) -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:3])]
    shown = [seen(judge, one, text) for one, text in zip(faces, ("EIOU", "IO", "AEI"), strict=True)]
    other = seen(judge, faces[2], "AEI").marks.texts * chance + seen(judge, faces[2], "OU").marks.texts * (1 - chance)
    marks = Marks(other, shown[2].marks.unreadable)
    shown[2] = replace(shown[2], marks=marks, evidence=judge.evidence(shown[2].face, marks))
    dice = judge.judge(shown, PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["read", "read", status]


def test_with_one_die_too_many_only_those_are_asked_about_that_may_be_none() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES)]
    texts = ("EIOU", "IO", "AEI", "A")
    shown = [seen(judge, one, text, error=0.03) for one, text in zip(faces[:3], texts[:3], strict=True)]
    dice = judge.judge([*shown, seen(judge, faces[3], "A", error=0.2)], PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["read", "read", "read", "ask"]
    assert "4 dice are seen" in str(by_place(dice, faces[3]).reason)
    plain = judge.judge([*shown, seen(judge, faces[3], "A")], PICTURE)
    assert {die.status for die in plain} == {"ask"}


@pytest.mark.parametrize(("number", "read"), [(1, 1), (2, 1), (3, 0)])
def test_among_far_too_many_dice_not_even_the_plain_ones_are_read(number: int, read: int) -> None:
    judge = judge_of("d6")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:number])]
    shown = [seen(judge, one, "2", error=0.03 if i == 0 else 0.2) for i, one in enumerate(faces)]
    dice = judge.judge(shown, PICTURE)
    assert sum(die.status == "read" for die in dice) == read
    assert sum(die.status == "ask" for die in dice) == number - read


def test_letters_of_one_bag_speak_for_one_die_together() -> None:
    judge = judge_of("wibold")
    assert len([text for _, text in judge._texts.upper if sorted(text) == sorted("EIOUA")]) > 1
    corners = face(ABOVE, PLACES[0], 0.0)
    one = seen(judge, corners, "EIOUA", 0.9)
    assert one.evidence == pytest.approx(0.9 * 0.99)


def test_a_face_that_leaves_the_picture_a_little_is_read_and_one_half_outside_is_not() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, np.pi / 4) for place in (*PLACES[:2], (1233.0, 700.0))]
    worth, stated = judge.sort_out([UpperFace(clockwise(one), 0.99) for one in faces], BARE)
    assert len(worth) == 3
    assert not stated
    half = [UpperFace(clockwise(face(ABOVE, (1275.0, 500.0), 0.0)), 0.99)]
    assert judge.sort_out(half, BARE)[1][0].reason == OUTSIDE


def test_where_nobody_knows_how_many_dice_there_are_one_at_the_edge_is_asked_about() -> None:
    judge = judge_of("pips", named=False)
    faces = [face(ABOVE, place, 0.1) for place in (*PLACES[:2], (1270.0, 500.0))]
    worth, stated = judge.sort_out([UpperFace(clockwise(one), 0.99) for one in faces], BARE)
    assert not stated
    dice = judge.judge([seen(judge, one.corners, "3") for one in worth], PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["read", "read", "ask"]


def test_what_is_hardly_a_die_and_does_not_lie_flat_is_nothing() -> None:
    judge = judge_of("pips", named=False)
    faces = [face(ABOVE, place, 0.1) for place in PLACES[:3]]
    strange = face(ASLANT, PLACES[3], 1.0)
    shown = [seen(judge, one, "5") for one in faces]
    dice = judge.judge([*shown, seen(judge, strange, "6", 0.45)], PICTURE)
    assert by_place(dice, strange).status == "ignored"
    dice = judge.judge([*shown, seen(judge, strange, "6", 0.95)], PICTURE)
    assert by_place(dice, strange).reason == NOT_UPPER


def test_a_part_of_a_face_with_pips_is_too_small_for_its_place() -> None:
    judge = judge_of("pips", named=False)
    faces = [face(ASLANT, place, 0.5 * i) for i, place in enumerate(PLACES[:3])]
    part = face(ASLANT, PLACES[3], 1.0, large=0.6)
    dice = judge.judge([seen(judge, one, "5") for one in [*faces, part]], PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["read"] * 3
    assert by_place(dice, part).status == "ask"


def test_unclear_edges_are_asked_about() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:3])]
    shown = [seen(judge, one, text) for one, text in zip(faces, ("EIOU", "IO", "AEI"), strict=True)]
    blurred = replace(shown[0], face=replace(shown[0].face, error=0.3))
    dice = judge.judge([blurred, *shown[1:]], PICTURE)
    assert by_place(dice, faces[0]).reason == "Its edges are not clear."


def impressed(one: Seen, located: float) -> Seen:
    """Return a face of which the locator was this sure."""
    return replace(one, face=replace(one.face, impression=Impression(located, 0.9, 0.1, 0.9)))


def test_where_no_find_shows_that_dice_lie_there_nothing_is_asked() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:2])]
    doubtful = [impressed(seen(judge, one, "IO", 0.6, error=0.3), 0.3) for one in faces]
    assert {die.reason for die in judge.judge(doubtful, PICTURE)} == {NO_DICE}
    assert {die.status for die in judge.judge(doubtful, PICTURE)} == {"ignored"}


def test_beside_a_find_that_shows_dice_the_doubtful_ones_are_asked_about() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:2])]
    blurred = seen(judge, faces[0], "IO", 0.6, error=0.3)
    dice = judge.judge([impressed(blurred, 0.3), impressed(seen(judge, faces[1], "EIOU"), 0.9)], PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["ask", "read"]


def test_what_is_read_is_never_taken_for_nothing() -> None:
    judge = judge_of("wibold")
    faces = [face(ABOVE, place, 0.3 * i) for i, place in enumerate(PLACES[:2])]
    plain, blurred = seen(judge, faces[0], "EIOU"), seen(judge, faces[1], "IO", error=0.3)
    dice = judge.judge([impressed(plain, 0.1), impressed(blurred, 0.1)], PICTURE)
    assert [by_place(dice, one).status for one in faces] == ["read", "ask"]


def test_a_face_that_was_taught_shows_that_dice_lie_there() -> None:
    judge = judge_of("wibold")
    one = impressed(seen(judge, face(ABOVE, PLACES[0], 0.2), "IO", error=0.3), 0.1)
    known = replace(one, recalled=np.zeros(one.marks.texts.shape[1]))
    assert judge.judge([one], PICTURE)[0].status == "ignored"
    assert judge.judge([known], PICTURE)[0].status != "ignored"


@pytest.mark.parametrize(
    ("chance", "stated", "general", "status"),
    [
        (0.96, 0.5, 0.2, "read"),
        (0.94, 0.5, 0.2, "ask"),
        (0.96, 0.0, 0.9, "ask"),  # no exemplar speaks for it
        (0.98, 0.0, 0.6, "read"),  # but nothing for another face, and the general reader for this one
        (0.98, -1.0, 0.6, "read"),
        (0.98, 0.0, 0.4, "ask"),
        (0.94, 3.5, 0.1, "read"),  # an exemplar plainly speaks for it
        (0.94, 2.5, 0.1, "ask"),
        (0.92, 6.0, 0.1, "ask"),
    ],
)
def test_what_only_the_table_knows_is_read_as_far_as_both_agree(
    chance: float, stated: float, general: float, status: str
) -> None:
    judge = judge_of("wibold", sure=False)
    one = seen(judge, face(ABOVE, PLACES[0], 0.2), "IO", chance)
    other = [text == "OU" for _, text in judge._texts.upper]
    columns = one.marks.texts[0] > 0
    marks = Marks(one.marks.texts + np.array([other]) * (1 - chance), np.zeros(1))
    alone = Marks(np.array([columns * general + np.array(other) * (1 - general)]), np.zeros(1))
    known = replace(one, marks=marks, general=alone, recalled=np.where(columns, stated, 0.0))
    (die,) = judge.judge([known], PICTURE)
    assert die.face == "IO"
    assert die.confidence == pytest.approx(chance, abs=1e-3)
    assert (die.status, die.remembered) == (status, status == "read")


@pytest.mark.parametrize(
    ("beside", "seconded", "status"),
    [(2.3, None, "ask"), (2.3, True, "read"), (0.4, None, "read")],
)
def test_pips_that_no_face_has_are_asked_about_unless_counted_a_second_time(
    beside: float, *, seconded: bool | None, status: str
) -> None:
    judge = judge_of("pips")
    one = face(ABOVE, PLACES[0], 0.2)
    shown = replace(seen(judge, one, "5"), witness=replace(PLAIN, beside=beside), seconded=seconded)
    assert by_place(judge.judge([shown], PICTURE), one).status == status
