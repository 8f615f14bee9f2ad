"""Moves that belong to another game: no position may take them."""

from companion.rules.dice import Throw, dice_set, dice_sets
from companion.rules.game import Choice, Position
from companion.rules.registry import games


def strange_throws(position: Position) -> list[Throw]:
    """One throw of every dice set that is not awaited, no throw at all, and the awaited dice without one of them."""
    waits = position.awaits
    first = {name: {die.name: die.faces[0].text for die in dice_set(name).dice} for name in dice_sets()}
    found = [Throw.of(name, shown) for name, shown in first.items() if name not in waits.dice_sets]
    found.append(Throw(waits.dice_sets[0] if waits.dice_sets else "pips", ()))
    if waits.kind == "throw":
        name = waits.dice_sets[0]
        found += [
            Throw.of(name, {die: first[name][die] for die in waits.dice if die != left_out}) for left_out in waits.dice
        ]
        more = {die: face for die, face in first[name].items() if die not in waits.dice}
        if more:
            found.append(Throw.of(name, first[name]))
    return found


def strange_choices(position: Position) -> list[Choice]:
    """The first choices of other kinds of games."""
    found: list[Choice] = []
    room = position.game.slug.partition("/")[0]
    for slug, listed in games().items():
        if slug.partition("/")[0] != room and slug.endswith(("zeno", "durnil-guardia", "ludix")):
            found += list(_first_choices(listed.start(listed.least_players)))[:1]
    return found


def _first_choices(position: Position) -> list[Choice]:
    for _ in range(5):
        if position.awaits.kind == "choice":
            return list(position.legal())
        position = position.after(position.throws()[-1])
    return []
