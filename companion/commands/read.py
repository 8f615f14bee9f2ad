"""``companion read``: what the reader sees in pictures, one JSON object a line."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from companion.vision.dice import DiceReader
    from companion.vision.readings import DiceReading


@click.command(name="read")
@click.option(
    "--dice",
    "name",
    default=None,
    metavar="NAME|FILE",
    help="The dice that lie on the table: a set that comes with the program, or a file of your own ending in .toml. "
    "[default: wibold]",
)
@click.option("--tiles", is_flag=True, help="Read flat letter tiles instead of dice; short for --dice tiles.")
@click.option(
    "--only", default="", metavar="DICE", help="The dice that are expected, e.g. 1,2,3; by default the whole set."
)
@click.option("--profile", default=None, metavar="NAME", help="Read your own dice as `companion learn` learnt them.")
@click.option(
    "--same-dice", is_flag=True, help="All pictures show the same dice: what one teaches helps with the next."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    name: str | None,
    only: str,
    profile: str | None,
    images: tuple[Path, ...],
    *,
    tiles: bool,
    same_dice: bool,
    as_json: bool,
) -> None:
    """Read the dice in each of IMAGES."""
    from companion.vision.dice import WeightsError
    from companion.vision.images import BadFrameError, load_image

    if tiles and name is not None:
        raise click.UsageError("Expected --dice or --tiles, but got both: name one kind of things to read.")
    reader = _reader("tiles" if tiles else name, only, profile, same_dice=same_dice)
    failed = 0
    for path in images:
        try:
            reading = reader.read(load_image(path))
        except WeightsError as error:
            raise click.ClickException(str(error)) from error
        except (BadFrameError, OSError) as error:
            click.echo(str(error), err=True)
            failed += 1
            continue
        if reading.drift:
            click.echo(f"{path.name}: {reading.drift}", err=True)
        click.echo(json.dumps(_line(path, reading)) if as_json else f"{path.name}: {_told(reading)}")
    if failed:
        sys.exit(1)


def _reader(name: str | None, only: str, profile: str | None, *, same_dice: bool) -> "DiceReader":
    from companion.commands.learn import profile_path
    from companion.rules.dice import (
        DiceSetFileError,
        ThrowError,
        UnknownDiceSetError,
        dice_set,
        dice_sets,
        find_dice_set,
    )
    from companion.vision.dice import DiceReader, DiceSetNotReadError
    from companion.vision.dice.marks import UnknownMarkError
    from companion.vision.dice.own_looks import OwnLooks
    from companion.vision.dice.profile import ProfileError
    from companion.vision.readings import readable

    try:
        looks = OwnLooks.load(profile_path(profile)) if profile is not None else None
        dice = find_dice_set(name or (looks.profile.set_name if looks else "wibold"))
        if not readable(dice):
            known = ", ".join(one for one in dice_sets() if readable(dice_set(one)))
            raise click.ClickException(
                f"Expected dice that can be read ({known}), but those of {dice.name} cannot yet: tap them in by hand."
            )
        return DiceReader(dice, tuple(only.split(",")) if only else None, learns=same_dice, looks=looks)
    except (
        DiceSetFileError,
        DiceSetNotReadError,
        ProfileError,
        ThrowError,
        UnknownDiceSetError,
        UnknownMarkError,
    ) as error:
        raise click.ClickException(str(error)) from error


def _line(path: Path, reading: "DiceReading") -> dict[str, Any]:
    line = {
        "image": path.name,
        "ms": round(reading.milliseconds, 1),
        "status": reading.status,
        "objects": [die.to_json() for die in reading.dice],
    }
    return line | ({"reason": reading.reason} if reading.reason else {})


def _told(reading: "DiceReading") -> str:
    named = (f"{die.die} " if die.die else "" for die in reading.dice)
    dice = ", ".join(f"{n}{die.face or '-'} ({die.status})" for n, die in zip(named, reading.dice, strict=True))
    return f"{reading.status}: {dice or reading.reason}"
