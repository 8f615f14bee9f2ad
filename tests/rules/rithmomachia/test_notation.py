"""What a player may type, and what positions in JSON must look like."""

import pytest

from companion.rules.errors import IllegalChoiceError, PositionFormatError
from companion.rules.registry import game
from companion.rules.rithmomachia.choices import Claim, Delivery, Done, Move, Place, Return
from tests.rules.rithmomachia.naive_options import D, I
from tests.rules.rithmomachia.naive_positions import state
from tests.rules.rithmomachia.setting import played, position


@pytest.mark.parametrize(
    "typed", ["takes c8", "c8", "takes c8 by encounter", "TAKES  C8 by  meeting", "takes c8 by meeting from c6"]
)
def test_a_capture_may_be_said_shortly_where_only_one_is_meant(typed: str) -> None:
    come = played(position(D, "white 25t c4; black 25c c8, 5c f6"), "c4-c6")
    assert come.parse(typed) == Claim(Place("c8"), "encounter", (Place("c6"),))


def test_two_captures_of_one_man_must_be_told_apart() -> None:
    met = played(position(D, "white 4t c4, 1c d7; black 4c* c8"), "c4-c6")
    assert len(met.claims) == 2
    with pytest.raises(IllegalChoiceError, match=r"several captures: .*encounter.*ambush"):
        met.parse("takes c8")
    assert met.parse("takes c8 by encounter") in met.legal()


def test_takers_may_be_typed_in_any_order() -> None:
    come = played(position(D, "white 9t d6, 4c b6; black 36t d8"), "b6-c7")
    assert come.parse("takes d8 by ambush from d6, c7") == come.parse("takes d8 by ambush from c7 and d6")


def test_a_short_claim_that_names_no_capture_still_gets_its_answer() -> None:
    come = played(position(D, "white 25t c4; black 24c c8"), "c4-c6")
    assert str(come.why_not(come.parse("takes c8 by encounter"))) == "25 is not 24."
    with pytest.raises(IllegalChoiceError, match=r"No capture that can be claimed now takes c8"):
        come.parse("takes c8")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("c4-d5", Move("c4", "d5")),
        (" C4 - d5 ", Move("c4", "d5")),
        ("done", Done()),
        ("takes b5/16 by innocent delivery", Delivery(Place("b5", 16))),
        ("return pyramid 190 to c3", Return("pyramid", 190, "c3")),
    ],
)
def test_other_choices_are_read(typed: str, meant: object) -> None:
    assert position(D, "white 2c h1; black 3c h16").parse(typed) == meant


@pytest.mark.parametrize("typed", ["", "c4", "e2-", "castle", "takes c8 by magic", "return nine to c3", "3 2"])
def test_what_cannot_be_read_is_answered_with_what_can(typed: str) -> None:
    with pytest.raises(IllegalChoiceError, match=r"Expected|No capture that can be claimed"):
        position(D, "white 2c h1; black 3c h16").parse(typed)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"takes": "c8"},
        {"takes": 8, "by": "encounter", "from": ["c6"]},
        {"takes": "c8", "by": "encounter", "from": "c6"},
        {"takes": "c8", "by": "encounter", "from": ["six"]},
        {"return": "circle 9", "to": "c3"},
        {"choice": "time up"},
    ],
)
def test_choices_of_another_form_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(IllegalChoiceError, match="Expected"):
        position(D, "white 2c h1; black 3c h16").move_from_json(data)


@pytest.mark.parametrize(
    "change",
    [
        {"turn": 3},
        {"turn": True},
        {"men": ["a1"]},
        {"men": {"a1": {"colour": "red", "shape": "circle", "number": 2}}},
        {"men": {"a1": {"colour": "white", "shape": "circle", "number": 0}}},
        {"men": {"a1": {"colour": "white", "shape": "pyramid", "number": 91, "parts": [36, 25]}}},
        {"men": {"a1": {"colour": "white", "shape": "circle", "number": 2, "began": "green"}}},
        {"phase": "thinking"},
        {"options": {"distances": "miles"}},
        {"options": ["distances"]},
        {"captured": {"3": []}},
        {"captured": {"1": {}}},
        {"last": {"from": "c4", "to": "z9"}},
        {"lifted": {"z9": {"colour": "white", "shape": "circle", "number": 2}}},
        {"triumphs": []},
        {"triumphs": {"1": [{"grade": "splendid", "numbers": [2, 3, 4]}]}},
        {"game": D},
    ],
)
def test_positions_of_another_form_are_refused(change: dict[str, object]) -> None:
    sound = state(I, "white 2c h1; black 3c h14")
    assert game(I).from_json(sound).awaits.player == 1
    with pytest.raises(PositionFormatError, match=r"Expected|not a position of"):
        game(I).from_json(sound | change)


def test_only_the_men_must_be_given() -> None:
    men = state(D, "white 2c h1; black 3c h16")["men"]
    assert game(D).from_json({"men": men}).awaits.player == 1
    bare = game(D).from_json({"game": D, "turn": 2, "men": men})
    assert bare.options["points"] == 100
    assert bare.awaits.player == 2


def test_a_study_has_some_men_only_and_misses_nobody() -> None:
    placed = {
        "c4": {"colour": "white", "shape": "circle", "number": 5},
        "b2": {"colour": "white", "shape": "pyramid", "number": 91},
        "c9": {"colour": "black", "shape": "triangle", "number": 25},
    }
    bare = game(I).from_json({"men": placed})
    assert bare.awaits.player == 2
    data = bare.to_json()
    assert data["study"] is True
    assert data["men"]["c4"]["began"] == "black"
    assert [part["number"] for part in data["men"]["b2"]["parts"]] == [36, 25, 16, 9, 4, 1]
    assert not bare.faults()
    assert game(I).from_json(data) == bare
    whole = game(I).from_json({"men": placed, "captured": {}})
    assert any("men are missing" in str(fault) for fault in whole.faults())
    assert "began" not in whole.to_json()["men"]["c4"]
