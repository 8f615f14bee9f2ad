"""One game played twice at once, by the engine and by the naive rules, compared at every position."""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.options import OptionValue
from companion.rules.registry import game
from tests.rules.tables import naive

SAME = {"dice": "dice", "enter_first": "enter_first", "all_enter_first": "all_enter_first", "ad_fallum": "ad_fallum"}
SAME |= {"doubles_twice": "doubles_twice", "extra_turn": "extra_turn", "reversed": "turned"}
MEANING: dict[tuple[str, OptionValue], tuple[str, Any]] = {
    ("unused", "opponent"): ("lends", True),
    ("unused", "lost"): ("lends", False),
    ("goal", "bear"): ("bears", True),
    ("goal", "home"): ("bears", False),
}


@dataclass(frozen=True)
class Both:
    """The same position twice."""

    engine: Position
    plain: naive.State

    @property
    def over(self) -> bool:
        return self.engine.outcome is not None

    @property
    def awaits_throw(self) -> bool:
        return self.engine.awaits.kind == "throw"

    def throw(self, text: str) -> "Both":
        """Return both after these dice, typed as a player would."""
        shown = [int(word) for word in text.split()]
        return Both(self.engine.after(self.engine.parse(text)), naive.after_throw(self.plain, *shown))

    def choose(self, move: naive.Move) -> "Both":
        """Return both after the same choice."""
        return Both(self.engine.after(self.engine.move_from_json(as_json(move))), naive.after(self.plain, move))

    def typed(self, text: str) -> "Both":
        """Return both after a choice as a player types it."""
        choice = self.engine.parse(text)
        assert not isinstance(choice, Throw)
        return Both(self.engine.after(choice), naive.after(self.plain, as_move(choice)))

    def moves(self) -> list[naive.Move]:
        """Return what the naive rules allow, in an order of its own that depends on nothing else."""
        return sorted(naive.legal(self.plain), key=repr)


def begin(slug: str, players: int = 2, **options: OptionValue) -> Both:
    """Start a game with both, the options under their names in the program."""
    return Both(game(slug).start(players, **options), naive.start(slug, players, **meant(options)))


def meant(options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """Return options under the names that the naive rules have for them."""
    return dict(MEANING.get((name, value), (SAME.get(name, name), value)) for name, value in options.items())


def under_way(
    slug: str, players: int, options: Mapping[str, OptionValue], generator: random.Random, moves: int
) -> Both:
    """Let the engine alone play so many throws and choices, and set the naive rules up there as a person would."""
    position: Position = game(slug).start(players, **options)
    before = position
    for _ in range(moves):
        if position.awaits.kind == "throw":
            before = position
            position = position.after(generator.choice(position.throws()))
        else:
            position = position.after(generator.choice(list(position.legal())))
        if position.outcome is not None or "won" in position.to_json():
            break
    return Both(before, naive.from_json(before.to_json(), **meant(options)))


def as_json(move: naive.Move) -> dict[str, Any]:
    if isinstance(move, int):
        return {"turn_die": move}
    return {"from": move[0], "to": move[1], "die": move[2]}


def as_move(choice: Choice) -> naive.Move:
    data = choice.to_json()
    if "turn_die" in data:
        return int(data["turn_die"])
    return data["from"], data["to"], data["die"]


def engine_view(position: Position) -> dict[str, Any]:
    """Return what a spectator sees of the engine's position."""
    data = position.to_json()
    outcome = position.outcome
    view: dict[str, Any] = {"men": {}, "hit": {}, "down": {}}
    for side in (1, 2):
        men = dict(data["men"][str(side)])
        view["hit"][side] = men.pop("hit_in", men.pop("hit", men["hand"]))
        view["down"][side] = men.pop("down", [])
        view["men"][side] = {site: count for site, count in men.items() if count}
    return view | {
        "turn": None if outcome else data["turn"],
        "dice": [] if outcome else sorted(data.get("dice", [])),
        "slaps": data.get("slaps", 0),
        "winners": None if outcome is None else sorted(outcome.winners),
    }


def naive_view(state: naive.State) -> dict[str, Any]:
    """Return the same of the naive rules' position."""
    sides = {0: (1, 2), 1: (1,), 2: (2,)}
    over = state.winner is not None
    half = state.players // 2
    winners = None
    if state.winner is not None:
        winners = [number for side in sides[state.winner] for number in range((side - 1) * half + 1, side * half + 1)]
    return {
        "men": {side: {site: count for site, count in men.items() if count} for side, men in state.men.items()},
        "hit": {side: _hit(state, side) for side in (1, 2)},
        "down": state.down,
        "turn": None if over else state.turn,
        "dice": [] if over else sorted(state.dice),
        "slaps": state.slaps,
        "winners": winners,
    }


def _hit(state: naive.State, side: int) -> Any:
    if not state.variant.enters_diagonally:
        return sum(state.hit[side].values())
    return {naive.DIAGONAL[table]: count for table, count in state.hit[side].items() if count}


def compare(both: Both, *, plays: bool = False) -> None:
    """Hold the two against each other: what stands where, who is to do what, and what is legal."""
    assert engine_view(both.engine) == naive_view(both.plain)
    expected = naive.legal(both.plain)
    assert sorted(map(as_move, both.engine.legal()), key=repr) == sorted(expected, key=repr), both.engine.to_json()
    if plays and expected:
        reached = [json.dumps(naive_view(state), sort_keys=True) for _, state in naive.plays(both.plain).values()]
        assert sorted(json.dumps(engine_view(play.position), sort_keys=True) for play in both.engine.plays()) == sorted(
            reached
        )


def playout(both: Both, generator: random.Random, moves: int) -> Iterator[Both]:
    """Give every position of a random game, for so many throws and choices at most."""
    for _ in range(moves):
        if both.over:
            return
        if both.awaits_throw:
            shown = [generator.randint(1, 6) for _ in both.engine.awaits.dice]
            both = both.throw(" ".join(map(str, shown)))
        else:
            both = both.choose(generator.choice(both.moves()))
        yield both
