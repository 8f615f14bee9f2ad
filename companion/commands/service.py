"""``companion service``: the unit by which systemd starts a table with the computer, and again after a crash."""

import sys
from pathlib import Path

import click


@click.command(short_help="Print the systemd unit of a permanent table.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Of the page.")
@click.option("--user", default="alea", show_default=True, help="The account it runs under.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(port: int, user: str, options: tuple[str, ...]) -> None:
    """Print a systemd unit that starts a table with the computer and keeps it running.

    OPTIONS, after --, are those of `companion serve`, e.g. -- --camera 0 --host 0.0.0.0. A kiosk has its own units:
    `companion kiosk unit`.
    """
    from companion.web.serving.units import plain_unit

    click.echo(plain_unit(Path(sys.argv[0]).resolve(), port, user, options), nl=False)
