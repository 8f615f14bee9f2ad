"""From positions that random games reach: a perfect reading of what was played explains to it, and to nothing else."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.odds.playouts import random_move
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import AskMove, CommitPlay, GoOn, Unchanged
from companion.referee.board.standing import BAR, has_board
from companion.rules.game import Play, Position
from companion.rules.registry import game, games
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import Claim, Done
from tests.referee.board.simulated import perfect, seating_of, seen

WITH_BOARD = [slug for slug, listed in games().items() if has_board(listed)]
CHOSEN = [slug for slug in WITH_BOARD if not slug.startswith("ludus-regularis")]
FURTHEST = 400


def reached(slug: str, seed: int, moves: int) -> Position:
    """Return a position of a random game in which a choice is awaited, or its end."""
    chance = random.Random(seed)
    position: Position = game(slug).start(2)
    while position.outcome is None and (moves > 0 or position.awaits.kind != "choice"):
        # whoever may be done is, as a rule: else no free board would ever pass a turn on
        position = position.after(random_move(position, chance))
        moves -= 1
    return position


def a_play(position: Position, chance: random.Random) -> Play:
    """Return a random whole turn, made choice by choice."""
    begun, made = position, []
    while True:
        choice = chance.choice(list(position.legal())[:500])
        made.append(choice)
        position = position.after(choice)
        if position.outcome is not None or position.awaits.player != begun.awaits.player:
            break
        if position.awaits.kind != "choice" or begun.game.board.name == "xii-scripta":
            break
    return Play(tuple(made), position)


def picture(position: Position, slug: str) -> dict[str, object]:
    """Return what can be seen of a position but for the bar, which binds nobody."""
    return {site: what for site, what in seen(position, seating_of(game(slug))).items() if site != BAR}


def stands_for(found: Position, truth: Position, slug: str) -> bool:
    """Whether a position is the true one, or one on the way to it from which nothing more can be seen."""
    if found == truth:
        return True
    if not isinstance(found, RithmoPosition) or not isinstance(truth, RithmoPosition):
        return False
    begun = [found]
    while begun:
        here = begun.pop()
        for choice in here.legal():
            if isinstance(choice, Done) or (isinstance(choice, Claim) and choice.target.part):
                after = here.after(choice)
                if after == truth:
                    return True
                if after.awaits.player == here.awaits.player and picture(after, slug) == picture(truth, slug):
                    begun.append(after)
    return False


@pytest.mark.parametrize("slug", CHOSEN)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), moves=st.integers(0, FURTHEST), lies=st.integers(0, 7))
def test_a_perfect_reading_explains_to_what_was_played_and_to_nothing_else(
    slug: str, seed: int, moves: int, lies: int
) -> None:
    position = reached(slug, seed, moves)
    if position.outcome is not None:
        return
    seating = seating_of(game(slug), lies)
    play = a_play(position, random.Random(seed))
    decision = explain(AgreedPosition(position, seating), perfect(play.position, seating))
    unseen = picture(play.position, slug) == picture(position, slug)
    if play.position.outcome is not None and unseen:
        return  # an end that was agreed on
    match decision:
        case CommitPlay():
            assert stands_for(decision.play.position, play.position, slug)
            assert decision.play.arrows or unseen
            assert len(decision.sentences) == len(decision.play.moves)
        case AskMove():
            there = [candidate.position for candidate in decision.candidates]
            assert any(stands_for(candidate, play.position, slug) for candidate in there)
            pictures = [picture(candidate, slug) for candidate in there]
            assert all(shown == picture(play.position, slug) for shown in pictures)
        case Unchanged():
            assert unseen
        case GoOn():
            # all that can be seen was done, and what is left of the turn may still be seen
            assert picture(decision.play.position, slug) == picture(play.position, slug)
        case _:
            pytest.fail(f"{decision} for {[str(choice) for choice in play.choices]} in {position.to_json()}")


@pytest.mark.parametrize("slug", WITH_BOARD)
def test_the_agreed_position_itself_is_unchanged_however_the_board_lies(slug: str) -> None:
    chance = random.Random(slug)
    position: Position = game(slug).start(2)
    for lies in range(24):
        seating = seating_of(game(slug), lies)
        decision = explain(AgreedPosition(position, seating), perfect(position, seating))
        assert isinstance(decision, Unchanged | CommitPlay)
        assert isinstance(decision, Unchanged) or picture(decision.play.position, slug) == picture(position, slug)
        if position.outcome is None:
            position = position.after(random_move(position, chance))


@pytest.mark.parametrize("slug", WITH_BOARD)
def test_choices_of_a_candidate_lead_from_the_agreed_position_to_its_own(slug: str) -> None:
    position = reached(slug, 3, 30) if slug in CHOSEN else game(slug).start(2)
    if position.awaits.kind != "choice":
        return
    play = a_play(position, random.Random(8))
    seating = seating_of(game(slug))
    decision = explain(AgreedPosition(position, seating), perfect(play.position, seating))
    for candidate in decision.candidates if isinstance(decision, AskMove) else ():
        here = position
        for move in candidate.moves:
            here = here.after(move)
        assert here == candidate.position
    if isinstance(decision, CommitPlay):
        for move, sentence in zip(decision.play.moves, decision.sentences, strict=True):
            assert position.account(move).sentence == sentence
            position = position.after(move)
        assert position == decision.play.position
