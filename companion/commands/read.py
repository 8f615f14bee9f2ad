"""``companion read``: what the reader sees in pictures, one JSON object a line."""

import json
import sys
from pathlib import Path

import click


@click.command(name="read")
@click.option("--dice", "dice_set", default="wibold", show_default=True, help="The dice set that lies on the table.")
@click.option(
    "--only", default="", metavar="DICE", help="The dice that are expected, e.g. 1,2,3; by default the whole set."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(dice_set: str, only: str, images: tuple[Path, ...], *, as_json: bool) -> None:
    """Read the dice in each of IMAGES."""
    from companion.rules.dice import ThrowError, UnknownDiceSetError
    from companion.vision.dice import DiceReader, DiceSetNotReadError, WeightsError
    from companion.vision.images import BadFrameError, load_image

    try:
        reader = DiceReader(dice_set, tuple(only.split(",")) if only else None)
    except (DiceSetNotReadError, ThrowError, UnknownDiceSetError) as error:
        raise click.ClickException(str(error)) from error
    failed = 0
    for path in images:
        try:
            image = load_image(path)
            reading = reader.read(image)
        except WeightsError as error:
            raise click.ClickException(str(error)) from error
        except (BadFrameError, OSError) as error:
            click.echo(str(error), err=True)
            failed += 1
            continue
        if as_json:
            line = {
                "image": path.name,
                "ms": round(reading.milliseconds, 1),
                "status": reading.status,
                "objects": [die.to_json() for die in reading.dice],
            }
            if reading.reason:
                line["reason"] = reading.reason
            click.echo(json.dumps(line))
        else:
            dice = ", ".join(f"{die.die or '?'} {die.face or '-'} ({die.status})" for die in reading.dice)
            click.echo(f"{path.name}: {reading.status}: {dice or reading.reason}")
    if failed:
        sys.exit(1)
