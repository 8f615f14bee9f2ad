"""Whether the tools that draw and train are there: the wheel leaves them out."""

from importlib.util import find_spec

import click


def require_workshop() -> None:
    """Let a command go on that draws or trains.

    Raises:
        click.ClickException: the program is installed without `calibration.workshop`.
    """
    if find_spec("calibration.workshop") is None:
        raise click.ClickException(
            "Drawing and training need the project's sources, which the installed program leaves out; "
            "get them and start this command there."
        )
