"""What ``companion serve`` adds for a hall: it tells a broker, and lights and sounds, what happens at the table."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing

if TYPE_CHECKING:
    from flask import Flask

    from companion.hall.settings import HallSettings
    from companion.live.table import LiveTable
    from companion.web.kiosk.attendant import Attendant
    from companion.web.owner.hall_place import HallPlace

PACKAGES = ("paho", "pythonosc", "psycopg")


def hall_settings(path: Path | None, *, of_table: bool = True) -> "HallSettings | None":
    """Return the hall's settings of a file, None without one.

    Raises:
        click.ClickException: the file has faults, or a broker needs the extra ``hall``, which is not installed.
    """
    if path is None:
        return None
    from companion.hall.settings import HallSettingsError, read_settings

    with refusing(HallSettingsError):
        settings = read_settings(path, of_table=of_table)
    if settings.join_port is None:
        need_extra()
    return settings


def refuse_code(settings: "HallSettings | None") -> None:
    """Refuse settings of a desk that tables join by a code, where a broker is needed.

    Raises:
        click.ClickException: the settings have a section ``[code]``.
    """
    if settings is not None and settings.join_port is not None:
        raise click.ClickException(
            "Expected settings with a broker, but got [code], which only the desk has (companion hall serve): a table "
            "joins by the code on its own page, under Owner, Hall."
        )


def need_extra() -> None:
    """Check that the packages of the extra ``hall`` are there.

    Raises:
        click.ClickException: one of them is missing.
    """
    from importlib.util import find_spec

    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"The hall needs packages that are not installed ({', '.join(missing)}): "
            "pip install 'alea-companion[hall]'."
        )


@contextlib.contextmanager
def in_hall(
    app: "Flask",
    table: "LiveTable",
    attendant: "Attendant | None",
    journal: Path,
    settings: "HallSettings | None",
    *,
    sample: bool,
) -> Iterator["HallPlace"]:
    """Let the table take part, while the block runs, in the hall of the settings or in the one that it has joined.

    ``sample``: whether the table is a sample's, which joins by no code.
    """
    from companion.web.owner.hall_place import PLACE, HallPlace

    place = HallPlace(app, table, attendant, journal, settings, sample=sample)
    try:
        place.start()
    except (OSError, ValueError) as why:
        click.echo(f"Warning: the table joins no hall, because its file cannot be read: {why}", err=True)
    PLACE.put(app, place)
    if (seen := place.seen()).hall:
        click.echo(f"The table is {seen.table} in the hall {seen.hall}.")
    try:
        yield place
    finally:
        place.stop()
