"""Games played for the tests: from seeds, from typed throws, and as Hypothesis strategies."""

import random
from collections.abc import Iterable
from functools import cache

from hypothesis import strategies as st

from companion.rules.dice import Throw
from companion.rules.ludus_regularis import LudusPosition, LudusRegularis
from companion.rules.options import OptionValue
from companion.rules.registry import game

WHOLE = "ludus-regularis"
SUMS = "ludus-regularis/sum"


def ludus(slug: str = WHOLE) -> LudusRegularis:
    found = game(slug)
    assert isinstance(found, LudusRegularis)
    return found


def start(players: int = 2, slug: str = WHOLE, **options: OptionValue) -> LudusPosition:
    return ludus(slug).start(players, **options)


def played(position: LudusPosition, typed: Iterable[str]) -> LudusPosition:
    """Return the position after throws as a player would type them."""
    for text in typed:
        position = position.after(position.parse(text))
    return position


@cache
def throws_at_start(slug: str) -> tuple[Throw, ...]:
    return tuple(start(slug=slug).throws())


@st.composite
def settings(draw: st.DrawFn, slug: str) -> dict[str, OptionValue]:
    chosen: dict[str, OptionValue] = {}
    for option in ludus(slug).options:
        if option.values is not None:
            chosen[option.name] = draw(st.sampled_from(option.values))
    chosen["target"] = draw(st.integers(1, 20))
    chosen["throws"] = draw(st.integers(1, 300))
    return chosen


def random_throw(position: LudusPosition, dice: random.Random) -> Throw:
    if position.awaits.kind == "recast":
        return dice.choice(list(position.throws()))
    return dice.choice(throws_at_start(position.variant.slug))


@st.composite
def reached(draw: st.DrawFn, most_throws: int = 400) -> list[LudusPosition]:
    """A game under way: every position from the first one on, with the throws drawn from a seed."""
    slug = draw(st.sampled_from([WHOLE, SUMS]))
    position = ludus(slug).start(draw(st.integers(2, 6)), **draw(settings(slug)))
    dice = draw(st.randoms(use_true_random=True))
    path = [position]
    # every third game comes to the throw of Karitas at once, which is rare otherwise
    if slug == WHOLE and draw(st.integers(0, 2)) == 0:
        path.append(position.after(position.parse("A E I STXZ")))
    for _ in range(draw(st.integers(0, most_throws))):
        if path[-1].outcome is not None:
            break
        path.append(path[-1].after(random_throw(path[-1], dice)))
    if draw(st.booleans()) and path[-1].legal():
        path.append(path[-1].after(next(iter(path[-1].legal()))))
    return path
