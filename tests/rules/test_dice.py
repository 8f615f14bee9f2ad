"""Dice sets and throws."""

import pytest

from companion.rules.dice import Throw, ThrowError, UnknownDiceSetError, all_throws, dice_set, dice_sets


def test_every_dice_set_loads() -> None:
    assert {"wibold", "pips"} <= set(dice_sets())
    for name in dice_sets():
        assert dice_set(name).dice


def test_wibolds_cubes_run_through_the_vowels_without_a_break() -> None:
    """AEIOU is written on and on over faces of one to six letters, each cube one vowel further."""
    for number, die in enumerate(dice_set("wibold").dice[:3]):
        written = "".join(face.text for face in die.faces)
        assert written == ("AEIOU" * 6)[number : number + 21]
        assert [face.value for face in die.faces] == [1, 2, 3, 4, 5, 6]


def test_the_tetrahedron_counts_below_and_has_sixteen_consonants() -> None:
    die = dice_set("wibold").die("consonants")
    assert die.counts == "down"
    assert "".join(face.text for face in die.faces) == "BCDFGHKLMNPRSTXZ"


def test_no_two_cubes_share_a_face() -> None:
    texts = [face.text for die in dice_set("wibold").dice for face in die.faces]
    assert len(set(texts)) == len(texts)


def test_two_faces_that_look_alike_are_two_to_be_thrown_but_one_in_a_throw() -> None:
    die = dice_set("ludix").die("1")
    assert [[die.faces[place].text for place in group] for group in die.twins] == [["X", "X"], ["I", "I"]]
    throws = all_throws("ludix", ("1",))
    assert (len(throws), len(set(throws))) == (6, 4)
    assert {Throw.of("ludix", {"1": die.faces[place].text}) for place in die.twins[0]} == {
        Throw.parse("ludix", "X", ["1"])
    }


@pytest.mark.parametrize("name", sorted({*dice_sets()} - {"fudge", "ludix"}))
def test_no_other_dice_have_faces_that_look_alike(name: str) -> None:
    assert all(die.twins == () for die in dice_set(name).dice)


def test_letters_of_a_face_may_come_in_any_order() -> None:
    assert dice_set("wibold").die("1").face("UIOE").text == "EIOU"


def test_a_number_is_not_its_digits_in_another_order() -> None:
    with pytest.raises(ThrowError, match="got '21'"):
        dice_set("d20").dice[0].face("21")
    assert dice_set("d20").dice[0].face("12").text == "12"


def test_equal_throws_are_equal_values_whatever_the_order() -> None:
    one = Throw.of("wibold", {"1": "A", "2": "E"})
    assert one == Throw.of("wibold", {"2": "E", "1": "A"})
    assert Throw.from_json(one.to_json()) == one


@pytest.mark.parametrize(
    ("shown", "sentence"), [({"4": "A"}, "die '4'"), ({"1": "EE"}, "'EE'"), ({"consonants": "ABC"}, "'ABC'")]
)
def test_an_unknown_die_or_face_is_named(shown: dict[str, str], sentence: str) -> None:
    with pytest.raises(ThrowError, match=sentence):
        Throw.of("wibold", shown)


def test_an_unknown_set_is_named() -> None:
    with pytest.raises(UnknownDiceSetError, match="'bones'"):
        dice_set("bones")


@pytest.mark.parametrize("data", [{}, {"set": 1, "faces": {}}, {"set": "wibold", "faces": ["A"]}])
def test_json_of_another_form_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ThrowError, match="Expected"):
        Throw.from_json(data)
