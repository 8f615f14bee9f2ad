"""``companion read``: what the readers of dice and boards see in pictures, one JSON object per line."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.refusing import refusing
from companion.rules.strict_json import written_json
from companion.vision.readings import DiceReading

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.vision.board_readings import BoardReading
    from companion.vision.dice.reader import DiceReader
    from companion.vision.readings import Image


@click.command(name="read")
@click.option(
    "--dice",
    "name",
    default=None,
    metavar="NAME|FILE",
    help="The dice on the table: a set that comes with the program, or a file of your own ending in .toml. "
    "[default: wibold]",
)
@click.option("--tiles", is_flag=True, help="Read flat letter tiles instead of dice; short for --dice tiles.")
@click.option(
    "--board",
    default=None,
    metavar="NAME",
    help="Read a board instead of dice: tables, rithmomachia (8x16), 8x14, 8x9, or the printed rim, pairs or wheel.",
)
@click.option("--only", default="", metavar="DICE", help="The expected dice, e.g. 1,2,3; by default the whole set.")
@click.option("--profile", default=None, metavar="NAME", help="Read your own dice as `companion learn` learnt them.")
@click.option(
    "--same-dice", is_flag=True, help="All pictures show the same dice: what is learnt from one helps with the next."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    name: str | None,
    only: str,
    profile: str | None,
    images: tuple[Path, ...],
    *,
    board: str | None,
    tiles: bool,
    same_dice: bool,
    as_json: bool,
) -> None:
    """Read the dice, or the board, in each of the IMAGES."""
    from companion.vision.dice.nets import WeightsError
    from companion.vision.images import load_image
    from companion.vision.picture_header import BadFrameError

    if tiles + (name is not None) + (board is not None) > 1:
        raise click.UsageError(
            "Expected one of --dice, --tiles and --board, but got several: name one kind of thing to read."
        )
    name = "tiles" if tiles else name
    read = _reads_board(board) if board else _reader(name, only, profile, same_dice=same_dice).read
    failed = 0
    for path in images:
        try:
            reading = read(load_image(path))
        except WeightsError as error:
            raise click.ClickException(str(error)) from error
        except (BadFrameError, OSError) as error:
            click.echo(str(error), err=True)
            failed += 1
            continue
        if isinstance(reading, DiceReading) and reading.drift:
            click.echo(f"{path.name}: {reading.drift}", err=True)
        click.echo(written_json(_line(path, reading)) if as_json else f"{path.name}: {_reading_text(reading)}")
    if failed:
        sys.exit(1)


def _reader(name: str | None, only: str, profile: str | None, *, same_dice: bool) -> "DiceReader":
    from calibration.learning.kept import profile_path
    from companion.rules.dice import (
        DiceSetFileError,
        ThrowError,
        UnknownDiceSetError,
        dice_set,
        dice_sets,
        find_dice_set,
    )
    from companion.vision.dice.memory.profile import ProfileError, open_profile
    from companion.vision.dice.memory.table import TableMemory
    from companion.vision.dice.reader import DiceReader, DiceSetNotReadError
    from companion.vision.readings import readable

    with refusing(DiceSetFileError, DiceSetNotReadError, ProfileError, ThrowError, UnknownDiceSetError):
        memory = open_profile(profile_path(profile)) if profile is not None else None
        of = None if memory is None or memory.origin is None else memory.origin.set_name
        dice = find_dice_set(name or of or "wibold")
        if of not in (None, dice.name):
            raise click.ClickException(f"Expected --dice {of} with this profile, but got {dice.name}.")
        if not readable(dice):
            known = ", ".join(one for one in dice_sets() if readable(dice_set(one)))
            raise click.ClickException(
                f"Expected dice that can be read ({known}), but those of {dice.name} cannot yet: tap them in by hand."
            )
        if same_dice and memory is None:
            memory = TableMemory()
        return DiceReader(dice, tuple(only.split(",")) if only else None, learns=same_dice, memory=memory)


def _reads_board(name: str) -> "Callable[[Image], BoardReading]":
    from companion.vision.boards.layout import UnknownBoardError
    from companion.vision.boards.readers import reader_of
    from companion.vision.dice.nets import WeightsError

    with refusing(UnknownBoardError, WeightsError):
        return reader_of(name).read


def _line(path: Path, reading: "DiceReading | BoardReading") -> dict[str, Any]:
    things: list[Any] = list(reading.dice) if isinstance(reading, DiceReading) else [reading] * bool(reading.sites)
    line = {
        "image": path.name,
        "ms": round(reading.milliseconds, 1),
        "status": reading.status,
        "objects": [thing.to_json() for thing in things],
    }
    return line | ({"reason": reading.reason} if reading.reason else {})


def _reading_text(reading: "DiceReading | BoardReading") -> str:
    if not isinstance(reading, DiceReading):
        standing = ((site, what) for site, what in reading.sites.items() if what.standing is not None)
        seen = ", ".join(f"{site} {what.standing}{' or more' * what.piled} ({what.status})" for site, what in standing)
        return f"{reading.status}: {seen or reading.reason}"
    named = (f"{die.die} " if die.die else "" for die in reading.dice)
    dice = ", ".join(f"{n}{die.face or '-'} ({die.status})" for n, die in zip(named, reading.dice, strict=True))
    return f"{reading.status}: {dice or reading.reason}"
