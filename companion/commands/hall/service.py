"""``companion hall service``: the unit by which systemd starts a hall's desk or book with the computer."""

import sys
from pathlib import Path

import click


@click.command(short_help="Print the systemd unit of a permanent desk.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--collect", is_flag=True, help="The unit of the book alone (`companion hall collect`), without a page.")
@click.option("--user", default="alea", show_default=True, help="The account that it runs under.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def service(file: Path, *, collect: bool, user: str, options: tuple[str, ...]) -> None:
    """Print a systemd unit that starts the desk of FILE's hall with the computer and keeps it running.

    OPTIONS, after --, are those of `companion hall serve`, e.g. -- --host 0.0.0.0, or of `companion hall collect`.
    """
    from companion.web.serving.units import hall_unit

    click.echo(hall_unit(Path(sys.argv[0]).resolve(), file.resolve(), user, options, serves=not collect), nl=False)
