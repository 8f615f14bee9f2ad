"""Hypothesis plays Rithmomachia as people do: moves, claims, overlooks, delivers, brings back, takes a turn back."""

from collections import Counter
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

from companion.rules.errors import GameError
from companion.rules.game import Choice, Position
from companion.rules.registry import game
from tests.rules.rithmomachia.naive_men import array, squares
from tests.rules.rithmomachia.naive_options import D, I, M
from tests.rules.rithmomachia.naive_positions import scattered

WAYS_TO_PLAY: list[tuple[str, dict[str, Any]]] = [
    (D, {}),
    (D, {"minor": "none", "major": "magna", "surrounding": "all-men"}),
    (D, {"minor": "de-honore", "points": 300, "several": "as-it-lies", "returned_points": "counted"}),
    (D, {"minor": "none", "claims": "automatic", "distances": "inclusive"}),
    (M, {}),
    (M, {"goal": "great", "operations": "all-four", "capturing": "mover", "returns": "anywhere"}),
    (M, {"minor": "men", "before": "instead", "relief": False, "ranks": 14}),
    (I, {}),
    (I, {"ends": "mediocre", "king_taken_at": "taker", "ambushers": "many", "returns": "none"}),
    (I, {"claims": "automatic", "several": "as-it-lies", "stuck": "loses"}),
]


def army() -> Counter[tuple[str, str, int]]:
    """Count the men of both colours, the pyramids as their parts."""
    return counted(list(array(16).values()))


def counted(men: list[dict[str, Any]]) -> Counter[tuple[str, str, int]]:
    """Count men by their first colour, shape and number, the pyramids as their parts."""
    return Counter(
        (man.get("began", man["colour"]), part["shape"], part["number"])
        for man in men
        for part in man.get("parts", [man])
    )


class RithmoMachine(RuleBasedStateMachine):
    """``path`` holds every position since the match was set up."""

    path: list[Position]

    @initialize(how=st.sampled_from(WAYS_TO_PLAY), seed=st.none() | st.integers(0, 200))
    def begin(self, how: tuple[str, dict[str, Any]], seed: int | None) -> None:
        """Begin with the array, or with men thrown together: much that is rare comes late in a match."""
        slug, options = how
        variant = game(slug)
        start = variant.start(2, **options) if seed is None else variant.from_json(scattered(slug, seed, **options))
        self.path = [start]

    @property
    def now(self) -> Position:
        return self.path[-1]

    def some(self, *beginnings: str) -> list[Choice]:
        return [choice for choice in self.now.legal() if self.now.text(choice).startswith(beginnings)]

    @precondition(lambda self: self.some(*"abcdefgh"))
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        self.path.append(self.now.after(data.draw(st.sampled_from(self.some(*"abcdefgh")))))

    @precondition(lambda self: self.some("takes"))
    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        self.path.append(self.now.after(data.draw(st.sampled_from(self.some("takes")))))

    @precondition(lambda self: self.some("done"))
    @rule()
    def be_done(self) -> None:
        self.path.append(self.now.after(self.now.parse("done")))

    @precondition(lambda self: self.some("return"))
    @rule(data=st.data())
    def bring_back(self, data: st.DataObject) -> None:
        self.path.append(self.now.after(data.draw(st.sampled_from(self.some("return")))))

    @precondition(lambda self: len(self.path) > 1)
    @rule()
    def take_back_what_was_done_last(self) -> None:
        self.path.pop()

    @rule()
    def read_every_choice_back(self) -> None:
        lawful = list(self.now.legal())
        assert len(set(lawful)) == len(lawful) == len(self.now.legal())
        assert bool(lawful) == (self.now.outcome is None)
        for choice in lawful:
            assert self.now.parse(self.now.text(choice)) == choice
            assert self.now.move_from_json(choice.to_json()) == choice
            assert self.now.why_not(choice) is None

    @rule(data=st.data())
    def name_any_choice(self, data: st.DataObject) -> None:
        """What `why_not` refuses, `after` refuses; what it does not is legal, and the other way round."""
        choice = self.now.move_from_json(data.draw(expressible(sorted(self.now.to_json()["men"]))))
        refusal = self.now.why_not(choice)
        assert (refusal is None) == (choice in self.now.legal()) == (choice in list(self.now.legal()))
        if refusal is None:
            assert self.now.account(choice).sentence
            return
        with pytest.raises(GameError) as found:
            self.now.after(choice)
        assert found.value.sentence == refusal

    @invariant()
    def men_are_conserved(self) -> None:
        data = self.now.to_json()
        held = [man for pile in ("captured", "removed") for men in data.get(pile, {}).values() for man in men]
        assert counted([*data["men"].values(), *held]) == army()

    @invariant()
    def nothing_is_wrong(self) -> None:
        assert not self.now.faults()

    @invariant()
    def json_gives_an_equal_position(self) -> None:
        again = self.now.game.from_json(self.now.to_json())
        assert again == self.now
        assert hash(again) == hash(self.now)


@st.composite
def expressible(draw: st.DrawFn, men: list[str]) -> dict[str, Any]:
    """Draw the JSON of a choice that a hand could try: mostly with men that stand on the board."""
    man = st.sampled_from(men) if men else st.just("a1")
    kind = draw(st.sampled_from(["move", "takes", "takes", "return", "done"]))
    if kind == "move":
        return {"from": draw(man), "to": draw(st.sampled_from(squares(16)))}
    if kind == "takes":
        by = draw(
            st.sampled_from(["encounter", "ambush", "assault", "power", "progression", "siege", "siege", "delivery"])
        )
        takers = {"siege": 0, "delivery": 0, "ambush": 2, "progression": 2}.get(by, 1)
        named = draw(st.lists(man, min_size=takers, max_size=takers))
        return {"takes": draw(man), "by": by, "from": sorted(named, key=squares(16).index)}
    if kind == "return":
        shape, number = draw(st.sampled_from([("circle", 9), ("triangle", 25), ("square", 28), ("pyramid", 190)]))
        return {"return": {"shape": shape, "number": number}, "to": draw(st.sampled_from(squares(16)))}
    return {"choice": "done"}


@pytest.mark.hypothesis
def test_rithmomachia_as_people_play_it() -> None:
    run_state_machine_as_test(
        RithmoMachine,
        settings=settings(
            max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
