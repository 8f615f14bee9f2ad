"""``companion kiosk``: the curator's folder, the use of the kiosk, and its services."""

import json
import shlex
import sys
from pathlib import Path

import click

from companion.commands.refusing import refusing

FOLDER = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))


@click.group()
def command() -> None:
    """Make, check and run a kiosk in a museum's hall."""


@command.command()
@FOLDER
def init(folder: Path) -> None:
    """Write the files that a curator edits into FOLDER; existing files are kept."""
    from companion.web.kiosk.folder import begin_folder

    written, kept = begin_folder(folder)
    for path in written:
        click.echo(f"{path} was written.")
    for path in kept:
        click.echo(f"{path} already existed and is kept.")
    click.echo(f"Edit them, then: companion serve --kiosk {shlex.quote(str(folder))}")


@command.command()
@FOLDER
def check(folder: Path) -> None:
    """Check the files in FOLDER and print one sentence per fault."""
    from companion.web.kiosk.folder import check_folder

    faults = check_folder(folder)
    for fault in faults:
        click.echo(str(fault))
    if faults:
        sys.exit(1)
    click.echo("The kiosk's files are in order.")


@command.command()
@FOLDER
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def statistics(folder: Path, *, as_json: bool) -> None:
    """Show how the kiosk of FOLDER was used, day by day."""
    from companion.web.kiosk.attendant import STATISTICS
    from companion.web.kiosk.statistics import StatisticsError, read_statistics

    with refusing(StatisticsError):
        days = read_statistics(folder / STATISTICS)
    if as_json:
        click.echo(json.dumps({"days": {name: days[name].to_json() for name in sorted(days)}}))
        return
    if not days:
        click.echo("Nobody has played yet.")
    for name in sorted(days):
        day = days[name]
        games = ", ".join(f"{game} {count}" for game, count in sorted(day.games.items()))
        languages = ", ".join(f"{language} {count}" for language, count in sorted(day.languages.items()))
        click.echo(
            f"{name}: {day.begun} begun, {day.ended} to the end, {day.left} left, {day.minutes:.0f} minutes; "
            f"{games or 'no game'}; {languages or 'no language'}"
        )


@command.command()
@FOLDER
@click.option("--browser", is_flag=True, help="The unit of the browser on the screen instead of the table's.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Of the page.")
@click.option("--user", default="alea", show_default=True, help="The account it runs under.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def unit(folder: Path, *, browser: bool, port: int, user: str, options: tuple[str, ...]) -> None:
    """Print a systemd unit that keeps the kiosk of FOLDER running.

    OPTIONS, after --, are those of `companion serve`, e.g. -- --camera /dev/video0.
    """
    from companion.web.serving.units import browser_unit, table_unit

    if browser:
        click.echo(browser_unit(port, user), nl=False)
        return
    program = Path(sys.argv[0]).resolve()
    click.echo(table_unit(program, folder.resolve(), port, user, options), nl=False)
