"""The game that plays itself while nobody is there: a whole game by the rules, with throws from a seeded generator.

It consists of moments within one minute. The first throws appear one by one, because they teach the rules. After them
only the virtues won appear, on a logarithmic scale with ever more throws per second. Nothing of it enters the journal.
"""

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Final

from companion.language.sentence import Sentence
from companion.odds.ludus_regularis import ludus
from companion.rules.dice import Throw, dice_set
from companion.rules.ludus_regularis.position import LudusPosition

GAME: Final = "ludus-regularis"
ATTRACT_DICE: Final = "wibold"
ATTRACT_PLAYERS: Final = 2
LONGEST_PLAY_SECONDS: Final = 60.0
SINGLE_THROWS: Final = 8
"""The number of throws that appear one by one."""

SLOW_SECONDS: Final = 22.0
GAMES_KEPT: Final = 16
"""Games to keep: this many visitors in a row see different ones, and nobody can make the server play more."""

TAUGHT_WITHIN: Final = 6
"""Within this many first throws one virtue must be acquired and another missed, so that the captions have examples."""


@dataclass(frozen=True)
class AttractThrow:
    """One throw to show ``at`` this second: its ``number``, its ``player``, and its result.

    ``kind``: the rules' name of the result: ``acquired``, ``held``, ``letters``, ``consonant``, ``recast``,
    ``missed``. ``faces``: by die. ``lot``: of the virtue that the cubes pointed to.
    """

    at: float
    number: int
    player: int
    kind: str
    faces: dict[str, str]
    lot: str
    sentence: Sentence

    def to_json(self) -> dict[str, Any]:
        """Return it for the page."""
        return {**vars(self), "at": round(self.at, 2), "sentence": self.sentence.to_json()}


@dataclass(frozen=True)
class SelfPlay:
    """A whole game: its moments in order, the number of throws, the scores by player, and the teacher."""

    moments: tuple[AttractThrow, ...]
    throws: int
    scores: dict[int, int]
    teacher: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it for the page."""
        return {
            "game": GAME,
            "seconds": LONGEST_PLAY_SECONDS,
            "throws": self.throws,
            "scores": {str(player): score for player, score in self.scores.items()},
            "teacher": list(self.teacher),
            "moments": [moment.to_json() for moment in self.moments],
        }


@lru_cache(maxsize=GAMES_KEPT)
def self_play(place: int) -> SelfPlay:
    """Return the game at a place of the rota, counted from 0; the same game every time."""
    chance = random.Random(place % GAMES_KEPT)  # noqa: S311  (a game to look at)
    for _ in count():
        state = chance.getrandbits(64)
        first = _thrown(random.Random(state), TAUGHT_WITHIN)  # noqa: S311
        kinds = {kind for _, kind, _ in first}
        if "acquired" in kinds and kinds & {"letters", "consonant"}:
            return _self_play(_thrown(random.Random(state)))  # noqa: S311
    raise AssertionError("the generator ends never")


def _thrown(chance: random.Random, most: int | None = None) -> list[tuple[LudusPosition, str, Throw]]:
    """Return up to ``most`` throws: for each the position before it, the kind of its result, and the throw."""
    position = ludus(GAME).start(ATTRACT_PLAYERS)
    dice = dice_set(ATTRACT_DICE)
    thrown: list[tuple[LudusPosition, str, Throw]] = []
    while position.outcome is None and (most is None or len(thrown) < most):
        waits = position.awaits
        names = waits.dice if waits.kind == "throw" else (chance.choice(waits.dice),)
        throw = Throw.of(dice.name, {name: chance.choice(dice.die(name).faces).text for name in names})
        thrown.append((position, position.effect(throw).result, throw))
        position = position.after(throw)
    return thrown


def _self_play(thrown: list[tuple[LudusPosition, str, Throw]]) -> SelfPlay:
    last = thrown[-1][0].after(thrown[-1][2])
    moments = []
    for number, (position, kind, throw) in enumerate(thrown, start=1):
        if number > SINGLE_THROWS and kind != "acquired":
            continue
        meant = position.effect(throw).meant[0]
        sentence = position.account(throw).sentence
        moments.append(
            AttractThrow(_at(number, len(thrown)), number, position.turn, kind, dict(throw.shown), meant.lot, sentence)
        )
    outcome = last.outcome
    assert outcome is not None, "it was played to its end"
    return SelfPlay(tuple(moments), len(thrown), dict(last.scores()), outcome.winners)


def _at(number: int, throws: int) -> float:
    """Return the second at which a throw appears."""
    if number <= SINGLE_THROWS:
        return number * SLOW_SECONDS / SINGLE_THROWS
    return SLOW_SECONDS + (LONGEST_PLAY_SECONDS - SLOW_SECONDS) * math.log(number / SINGLE_THROWS) / math.log(
        throws / SINGLE_THROWS
    )
