"""The contract on random games of every registered game with its defaults."""

import random
import re
from collections.abc import Iterator

import pytest

from tests.rules.contract import checks
from tests.rules.contract.cases import Case, choosing, defaults, path, positions, room, some, thinned
from tests.rules.contract.conserved import conserved
from tests.rules.contract.planting import planted
from tests.rules.contract.strangers import strange_choices, strange_throws


@pytest.fixture(scope="module", params=defaults(), ids=str)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    """All claims on one game are tested one after the other, on the same random game of it."""
    yield request.param
    path.cache_clear()


def test_every_position_survives_json(case: Case) -> None:
    for position in thinned(case):
        checks.survives_json(position)


def test_no_word_of_a_position_is_passed_over(case: Case) -> None:
    for position in some(case, 3):
        checks.knows_its_words(position)


def test_every_reached_position_is_without_fault(case: Case) -> None:
    for position in thinned(case):
        checks.without_fault(position)


def test_the_story_is_three_plain_sentences(case: Case) -> None:
    story = str(case.game.story)
    assert len(re.findall(r"[.!?](?= [A-Z'0-9]|$)", story)) == 3, story
    assert max(len(sentence.split()) for sentence in story.split(". ")) <= 45


def test_men_are_conserved(case: Case) -> None:
    first = conserved(case.start())
    for position in positions(case):
        assert conserved(position) == first


def test_every_position_tells_its_state(case: Case) -> None:
    for position in thinned(case):
        checks.tells_its_state(position)
    for position in some(case, 5):
        checks.teaches(position)


def test_every_move_survives_text_and_json(case: Case) -> None:
    for position, move in path(case)[0]:
        checks.move_survives(position, move)
    for position in choosing(case, 12):
        for choice in position.legal():
            checks.move_survives(position, choice)


def test_every_move_is_told(case: Case) -> None:
    for position, move in path(case)[0][::2]:
        checks.accepted(position, move)


def test_legal_is_what_after_accepts_of_all_that_can_be_expressed(case: Case) -> None:
    expressible = room(case.slug, "expressible").expressible
    for position in [*choosing(case, 3), positions(case)[-1]]:
        checks.legal_is_what_after_accepts(position, expressible(position))


def test_throws_are_taken_where_they_are_awaited_and_nowhere_else(case: Case) -> None:
    chance = random.Random(1)
    for position in some(case, 12):
        throws = list(position.throws())
        assert bool(throws) == (position.awaits.kind in {"throw", "recast"})
        for throw in chance.sample(throws, min(6, len(throws))):
            checks.accepted(position, throw)
        for throw in strange_throws(position):
            checks.refused(position, throw)
    for waiting in choosing(case, 3):
        for throw in positions(case)[0].throws()[:1]:
            checks.refused(waiting, throw)


def test_choices_of_other_games_are_refused(case: Case) -> None:
    for position in some(case, 4):
        for choice in strange_choices(position):
            assert choice not in position.legal()
            checks.refused(position, choice)


def test_plays_are_the_whole_turns(case: Case) -> None:
    for position in choosing(case, 10):
        checks.plays_are_the_whole_turns(position)


def test_the_same_moves_lead_to_the_same_position(case: Case) -> None:
    steps, last = path(case)
    position = case.start()
    for before, move in steps:
        assert position == before
        assert hash(position) == hash(before)
        after = position.after(move)
        assert after != position
        position = after
    assert position == last


def test_every_planted_fault_is_named(case: Case) -> None:
    found = list(planted(case.start()))
    assert found
    for words, position in found:
        sentence = [str(fault) for fault in position.faults()]
        assert any(words in fault for fault in sentence), f"expected {words!r} in {sentence}"
        for fault in position.faults():
            checks.readable(fault)
