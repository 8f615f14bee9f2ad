"""A hint: the best turn, why it is good, and what other turns lose."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from companion.language.sentence import Sentence
from companion.odds.opponents import can_play, chooses
from companion.players.player import Weighed
from companion.players.thinking import player_of, reasons, strongest, weigh
from companion.rules.game import Choice, Position

REASONS: Final = 2
"""The most reasons that are told."""

OTHERS: Final = 2
"""The most other turns that are told."""

SECONDS: Final = 3.0
"""The longest that a page waits for a hint: then it is told what was found until then."""


def hint_of(position: Position) -> dict[str, Any]:
    """Return what the page tells of the best turn.

    ``sentences``: the best turn first, then why, then what others lose; ``choices``: the best turn, choice by choice.
    """
    if position.outcome is not None or position.awaits.kind != "choice":
        return _alone(Sentence("There is nothing to choose now: throw the dice."))
    if not can_play(position.game) or not chooses(position.game):
        return _alone(Sentence("There is no better and worse here."))
    weighed = weigh(position, replace(strongest().budget, seconds=SECONDS))
    best = weighed[0]
    turn, percent = _text(position, best.choices), round(100 * best.chance)
    if player_of(position.game).exact(position):
        sentences = [Sentence("Best is {turn}: it wins in exactly {percent} of 100 games.", turn=turn, percent=percent)]
    else:
        sentences = [Sentence("Best is {turn}: it wins in about {percent} of 100 games.", turn=turn, percent=percent)]
    sentences += [reason.sentence for reason in reasons(position, weighed, best)[:REASONS]]
    sentences += _others(position, weighed)
    return {
        "sentences": [sentence.to_json() for sentence in sentences],
        "choices": [choice.to_json() for choice in best.choices],
    }


def _others(position: Position, weighed: Sequence[Weighed]) -> list[Sentence]:
    best = weighed[0].chance
    worse = [one for one in weighed[1:] if one.chance < best][:OTHERS]
    return [
        Sentence(
            "{turn} loses {lost} of 100 games more.",
            turn=_text(position, one.choices),
            lost=f"{100 * (best - one.chance):.1f}",
        )
        for one in worse
    ]


def _text(position: Position, choices: Sequence[Choice]) -> str:
    """Return a turn as a player types it."""
    found = []
    for choice in choices:
        found.append(position.text(choice))
        position = position.after(choice)
    return ", ".join(found)


def _alone(sentence: Sentence) -> dict[str, Any]:
    return {"sentences": [sentence.to_json()], "choices": []}
