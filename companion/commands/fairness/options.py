"""What the commands of the fairness laboratory share: which die, and whether to distinguish its twin faces."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing

if TYPE_CHECKING:
    from companion.fairness.outcomes import Outcomes
    from companion.rules.die import Die

die_option = click.option(
    "--die",
    "die",
    default="pips",
    show_default=True,
    metavar="SET[/DIE]",
    help="Which die: a set of dice, and which die of it if they differ (wibold/2, d20, a file of your own).",
)

twins = click.option("--twins-apart", is_flag=True, help="Faces with the same sign are told apart (X/1, X/2).")


def set_and_die(which: str) -> tuple[str, str]:
    """Return the set and the die that SET[/DIE] names; without a die the second is empty."""
    if Path(which).exists():
        return which, ""
    name, _, die = which.rpartition("/")
    if name and Path(name).is_file():
        return name, die
    name, _, die = which.partition("/")
    return name, die


def chosen_die(which: str, *, twins_apart: bool) -> "tuple[Die, Outcomes]":
    """Return the die that SET[/DIE] names, and its outcomes, or end the command with a sentence."""
    from companion.fairness.outcomes import OutcomesError, outcomes_of
    from companion.rules.dice import DiceSetFileError, ThrowError, UnknownDiceSetError, find_dice_set

    name, which_die = set_and_die(which)
    with refusing(DiceSetFileError, OutcomesError, ThrowError, UnknownDiceSetError):
        dice = find_dice_set(name)
        chosen = dice.die(which_die) if which_die else dice.dice[0]
        if not which_die and not dice.alike and len(dice.dice) > 1:
            named = ", ".join(f"{name}/{one.name}" for one in dice.dice)
            raise click.ClickException(f"The dice of the set {name} differ: say which one, {named}.")
        return chosen, outcomes_of(chosen, twins_apart=twins_apart)
