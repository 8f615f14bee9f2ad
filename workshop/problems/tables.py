"""Problems met in games of tables: the best play of a throw, the one that closes a point, and the only play."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.lessons.course import courses
from companion.players.player import Budget
from companion.players.thinking import weigh
from companion.problems.problem import Kind
from companion.rules.board import OFF
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step
from workshop.problems.found import Found, line_of, tries

LEAST_MARGIN: Final = 0.08
"""How much likelier the best play of a tables game must win than the next best, by the program's search."""


FEWEST_PLAYS, MOST_PLAYS = 4, 24
"""How many plays of a throw a problem of tables may have: fewer are no question, more tire."""


MOST_GUESSED: Final = 0.4
"""What share of guesses may find the first step of an only play: where most do, there is nothing to find."""


DEEP: Final = Budget(depth=2, nodes=60_000)


def find(before: Position, throw: Throw) -> Iterator[Found]:
    """Yield the problem of a throw of tables: the one play that is possible, or the best by a clear margin."""
    assert isinstance(before, TablesPosition), "a game of tables"
    position = before.after(throw)
    if position.over or position.awaits.player != before.turn:
        return
    if position.awaits.kind != "choice" or position.aside.turning:
        return
    plays = position.plays()
    if len(plays) == 1:
        (play,) = plays
        long, found = len(play.choices) == len(position.dice) > 1, _guessed(position)
        if long and play.position.outcome is None and found <= MOST_GUESSED:
            yield Found("only", before, (line_of(position, play.choices),), found, before.text(throw))
        return
    if not FEWEST_PLAYS <= len(plays) <= MOST_PLAYS:
        return
    weighed = weigh(position, Budget())
    if weighed[0].chance - weighed[1].chance < LEAST_MARGIN or weighed[0].chance == 1:
        return
    deep = weigh(position, DEEP)
    best, second = deep[0], deep[1]
    if best.chance - second.chance < LEAST_MARGIN or set(best.choices) != set(weighed[0].choices):
        return
    kind: Kind = "point" if _closes(position, best.choices) else "best"
    found = tries(position, weighed, [weighed[0]])
    yield Found(
        kind, before, (line_of(position, best.choices),), found, before.text(throw), (best.chance, second.chance)
    )


def scene() -> Found:
    """Return the throw of the emperor Zeno, whose position the course of tables has."""
    step = next(step for step in courses()["tables"].steps if step.start.game.slug == "tables/zeno")
    thrown = step.start
    before = thrown.game.from_json({**thrown.to_json(), "dice": []})
    assert isinstance(before, TablesPosition), "a game of tables"
    dice = next(throw for throw in before.throws() if before.after(throw) == thrown)
    (found,) = find(before, dice)
    return found


def _closes(position: TablesPosition, choices: Sequence[Choice]) -> bool:
    """Whether a play puts a second man on a point."""
    after: Position = position
    for choice in choices:
        after = after.applied(choice)
    side = str(position.side)
    was, now = position.occupancy(), after.occupancy()
    goals = {choice.to for choice in choices if isinstance(choice, Step)} & {
        site.name for site in position.game.board.sites
    } - {OFF}
    return any(was.get(at, {}).get(side, 0) <= 1 < now.get(at, {}).get(side, 0) for at in goals)


def _guessed(position: TablesPosition) -> float:
    """Return how often somebody who points at any of his places and any of the dice finds a first step."""
    own = [at for at, men in position.occupancy().items() if at != OFF and men.get(str(position.side))]
    return len(position.legal()) / (len(own) * len(set(position.dice)))
