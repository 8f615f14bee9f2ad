"""A match's first picture counts by what a table would make of it."""

from bench.boards.followed import start_seen
from companion.rules.registry import game
from tests.referee.board.simulated import hidden, perfect, seating_of, shown_as


def test_a_start_is_accepted_asked_about_by_one_man_doubted_or_not_seen() -> None:
    start = game("rithmomachia/mebben").start(2)
    seating = seating_of(start.game)
    whole = perfect(start, seating)
    men = [name for name, site in whole.sites.items() if site.standing is not None]
    assert start_seen(start, whole) == "starts_accepted"
    assert start_seen(start, shown_as(whole, {men[0]: None})) == "starts_asked_one"
    assert start_seen(start, shown_as(whole, dict.fromkeys(men[:2]))) == "starts_doubted"
    assert start_seen(start, hidden(whole, whole.sites)) == "starts_unseen"
