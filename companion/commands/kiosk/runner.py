"""What ``companion serve`` adds for a kiosk in a hall: an attendant."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from flask import Flask

    from companion.live.table import LiveTable
    from companion.web.kiosk.attendant import Attendant


@contextlib.contextmanager
def looked_after(app: "Flask", table: "LiveTable", folder: Path | None) -> Iterator["Attendant | None"]:
    """Make the page a kiosk's page while the block runs and yield its attendant; without a folder, leave it be."""
    if folder is None:
        yield None
        return
    from companion.web.kiosk.attendant import Attendant
    from companion.web.kiosk.folder import check_folder
    from companion.web.kiosk.pages import prepare

    for fault in check_folder(folder):
        click.echo(f"{fault}", err=True)
    attendant = Attendant(folder, table)
    prepare(app, attendant)
    attendant.start()
    try:
        yield attendant
    finally:
        attendant.stop()
