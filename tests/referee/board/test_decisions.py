"""What the referee says to one look at a board: turns in the middle, hits, piles, hands, light, what no rule allows."""

from dataclasses import replace

import pytest

from companion.referee.board import (
    Agreed,
    Ask,
    AskSeating,
    Blind,
    Commit,
    GoOn,
    Mismatch,
    Seating,
    Unchanged,
    explain,
    pooled,
    seat_anew,
)
from companion.referee.board.results import Arrow
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.rules.tables import TablesPosition
from companion.vision.board_readings import BoardReading, Men, SiteReading, Standing
from tests.referee.board.simulated import hidden, perfect, reading, seen, shown_as
from tests.rules.tables.standing import begun, stand, typed

ZENO = Seating("tables/zeno", "as named", (("light", 1), ("dark", 2)))
TODAS = Seating("tables/todas-tablas", "as named", (("light", 1), ("dark", 2)))
RITHMO = Seating("rithmomachia/durnil-guardia", "as named", (("white", 1), ("black", 2)))


def see(position: Position, seating: Seating, **changed: Standing) -> BoardReading:
    """A perfect reading of a position but for the sites named."""
    return shown_as(perfect(position, seating), changed)


def light(count: int) -> Men:
    return Men("light", count)


def dark(count: int) -> Men:
    return Men("dark", count)


def committed(decision: object) -> list[str]:
    assert isinstance(decision, Commit), decision
    return sorted(str(move) for move in decision.play.moves)


def mismatch(decision: object) -> Mismatch:
    assert isinstance(decision, Mismatch), decision
    return decision


# piles


def test_the_opening_of_zeno_is_followed_though_fifteen_men_lie_on_one_point() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    decision = explain(Agreed(thrown, ZENO), see(thrown, ZENO, c=light(1), f=light(1), g=light(1)))
    assert (committed(decision)) == ["a-c", "a-f", "a-g"]
    assert isinstance(decision, Commit)
    assert set(decision.play.arrows) == {Arrow("a", "c"), Arrow("a", "f"), Arrow("a", "g")}


def test_the_end_of_zeno_is_followed_with_fifteen_men_on_six_points() -> None:
    position = stand("tables/zeno", "t6 u3 w3 x2 i1", "z5 a10", 1, 3, 6)
    truth = typed(position, "i-p", "p-q", "q-t")
    shown = perfect(truth, ZENO)
    assert shown.sites["t"].standing == light(5)
    decision = explain(Agreed(position, ZENO), shown)
    assert isinstance(decision, Commit)
    assert decision.play.position == truth


def test_a_piles_height_is_never_taken_from_what_is_seen() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    for shown in (5, 7, 11):
        sites = dict(seen(typed(thrown, "a-c", "a-f", "a-g"), ZENO)) | {"a": (light(shown), True)}
        assert (committed(explain(Agreed(thrown, ZENO), reading(sites)))) == ["a-c", "a-f", "a-g"]


# a turn by steps


def test_a_turn_is_gone_on_with_until_it_is_whole_and_can_be_taken_back() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    agreed = Agreed(thrown, ZENO)
    first, second, third = (typed(thrown, *steps) for steps in (("a-f",), ("a-f", "f-h"), ("a-f", "f-h", "a-g")))
    for position, left in ((first, "2 and 6"), (second, "6")):
        decision = explain(agreed, perfect(position, ZENO))
        assert isinstance(decision, GoOn)
        assert str(decision.sentence) == f"Go on: {left} still to be played."
    assert explain(agreed, perfect(thrown, ZENO)) == Unchanged()
    decision = explain(agreed, perfect(third, ZENO))
    assert isinstance(decision, Commit)
    assert decision.play.position == third


def test_a_man_set_wrongly_and_put_right_is_corrected_without_a_word_left_over() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    agreed = Agreed(thrown, ZENO)
    assert isinstance(explain(agreed, see(thrown, ZENO, e=light(1))), Mismatch)
    assert isinstance(explain(agreed, see(thrown, ZENO, f=light(1))), GoOn)


# hits


def hitting() -> TablesPosition:
    return stand("tables/todas-tablas", "a2 m13", "c1 z14", 2, 6)


def test_a_man_who_was_hit_and_still_lies_there_is_to_be_lifted_and_then_no_change() -> None:
    position = hitting()
    truth = typed(position, "a-c", "m-s")
    still = see(truth, TODAS, c=Men("light", 1, also=dark(1)), bar=None)
    decision = explain(Agreed(position, TODAS), still)
    assert isinstance(decision, Commit)
    assert decision.play.position == truth
    assert decision.lift == ("c",)
    assert str(decision.sentence) == "Lift the man who was hit from c."
    agreed = Agreed(truth, TODAS, still)
    assert explain(agreed, still) == Unchanged()
    for lifted in (perfect(truth, TODAS), see(truth, TODAS, bar=None)):
        assert explain(agreed, lifted) == Unchanged()


def test_men_in_hand_lie_on_the_bar_or_beside_the_board_but_no_more_than_there_are() -> None:
    position = stand("tables/todas-tablas", "a1 m13 hand1", "z14 hand1")
    both = Men("light", 1, also=dark(1))
    for bar in (None, light(1), dark(1), both, Men("dark", 1, also=light(1))):
        assert explain(Agreed(position, TODAS), see(position, TODAS, bar=bar)) == Unchanged()
    assert isinstance(explain(Agreed(position, TODAS), see(position, TODAS, bar=light(2))), Mismatch)


def test_two_sides_on_a_point_where_nobody_was_hit_are_no_play() -> None:
    position = stand("tables/todas-tablas", "a2 m13", "c2 z13", 2, 6)
    wrong = mismatch(
        explain(Agreed(position, TODAS), see(position, TODAS, a=light(1), c=Men("light", 1, also=dark(2))))
    )
    assert str(wrong.why_not) == "The other side holds c with two men or more."


# what no rule allows


def test_two_men_left_a_point_but_the_throw_was_another() -> None:
    position = stand("tables/todas-tablas", "h3 m12", "z15", 2, 5)
    wrong = mismatch(explain(Agreed(position, TODAS), see(position, TODAS, h=light(1), l=light(1), q=light(1))))
    assert str(wrong.sentence).startswith("Two light men have left h, one light man has come to l")
    assert str(wrong.sentence).endswith("but the throw was 2 and 5.")
    assert "h" in {site.site for site in wrong.sites}


@pytest.mark.parametrize(
    ("first", "second", "changed", "said"),
    [
        (
            "h3 m12",
            "z15",
            {"h": light(2), "l": light(1)},
            "From h to l is 3 points, and the dice 2, 5 do not make that.",
        ),
        ("h3 m12", "z15", {"h": light(2), "f": light(1)}, "h-f goes the wrong way: this side travels"),
        ("h3 m12", "z13 k2", {"h": light(2), "k": Men("light", 1, also=dark(2))}, "The other side holds k"),
        ("h3 m12", "z13 k2", {"z": dark(5), "y": dark(1)}, "It is the turn of Player 1."),
        ("h3 m12", "z15", {"h": light(2)}, "Men are borne off only when all of the side are in the last table."),
        ("h3 m11 hand1", "z15", {"h": light(2), "k": light(1)}, "A man in hand must enter before"),
    ],
)
def test_the_rule_that_forbids_one_mans_way_is_named(
    first: str, second: str, changed: dict[str, Standing], said: str
) -> None:
    position = stand("tables/todas-tablas", first, second, 2, 5)
    wrong = mismatch(explain(Agreed(position, TODAS), see(position, TODAS, **changed)))
    assert said in str(wrong.why_not)


def test_who_moves_before_the_throw_is_told_to_throw() -> None:
    position = begun("tables/todas-tablas")
    wrong = mismatch(explain(Agreed(position, TODAS), see(position, TODAS, h=light(2), i=light(1))))
    assert "has not thrown yet" in str(wrong.sentence)
    assert str(wrong.why_not) == "Player 1 must throw first."


# two turns


def test_a_second_turn_is_explained_with_its_dice_and_asked_about_without() -> None:
    first = typed(begun("tables/todas-tablas"), "2 5")
    between = typed(first, "h-k", "f-l")
    second = typed(between, "1 3")
    truth = typed(second, second.text(next(iter(second.legal()))))
    truth = typed(truth, truth.text(next(iter(truth.legal()))))
    shown = perfect(truth, TODAS)
    known = explain(Agreed(first, TODAS), shown, (Throw.parse("pips", "1 3", ("1", "2")),))
    assert isinstance(known, Commit)
    assert known.play.position == truth
    unknown = explain(Agreed(first, TODAS), shown)
    assert isinstance(unknown, Ask)
    assert "what did Player 2 throw?" in str(unknown.sentence)


def test_the_next_dice_on_the_table_say_that_a_turn_is_over() -> None:
    position = stand("tables/todas-tablas", "t1 u7 z7", "a15", 2, 1)
    truth = typed(position, "t-w", "z-off")
    asked = explain(Agreed(position, TODAS), perfect(truth, TODAS))
    assert isinstance(asked, Ask)
    assert str(asked.sentence).startswith("Is the turn over?")
    thrown = truth.throws()[0]
    decision = explain(Agreed(position, TODAS), perfect(truth, TODAS), (thrown,))
    assert isinstance(decision, Commit)
    assert decision.play.position == truth


def test_a_turn_that_cannot_be_seen_is_asked_about_once_the_next_dice_lie_there() -> None:
    position = stand("tables/todas-tablas", "u7 z8", "a15", 1, 5)
    truth = typed(position, "u-off", "z-off")
    agreed = Agreed(position, TODAS)
    assert explain(agreed, perfect(truth, TODAS)) == Unchanged()
    decision = explain(agreed, perfect(truth, TODAS), (truth.throws()[0],))
    assert isinstance(decision, Ask)
    assert [candidate.position for candidate in decision.candidates] == [truth]


def test_what_alone_can_be_played_and_cannot_be_seen_is_not_waited_for() -> None:
    position = stand("tables/todas-tablas", "u7 z8", "a15", 4, 4)
    assert committed(explain(Agreed(position, TODAS), perfect(position, TODAS))) == ["u-z", "u-z"]


# light, hands, misreadings


def dimmed(whole: BoardReading, share: float) -> BoardReading:
    """A reading in worse light: every site a little less sure."""
    sites = {
        name: SiteReading(name, _likeliest_first((site.standing, share), (light(9), 1 - share)), "ask", site.piled)
        for name, site in whole.sites.items()
    }
    return replace(whole, sites=sites)


def _likeliest_first(*candidates: tuple[Standing, float]) -> tuple[tuple[Standing, float], ...]:
    return tuple(sorted(candidates, key=lambda one: -one[1]))


def test_light_that_has_changed_is_no_move() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    for share in (0.99, 0.8, 0.5, 0.3):
        decision = explain(Agreed(thrown, TODAS), dimmed(perfect(thrown, TODAS), share))
        assert isinstance(decision, Unchanged)
        assert bool(decision.doubtful) == (share < 0.5)


@pytest.mark.parametrize(("own", "what"), [(0.3, Commit), (0.15, Commit), (0.05, Ask)])
def test_a_man_whose_side_is_badly_seen_is_of_the_side_that_moved_or_is_asked_about(own: float, what: type) -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    truth = typed(thrown, "h-k", "f-l")
    whole = perfect(truth, TODAS)
    doubted = _likeliest_first((dark(1), 1 - own), (light(1), own))
    shown = replace(whole, sites={**whole.sites, "l": SiteReading("l", doubted, "ask")})
    decision = explain(Agreed(thrown, TODAS), shown)
    assert isinstance(decision, what), decision
    if isinstance(decision, Ask):
        assert [candidate.position for candidate in decision.candidates] == [truth]


def test_a_turn_in_the_middle_that_is_badly_seen_is_no_illegal_move() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    whole = perfect(typed(thrown, "h-k"), TODAS)
    doubted = _likeliest_first((dark(1), 0.95), (light(1), 0.05))
    shown = replace(whole, sites={**whole.sites, "k": SiteReading("k", doubted, "ask")})
    assert isinstance(explain(Agreed(thrown, TODAS), shown), GoOn)


def test_a_change_that_no_play_makes_is_not_accepted_however_badly_it_is_seen() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    whole = perfect(typed(thrown, "h-k", "f-l"), TODAS)
    doubted = _likeliest_first((dark(1), 0.85), (None, 0.15))
    shown = replace(whole, sites={**whole.sites, "c": SiteReading("c", doubted, "ask")})
    assert not isinstance(explain(Agreed(thrown, TODAS), shown), Commit | Unchanged)


def test_what_a_hand_covers_is_waited_for_and_never_taken_for_empty() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    agreed = Agreed(thrown, TODAS)
    truth = typed(thrown, "h-k", "f-l")
    assert explain(agreed, hidden(perfect(thrown, TODAS), "hm")) == Unchanged()
    decision = explain(agreed, hidden(perfect(truth, TODAS), "l"))
    assert isinstance(decision, Blind)
    assert decision.sites == ("l",)
    assert isinstance(explain(agreed, hidden(perfect(truth, TODAS), "abcdefghiklm")), Blind)
    # what is far from the play may be covered
    assert committed(explain(agreed, hidden(perfect(truth, TODAS), "zyx"))) == ["f-l", "h-k"]


def test_nothing_is_called_illegal_while_a_hand_lies_over_the_board() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    wrong = see(thrown, TODAS, c=dark(1))
    assert isinstance(explain(Agreed(thrown, TODAS), wrong), Mismatch)
    covered = explain(Agreed(thrown, TODAS), hidden(wrong, "d"))
    assert isinstance(covered, Blind)
    assert covered.sites == ("d",)


def test_a_man_who_was_read_wrongly_when_all_agreed_is_no_change_while_he_is_read_so() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    misread = see(start, RITHMO, c3=Men("white", 1, "circle", 6))
    asked = explain(Agreed(start, RITHMO), misread)
    assert isinstance(asked, Ask)
    assert [site.site for site in asked.sites] == ["c3"]
    agreed = Agreed(start, RITHMO, misread)
    assert explain(agreed, misread) == Unchanged()
    moved = start.after(start.parse("d4-e5"))
    again = see(moved, RITHMO, c3=Men("white", 1, "circle", 6))
    assert committed(explain(agreed, again)) == ["d4-e5"]


def test_one_wrong_look_of_two_is_outvoted_but_not_acted_upon() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    truth = typed(thrown, "h-k", "f-l")
    wrong = see(truth, TODAS, c=dark(1))
    assert isinstance(explain(Agreed(thrown, TODAS), wrong), Mismatch)
    assert committed(explain(Agreed(thrown, TODAS), pooled([wrong, perfect(truth, TODAS)]))) == ["f-l", "h-k"]
    phantom = pooled([perfect(truth, TODAS), perfect(thrown, TODAS)])
    assert not isinstance(explain(Agreed(thrown, TODAS), phantom), Commit)


def test_a_board_that_was_not_found_or_is_doubtful_says_nothing() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    lost = replace(perfect(thrown, TODAS), status="ignored", reason="No board was found.")
    decision = explain(Agreed(thrown, TODAS), lost)
    assert isinstance(decision, Blind)
    assert str(decision.sentence) == "No board was found."
    with pytest.raises(ValueError, match="at least one reading"):
        pooled([])


def test_after_the_end_men_may_be_cleared_away() -> None:
    position = stand("tables/todas-tablas", "off15", "z15")
    assert isinstance(explain(Agreed(position, TODAS), see(position, TODAS, z=None)), Unchanged)


# Rithmomachia


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
    assert committed(explain(Agreed(position, RITHMO), shown)) == ["d5-e6"]
    at_once = explain(Agreed(position, RITHMO), shown_as(shown, {"f7": None}))
    assert isinstance(at_once, Commit | Ask)
    later = explain(Agreed(moved, RITHMO), shown_as(shown, {"f7": None}))
    assert isinstance(later, Commit)
    assert "36 = 36" in str(later.said[0])
    assert later.play.arrows == (Arrow("f7", ""),)


def test_a_man_lifted_before_the_move_that_takes_him_is_waited_for() -> None:
    position = study(MEETING)
    decision = explain(Agreed(position, RITHMO), see(position, RITHMO, f7=None))
    assert isinstance(decision, GoOn)
    assert "makes the move that takes him" in str(decision.sentence)


def test_a_man_lifted_whom_nothing_takes_is_told_with_the_reason() -> None:
    position = study(MEETING)
    moved = position.after(position.parse("d5-e6"))
    wrong = mismatch(explain(Agreed(position, RITHMO), shown_as(perfect(moved, RITHMO), {"h16": None})))
    assert "The black square 361 was lifted from h16, but no capture takes him" in str(wrong.why_not)
    alone = mismatch(explain(Agreed(position, RITHMO), see(position, RITHMO, h16=None)))
    assert "nobody has moved to take him" in str(alone.why_not)


def test_a_way_that_a_man_does_not_go_is_named() -> None:
    position = study(MEETING)
    wrong = mismatch(
        explain(Agreed(position, RITHMO), see(position, RITHMO, d5=None, d8=Men("white", 1, "circle", 36)))
    )
    assert "The white circle 36 has left d5" in str(wrong.sentence)
    assert "cannot go from d5 to d8" in str(wrong.why_not)


def test_the_next_move_says_that_the_other_player_was_done() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    mine = start.after(start.parse("d4-e5"))
    theirs = mine.after(mine.parse("done"))
    choice = next(iter(theirs.legal()))
    decision = explain(Agreed(mine, RITHMO), perfect(theirs.after(choice), RITHMO))
    assert committed(decision) == sorted(["done", str(choice)])


def test_a_man_who_changed_sides_is_seen_in_his_new_colour() -> None:
    position = study(MEETING, captured={"1": [{"colour": "black", "shape": "circle", "number": 9}]})
    back = position.after(position.parse("return circle 9 to c3"))
    assert perfect(back, RITHMO).sites["c3"].standing == Men("white", 1, "circle", 9)
    assert committed(explain(Agreed(position, RITHMO), perfect(back, RITHMO))) == ["return circle 9 to c3"]
    wrong = explain(Agreed(position, RITHMO), see(position, RITHMO, c3=Men("black", 1, "circle", 9)))
    assert isinstance(wrong, Mismatch)


def test_a_pyramid_is_known_by_its_shape_whatever_number_is_read_on_it() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    assert explain(Agreed(start, RITHMO), see(start, RITHMO, b2=Men("white", 1, "pyramid", 25))) == Unchanged()
    assert isinstance(
        explain(Agreed(start, RITHMO), see(start, RITHMO, b2=Men("black", 1, "pyramid", 91))), Mismatch | Ask
    )


# tokens


def test_tokens_are_waited_for_and_one_of_another_player_is_told() -> None:
    listed = game("ludus-regularis/wheel")
    seating = Seating(listed.slug, "as named", (("red", 1), ("blue", 2)))
    start = listed.start(2)
    won = start.after(start.throws()[3])
    (lot,) = won.occupancy()
    decision = explain(Agreed(won, seating), perfect(start, seating))
    assert isinstance(decision, GoOn)
    assert str(decision.sentence) == f"Player 1 puts a token on {listed.called(lot)}."
    assert explain(Agreed(won, seating), perfect(won, seating)) == Unchanged()
    other = mismatch(explain(Agreed(won, seating), see(won, seating, **{lot: Men("blue")})))
    assert "belongs to Player 1" in str(other.sentence)
    extra = mismatch(explain(Agreed(start, seating), see(start, seating, **{lot: Men("blue", 1)})))
    assert "nobody has won it" in str(extra.sentence)


def of_tokens() -> tuple[Position, Seating, str]:
    """Return a position in which player 1 has won one virtue, the seating of the printed tokens, and the lot."""
    listed = game("ludus-regularis/wheel")
    start = listed.start(2)
    won = start.after(start.throws()[3])
    (lot,) = won.occupancy()
    return won, Seating(listed.slug, "as named", (("blue", 1), ("red", 2))), lot


def test_a_token_that_was_never_seen_is_no_agreement_while_it_is_covered_or_unclear() -> None:
    won, seating, lot = of_tokens()
    covered = explain(Agreed(won, seating), hidden(perfect(won, seating), [lot]))
    assert isinstance(covered, Blind)
    assert covered.sites == (lot,)
    unclear = perfect(won, seating)
    site = SiteReading(lot, ((None, 0.45), (Men("blue"), 0.45)), "ask")
    unclear = replace(unclear, sites={**unclear.sites, lot: site})
    asked = explain(Agreed(won, seating), unclear)
    assert isinstance(asked, Ask)
    assert "Player 1" in str(asked.sentence)
    before = perfect(won, seating)
    assert explain(Agreed(won, seating, before), hidden(before, [lot])) == Unchanged()


def test_a_colour_that_nobody_has_is_asked_about_and_one_of_the_other_player_is_not() -> None:
    won, seating, lot = of_tokens()
    yellow = see(won, seating, **{lot: Men("yellow")})
    asked = seat_anew(won, yellow, seating)
    assert isinstance(asked, AskSeating)
    assert asked.candidates == (Seating(seating.game, "as named", (("yellow", 1), ("red", 2))),)
    assert explain(Agreed(won, asked.candidates[0]), yellow) == Unchanged()
    assert seat_anew(won, see(won, seating, **{lot: Men("red")}), seating) is None
    assert seat_anew(won, perfect(won, seating), seating) is None


# a man whose reading wavers


def _wavering(position: Position, site: str, chances: dict[Standing, float]) -> BoardReading:
    whole = perfect(position, RITHMO)
    one = SiteReading(site, tuple(sorted(chances.items(), key=lambda entry: -entry[1])), "ask")
    return replace(whole, sites={**whole.sites, site: one})


def test_a_man_who_was_doubtful_before_may_waver_while_another_moves() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    true, other = Men("black", 1, "circle", 49), Men("black", 1, "square", 49)
    before = _wavering(start, "e14", {true: 0.6, other: 0.4})
    agreed = Agreed(start, RITHMO, before)
    assert isinstance(explain(agreed, _wavering(start, "e14", {other: 0.83, true: 0.17})), Unchanged)
    moved = start.after(start.parse("d4-e5"))
    assert committed(explain(agreed, _wavering(moved, "e14", {other: 0.83, true: 0.17}))) == ["d4-e5"]
    gone = explain(agreed, _wavering(start, "e14", {None: 0.999, true: 0.001}))
    assert not isinstance(gone, Unchanged | Commit)


def test_a_misread_man_elsewhere_makes_no_question_of_whether_a_player_is_done() -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    other = Men("black", 1, "circle", 64)
    before = _wavering(start, "e14", {other: 0.9, Men("black", 1, "circle", 49): 0.1})
    moved = start.after(start.parse("d4-e5"))
    seen_so = _wavering(moved, "e14", {other: 0.7, None: 0.3})
    assert committed(explain(Agreed(start, RITHMO, before), seen_so)) == ["d4-e5"]
