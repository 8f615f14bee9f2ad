"""What the commands of the fairness laboratory share: which die, and whether to distinguish its twin faces."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.fairness.account import Thrown
    from companion.fairness.outcomes import Outcomes
    from companion.fairness.record import Record
    from companion.rules.die import Die

die_option = click.option(
    "--die",
    "die",
    default="pips",
    show_default=True,
    metavar="SET[/DIE]",
    help="Which die: a set of dice, and which of it where they differ (wibold/2, d20, a file of your own).",
)
twins = click.option("--twins-apart", is_flag=True, help="Faces that bear the same are told apart (X/1, X/2).")


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
    try:
        dice = find_dice_set(name)
        chosen = dice.die(which_die) if which_die else dice.dice[0]
        if not which_die and not dice.alike and len(dice.dice) > 1:
            named = ", ".join(f"{name}/{one.name}" for one in dice.dice)
            raise click.ClickException(f"The dice of the set {name} differ: say which one, {named}.")
        return chosen, outcomes_of(chosen, twins_apart=twins_apart)
    except (UnknownDiceSetError, DiceSetFileError, ThrowError, OutcomesError) as why:
        raise click.ClickException(str(why)) from why


def text_of(file: Path) -> str:
    """Return the text of a file unchanged, with its line ends: a name in it may contain one.

    Spreadsheets write UTF-8 with a mark at its beginning, or UTF-16.

    Raises:
        click.ClickException: the file cannot be read, or is no text.
    """
    try:
        content = file.read_bytes()
        return content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError as why:
        raise click.ClickException(
            f"{file}: Expected a text file in UTF-8 (CSV or JSON), but byte {why.start + 1} is no such text: save it "
            "as UTF-8."
        ) from why
    except OSError as why:
        raise click.ClickException(f"{file}: {why.strerror or why}.") from why


def thrown_of(record: "Record", together: int = 1) -> "list[Thrown] | None":
    """Return the throws of a file in their order, None if it has only counts."""
    from companion.fairness.account import Thrown

    if record.places is None:
        return None
    sessions, hands = (record.groups.get(name) or [""] * len(record.places) for name in ("session", "hand"))
    return [
        Thrown(number, place, "file", suspected=likely, session=session, hand=hand, together=together)
        for number, place, likely, session, hand in zip(
            record.numbers, record.places, record.suspected, sessions, hands, strict=True
        )
    ]
