"""What the referee says to one look at a board with tokens: what is waited for, covered, or of no player."""

from dataclasses import replace

from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import AskMove, AskSeating, Blind, GoOn, Unchanged
from companion.referee.board.seating import Seating
from companion.referee.board.tokens import seat_again
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.board_readings import Men, SiteReading
from tests.referee.board.decided import mismatch, see
from tests.referee.board.simulated import hidden, perfect


def test_tokens_are_waited_for_and_one_of_another_player_is_told() -> None:
    listed = game("ludus-regularis/wheel")
    seating = Seating(listed.slug, "as named", (("red", 1), ("blue", 2)))
    start = listed.start(2)
    won = start.after(start.throws()[3])
    (lot,) = won.occupancy()
    decision = explain(AgreedPosition(won, seating), perfect(start, seating))
    assert isinstance(decision, GoOn)
    assert str(decision.sentence) == f"Player 1 puts a token on {listed.called(lot)}."
    assert explain(AgreedPosition(won, seating), perfect(won, seating)) == Unchanged()
    other = mismatch(explain(AgreedPosition(won, seating), see(won, seating, **{lot: Men("blue")})))
    assert "belongs to Player 1" in str(other.sentence)
    extra = mismatch(explain(AgreedPosition(start, seating), see(start, seating, **{lot: Men("blue", 1)})))
    assert "nobody has won that virtue" in str(extra.sentence)


def of_tokens() -> tuple[Position, Seating, str]:
    """Return a position in which player 1 has won one virtue, the seating of the printed tokens, and the lot."""
    listed = game("ludus-regularis/wheel")
    start = listed.start(2)
    won = start.after(start.throws()[3])
    (lot,) = won.occupancy()
    return won, Seating(listed.slug, "as named", (("blue", 1), ("red", 2))), lot


def test_a_token_that_was_never_seen_is_no_agreement_while_it_is_covered_or_unclear() -> None:
    won, seating, lot = of_tokens()
    covered = explain(AgreedPosition(won, seating), hidden(perfect(won, seating), [lot]))
    assert isinstance(covered, Blind)
    assert covered.sites == (lot,)
    unclear = perfect(won, seating)
    site = SiteReading(lot, ((None, 0.45), (Men("blue"), 0.45)), "ask")
    unclear = replace(unclear, sites={**unclear.sites, lot: site})
    asked = explain(AgreedPosition(won, seating), unclear)
    assert isinstance(asked, AskMove)
    assert "Player 1" in str(asked.sentence)
    before = perfect(won, seating)
    assert explain(AgreedPosition(won, seating, before), hidden(before, [lot])) == Unchanged()


def test_a_colour_that_nobody_has_is_asked_about_and_one_of_the_other_player_is_not() -> None:
    won, seating, lot = of_tokens()
    yellow = see(won, seating, **{lot: Men("yellow")})
    asked = seat_again(won, yellow, seating)
    assert isinstance(asked, AskSeating)
    assert asked.candidates == (Seating(seating.game, "as named", (("yellow", 1), ("red", 2))),)
    assert explain(AgreedPosition(won, asked.candidates[0]), yellow) == Unchanged()
    assert seat_again(won, see(won, seating, **{lot: Men("red")}), seating) is None
    assert seat_again(won, perfect(won, seating), seating) is None
