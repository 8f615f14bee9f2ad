"""Squares with sensors: beside the camera they tell what it cannot see; alone they commit what nothing else is near."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.odds.playouts import random_move
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import AskMove, Blind, CommitPlay, GoOn, Unchanged
from companion.referee.board.squares import against, checked, explain_alone, joined
from companion.referee.board.standing import BAR, Stand, expected_board, sites_of
from companion.rules.game import Position
from companion.rules.registry import game
from tests.referee.board.simulated import hidden, perfect, seating_of

SLUGS = ("tables/zeno", "tables/todas-tablas", "rithmomachia/italian", "rithmomachia/mebben")


def reached(slug: str, seed: int, moves: int) -> Position:
    """Return a position in which a choice is awaited, after so many random moves or a few more."""
    position, chance = game(slug).start(2), Random(seed)
    while moves > 0 or position.awaits.kind != "choice":
        if position.outcome is not None:
            return game(slug).start(2)
        position = position.after(random_move(position, chance))
        moves -= 1
    return position


def squares(position: Position) -> dict[str, bool]:
    shown = expected_board(position)
    return {site: isinstance(shown.get(site), Stand) for site in sites_of(position.game) if site != BAR}


def played(position: Position, chance: Random) -> Position:
    """Return where one whole turn leads, or where captures are to be found, one choice."""
    if position.conceals:
        return position.after(chance.choice(list(position.open_choices())))
    return chance.choice(position.plays()).position


where = {"slug": st.sampled_from(SLUGS), "seed": st.integers(0, 10**6), "moves": st.integers(0, 120)}


@settings(max_examples=60, deadline=None)
@given(**where)
def test_squares_alone_commit_what_was_played_or_ask_for_it_but_nothing_else(slug: str, seed: int, moves: int) -> None:
    position = reached(slug, seed, moves)
    if position.awaits.kind != "choice":
        return
    after = played(position, Random(seed))
    decision = explain_alone(position, squares(after))
    match decision:
        case CommitPlay():
            assert squares(decision.play.position) == squares(after)
        case AskMove():
            assert decision.candidates
            assert len(decision.candidates) > 1 or squares(decision.candidates[0].position) == squares(after)
        case Unchanged():
            assert squares(after) == squares(position)
        case _:
            pytest.fail(f"{decision} for what is legal")


@settings(max_examples=60, deadline=None)
@given(**where, flip=st.integers(0, 200))
def test_one_square_that_errs_never_commits_what_was_not_played(slug: str, seed: int, moves: int, flip: int) -> None:
    position = reached(slug, seed, moves)
    if position.awaits.kind != "choice":
        return
    chance = Random(seed)
    for after in (position, played(position, chance)):
        stated = squares(after)
        site = sorted(stated)[flip % len(stated)]
        decision = explain_alone(position, stated | {site: not stated[site]})
        assert not isinstance(decision, CommitPlay)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_turn_in_the_middle_is_waited_for(slug: str) -> None:
    position = reached(slug, 4, 30)
    stated = squares(position)
    lifted = next(site for site, men in sorted(stated.items()) if men and site in expected_board(position))
    decision = explain_alone(position, {**stated, lifted: False})
    assert isinstance(decision, GoOn | AskMove)


@settings(max_examples=40, deadline=None)
@given(**where)
def test_squares_that_agree_change_nothing_of_what_the_camera_means(slug: str, seed: int, moves: int) -> None:
    position = reached(slug, seed, moves)
    if position.awaits.kind != "choice":
        return
    after = played(position, Random(seed))
    seating = seating_of(game(slug), seed)
    whole = perfect(after, seating)
    stated = squares(after)
    plain = explain(AgreedPosition(position, seating), whole)
    weighed = checked(explain(AgreedPosition(position, seating), joined(whole, seating, stated)), stated)
    assert type(plain) is type(weighed)
    if isinstance(plain, CommitPlay) and isinstance(weighed, CommitPlay):
        assert plain.play.position == weighed.play.position


def test_a_square_tells_of_a_site_that_the_camera_cannot_see() -> None:
    position = game("rithmomachia/italian").start(2)
    move = next(choice for choice in position.legal() if "from" in choice.to_json())
    after, start = position.after(move), str(move.to_json()["from"])
    seating = seating_of(position.game)
    covered = hidden(perfect(after, seating), [seating.site(start)])
    assert isinstance(explain(AgreedPosition(position, seating), covered), Blind)
    stated = {start: False}
    decision = checked(explain(AgreedPosition(position, seating), joined(covered, seating, stated)), stated)
    assert isinstance(decision, CommitPlay)
    assert decision.play.position == after


def test_where_camera_and_squares_contradict_each_other_it_is_asked() -> None:
    position = game("rithmomachia/italian").start(2)
    move = next(choice for choice in position.legal() if "from" in choice.to_json())
    after, start = position.after(move), str(move.to_json()["from"])
    seating = seating_of(position.game)
    stated = squares(after) | {start: True}
    decision = checked(
        explain(AgreedPosition(position, seating), joined(perfect(after, seating), seating, stated)), stated
    )
    assert isinstance(decision, AskMove)
    assert [candidate.position for candidate in decision.candidates] == [after]
    assert f"on {start}: is this what was played?" in str(decision.sentence)


def test_what_is_against_a_look_is_named_by_site() -> None:
    position = game("tables/zeno").start(2)
    assert against(expected_board(position), {"a": False, "b": True, "c": False, "z": True}) == ("a", "b")
