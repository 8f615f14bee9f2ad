"""What the commands of the fairness laboratory share: which die, and whether to distinguish its twin faces."""

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

fear_option = click.option(
    "--fear",
    type=click.Choice(["face", "axis", "pips", "corner"]),
    help="What you fear of the die, said before the first throw: one heavy face, a shaved axis, drilled pips, a heavy "
    "corner. It is found sooner then, anything else later.",
)


def stakes_of_fear(fear: str | None, outcomes: "Outcomes") -> int:
    """Return the number of the stakes of who fears this, or end the command with a sentence."""
    from companion.fairness.stakes import StakesError, stakes_for

    with refusing(StakesError):
        return stakes_for(fear or "", outcomes)


def chosen_die(which: str, *, twins_apart: bool) -> "tuple[str, Die, Outcomes]":
    """Return the set's name, the die that SET[/DIE] names, and its outcomes, or end the command with a sentence."""
    from companion.fairness.library import die_called
    from companion.fairness.outcomes import OutcomesError, outcomes_of
    from companion.rules.dice import DiceSetFileError, ThrowError, UnknownDiceSetError

    with refusing(DiceSetFileError, OutcomesError, ThrowError, UnknownDiceSetError):
        name, chosen = die_called(which)
        return name, chosen, outcomes_of(chosen, twins_apart=twins_apart)
