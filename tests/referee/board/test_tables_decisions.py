"""What the referee says to one look at a board of tables: steps of a turn, hits, piles, hands, light, broken rules."""

from dataclasses import replace

import pytest

from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.evidence import pooled
from companion.referee.board.results import Arrow, AskMove, Blind, CommitPlay, GoOn, Mismatch, Unchanged
from companion.referee.board.seating import Seating
from companion.rules.dice import Throw
from companion.rules.tables import TablesPosition
from companion.vision.board_readings import BoardReading, Men, SiteReading, Standing
from tests.referee.board.decided import committed, mismatch, see
from tests.referee.board.simulated import hidden, perfect, reading, seen
from tests.rules.tables.standing import begun, stand, typed

ZENO = Seating("tables/zeno", "as named", (("light", 1), ("dark", 2)))
TODAS = Seating("tables/todas-tablas", "as named", (("light", 1), ("dark", 2)))


def light(count: int) -> Men:
    return Men("light", count)


def dark(count: int) -> Men:
    return Men("dark", count)


# piles


def test_the_opening_of_zeno_is_followed_though_fifteen_men_lie_on_one_point() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    decision = explain(AgreedPosition(thrown, ZENO), see(thrown, ZENO, c=light(1), f=light(1), g=light(1)))
    assert (committed(decision)) == ["a-c", "a-f", "a-g"]
    assert isinstance(decision, CommitPlay)
    assert set(decision.play.arrows) == {Arrow("a", "c"), Arrow("a", "f"), Arrow("a", "g")}


def test_the_end_of_zeno_is_followed_with_fifteen_men_on_six_points() -> None:
    position = stand("tables/zeno", "t6 u3 w3 x2 i1", "z5 a10", 1, 3, 6)
    truth = typed(position, "i-p", "p-q", "q-t")
    shown = perfect(truth, ZENO)
    assert shown.sites["t"].standing == light(5)
    decision = explain(AgreedPosition(position, ZENO), shown)
    assert isinstance(decision, CommitPlay)
    assert decision.play.position == truth


def test_a_piles_height_is_never_taken_from_what_is_seen() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    for shown in (5, 7, 11):
        sites = dict(seen(typed(thrown, "a-c", "a-f", "a-g"), ZENO)) | {"a": (light(shown), True)}
        assert (committed(explain(AgreedPosition(thrown, ZENO), reading(sites)))) == ["a-c", "a-f", "a-g"]


# a turn by steps


def test_a_turn_is_gone_on_with_until_it_is_whole_and_can_be_taken_back() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    agreed = AgreedPosition(thrown, ZENO)
    first, second, third = (typed(thrown, *steps) for steps in (("a-f",), ("a-f", "f-h"), ("a-f", "f-h", "a-g")))
    for position, left in ((first, "2 and 6"), (second, "6")):
        decision = explain(agreed, perfect(position, ZENO))
        assert isinstance(decision, GoOn)
        assert str(decision.sentence) == f"Go on: {left} still to be played."
    assert explain(agreed, perfect(thrown, ZENO)) == Unchanged()
    decision = explain(agreed, perfect(third, ZENO))
    assert isinstance(decision, CommitPlay)
    assert decision.play.position == third


@pytest.mark.parametrize(("there", "what"), [(0.965, CommitPlay), (0.9, AskMove)])
def test_the_last_man_of_a_turn_need_be_seen_no_surer_than_the_first(there: float, what: type) -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    shown = see(thrown, ZENO, f=light(1), g=light(1))
    last = SiteReading("c", ((light(1), there), (None, 1 - there)), "ask")
    assert isinstance(explain(AgreedPosition(thrown, ZENO), replace(shown, sites={**shown.sites, "c": last})), what)


def test_a_man_set_wrongly_and_put_right_is_corrected_without_a_word_left_over() -> None:
    thrown = typed(begun("tables/zeno"), "2 5 6")
    agreed = AgreedPosition(thrown, ZENO)
    assert isinstance(explain(agreed, see(thrown, ZENO, e=light(1))), Mismatch)
    assert isinstance(explain(agreed, see(thrown, ZENO, f=light(1))), GoOn)


# hits


def hitting() -> TablesPosition:
    return stand("tables/todas-tablas", "a2 m13", "c1 z14", 2, 6)


def test_a_man_who_was_hit_and_still_lies_there_is_to_be_lifted_and_then_no_change() -> None:
    position = hitting()
    truth = typed(position, "a-c", "m-s")
    still = see(truth, TODAS, c=Men("light", 1, also=dark(1)), bar=None)
    decision = explain(AgreedPosition(position, TODAS), still)
    assert isinstance(decision, CommitPlay)
    assert decision.play.position == truth
    assert decision.lift == ("c",)
    assert str(decision.sentence) == "Lift the man who was hit from c."
    agreed = AgreedPosition(truth, TODAS, still)
    assert explain(agreed, still) == Unchanged()
    for lifted in (perfect(truth, TODAS), see(truth, TODAS, bar=None)):
        assert explain(agreed, lifted) == Unchanged()


def test_men_in_hand_lie_on_the_bar_or_beside_the_board_but_no_more_than_there_are() -> None:
    position = stand("tables/todas-tablas", "a1 m13 hand1", "z14 hand1")
    both = Men("light", 1, also=dark(1))
    for bar in (None, light(1), dark(1), both, Men("dark", 1, also=light(1))):
        assert explain(AgreedPosition(position, TODAS), see(position, TODAS, bar=bar)) == Unchanged()
    assert isinstance(explain(AgreedPosition(position, TODAS), see(position, TODAS, bar=light(2))), Mismatch)


def test_two_sides_on_a_point_where_nobody_was_hit_are_no_play() -> None:
    position = stand("tables/todas-tablas", "a2 m13", "c2 z13", 2, 6)
    wrong = mismatch(
        explain(AgreedPosition(position, TODAS), see(position, TODAS, a=light(1), c=Men("light", 1, also=dark(2))))
    )
    assert str(wrong.why_not) == "The other side holds c with two men or more."


# what no rule allows


def test_two_men_left_a_point_but_the_throw_was_another() -> None:
    position = stand("tables/todas-tablas", "h3 m12", "z15", 2, 5)
    wrong = mismatch(explain(AgreedPosition(position, TODAS), see(position, TODAS, h=light(1), l=light(1), q=light(1))))
    assert str(wrong.sentence).startswith("Two light men have left h, one light man has come to l")
    assert str(wrong.sentence).endswith("but the throw was 2 and 5.")
    assert "h" in {site.site for site in wrong.sites}


@pytest.mark.parametrize(
    ("first", "second", "changed", "text"),
    [
        (
            "h3 m12",
            "z15",
            {"h": light(2), "l": light(1)},
            "From h to l is 3 points, which the dice 2, 5 do not allow.",
        ),
        ("h3 m12", "z15", {"h": light(2), "f": light(1)}, "h-f goes the wrong way: this side runs"),
        ("h3 m12", "z13 k2", {"h": light(2), "k": Men("light", 1, also=dark(2))}, "The other side holds k"),
        ("h3 m12", "z13 k2", {"z": dark(5), "y": dark(1)}, "It is the turn of Player 1."),
        ("h3 m12", "z15", {"h": light(2)}, "Men may be borne off only when all men of the side are in the last table."),
        ("h3 m11 hand1", "z15", {"h": light(2), "k": light(1)}, "A man in hand must enter before"),
    ],
)
def test_the_rule_that_forbids_one_mans_way_is_named(
    first: str, second: str, changed: dict[str, Standing], text: str
) -> None:
    position = stand("tables/todas-tablas", first, second, 2, 5)
    wrong = mismatch(explain(AgreedPosition(position, TODAS), see(position, TODAS, **changed)))
    assert text in str(wrong.why_not)


def test_who_moves_before_the_throw_is_told_to_throw() -> None:
    position = begun("tables/todas-tablas")
    wrong = mismatch(explain(AgreedPosition(position, TODAS), see(position, TODAS, h=light(2), i=light(1))))
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
    known = explain(AgreedPosition(first, TODAS), shown, (Throw.parse("pips", "1 3", ("1", "2")),))
    assert isinstance(known, CommitPlay)
    assert known.play.position == truth
    unknown = explain(AgreedPosition(first, TODAS), shown)
    assert isinstance(unknown, AskMove)
    assert "what did Player 2 throw?" in str(unknown.sentence)


def test_the_next_dice_on_the_table_say_that_a_turn_is_over() -> None:
    position = stand("tables/todas-tablas", "t1 u7 z7", "a15", 2, 1)
    truth = typed(position, "t-w", "z-off")
    asked = explain(AgreedPosition(position, TODAS), perfect(truth, TODAS))
    assert isinstance(asked, AskMove)
    assert str(asked.sentence).startswith("Is the turn over?")
    waiting = explain(AgreedPosition(position, TODAS), perfect(truth, TODAS), dice_follow=True)
    assert isinstance(waiting, GoOn)
    assert (waiting.play.whole, waiting.play.position) == (True, truth)
    thrown = truth.throws()[0]
    decision = explain(AgreedPosition(position, TODAS), perfect(truth, TODAS), (thrown,))
    assert isinstance(decision, CommitPlay)
    assert decision.play.position == truth


def test_a_turn_that_cannot_be_seen_is_asked_about_once_the_next_dice_lie_there() -> None:
    position = stand("tables/todas-tablas", "u7 z8", "a15", 1, 5)
    truth = typed(position, "u-off", "z-off")
    agreed = AgreedPosition(position, TODAS)
    assert explain(agreed, perfect(truth, TODAS)) == Unchanged()
    decision = explain(agreed, perfect(truth, TODAS), (truth.throws()[0],))
    assert isinstance(decision, AskMove)
    assert [candidate.position for candidate in decision.candidates] == [truth]


def test_what_alone_can_be_played_and_cannot_be_seen_is_not_waited_for() -> None:
    position = stand("tables/todas-tablas", "u7 z8", "a15", 4, 4)
    assert committed(explain(AgreedPosition(position, TODAS), perfect(position, TODAS))) == ["u-z", "u-z"]


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
        decision = explain(AgreedPosition(thrown, TODAS), dimmed(perfect(thrown, TODAS), share))
        assert isinstance(decision, Unchanged)
        assert bool(decision.doubtful) == (share < 0.5)


@pytest.mark.parametrize(("own", "what"), [(0.3, CommitPlay), (0.15, CommitPlay), (0.05, AskMove)])
def test_a_man_whose_side_is_badly_seen_is_of_the_side_that_moved_or_is_asked_about(own: float, what: type) -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    truth = typed(thrown, "h-k", "f-l")
    whole = perfect(truth, TODAS)
    doubted = _likeliest_first((dark(1), 1 - own), (light(1), own))
    shown = replace(whole, sites={**whole.sites, "l": SiteReading("l", doubted, "ask")})
    decision = explain(AgreedPosition(thrown, TODAS), shown)
    assert isinstance(decision, what), decision
    if isinstance(decision, AskMove):
        assert [candidate.position for candidate in decision.candidates] == [truth]


def test_a_turn_in_the_middle_that_is_badly_seen_is_no_illegal_move() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    whole = perfect(typed(thrown, "h-k"), TODAS)
    doubted = _likeliest_first((dark(1), 0.95), (light(1), 0.05))
    shown = replace(whole, sites={**whole.sites, "k": SiteReading("k", doubted, "ask")})
    assert isinstance(explain(AgreedPosition(thrown, TODAS), shown), GoOn)


def test_a_change_that_no_play_makes_is_not_accepted_however_badly_it_is_seen() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    whole = perfect(typed(thrown, "h-k", "f-l"), TODAS)
    doubted = _likeliest_first((dark(1), 0.85), (None, 0.15))
    shown = replace(whole, sites={**whole.sites, "c": SiteReading("c", doubted, "ask")})
    assert not isinstance(explain(AgreedPosition(thrown, TODAS), shown), CommitPlay | Unchanged)


def test_what_a_hand_covers_is_waited_for_and_never_taken_for_empty() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    agreed = AgreedPosition(thrown, TODAS)
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
    assert isinstance(explain(AgreedPosition(thrown, TODAS), wrong), Mismatch)
    covered = explain(AgreedPosition(thrown, TODAS), hidden(wrong, "d"))
    assert isinstance(covered, Blind)
    assert covered.sites == ("d",)


def test_nobody_is_asked_about_a_badly_seen_play_while_a_hand_lies_over_the_board() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    truth = typed(thrown, "h-k", "f-l")
    badly = dict(perfect(truth, TODAS).sites)
    badly["c"] = SiteReading("c", ((Men("dark"), 0.85), (None, 0.15)), "ask")  # a shadow that looks like a man
    seen_badly = replace(perfect(truth, TODAS), sites=badly)
    asked = explain(AgreedPosition(thrown, TODAS), seen_badly)
    assert isinstance(asked, AskMove)
    assert [candidate.position for candidate in asked.candidates] == [truth]
    covered = explain(AgreedPosition(thrown, TODAS), hidden(seen_badly, "z"))
    assert isinstance(covered, Blind)
    assert covered.sites == ("z",)


def test_one_wrong_look_of_two_is_outvoted_but_not_acted_upon() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    truth = typed(thrown, "h-k", "f-l")
    wrong = see(truth, TODAS, c=dark(1))
    assert isinstance(explain(AgreedPosition(thrown, TODAS), wrong), Mismatch)
    assert committed(explain(AgreedPosition(thrown, TODAS), pooled([wrong, perfect(truth, TODAS)]))) == ["f-l", "h-k"]
    phantom = pooled([perfect(truth, TODAS), perfect(thrown, TODAS)])
    assert not isinstance(explain(AgreedPosition(thrown, TODAS), phantom), CommitPlay)


def test_a_board_that_was_not_found_or_is_doubtful_says_nothing() -> None:
    thrown = typed(begun("tables/todas-tablas"), "2 5")
    lost = replace(perfect(thrown, TODAS), status="ignored", reason="No board was found.")
    decision = explain(AgreedPosition(thrown, TODAS), lost)
    assert isinstance(decision, Blind)
    assert str(decision.sentence) == "No board was found."
    with pytest.raises(ValueError, match="at least one reading"):
        pooled([])


def test_after_the_end_men_may_be_cleared_away() -> None:
    position = stand("tables/todas-tablas", "off15", "z15")
    assert isinstance(explain(AgreedPosition(position, TODAS), see(position, TODAS, z=None)), Unchanged)
