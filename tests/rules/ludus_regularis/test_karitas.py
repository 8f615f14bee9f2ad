"""The second cast for Karitas."""

import pytest

from companion.rules.dice import Throw, ThrowError, dice_set
from companion.rules.errors import IllegalChoiceError, WrongThrowError
from companion.rules.ludus_regularis.choices import TimeUp
from tests.rules.ludus_regularis.plays import played, start

CAST = "A E I STXZ"


def test_karitas_allows_a_second_cast_of_one_cube_by_the_same_player() -> None:
    waiting = played(start(), [CAST])
    assert (waiting.awaits.kind, waiting.awaits.player, waiting.awaits.dice) == ("recast", 1, ("1", "2", "3"))
    assert waiting.outcome is None
    assert not waiting.occupancy()
    assert not waiting.faults()


@pytest.mark.parametrize("cube", ["1", "2", "3"])
def test_whichever_cube_is_taken_four_faces_of_six_win(cube: str) -> None:
    waiting = played(start(), [CAST])
    faces = [face.text for face in dice_set("wibold").die(cube).faces]
    won = [face for face in faces if waiting.after(Throw.of("wibold", {cube: face})).occupancy()]
    assert won == [face for face in faces if "A" in face]
    assert len(won) == 4


def test_the_letters_of_the_first_cast_stand() -> None:
    """The cube that showed the only I is thrown again and shows none: the first I counts all the same."""
    waiting = played(start(), [CAST])
    assert waiting.after(waiting.parse("3:OUAE")).occupancy() == {"1.1.1": 1}


def test_read_as_replaced_the_letters_do_not_stand() -> None:
    waiting = played(start(second_cast="replaced"), [CAST])
    assert not waiting.after(waiting.parse("3:OUAE")).occupancy()
    assert waiting.after(waiting.parse("3:AEI")).occupancy()
    winning = waiting.prospects().second_faces
    assert {cube: len(faces) for cube, faces in winning.items()} == {"1": 1, "2": 4, "3": 3}


def test_a_second_cast_without_a_gives_nothing_and_the_turn_passes() -> None:
    waiting = played(start(), [CAST])
    missed = waiting.parse("2:IO")
    assert "the cubes still lack one A" in str(waiting.account(missed).sentence)
    after = waiting.after(missed)
    assert (after.awaits.kind, after.awaits.player, after.thrown) == ("throw", 2, 1)


def test_both_casts_are_one_throw() -> None:
    after = played(start(), [CAST, "2:UAE"])
    assert after.thrown == 1
    assert after.to_json()["virtues"] == {"1.1.1": {"player": 1, "throw": 1}}


def test_the_consonant_must_fit_at_the_first_cast() -> None:
    after = played(start(), ["A E I BCDF"])
    assert after.awaits.kind == "throw"


def test_there_is_no_second_cast_once_karitas_is_held() -> None:
    position = played(start(), [CAST, "2:UAE"])
    assert position.account(position.parse(CAST)).details["result"] == "held"
    assert played(position, [CAST]).awaits.kind == "throw"


def test_no_other_virtue_has_a_second_cast() -> None:
    first = start()
    again = {str(throw) for throw in first.throws() if first.after(throw).awaits.kind == "recast"}
    assert again == {"A E I GHKL", "A E I MNPR", "A E I STXZ"}


def test_the_second_cast_is_of_exactly_one_cube() -> None:
    waiting = played(start(), [CAST])
    for throw in (Throw.parse("wibold", CAST), Throw.of("wibold", {"consonants": "STXZ"}), Throw("wibold", ())):
        assert waiting.why_not(throw) is not None
        with pytest.raises(WrongThrowError, match="one cube"):
            waiting.after(throw)
    with pytest.raises(ThrowError, match="one cube"):
        waiting.parse("A E")


def test_its_text_form_names_the_cube_but_the_face_alone_will_do() -> None:
    waiting = played(start(), [CAST])
    assert waiting.text(waiting.parse("UAE")) == "2:UAE"
    assert waiting.parse("2:EUA") == waiting.parse("UAE")
    with pytest.raises(ThrowError, match="consonants"):
        waiting.parse("consonants:STXZ")


def test_time_cannot_be_called_up_before_the_second_cast() -> None:
    waiting = played(start(ending="time"), [CAST])
    assert list(waiting.legal()) == []
    with pytest.raises(IllegalChoiceError, match="second cast"):
        waiting.after(TimeUp())
