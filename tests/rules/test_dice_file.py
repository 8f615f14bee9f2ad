"""Dice set files: what an owner may write, and that every fault is told by file, die and what is wrong."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.dice import (
    DiceSet,
    DiceSetFileError,
    UnknownDiceSetError,
    dice_set,
    dice_sets,
    find_dice_set,
    load_dice_set,
)
from companion.rules.dice_file import DIE_KEYS, LARGEST_FILE_BYTES, LONGEST_NAME, SET_KEYS, parse_dice_set
from companion.rules.die import FACES, MOST_MARKS, TYPED

HEAD = 'title = "Runes"\nsource = "carved at home"\n'
CUBE = '[[dice]]\nname = "1"\nshape = "cube"\nfaces = ["A", "B", "C", "D", "E", "F"]\n'


def parsed(text: str) -> DiceSet:
    return parse_dice_set("runes", text.encode(), "runes.toml")


def test_only_what_no_camera_sees_bears_no_marks() -> None:
    for name in dice_sets():
        for die in dice_set(name).dice:
            assert (die.shape in TYPED) == (not any(face.marks for face in die.faces))


@pytest.mark.parametrize(("name", "total"), [("pips", 7), ("d6", 7), ("d8", 9), ("d10", 9), ("d12", 13), ("d20", 21)])
def test_opposite_faces_add_up_as_on_bought_dice(name: str, total: int) -> None:
    for die in dice_set(name).dice:
        assert {die.faces[one].value + die.faces[other].value for one, other in die.opposite} == {total}
        assert 2 * len(die.opposite) == len(die.faces)


def test_only_six_and_nine_are_underlined() -> None:
    for name in ("d4", "d6", "d8", "d10", "d12", "d20"):
        (die,) = dice_set(name).dice
        assert {face.text for face in die.faces if "_" in face.marks} == {"6", "9"} & {f.text for f in die.faces}


def test_a_face_of_pips_bears_as_many_as_it_says() -> None:
    assert all(len(face.marks) == face.value for die in dice_set("pips").dice for face in die.faces)


def test_dice_that_look_alike_may_lie_there_up_to_the_most() -> None:
    assert {name: dice_set(name).most for name in dice_sets() if dice_set(name).alike} == {
        "fudge": 4,
        "ludix": 4,
        "pips": 6,
        "poker": 5,
        "tiles": 144,
    }
    assert (dice_set("wibold").alike, dice_set("wibold").most) == (False, 4)


@pytest.mark.parametrize("name", dice_sets())
def test_the_files_that_are_shipped_can_be_copied_and_read_as_ones_own(name: str, tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "companion" / "rules" / "dice_sets" / f"{name}.toml"
    assert load_dice_set(shipped) == dice_set(name) == find_dice_set(name)
    own = tmp_path / f"my_{name}.toml"
    own.write_bytes(shipped.read_bytes())
    assert find_dice_set(str(own)).dice == dice_set(name).dice
    assert find_dice_set(str(own)).name == f"my_{name}"


def test_a_die_may_say_otherwise_than_its_set_and_a_face_than_its_die() -> None:
    dice = parsed(
        HEAD + 'marks = "pips"\nupright = false\n'
        '[[dice]]\nname = "count"\nshape = "cube"\nfaces = [1, 2, 3, 4, 5, { text = "none", marks = [], value = 0 }]\n'
        '[[dice]]\nname = "sign"\nshape = "cube"\nmarks = "numerals"\nunderlined = ["6", "9"]\nupright = true\n'
        'faces = [6, 9, 16, "1", "2", { text = "plus", marks = ["+", "+"], value = -3 }]\n'
    ).dice
    assert [face.marks for face in dice[0].faces][-2:] == [("pip",) * 5, ()]
    assert [(face.text, face.value, face.marks) for face in dice[1].faces] == [
        ("6", 6, ("6", "_")),
        ("9", 9, ("9", "_")),
        ("16", 16, ("1", "6")),
        ("1", 1, ("1",)),
        ("2", 2, ("2",)),
        ("plus", -3, ("+", "+")),
    ]
    assert [die.upright for die in dice] == [False, True]


def test_a_face_may_bear_any_mark_and_a_name_is_one_mark() -> None:
    (die,) = parsed(
        HEAD
        + CUBE.replace(
            '"A", "B", "C", "D", "E", "F"', '"sun", "Æ☀", "blank", "10", { text = "20", marks = [20] }, "AE"'
        )
    ).dice
    assert [(face.text, face.value, face.marks) for face in die.faces] == [
        ("sun", 1, ("sun",)),
        ("Æ☀", 2, ("Æ", "☀")),
        ("blank", 1, ("blank",)),
        ("10", 10, ("1", "0")),
        ("20", 20, ("20",)),
        ("AE", 2, ("A", "E")),
    ]
    assert die.face("SUN").text == "sun"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tens", [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]),
        ("poker", [9, 10, 11, 12, 13, 14]),
        ("fudge", [1, 1, 0, 0, -1, -1]),
        ("long", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_dice_of_other_games_are_worth_what_they_show(name: str, values: list[int]) -> None:
    assert [face.value for face in dice_set(name).dice[0].faces] == values


def test_a_pair_for_percent_shows_each_number_once() -> None:
    tens, units = dice_set("percent").dice
    assert sorted(one.value + other.value for one in tens.faces for other in units.faces) == list(range(100))


def test_letters_with_dots_are_one_mark_however_they_are_written() -> None:
    (die,) = parsed(HEAD + CUBE.replace('"A"', '"A\u0308"')).dice
    assert die.faces[0].marks == ("Ä",)


def faulty(old: str, new: str) -> str:
    assert old in HEAD + CUBE
    return (HEAD + CUBE).replace(old, new)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (faulty('"cube"', '"ball"'), "die 1: expected shape as one of cube, .* but got 'ball'"),
        (faulty(', "F"', ""), "die 1: expected 6 faces on a cube, but got 5"),
        (faulty('"cube"', '"icosahedron"'), "die 1: expected 20 faces on a icosahedron, but got 6"),
        (
            faulty('"E", "F"', '"star", "rats"'),
            "die 1: expected texts that differ in more than .* got 'star' and 'rats'",
        ),
        (faulty('"F"', '{ text = "F", marks = [""] }'), "die 1: expected marks as texts of 1 to 40 characters"),
        (faulty('"F"', f'{{ text = "F", marks = ["{"x" * 41}"] }}'), "die 1: expected marks as texts of 1 to 40 "),
        (faulty('"F"', '{ text = "F", marks = [[]] }'), "die 1: expected marks as texts of 1 to 40 characters"),
        (faulty('"F"', '{ text = "F", marks = ["a\\u0007"] }'), "die 1: expected marks of letters that can be printed"),
        (
            faulty('"F"', f'{{ text = "F", marks = {["x"] * 13} }}'.replace("'", '"')),
            "and 12 marks on face 'F', but got 13",
        ),
        (faulty('"E", "F"', '"EF", "FE"'), "the same marks on 'EF' and 'FE'"),
        (faulty('"E", "F"', '"A", { text = "A", value = 7 }'), "one value of all faces 'A', but got 1 and 7"),
        (faulty('"F"', '"A B"'), "die 1: expected faces as texts .* got 'A B'"),
        (faulty('"F"', "[]"), "die 1: expected faces as texts"),
        (faulty('"F"', "0x" + "f" * 900), "die 1: expected faces as texts .* got [0-9]{60}\\.$"),
        (faulty('"F"', '{ text = "F", value = true }'), "a whole number as the value of face 'F', but got True"),
        (faulty('name = "1"', 'name = "1,2"'), "die number 1: expected a name .* got '1,2'"),
        (faulty('name = "1"', ""), "die number 1: expected a name .* got None"),
        (faulty("shape", "shapes"), "die 1: expected only counts, faces, .* got 'shapes'"),
        (faulty("title", "titel"), "runes.toml: expected only .* got 'titel'"),
        (faulty('"Runes"', '"two\\nlines"'), "runes.toml: expected title as one line"),
        (faulty("faces = [", "opposite = [[0, 5], [1, 4]]\nfaces = ["), "die 1: expected opposite as pairs"),
        (faulty("faces = [", "opposite = [[0, 5], [1, 4], [2, 2]]\nfaces = ["), "die 1: expected opposite as pairs"),
        (faulty("faces = [", "opposite = [[0, 5, 1, 4, 2, 3]]\nfaces = ["), "die 1: expected opposite as pairs"),
        (faulty("faces = [", "opposite = [0]\nfaces = ["), "die 1: expected opposite as pairs"),
        (faulty("faces = [", 'counts = "down"\nfaces = ['), "die 1: expected counts = 'up' for a cube, but got 'down'"),
        (faulty("faces = [", 'marks = "pips"\nfaces = ['), "die 1: expected a number on each face .* got 'A'"),
        (faulty("faces = [", 'underlined = ["Z"]\nfaces = ['), "die 1: expected texts of faces .* got 'Z'"),
        (faulty("faces = [", "upright = 1\nfaces = ["), "die 1: expected upright as true or false, but got 1"),
        (faulty("[[dice]]", 'underlined = ["6"]\n[[dice]]'), "runes.toml: expected texts of faces .* got '6'"),
        (faulty("[[dice]]", "most = 2\n[[dice]]"), "runes.toml: expected most together with alike"),
        (faulty("[[dice]]", "alike = true\nmost = 9999\n[[dice]]"), "runes.toml: expected most as a whole number"),
        (faulty("[[dice]]", 'values = { A = "x" }\n[[dice]]'), "runes.toml: expected \\[values\\]"),
        (HEAD, "runes.toml: expected dice as a list, but got None"),
        (HEAD + "dice = []", "runes.toml: expected 1 to 20 tables"),
        (HEAD + "dice = [1]", "runes.toml: expected 1 to 20 tables"),
        (HEAD + CUBE + CUBE, "die 1: expected a name of its own"),
        (HEAD + "alike = true\n" + CUBE + CUBE.replace('"1"', '"2"').replace('"F"', '"G"'), "alike = true"),
        (HEAD + CUBE.replace("faces = [", 'marks = "pips"\nfaces = [10, 1, 2, 3, 4, 5] #'), "at most 9 pips"),
        ("title = ", "Expected TOML text in runes.toml"),
        (HEAD + "x = " + "[\n" * 9000, "nested too deeply"),
        (HEAD + "a" + ".a" * 10000 + " = 1", "lines of at most 1000 characters in runes.toml"),
        (HEAD + "x = " + "9" * 900 + "x", "Expected TOML text in runes.toml"),
    ],
)
def test_a_fault_is_told_by_file_and_die(text: str, sentence: str) -> None:
    with pytest.raises(DiceSetFileError, match=sentence) as raised:
        parsed(text)
    assert "runes.toml" in str(raised.value)
    assert str(raised.value).count("\n") == 0


WORDS = st.sampled_from(["cube", "tile", "wheel", "up", "down", "A", "AE", "6", "pips", "numerals", "", "é"])
PLAIN = st.one_of(WORDS, st.integers(), st.booleans(), st.none())
VALUES = st.one_of(
    PLAIN,
    st.lists(PLAIN, max_size=7),
    st.lists(st.lists(st.integers(-1, 6), max_size=3), max_size=4),
    st.lists(st.dictionaries(st.sampled_from(["text", "value", "marks"]), PLAIN | st.lists(WORDS)), max_size=6),
    st.dictionaries(WORDS.filter(str.isalnum), PLAIN),
)


def toml(value: object) -> str:
    match value:
        case None:
            return "1979-05-27"
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{ {', '.join(f'{key} = {toml(one)}' for key, one in value.items())} }}"
        case _:
            return str(value)


@given(st.sampled_from(sorted(SET_KEYS - {"dice"})), st.sampled_from(sorted(DIE_KEYS)), VALUES, VALUES)
def test_whatever_stands_under_a_key_it_is_a_sound_set_or_a_fault(
    top_key: str, die_key: str, top: object, own: object
) -> None:
    head = {"title": "Runes", "source": "me", top_key: top}
    die = {"name": "1", "shape": "cube", "faces": [*"ABCDEF"], die_key: own}
    lines = [f"{key} = {toml(value)}" for key, value in head.items()] + ["[[dice]]"]
    try:
        dice = parsed("\n".join(lines + [f"{key} = {toml(value)}" for key, value in die.items()]))
    except DiceSetFileError:
        return
    (one,) = dice.dice
    assert dice.most >= 1
    assert all(1 <= len(mark) <= LONGEST_NAME for face in one.faces for mark in face.marks)
    assert all(len(face.marks) <= MOST_MARKS for face in one.faces)
    assert all(count == 1 for count in Counter(place for pair in one.opposite for place in pair).values())
    assert len({tuple(sorted(face.marks)) for face in one.faces}) >= len({f.text for f in one.faces if f.marks})


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(DiceSetFileError):
        parse_dice_set("runes", content, "runes.toml")


def test_a_file_that_is_none_too_large_or_a_device_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_text(HEAD + CUBE + "#" * LARGEST_FILE_BYTES, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.toml")
    for path, entry in (
        (large, "large.toml is larger"),
        (tmp_path / "pipe.toml", "no such file"),
        (tmp_path / "absent.toml", "no such file"),
        (tmp_path, "no such file"),
        (Path("/dev/zero"), "no such file"),
        (Path("a\0b.toml"), "Expected a dice set"),
    ):
        with pytest.raises(DiceSetFileError, match=entry):
            load_dice_set(path)


def test_other_dice_under_the_name_of_a_shipped_set_are_refused(tmp_path: Path) -> None:
    own = tmp_path / "wibold.toml"
    own.write_text(HEAD + CUBE, encoding="utf-8")
    with pytest.raises(DiceSetFileError, match="give the file another name"):
        load_dice_set(own)


@pytest.mark.parametrize("name", ["bones", "../wibold", "dice_sets/wibold", "", "wibold.TOML"])
def test_what_is_neither_a_set_nor_a_file_is_told(name: str) -> None:
    with pytest.raises(UnknownDiceSetError, match=r"There is no dice set '.*': there are d10"):
        find_dice_set(name)


@pytest.mark.parametrize("name", ["two words", "über", "x" * 41, ""])
def test_a_file_with_an_odd_name_is_refused(name: str, tmp_path: Path) -> None:
    own = tmp_path / f"{name}.toml"
    own.write_text(HEAD + CUBE, encoding="utf-8")
    with pytest.raises(DiceSetFileError):
        load_dice_set(own)


DOCUMENT = (Path(__file__).parents[2] / "docs" / "dice-sets.md").read_text(encoding="utf-8")


def test_the_example_of_the_document_is_a_sound_file() -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    dice = parsed(example)
    assert [die.name for die in dice.dice] == ["vowels", "count", "sky"]
    assert dice.dice[2].faces[0].marks == ("sun",)
    with pytest.raises(DiceSetFileError) as raised:
        parse_dice_set("my_dice", example.replace(', "AE"', "").encode(), "my_dice.toml")
    assert str(raised.value) in DOCUMENT


def test_the_document_names_every_set_and_key() -> None:
    named = set(re.findall(r"`\[?(\w+)\]?`", DOCUMENT))
    assert {*dice_sets(), *SET_KEYS - {"dice"}, *DIE_KEYS, *FACES} <= named


@pytest.mark.parametrize("many", [24, 30, 60, 100])
def test_dice_that_no_camera_reads_may_be_typed(many: int) -> None:
    (die,) = dice_set(f"d{many}").dice
    assert [face.text for face in die.faces] == [str(number) for number in range(1, many + 1)]
    assert die.face("12").text == "12"
    own = parsed('title = "t"\nsource = "s"\n[[dice]]\nname = "odd"\nshape = "solid"\nfaces = [12, 21, "sun"]\n')
    assert [face.text for face in own.dice[0].faces] == ["12", "21", "sun"]
