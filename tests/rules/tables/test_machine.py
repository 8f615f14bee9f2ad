"""Hypothesis plays tables as people do: throws, moves, takes a turn back and plays it otherwise."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Position
from companion.rules.options import OptionValue
from companion.rules.registry import game
from tests.rules.tables.naive_variants import VARIANTS, along

WAYS_TO_PLAY: list[tuple[int, dict[str, OptionValue]]] = [
    (2, {}),
    (2, {"extra_turn": True, "doubles_twice": True}),
    (2, {"unused": "opponent", "dice": "2"}),
    (2, {"dice": "3-turn", "battle": True}),
    (2, {"dice": "majoret", "ad_fallum": True}),
    (4, {"unused": "opponent"}),
    (6, {"dice": "2+6"}),
]


class TablesMachine(RuleBasedStateMachine):
    """``path`` holds every position of the running turn, from the one before its throw on."""

    path: list[Position]

    @initialize(slug=st.sampled_from(sorted(VARIANTS)), how=st.sampled_from(WAYS_TO_PLAY))
    def begin(self, slug: str, how: tuple[int, dict[str, OptionValue]]) -> None:
        self.slug = slug
        players, options = how
        known = {option.name for option in game(slug).options}
        self.path = [game(slug).start(players, **{name: value for name, value in options.items() if name in known})]

    @property
    def now(self) -> Position:
        return self.path[-1]

    @precondition(lambda self: self.now.awaits.kind == "throw")
    @rule(data=st.data())
    def throw(self, data: st.DataObject) -> None:
        thrown = data.draw(st.sampled_from(self.now.throws()))
        text = self.now.text(thrown)
        assert self.now.parse(text) == thrown
        assert self.now.move_from_json(thrown.to_json()) == thrown
        self.path = [self.now, self.now.after(thrown)]

    @precondition(lambda self: self.now.awaits.kind == "choice")
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        self.path.append(self.now.after(data.draw(st.sampled_from(list(self.now.legal())))))

    @precondition(lambda self: self.now.awaits.kind == "throw")
    @rule(dice=st.randoms(use_true_random=True), moves=st.integers(10, 200))
    def play_on_for_a_while(self, dice: random.Random, moves: int) -> None:
        """Games are long, and what is rare comes late."""
        position = self.now
        for _ in range(moves):
            waits = position.awaits.kind
            if waits == "over":
                break
            position = position.after(dice.choice(position.throws() if waits == "throw" else list(position.legal())))
        while position.awaits.kind == "choice":
            position = position.after(next(iter(position.legal())))
        self.path = [position]

    @precondition(lambda self: len(self.path) > 1)
    @rule()
    def take_back_the_turn(self) -> None:
        self.path = self.path[:2]

    @precondition(lambda self: len(self.path) > 2)
    @rule()
    def take_back_one_man(self) -> None:
        self.path.pop()

    @precondition(lambda self: self.now.awaits.kind == "choice")
    @rule(data=st.data())
    def play_a_whole_turn(self, data: st.DataObject) -> None:
        play = data.draw(st.sampled_from(self.now.plays()))
        for choice in play.choices:
            assert choice in self.now.legal()
            self.path.append(self.now.after(choice))
        assert self.now == play.position

    @rule(data=st.data())
    def name_any_step(self, data: st.DataObject) -> None:
        """What `why_not` refuses, `after` refuses; what it does not is legal, and the other way round."""
        step = self.now.move_from_json(data.draw(expressible(self.slug)))
        refusal = self.now.why_not(step)
        assert (refusal is None) == (step in self.now.legal()) == (step in list(self.now.legal()))
        if refusal is None:
            assert self.now.account(step).sentence
            return
        with pytest.raises(GameError) as found:
            self.now.after(step)
        assert found.value.sentence == refusal

    @invariant()
    def men_are_conserved(self) -> None:
        everywhere: dict[str, int] = {"1": 0, "2": 0}
        for standing in self.now.occupancy().values():
            for side, count in standing.items():
                everywhere[side] += count
        assert everywhere == dict.fromkeys(everywhere, VARIANTS[self.slug].men)

    @invariant()
    def nothing_is_wrong(self) -> None:
        assert not self.now.faults()

    @invariant()
    def json_gives_an_equal_position(self) -> None:
        again = self.now.game.from_json(self.now.to_json())
        assert again == self.now
        assert hash(again) == hash(self.now)

    @invariant()
    def every_choice_reads_back_and_is_allowed(self) -> None:
        lawful = list(self.now.legal())
        assert len(set(lawful)) == len(lawful) == len(self.now.legal())
        assert bool(lawful) == (self.now.awaits.kind == "choice")
        for choice in lawful:
            assert self.now.parse(self.now.text(choice)) == choice
            assert self.now.move_from_json(choice.to_json()) == choice
            assert self.now.why_not(choice) is None

    @invariant()
    def dice_in_the_wrong_moment_are_refused(self) -> None:
        thrown = Throw.of("pips", {"1": "1"})
        assert self.now.why_not(thrown) is not None


@st.composite
def expressible(draw: st.DrawFn, slug: str) -> dict[str, Any]:
    """Draw a step that a hand could try: along a side's way, or from anywhere to anywhere, or a die to turn."""
    die = draw(st.integers(1, 6))
    variant = VARIANTS[slug]
    track = along(draw(st.sampled_from([variant.first, variant.second])).moves)
    places = ["hand", *track, *["off"] * 6]
    kind = draw(st.sampled_from(["along", "along", "along", "anywhere", "turn"]))
    if kind == "turn":
        return {"turn_die": die}
    if kind == "anywhere":
        return {"from": draw(st.sampled_from(places[:-6])), "to": draw(st.sampled_from(places[1:])), "die": die}
    origin = draw(st.integers(0, len(track)))
    return {"from": places[origin], "to": places[origin + die], "die": die}


@pytest.mark.hypothesis
def test_tables_as_people_play_them() -> None:
    run_state_machine_as_test(
        TablesMachine,
        settings=settings(
            max_examples=20, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
