"""Throws under the camera: each is counted once, in whatever way hands and dice come and go."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.vision.ground import Ground
from tests.live.drawn import SURE, DrawnReader, draw
from tests.live.laboratory.build import Drawn


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Drawn]:
    drawn = Drawn(tmp_path / "throws.db")
    yield drawn
    drawn.stop()


def test_each_throw_is_counted_once_whatever_passes_over_it(table: Drawn) -> None:
    table.begin()
    table.throw("A E I")
    table.hand()
    table.show("A E I")
    table.throw("EI E OU", shift=40)
    assert table.last() == [(1, "1", "A"), (2, "2", "E"), (3, "3", "I"), (4, "1", "EI"), (5, "2", "E"), (6, "3", "OU")]


def test_a_die_that_nobody_moved_is_not_counted_again(table: Drawn) -> None:
    table.begin()
    table.throw("A E I")
    lying = table.lying("A E I", 0) | {"2": ("IO", 300.0, 380.0)}
    table.source.throw(lying)
    table.seen()
    assert table.last()[3:] == [(4, "2", "IO")]


def test_what_lay_there_before_the_series_began_does_not_count_and_the_page_says_so(table: Drawn) -> None:
    table.show("A E I")
    table.order("begin", dice=[{"set": "wibold", "die": die} for die in table.dice])
    table.hand()
    table.show("A E I")
    table.until(lambda state: state["sign"] == "throw")
    assert table.state()["series"]["throws"] == 0
    table.throw("A E OU", shift=40)
    assert [throw[2] for throw in table.last()] == ["A", "E", "OU"]


def test_a_doubtful_die_is_asked_about_and_its_throw_counts_with_the_answer(table: Drawn) -> None:
    table.begin()
    table.throw("EI IO I", unsure=["2"])
    question = table.state()["series"]["question"]
    assert (table.state()["sign"], table.last()) == ("ask", [])
    assert [(die["die"], die["face"], die["candidates"][0][0]) for die in question["dice"]] == [
        ("1", "EI", "EI"),
        ("2", None, "IO"),
        ("3", "I", "I"),
    ]
    assert table.laboratory.picture(question["dice"][1]["crop"])
    assert "each die" in table.refused("answer", number=question["number"], faces={})
    table.order("answer", number=question["number"], faces={"2": "UAE"})
    assert table.last() == [(1, "1", "EI"), (2, "2", "UAE"), (3, "3", "I")]
    assert [throw["asked"] for throw in reversed(table.state()["series"]["last"])] == [False, True, False]
    table.hand()
    table.show("EI IO I", unsure=["2"])
    assert len(table.last()) == 3
    assert "no longer" in table.refused("answer", number=question["number"], faces={"2": "E"})


def test_what_nobody_can_tell_is_unread_with_the_face_that_is_suspected(table: Drawn) -> None:
    table.begin()
    table.throw("EI IO I", unsure=["2"])
    table.order("answer", number=table.state()["series"]["question"]["number"], faces={"2": None})
    throw = table.state()["series"]["last"][1]
    assert (throw["outcome"], throw["suspected"], throw["asked"]) == (None, "IO", True)
    assert [die["unread"] for die in table.state()["series"]["dice"]] == [0, 1, 0]


def test_the_next_throw_does_not_wait_for_an_answer(table: Drawn) -> None:
    table.begin()
    table.throw("EI IO I", unsure=["2"])
    table.take_up()
    table.throw("A E I", shift=45)
    assert table.last() == [(1, "1", "EI"), (2, "2", None), (3, "3", "I"), (4, "1", "A"), (5, "2", "E"), (6, "3", "I")]
    assert table.state()["series"]["question"] is None


def test_dice_that_roll_on_at_once_had_not_come_to_rest(table: Drawn) -> None:
    table.begin()
    table.throw("EI IO I", unsure=["2"])
    assert table.state()["series"]["question"] is not None
    table.throw("A E I", shift=45)  # a third of a second later: nobody throws so fast
    assert table.last() == [(1, "1", "A"), (2, "2", "E"), (3, "3", "I")]
    assert table.state()["series"]["question"] is None


def test_dice_that_come_to_lie_one_after_another_are_one_throw(table: Drawn) -> None:
    table.begin()
    table.throw("A - I")
    assert table.state()["series"]["question"]["dice"][-1] | {"crop": None} == {
        "die": "2",
        "name": "2",
        "face": None,
        "missing": True,
        "candidates": [],
        "crop": None,
    }
    table.throw("A E I")
    assert table.last() == [(1, "1", "A"), (2, "2", "E"), (3, "3", "I")]
    assert table.state()["series"]["question"] is None


def test_dice_that_are_taken_up_one_by_one_are_no_throw(table: Drawn) -> None:
    table.begin()
    table.throw("A E I")
    table.throw("A - I")
    table.throw("- - I")
    table.source.empty()
    table.seen()
    assert "No dice in sight" in table.state()["sentence"]["text"]
    table.throw("EI IO OU", shift=30)
    assert [throw[2] for throw in table.last()] == ["A", "E", "I", "EI", "IO", "OU"]
    assert table.state()["series"]["question"] is None


def test_what_was_knocked_over_is_dismissed_and_the_next_throw_counts(table: Drawn) -> None:
    table.begin()
    table.throw("EI IO I", unsure=["2"])
    table.order("dismiss", number=table.state()["series"]["question"]["number"], reason="off the table")
    table.throw("A E I", shift=45)
    assert table.last() == [(1, "1", "A"), (2, "2", "E"), (3, "3", "I")]


def test_what_is_thrown_while_the_camera_is_away_does_not_count(table: Drawn) -> None:
    table.begin()
    table.throw("A E I")
    table.source.lose()
    table.until(lambda state: state["sign"] == "blind")
    table.show("EI IO OU", shift=40)
    table.until(lambda state: state["sign"] == "throw")
    table.hand()
    table.show("EI IO OU", shift=40)
    assert len(table.last()) == 3
    table.throw("A IO I")
    assert [throw[2] for throw in table.last()][3:] == ["A", "IO", "I"]


def test_after_a_restart_the_series_goes_on_and_what_lies_there_is_not_counted_again(tmp_path: Path) -> None:
    path = tmp_path / "throws.db"
    before = Drawn(path)
    before.begin()
    before.throw("A E I")
    before.throw("EI IO I", shift=40, unsure=["2"])
    number = before.state()["series"]["question"]["number"]
    before.stop()
    after = Drawn(path)
    assert after.state()["series"]["question"]["number"] == number
    after.show("EI IO I", shift=40, unsure=["2"])
    after.hand()
    after.show("EI IO I", shift=40, unsure=["2"])
    assert len(after.last()) == 3
    after.order("answer", number=number, faces={"2": "IO"})
    after.throw("A E I")
    assert [throw[2] for throw in after.last()] == ["A", "E", "I", "EI", "IO", "I", "A", "E", "I"]
    after.stop()


def test_a_throw_that_the_camera_missed_is_typed_in_and_not_counted_twice(table: Drawn) -> None:
    table.begin()
    table.throw("A E I")
    table.order("throw", die="2", face="UAE")
    table.hand()
    table.show("A E I", shift=1)
    assert table.last()[3:] == [(4, "2", "UAE")]


def test_the_same_throws_come_from_the_file_as_from_the_page(table: Drawn) -> None:
    table.begin(smallest=0.1, fixed=200, about={"who": "Anna", "surface": "felt"})
    table.throw("A E I")
    table.throw("EI IO I", shift=40, unsure=["2"])
    found = table.laboratory.throws(table.state()["series"]["id"])
    accounts = table.laboratory.accounts(table.state()["series"]["id"])
    assert found is not None
    assert accounts is not None
    assert [throw["outcome"] for throw in found] == ["A", "E", "I"]
    assert [account.counts.tolist() for account in accounts] == list(table.counts().values())
    assert (accounts[0].smallest, accounts[0].fixed, accounts[0].about["surface"]) == (0.1, 200, "felt")
    throws = accounts[0].throws
    assert throws is not None
    assert throws[0].digest == found[0]["digest"]
    assert table.laboratory.throws(99) is None


def test_a_face_is_photographed_when_its_owner_asks_and_the_picture_stays(tmp_path: Path) -> None:
    table = Drawn(tmp_path / "throws.db", dice=["1"])
    table.begin()
    assert "one die on the table" in table.refused("photograph", face="A")
    table.throw("EI")
    picture = table.order("photograph", face="EI")["picture"]
    number = table.state()["series"]["id"]
    table.stop()
    again = Drawn(tmp_path / "throws.db", dice=["1"])
    (account,) = again.laboratory.accounts(number) or []
    again.stop()
    assert account.photographs == {"EI": again.laboratory.picture(picture)}
    assert account.photographs["EI"].startswith(b"\xff\xd8")


class OnGround(DrawnReader):
    """A reader that is shown what lies still."""

    ground: Ground | None = None


@pytest.fixture
def unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawn]:
    monkeypatch.setattr(Drawn, "_reader", staticmethod(lambda dice: OnGround(dice[1])))
    drawn = Drawn(tmp_path / "throws.db")
    yield drawn
    drawn.stop()


def test_dice_that_nobody_can_read_are_asked_about_and_count_with_the_answer(unreadable: Drawn) -> None:
    table = unreadable
    table.begin()
    table.throw("A E I")
    picture = draw(table.lying("EI IO OU", 60))
    picture[picture[..., 0] == SURE] = (251, 230, 200)  # no face that the reader knows
    table.source.show(np.roll(picture, 100, axis=0), 1)
    table.source.show(np.roll(picture, 50, axis=1), 1)
    table.source.show(picture)
    table.seen()
    table.until(lambda state: state["sign"] == "ask")
    question = table.state()["series"]["question"]
    assert [die["face"] for die in question["dice"]] == [None] * 3
    assert table.laboratory.picture(question["dice"][0]["crop"])
    faces = {die["die"]: face for die, face in zip(question["dice"], ("EI", "IO", "OU"), strict=True)}
    table.order("answer", number=question["number"], faces=faces)
    assert [throw[2] for throw in table.last()] == ["A", "E", "I", "EI", "IO", "OU"]
    table.source.empty()
    table.seen()
    assert table.state()["sign"] != "ask", "dice that were taken up are no question"
