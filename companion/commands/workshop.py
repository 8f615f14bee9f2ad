"""Check for the tools that draw and train: the wheel does not contain them."""

from importlib.util import find_spec

import click


def require_workshop() -> None:
    """Return if a command can draw or train.

    Raises:
        click.ClickException: the program is installed without `calibration.workshop`.
    """
    if find_spec("calibration.workshop") is None:
        raise click.ClickException(
            "Drawing and training need the project's sources, which the installed program leaves out; "
            "get them and start this command there."
        )
