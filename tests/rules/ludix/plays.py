"""Games of Ludix played for the tests: from typed moves, from seeds, and as Hypothesis strategies."""

import random
from collections.abc import Iterable

from hypothesis import strategies as st

from companion.rules.dice import Throw
from companion.rules.game import Choice
from companion.rules.ludix import Ludix, LudixPosition
from companion.rules.options import OptionValue
from companion.rules.registry import game


def ludix() -> Ludix:
    found = game("ludix")
    assert isinstance(found, Ludix)
    return found


def start(players: int = 2, **options: OptionValue) -> LudixPosition:
    return ludix().start(players, **options)


def played(position: LudixPosition, typed: Iterable[str]) -> LudixPosition:
    """Return the position after moves as a player would type them."""
    for text in typed:
        position = position.after(position.parse(text))
    return position


def random_move(position: LudixPosition, dice: random.Random) -> Throw | Choice:
    choices = list(position.legal())
    return dice.choice(choices) if choices else dice.choice(position.throws())


@st.composite
def settings(draw: st.DrawFn) -> dict[str, OptionValue]:
    chosen: dict[str, OptionValue] = {
        option.name: draw(st.sampled_from(option.values)) for option in ludix().options if option.values is not None
    }
    chosen["target"] = draw(st.integers(1, 300))
    return chosen


@st.composite
def reached(draw: st.DrawFn, most_moves: int = 150) -> list[LudixPosition]:
    """A game under way: every position from the first one on, with moves drawn from a seed."""
    path = [start(draw(st.integers(2, 6)), **draw(settings()))]
    dice = draw(st.randoms(use_true_random=True))
    for _ in range(draw(st.integers(0, most_moves))):
        if path[-1].outcome is not None:
            break
        path.append(path[-1].after(random_move(path[-1], dice)))
    return path
