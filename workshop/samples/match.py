"""Choose the throws of a short match of Ludus Regularis, so that everything that can happen happens once."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.dice import Die, Face, Throw, dice_set
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.registry import game

GAME = "ludus-regularis"
OPTIONS: dict[str, int | str] = {"ending": "first-to", "target": 12}
PLAYERS = ("Wibold", "Hucbald")

# The results of each player's throws, before they are put into a random order. "recast" continues with a second cast
# that wins or is missed; the winner's last throw always acquires. 12 virtues against 9 in 29 throws.
WINNER = ("acquired",) * 10 + ("recast acquired", "held", "letters", "consonant")
LOSER = ("acquired",) * 9 + ("recast missed", "held", "letters", "letters", "consonant")


MOST_LETTERS = 5
"""On an upper face. Six stand so close on a small die that the reader sometimes asks about them, whatever the font.

The sample should show one question, for a reason that everybody sees.
"""


class NoSuchThrowError(RuntimeError):
    """No throw gives the wanted result here."""


@dataclass(frozen=True)
class Cast:
    """One cast: of all dice, or (``recast``) of one cube again. ``shown`` is how all dice lie afterwards."""

    throw: int
    player: int
    recast: bool
    cast: Throw
    shown: Throw
    result: str
    virtue: str

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the script."""
        return {
            "throw": self.throw,
            "player": self.player,
            "kind": "recast" if self.recast else "throw",
            "faces": dict(self.cast.shown),
            "result": self.result,
            "virtue": self.virtue,
        }


@dataclass(frozen=True)
class Match:
    """The casts of a whole match and its final position."""

    casts: tuple[Cast, ...]
    end: LudusPosition


def plan_match(seed: int) -> Match:
    """Return a match of two players. The same seed gives the same match.

    Raises:
        NoSuchThrowError: the rules changed so that the plan no longer works.
    """
    rng = random.Random(seed)  # noqa: S311  # dice of a sample, not a secret
    wanted = _order(rng)
    position = game(GAME).start(len(PLAYERS), **OPTIONS)
    assert isinstance(position, LudusPosition)
    casts: list[Cast] = []
    for want in wanted:
        first, _, second = want.partition(" ")
        throw = _search(rng, position, first, dice_set("wibold").dice)
        casts.append(_cast(position, throw, throw, recast=False))
        position = position.after(throw)
        if second:
            # a different face than before, so that viewers see what happened
            again = throw
            while set(again.shown) <= set(throw.shown):
                again = _search(rng, position, second, dice_set("wibold").dice[:3], single=True)
            faces = {**dict(throw.shown), **dict(again.shown)}
            casts.append(_cast(position, again, Throw.of("wibold", faces), recast=True))
            position = position.after(again)
    return Match(tuple(casts), position)


def _cast(position: LudusPosition, throw: Throw, shown: Throw, *, recast: bool) -> Cast:
    effect = position.effect(throw)
    virtue = effect.meant[0]
    return Cast(position.throw_number, position.turn, recast, throw, shown, effect.result, virtue.lot)


def _order(rng: random.Random) -> tuple[str, ...]:
    """Order the results so that no virtue is already held at the beginning, and Karitas is missed before it is won."""
    while True:
        winner = [*rng.sample(WINNER, len(WINNER)), "acquired"]
        loser = rng.sample(LOSER, len(LOSER))
        both = [result for pair in zip(winner, [*loser, ""], strict=True) for result in pair if result]
        late = min(both.index("held"), len(both) - 1 - both[::-1].index("held"))
        missed, won = both.index("recast missed"), both.index("recast acquired")
        if late > len(both) // 3 and missed < won < len(both) * 2 // 3 and both[0] == "acquired":
            return tuple(both)


def _search(
    rng: random.Random, position: LudusPosition, wanted: str, dice: Sequence[Any], *, single: bool = False
) -> Throw:
    for _ in range(200_000):
        thrown = [rng.choice(dice)] if single else dice
        throw = Throw.of("wibold", {die.name: rng.choice(_clear(die)).text for die in thrown})
        if position.effect(throw).result == wanted:
            return throw
    raise NoSuchThrowError(f"Expected a throw that is {wanted!r} at throw {position.throw_number}, but found none.")


def _clear(die: Die) -> list[Face]:
    return [face for face in die.faces if len(face.text) <= MOST_LETTERS]
