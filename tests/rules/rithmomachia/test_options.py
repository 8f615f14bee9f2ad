"""What the options change, each in one position."""

from typing import Any

import pytest

from companion.rules.errors import IllegalChoiceError
from tests.rules.rithmomachia.naive_options import D, I, M
from tests.rules.rithmomachia.naive_positions import men
from tests.rules.rithmomachia.setting import holding, played, position


def test_automatic_captures_are_all_taken_at_once_and_told() -> None:
    start = position(D, "white 25t c4; black 25c c8, 5c f6, 3c h16", claims="automatic")
    move = start.parse("c4-c6")
    sentence = start.account(move)
    assert str(sentence.sentence) == (
        "The white triangle 25 goes from c4 to c6. "
        "Player 1 takes the black circle 25 on c8 by encounter: 25 = 25. "
        "Player 1 takes the black circle 5 on f6 by power: 5 x 5 = 25."
    )
    assert sentence.sites == ("c4", "c6", "c8", "f6")
    after = start.after(move)
    assert after.to_json()["men"] == men("white 25t c6; black 3c h16")
    assert after.awaits.player == 2
    assert not after.deliveries


def test_automatic_captures_take_a_pyramid_whole_rather_than_its_parts() -> None:
    start = position(D, "white 25t b6; black 25t+16c c12, 3c h16", claims="automatic")
    assert "c12" in start.after(start.parse("b6-d7")).occupancy()  # an irregular move takes nothing
    met = position(D, "white 25t c8; black 25t+16c c12, 3c h16", claims="automatic")
    assert met.after(met.parse("c8-c10")).occupancy()["c12"]["number"] == 16
    whole = position(D, "white 25t c8, 16c b11; black 25t+16c c12, 3c h16", claims="automatic")
    assert "c12" not in whole.after(whole.parse("c8-c10")).occupancy()  # 25 + 16 = 41


def test_captures_judged_as_the_board_lies_open_the_way_to_others() -> None:
    placed = "white 6t c4; black 6c c8, 36s c9, 3c h16"
    for several, opened in (("as-it-stood", False), ("as-it-lies", True)):
        come = played(position(D, placed, several=several), "c4-c6", "takes c8")
        assert (come.parse("takes c9 by power from c6") in come.legal()) is opened


def test_men_taken_may_come_back_anywhere_or_not_at_all() -> None:
    near, far = "return circle 9 to c3", "return circle 9 to c12"
    for returns, allowed in (("own-half", {near}), ("anywhere", {near, far}), ("none", set())):
        start = holding(M, "white 2c h1; black 3c h16", "9c", returns=returns)
        assert {text for text in (near, far) if start.why_not(start.parse(text)) is None} == allowed


def test_of_two_alike_the_one_of_the_first_army_comes_back_first() -> None:
    data = holding(M, "white 2c h1; black 3c h16", "25t 25t*").to_json()
    assert [man.get("began") for man in data["captured"]["1"]] == ["white", None]
    back = played(holding(M, "white 2c h1; black 3c h16", "25t* 25t"), "return triangle 25 to c3")
    assert "began" not in back.to_json()["men"]["c3"]


def test_without_innocent_delivery_nothing_is_delivered() -> None:
    placed = "white 25t c4, 2c h1; black 25c c8"
    assert played(position(D, placed), "c4-c6", "done").deliveries
    without = played(position(D, placed, innocent_delivery=False), "c4-c6", "done")
    with pytest.raises(IllegalChoiceError, match="no innocent delivery"):
        played(without, "takes c6 by delivery")


def test_captures_before_the_move_are_agreed_on() -> None:
    placed = "white 64c d4; black 64t e5, 3c h12"
    for slug, before, allowed in ((I, "instead", True), (I, "no", False)):
        start = position(slug, placed, before=before)
        assert (start.parse("takes e5 by encounter from d4") in start.legal()) is allowed
    assert not position(M, "white 64c d4; black 64t d5, 3c h12").claims
    assert position(M, "white 64c d4; black 64t d5, 3c h12", before="instead").claims


@pytest.mark.parametrize(("bound", "taken"), [("any", {"c8", "e5"}), ("own", {"e5"})])
def test_an_assault_may_be_bound_to_the_distance_of_a_move(bound: str, taken: set[str]) -> None:
    come = played(position(I, "white 6t c1; black 30t c8, 12t e5", assault_at=bound), "c1-c3")
    assert {claim.target.site for claim in come.claims} == taken


@pytest.mark.parametrize(("distances", "taken"), [("between", 24), ("steps", 30), ("inclusive", 36)])
def test_distances_are_counted_as_agreed(distances: str, taken: int) -> None:
    shape = "s*" if taken == 24 else "t*" if taken == 36 else "t"
    placed = f"white 6t c1; black {taken}{shape} c8, 3c h14"
    come = played(position(I, placed, distances=distances), "c1-c3")
    assert {str(claim) for claim in come.claims} == {"takes c8 by assault from c3"}


def test_an_equal_number_at_distance_one_is_assaulted_only_if_agreed() -> None:
    placed = "white 9c* c3; black 9c d5, 3c h16"
    for least, kinds in ((2, set()), (1, {"assault"})):
        come = played(position(D, placed, least_factor=least), "c3-b4")
        assert {claim.kind for claim in come.claims} == set()
        come = played(position(D, placed.replace("d5", "d6"), least_factor=least), "c3-b4")
        assert {claim.kind for claim in come.claims} == kinds


def test_own_men_stop_a_besieged_man_only_if_agreed() -> None:
    placed = "white 2c c16; black 9c a16, 5c a15, 3c h9"
    for surrounding, taken in (("enemies", set()), ("all-men", {"takes a16 by siege"})):
        start = position(M, placed, surrounding=surrounding, relief=False)
        assert {str(claim) for claim in played(start, "c16-b16").claims} == taken


def test_the_only_enemy_besieges_from_behind_an_own_man() -> None:
    """Without the man that came to c14 nothing of White stops a way of the 12, so it is he who closes the siege."""
    agreed: dict[str, Any] = {"surrounding": "all-men", "capturing": "mover", "relief": False}
    come = played(position(M, "white 2c c13; black 12t a16, 5c b15", **agreed), "c13-c14")
    assert {str(claim) for claim in come.claims} == {"takes a16 by siege"}
    assert come.why_not(come.parse("takes a16 by siege")) is None


def test_nobody_is_besieged_by_his_own_men_alone() -> None:
    start = position(M, "white 2c c14; black 9c a16, 5c a15, 7c b16", surrounding="all-men", relief=False)
    assert not played(start, "c14-c15").claims


def test_a_turn_that_is_let_go_by_leaves_nothing_to_claim_or_deliver() -> None:
    come = played(position(D, "white 25t c4, 2c h1; black 25c c8"), "c4-c6")
    passed = come.passed()
    assert passed is not None
    assert passed.awaits.player == 2
    assert passed.occupancy() == come.occupancy()
    assert not passed.deliveries
