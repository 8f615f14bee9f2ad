"""``companion bench``: measurements. They are part of the sources, and not of an installed program."""

from importlib.util import find_spec

import click

if find_spec("bench") is not None:
    from bench.command import command
else:

    @click.command(name="bench", context_settings={"ignore_unknown_options": True})
    @click.argument("_given", nargs=-1)
    def command(_given: tuple[str, ...]) -> None:
        """Measure the program.

        Raises:
            click.ClickException: always.
        """
        raise click.ClickException(
            "Measuring needs the project's sources, which the installed program leaves out; get them and start this "
            "command there."
        )


__all__ = ["command"]
