"""A hint: the best turn, why it is good, and what other turns lose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.language.sentence import Sentence
from companion.players.player import Budget, Weighed
from companion.players.telling import calibrated
from companion.players.thinking import player_of, reasons, turn_text, weigh
from companion.rules.game import Choice, Position

MOST_REASONS = 2
"""The most reasons in a hint."""

MOST_OTHER_TURNS = 2
"""The most other turns in a hint."""

AS_GOOD = 0.0005
"""Who loses less than this chance is told to be about as good: with one decimal, it would lose 0.0 of 100 games."""


@dataclass(frozen=True)
class Hint:
    """What a hint says. ``sentences``: the best turn first, then why, then what others lose.

    ``choices``: the best turn, choice by choice; empty where there is nothing to choose, or nothing better.
    """

    sentences: tuple[Sentence, ...]
    choices: tuple[Choice, ...] = ()


def hint_of(position: Position, budget: Budget) -> Hint:
    """Return a hint for the player who is to act; ``budget``: how much may be thought about it."""
    if position.outcome is not None or position.awaits.kind != "choice":
        return Hint((Sentence("There is nothing to choose now: throw the dice."),))
    if not position.game.program_plays or not position.game.chooses:
        return Hint((Sentence("No choice is better than another here."),))
    weighed = weigh(position, budget)
    best = weighed[0]
    if len(weighed) == 1:
        return Hint(
            (Sentence("There is only one turn: {turn}.", turn=turn_text(position, best.choices)),), best.choices
        )
    reasons_given = [reason.sentence for reason in reasons(position, weighed, best)[:MOST_REASONS]]
    return Hint((_best(position, best), *reasons_given, *_others(position, weighed)), best.choices)


def _best(position: Position, best: Weighed) -> Sentence:
    turn, percent = turn_text(position, best.choices), round(100 * calibrated(position.game.slug, best.chance))
    if player_of(position.game).exact(position):
        return Sentence("The best turn is {turn}: it wins exactly {percent} of 100 games.", turn=turn, percent=percent)
    return Sentence("The best turn is {turn}: it wins about {percent} of 100 games.", turn=turn, percent=percent)


def _others(position: Position, weighed: Sequence[Weighed]) -> Iterator[Sentence]:
    best, slug = weighed[0].chance, position.game.slug
    for one in [other for other in weighed[1:] if other.chance < best][:MOST_OTHER_TURNS]:
        turn, lost = turn_text(position, one.choices), calibrated(slug, best) - calibrated(slug, one.chance)
        if lost < AS_GOOD:
            yield Sentence("{turn} is about as good.", turn=turn)
        else:
            yield Sentence("{turn} loses {lost} more of 100 games.", turn=turn, lost=f"{100 * lost:.1f}")
