"""Four strengths for people: the weaker ones choose among good moves, by how much worse than the best each is.

Nobody is slow, silly or blind to the rules. A weaker player weighs every turn as a good one does, but looks less far
ahead and then draws lots: a turn that is worse by the ``temperature`` is chosen e (2.7) times less often than the best.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.language.sentence import Sentence
from companion.players.player import Budget, Weighed

SILLY_TEMPERATURES = 4.0
"""Turns that are worse than the best by more than this many temperatures are never chosen."""

MOST_SECONDS = 1.4
"""Seconds: people wait at most so long for a turn of the master, with what it takes to stop about 1.5."""


@dataclass(frozen=True)
class Strength:
    """One strength. ``temperature``: in chances to win; at 0 the best is always chosen. ``called``: its name."""

    name: str
    called: Sentence
    temperature: float
    budget: Budget


STRENGTHS: dict[str, Strength] = {
    one.name: one
    for one in (
        Strength("child", Sentence("child"), 0.20, Budget(seconds=1.0)),
        Strength("beginner", Sentence("beginner"), 0.08, Budget(seconds=1.0)),
        Strength("club", Sentence("club player"), 0.02, Budget(seconds=1.0)),
        Strength("master", Sentence("master"), 0.0, Budget(depth=2, nodes=120_000, margin=0.25, seconds=MOST_SECONDS)),
    )
}
"""The strengths by name, the weakest first."""

DECIDED_SHARE = 1e-9
"""What is left of the temperature where the game is as good as won or lost; an even game has all of it."""

USUAL = "club"
"""The strength at which the program plays if nobody chooses one."""

PAUSE_SECONDS = 1.6
"""Seconds before a throw or turn of the program: long enough for people to see and hear the last one."""


def picked(weighed: Sequence[Weighed], temperature: float, chance: random.Random, heat: float = 1.0) -> Weighed:
    """Return one of the weighed turns, the best first in the list; at temperature 0 one of those that are best.

    ``heat``: `Player.heat`. Above 1 it makes good turns more alike, but allows none that is worse. Where the game is
    nearly decided, all chances are alike and the temperature falls with them: a side that is ahead goes on to win.
    """
    best = weighed[0].chance
    temperature *= max(DECIDED_SHARE, 4 * best * (1 - best))
    if not temperature or best == 1:
        return chance.choice([one for one in weighed if one.chance == best])
    good = [one for one in weighed if best - one.chance <= SILLY_TEMPERATURES * temperature * min(heat, 1.0)]
    return chance.choices(good, [math.exp((one.chance - best) / (heat * temperature)) for one in good])[0]
