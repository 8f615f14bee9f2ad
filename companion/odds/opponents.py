"""The program as a player: how it chooses in each game, by a way that is published and that the page can name.

It never looks ahead into chance: Ludix between two is played by its exact policy, everything else by plain rules of our
own, good enough for company and honest about it (`manner`).
"""

import random
from collections.abc import Mapping
from typing import TypeVar

from companion.language.sentence import Sentence
from companion.odds.ludix.policy import best_choice
from companion.odds.ludix.race import PolicyError
from companion.odds.ludix.throws import most_to_go_on
from companion.rules.board import HAND, OFF
from companion.rules.game import Choice, Game, Position
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.choices import AGAIN, STOP
from companion.rules.ludus_regularis import LudusPosition
from companion.rules.rithmomachia.choices import Claim, Delivery, Move
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.tables.free.board import FreeBoard
from companion.rules.tables.position import TablesPosition

T = TypeVar("T")

A_HIT, A_MAN_HOME, A_LONE_MAN = 3.0, 2.0, 1.0
"""What the program counts in games of tables: an enemy sent back, a man home or borne off, an own man left alone."""


def can_play(game: Game) -> bool:
    """Whether the program can take a seat in this game: not where nothing but the players' agreement rules it."""
    return not isinstance(game, FreeBoard)


def chooses(game: Game) -> bool:
    """Whether a player of this game chooses anything, or only throws."""
    return not isinstance(game.start(game.least_players), LudusPosition)


def manner(game: Game) -> Sentence:
    """Say in one sentence how the program plays this game."""
    start = game.start(game.least_players)
    if isinstance(game, FreeBoard):
        return Sentence("The program cannot play here: nobody knows the rules, so people agree on every move.")
    if isinstance(start, LudusPosition):
        return Sentence("The program throws as you do; there is nothing to choose, but for the die of a second cast.")
    if isinstance(start, LudixPosition):
        return Sentence(
            "Between two the program stops and goes on by the best play, which is known exactly; otherwise it throws "
            "again up to {most} points at stake.",
            most=most_to_go_on(),
        )
    if isinstance(start, RithmoPosition):
        return Sentence(
            "The program takes the highest number that it can take by its next move, and otherwise moves by chance: it "
            "overlooks nothing and plans nothing."
        )
    return Sentence(
        "The program hits where it can, brings men home and leaves as few men alone as it can; among equal turns it "
        "draws lots."
    )


def choose(position: Position, chance: random.Random) -> Choice:
    """Return the choice that the program makes in a position that waits for one.

    May take seconds: the best play of Ludix is solved when it is first asked for.
    """
    if isinstance(position, LudixPosition):
        return _ludix(position)
    if isinstance(position, RithmoPosition):
        return _battle(position, chance)
    if isinstance(position, TablesPosition):
        return _tables(position, chance)
    return chance.choice(list(position.legal()))


def die_to_cast(position: Position, chance: random.Random) -> str:
    """Return the die that the program throws again: one of those on which most faces win something."""
    wins = dict.fromkeys(position.awaits.dice, 0)
    turn = position.awaits.player
    before = position.scores()[turn]
    for throw in position.throws():
        name = throw.shown[0][0]
        wins[name] += position.after(throw).scores()[turn] > before
    return _any_of_the_best(wins, chance)


def _any_of_the_best(worth: Mapping[T, float], chance: random.Random) -> T:
    most = max(worth.values())
    return chance.choice([what for what, value in worth.items() if value == most])


def _ludix(position: LudixPosition) -> Choice:
    try:
        return best_choice(position)
    except PolicyError:
        best = position.best
        again = Formed(best.text, AGAIN)
        if position.stake + best.value <= most_to_go_on() and position.refusal(again) is None:
            return again
        return Formed(best.text, STOP)


def _tables(position: TablesPosition, chance: random.Random) -> Choice:
    """Return the first step of the turn that counts most; each step is thought about anew, with the same count."""
    worth: dict[Choice, float] = {}
    for play in position.plays():
        assert isinstance(play.position, TablesPosition), "a position leads to its own kind"
        counted = _counted(position, play.position)
        worth[play.choices[0]] = max(counted, worth.get(play.choices[0], counted))
    return _any_of_the_best(worth, chance)


def _counted(before: TablesPosition, after: TablesPosition) -> float:
    own, other = str(before.side), str(3 - before.side)
    men, were = after.occupancy(), before.occupancy()
    hits: int = men.get(HAND, {}).get(other, 0) - were.get(HAND, {}).get(other, 0)
    home: int = after.scores()[before.turn] - before.scores()[before.turn]
    alone = sum(1 for site, there in men.items() if site not in (HAND, OFF) and there.get(own) == 1)
    won = after.outcome is not None and before.turn in after.outcome.winners
    return A_HIT * hits + A_MAN_HOME * home - A_LONE_MAN * alone + (100 if won else 0)


def _battle(position: RithmoPosition, chance: random.Random) -> Choice:
    if position.phase == "claims":
        claims = {claim: _number(position, claim) for claim in position.claims}
        return _any_of_the_best(claims, chance) if claims else next(iter(position.legal()))
    worth: dict[Choice, float] = {}
    for choice in position.legal():
        if isinstance(choice, Claim | Delivery):
            worth[choice] = _number(position, choice)
        elif isinstance(choice, Move):
            moved = position.carried_out(choice)
            worth[choice] = max((_number(moved, claim) for claim in moved.claims), default=0)
        else:
            worth[choice] = 0
    return _any_of_the_best(worth, chance)


def _number(position: RithmoPosition, choice: Claim | Delivery) -> float:
    target = choice.target
    man = position.men[position.law.board.numbered[target.site]]
    assert man is not None, "a man is taken"
    return float(target.part or man.number)
