"""Every player keeps the rules, finds the same with the same seed and stops when asked; weaker ones choose worse."""

import random
import time

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from companion.players.player import Budget, Weighed
from companion.players.strengths import SILLY_TEMPERATURES, STRENGTHS, picked
from companion.players.thinking import player_of, reasons, think, weigh
from companion.rules.registry import game
from tests.players.on_the_way import RITHMOMACHIA, SLUGS, TABLES, choosing

LITTLE = Budget(depth=2, nodes=2_000)


@given(
    slug=st.sampled_from(SLUGS),
    seed=st.integers(0, 10_000),
    plies=st.integers(0, 80),
    strength=st.sampled_from(sorted(STRENGTHS)),
)
@settings(max_examples=50, deadline=None)
def test_what_it_chooses_is_allowed_and_the_same_again(slug: str, seed: int, plies: int, strength: str) -> None:
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert position is not None
    one, other = (think(position, STRENGTHS[strength], random.Random(seed), LITTLE) for _ in range(2))
    assert one == other
    assert [weighed.chance for weighed in one.weighed] == sorted((w.chance for w in one.weighed), reverse=True)
    assert all(0 <= weighed.chance <= 1 for weighed in one.weighed)
    for choice in one.choices:
        assert choice in position.legal()
        position = position.after(choice)


@given(slug=st.sampled_from(TABLES), seed=st.integers(0, 10_000), plies=st.integers(0, 120))
@example("tables/paume-carie", 0, 105)  # the winner slaps with both dice
@settings(max_examples=80, deadline=None)
def test_every_turn_of_tables_is_weighed_once(slug: str, seed: int, plies: int) -> None:
    """The boards side by side find exactly the turns of the rules core."""
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert position is not None
    reached = []
    for weighed in weigh(position, Budget()):
        after = position
        for choice in weighed.choices:
            after = after.after(choice)
        reached.append(after)
    assert len(set(reached)) == len(reached)
    assert set(reached) == {play.position for play in position.plays()}


@pytest.mark.parametrize("slug", ["ludix", "tables/pareia-de-entrada", *RITHMOMACHIA])
def test_a_stopped_search_answers_at_once_wherever_it_is(slug: str) -> None:
    """Counted, not timed: `bench` measures how long it takes from one question to the next."""
    position = choosing(slug, 1, 30)
    assert position is not None
    for patience in (0, 1, 5, 40, 90):
        asked = 0

        def stopped(patience: int = patience) -> bool:
            nonlocal asked
            asked += 1
            return asked > patience

        thought = think(position, STRENGTHS["master"], random.Random(1), stopped=stopped)
        assert asked <= patience + 2
        assert thought.choice in position.legal()


def test_a_bound_in_seconds_ends_a_search() -> None:
    position = choosing("rithmomachia/italian", 1, 30)
    assert position is not None
    begun = time.monotonic()
    thought = think(position, STRENGTHS["master"], random.Random(1), Budget(depth=50, nodes=10**9, seconds=0.2))
    assert thought.choice in position.legal()
    assert time.monotonic() - begun < 60, "without the bound it would take hours"


def test_the_weaker_choose_worse_turns_more_often() -> None:
    turns = [Weighed((), 0.6), Weighed((), 0.55), Weighed((), 0.3)]
    chance = random.Random(7)
    mean = {
        name: sum(picked(turns, one.temperature, chance).chance for _ in range(2000)) / 2000
        for name, one in STRENGTHS.items()
    }
    assert list(mean) == ["child", "beginner", "club", "master"]
    assert sorted(mean.values()) == list(mean.values())
    assert mean["master"] == pytest.approx(0.6)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=9),
    st.floats(0.001, 0.5),
    st.integers(0, 99),
    st.sampled_from([0.3, 1.0, 6.0]),
)
def test_nothing_silly_is_chosen(chances: list[float], temperature: float, seed: int, heat: float) -> None:
    turns = [Weighed((), chance) for chance in sorted(chances, reverse=True)]
    found = picked(turns, temperature, random.Random(seed), heat)
    assert found in turns
    assert turns[0].chance - found.chance <= SILLY_TEMPERATURES * temperature * min(1.0, heat)


def test_a_game_without_choices_has_a_player_too() -> None:
    position = game("ludus-regularis").start(2, ending="time")
    if position.awaits.kind != "choice":
        assert list(position.legal()) == [] or think(position, STRENGTHS["club"], random.Random(1)).weighed
    assert player_of(position.game).reasons(position, [], Weighed((), 0.5)) == ()


def test_a_won_game_is_played_to_its_end() -> None:
    """After the win of Paume Carie the winners bear off the losers' men: every turn is as good as any other."""
    slug, chance = "tables/paume-carie", random.Random(3)
    position = game(slug).start(2)
    while position.outcome is None:
        if position.awaits.kind == "choice":
            thought = think(position, STRENGTHS["club"], chance)
            assert isinstance(reasons(position, thought.weighed, thought.best), tuple)
            position = position.after(thought.choice)
        else:
            position = position.after(chance.choice(position.throws()))
    assert position.outcome.details["slaps"] > 0
