"""The plain way to play games of tables: it evaluates one turn, and looks no further."""

import random

from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent, any_of_the_best
from companion.rules.board import HAND, OFF
from companion.rules.game import Choice, Game
from companion.rules.tables import TablesPosition

A_HIT, A_MAN_HOME, A_LONE_MAN = 3.0, 2.0, 1.0
"""What the program counts: a hit man of the opponent, a man home or borne off, an own man left alone."""


class _TablesOpponent(Opponent[TablesPosition]):
    def manner(self, game: Game) -> Sentence:
        """Say how the program plays in a seat (`companion.players.tables`)."""
        start = game.start(game.least_players)
        if isinstance(start, TablesPosition) and start.rules.goal == "places":
            return Sentence("Nobody chooses anything here: every way to play a throw leads to the same position.")
        return Sentence(
            "The program weighs every turn by the race, the men that can be hit and the points that are "
            "closed; as a master it also looks at every throw that can follow."
        )

    def choose(self, position: TablesPosition, chance: random.Random) -> Choice:
        """Return the first step of the turn with the highest count; each step is decided again, by the same count."""
        worth: dict[Choice, float] = {}
        for play in position.plays():
            assert isinstance(play.position, TablesPosition), "a position leads to its own kind"
            counted = _counted(position, play.position)
            worth[play.choices[0]] = max(counted, worth.get(play.choices[0], counted))
        return any_of_the_best(worth, chance)


OPPONENT = _TablesOpponent()


def _counted(before: TablesPosition, after: TablesPosition) -> float:
    own, other = str(before.side), str(3 - before.side)
    men, were = after.occupancy(), before.occupancy()
    hits: int = men.get(HAND, {}).get(other, 0) - were.get(HAND, {}).get(other, 0)
    home: int = after.scores()[before.turn] - before.scores()[before.turn]
    alone = sum(1 for site, there in men.items() if site not in (HAND, OFF) and there.get(own) == 1)
    won = after.outcome is not None and before.turn in after.outcome.winners
    return A_HIT * hits + A_MAN_HOME * home - A_LONE_MAN * alone + (100 if won else 0)
