"""What players want to know before they choose a game, in short facts: how many, which dice, what a camera reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.referee.readable import board_to_read, dice_to_read
from companion.rules.game import Game


@dataclass(frozen=True)
class Fact:
    """One short fact: the key of its text under ``cards``, and the parts of the text."""

    key: str
    parts: Mapping[str, Any]


def players_fact(game: Game) -> Fact:
    """Say how many play."""
    counts = game.player_counts
    if len(counts) == 1:
        return Fact("players", {"count": counts[0]})
    if counts == tuple(range(counts[0], counts[-1] + 1)):
        return Fact("players_to", {"least": counts[0], "most": counts[-1]})
    return Fact("players_or", {"counts": {"list": list(counts), "joint": "or"}})


def dice_fact(game: Game) -> Fact:
    """Say which dice are thrown."""
    awaits = game.start(game.least_players).awaits
    if not awaits.dice_sets:
        return Fact("no_dice", {})
    if awaits.dice_sets[0] == "pips":
        return Fact("dice", {"count": len(awaits.dice)})
    return Fact(f"dice_{awaits.dice_sets[0]}" if "pips" not in awaits.dice_sets else "dice_cubes", {})


def camera_fact(game: Game) -> Fact:
    """Say what a camera can read."""
    dice = dice_to_read(game.start(game.least_players)) is not None
    men = board_to_read(game) is not None
    return Fact(
        "camera_both" if dice and men else "camera_dice" if dice else "camera_men" if men else "camera_none", {}
    )
