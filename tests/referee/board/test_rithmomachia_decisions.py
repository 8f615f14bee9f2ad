"""What the referee says to one look at a board of Rithmomachia: men taken, men misread, and men in doubt."""

from dataclasses import replace

from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import Arrow, AskMove, Blind, CommitPlay, GoOn, Mismatch, Unchanged
from companion.referee.board.seating import Seating
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading, Men, SiteReading, Standing
from tests.referee.board.decided import committed, mismatch, see
from tests.referee.board.simulated import perfect, shown_as

RITHMO = Seating("rithmomachia/durnil-guardia", "as named", (("white", 1), ("black", 2)))


def study(men: dict[str, tuple[str, str, int]], **more: object) -> Position:
    placed = {site: {"colour": c, "shape": s, "number": n} for site, (c, s, n) in men.items()}
    return game("rithmomachia/durnil-guardia").from_json({"game": RITHMO.game, "men": placed, **more})


MEETING = {
    "d5": ("white", "circle", 36),
    "a1": ("white", "square", 289),
    "f7": ("black", "triangle", 36),
    "h16": ("black", "square", 361),
}


def test_a_man_lifted_after_a_move_is_taken_by_arithmetic_that_is_written_out() -> None:
    position = study(MEETING)
    moved = position.after(position.parse("d5-e6"))
    shown = perfect(moved, RITHMO)
    assert committed(explain(AgreedPosition(position, RITHMO), shown)) == ["d5-e6"]
    at_once = explain(AgreedPosition(position, RITHMO), shown_as(shown, {"f7": None}))
    assert isinstance(at_once, CommitPlay | AskMove)
    later = explain(AgreedPosition(moved, RITHMO), shown_as(shown, {"f7": None}))
    assert isinstance(later, CommitPlay)
    assert "36 = 36" in str(later.sentences[0])
    assert later.play.arrows == (Arrow("f7", ""),)


def test_a_man_who_is_hardly_seen_where_he_went_has_gone_there_and_was_not_lifted() -> None:
    position = study(MEETING)
    shown = perfect(position.after(position.parse("d5-e6")), RITHMO)
    hardly = SiteReading("e6", ((None, 0.51), (Men("white", 1, "circle", 36), 0.48)), "ask")
    decision = explain(AgreedPosition(position, RITHMO), replace(shown, sites={**shown.sites, "e6": hardly}))
    assert committed(decision) == ["d5-e6"]


def test_a_man_who_lies_across_an_edge_is_to_be_set_straight_before_anything_is_said_of_him() -> None:
    position = study(MEETING)
    shown = shown_as(perfect(position, RITHMO), {"d5": None, "d6": Men("white", 1, "circle", 36)})
    agreed = AgreedPosition(position, RITHMO)
    assert isinstance(explain(agreed, shown), Mismatch)
    astride = explain(agreed, replace(shown, across={"d5": "d6", "d6": "d5"}))
    assert isinstance(astride, Blind)
    assert str(astride.sentence) == "A man lies between d5 and d6: set him straight."
    elsewhere = explain(agreed, replace(shown, across={"a1": "a2", "a2": "a1"}))
    assert isinstance(elsewhere, Mismatch)


def test_a_man_lifted_before_the_move_that_takes_him_is_waited_for() -> None:
    position = study(MEETING)
    decision = explain(AgreedPosition(position, RITHMO), see(position, RITHMO, f7=None))
    assert isinstance(decision, GoOn)
    assert "makes the move that takes him" in str(decision.sentence)


def test_a_man_lifted_whom_nothing_takes_is_told_with_the_reason() -> None:
    position = study(MEETING)
    moved = position.after(position.parse("d5-e6"))
    wrong = mismatch(explain(AgreedPosition(position, RITHMO), shown_as(perfect(moved, RITHMO), {"h16": None})))
    assert "The black square 361 was lifted from h16, but no capture takes him" in str(wrong.why_not)
    alone = mismatch(explain(AgreedPosition(position, RITHMO), see(position, RITHMO, h16=None)))
    assert "nobody has moved to take him" in str(alone.why_not)


def test_a_way_that_a_man_does_not_go_is_named() -> None:
    position = study(MEETING)
    wrong = mismatch(
        explain(AgreedPosition(position, RITHMO), see(position, RITHMO, d5=None, d8=Men("white", 1, "circle", 36)))
    )
    assert "The white circle 36 has left d5" in str(wrong.sentence)
    assert "cannot go from d5 to d8" in str(wrong.why_not)


def test_the_next_move_says_that_the_other_player_was_done() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    mine = start.after(start.parse("d4-e5"))
    theirs = mine.after(mine.parse("done"))
    choice = next(iter(theirs.legal()))
    decision = explain(AgreedPosition(mine, RITHMO), perfect(theirs.after(choice), RITHMO))
    assert committed(decision) == sorted(["done", str(choice)])


def test_a_man_who_changed_sides_is_seen_in_his_new_colour() -> None:
    position = study(MEETING, captured={"1": [{"colour": "black", "shape": "circle", "number": 9}]})
    back = position.after(position.parse("return circle 9 to c3"))
    assert perfect(back, RITHMO).sites["c3"].standing == Men("white", 1, "circle", 9)
    assert committed(explain(AgreedPosition(position, RITHMO), perfect(back, RITHMO))) == ["return circle 9 to c3"]
    wrong = explain(AgreedPosition(position, RITHMO), see(position, RITHMO, c3=Men("black", 1, "circle", 9)))
    assert isinstance(wrong, Mismatch)


def test_a_pyramid_is_known_by_its_shape_whatever_number_is_read_on_it() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    assert explain(AgreedPosition(start, RITHMO), see(start, RITHMO, b2=Men("white", 1, "pyramid", 25))) == Unchanged()
    assert isinstance(
        explain(AgreedPosition(start, RITHMO), see(start, RITHMO, b2=Men("black", 1, "pyramid", 91))),
        Mismatch | AskMove,
    )


def test_a_man_who_was_read_wrongly_when_all_agreed_is_no_change_while_he_is_read_so() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    misread = see(start, RITHMO, c3=Men("white", 1, "circle", 6))
    asked = explain(AgreedPosition(start, RITHMO), misread)
    assert isinstance(asked, AskMove)
    assert [site.site for site in asked.sites] == ["c3"]
    agreed = AgreedPosition(start, RITHMO, misread)
    assert explain(agreed, misread) == Unchanged()
    moved = start.after(start.parse("d4-e5"))
    again = see(moved, RITHMO, c3=Men("white", 1, "circle", 6))
    assert committed(explain(agreed, again)) == ["d4-e5"]


def _wavering(position: Position, site: str, chances: dict[Standing, float]) -> BoardReading:
    whole = perfect(position, RITHMO)
    one = SiteReading(site, tuple(sorted(chances.items(), key=lambda entry: -entry[1])), "ask")
    return replace(whole, sites={**whole.sites, site: one})


def test_a_man_who_was_doubtful_before_may_waver_while_another_moves() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    true, other = Men("black", 1, "circle", 49), Men("black", 1, "square", 49)
    before = _wavering(start, "e14", {true: 0.6, other: 0.4})
    agreed = AgreedPosition(start, RITHMO, before)
    assert isinstance(explain(agreed, _wavering(start, "e14", {other: 0.83, true: 0.17})), Unchanged)
    moved = start.after(start.parse("d4-e5"))
    assert committed(explain(agreed, _wavering(moved, "e14", {other: 0.83, true: 0.17}))) == ["d4-e5"]
    gone = explain(agreed, _wavering(start, "e14", {None: 0.999, true: 0.001}))
    assert not isinstance(gone, Unchanged | CommitPlay)


def test_a_misread_man_elsewhere_makes_no_question_of_whether_a_player_is_done() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    other = Men("black", 1, "circle", 64)
    before = _wavering(start, "e14", {other: 0.9, Men("black", 1, "circle", 49): 0.1})
    moved = start.after(start.parse("d4-e5"))
    seen_so = _wavering(moved, "e14", {other: 0.7, None: 0.3})
    assert committed(explain(AgreedPosition(start, RITHMO, before), seen_so)) == ["d4-e5"]
