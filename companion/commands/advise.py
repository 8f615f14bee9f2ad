"""``companion advise``: whether the camera can read the dice from its place, and where to put it."""

from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing
from companion.rules.strict_json import written_json

if TYPE_CHECKING:
    from companion.vision.readings import Image


@click.command(name="advise")
@click.option("--camera", required=True, metavar="SOURCE|IMAGE", help="A camera (0, http://..., push) or one picture.")
@click.option("--dice", "dice_name", default="wibold", show_default=True, help="The dice set that lies on the table.")
@click.option("--handed", is_flag=True, help="The tetrahedron's handedness is known: two of its sides are enough.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(camera: str, dice_name: str, *, handed: bool, as_json: bool) -> None:
    """Say whether the dice can be read from here, and how to place the camera."""
    from companion.rules.dice import DiceSetFileError, UnknownDiceSetError, find_dice_set
    from companion.vision.dice.advice import advise
    from companion.vision.dice.nets import WeightsError

    with refusing(DiceSetFileError, UnknownDiceSetError, WeightsError):
        dice = find_dice_set(dice_name)
        if all(die.shape == "wheel" for die in dice.dice):
            raise click.ClickException(
                f"Expected dice, but {dice_name} is a wheel: spin it and enter the result by hand."
            )
        legibility = advise(picture_from(camera), dice, handed=handed)
    if as_json:
        click.echo(written_json(legibility.to_json()))
        return
    for sentence in legibility.advice:
        click.echo(str(sentence))


def picture_from(camera: str) -> "Image":
    """Return one picture from a file or a camera.

    Raises:
        click.ClickException: there is none; the text says what was expected.
    """
    from companion.vision.picture_header import BadFrameError
    from companion.vision.sources import first_picture
    from companion.vision.sources.source import SourceError

    with refusing(BadFrameError, SourceError):
        return first_picture(camera)
