"""Matches played at random, with everything that people at a table do: throws, choices, takebacks, corrections."""

import random
from typing import Any

from companion.referee.events import Corrected, Observed
from companion.referee.refused import RefusedError
from tests.referee.build import KARITAS, Table

GAMES = ("ludus-regularis", "ludus-regularis", "tables/zeno", "tables/doblet", "ludix")
SEEN = Observed((), "read", "", 1.0, 1, "ab" * 32)


def play_on(table: Table, chance: random.Random) -> None:
    """Throw, choose, take back, void or change something at random, as people at a table do."""
    match = table.match
    thrown = [turn for turn in match.history if turn.standing == "stands"]
    what = chance.random()
    try:
        if match.last_choice is not None and what < 0.2:
            table.record(match.taken_back(match.last_choice.event, chance.choice(["", "set down wrongly"])))
        elif thrown and what < 0.35:
            correct(table, chance.choice(thrown).event, chance)
        elif match.misfit is not None:
            correct(table, match.misfit, chance)
        elif not match.over:
            play_next(table, chance)
    except RefusedError:
        pass


def play_next(table: Table, chance: random.Random) -> None:
    """Make any throw or choice that is awaited."""
    position = table.match.position
    choices = list(position.legal()) if position.awaits.kind == "choice" else []
    move = chance.choice(choices) if choices else any_throw(position, chance)
    table.record(SEEN, table.match.committed(move, "tapped"))


def any_throw(position: Any, chance: random.Random) -> Any:
    """Return any throw, often one after which a cube may be thrown again: there corrections tear holes."""
    if position.game.slug == "ludus-regularis" and position.awaits.kind == "throw" and chance.random() < 0.5:
        return position.parse(KARITAS)
    return chance.choice(position.throws())


def correct(table: Table, event: int, chance: random.Random) -> None:
    """Correct a commit at random and drop what no longer fits."""
    other = instead(table, event, chance)
    preview = table.match.preview(event, other, "a test")
    drops = preview.drops_all if chance.random() < 0.5 else preview.drops_stop
    table.record(Corrected(event, other, "a test", drops))


def instead(table: Table, event: int, chance: random.Random) -> dict[str, Any] | None:
    """Return another throw or choice for a commit, or None to void it."""
    turn = next((turn for turn in table.match.history if turn.event == event), None)
    if turn is None or turn.before is None or chance.random() < 0.5:
        return None
    if turn.kind == "choice":
        other: dict[str, Any] = chance.choice(list(turn.before.legal())).to_json()
        return other
    thrown: dict[str, Any] = any_throw(turn.before, chance).to_json()
    return thrown
