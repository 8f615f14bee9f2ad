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
def looked_after(
    app: "Flask", table: "LiveTable", folder: Path | None, texts: str | None
) -> Iterator["Attendant | None"]:
    """Make the page a kiosk's page while the block runs and yield its attendant; without a folder, leave it be.

    ``texts``: a folder with further languages.
    """
    if folder is None:
        yield None
        return
    from companion.web.kiosk.attendant import Attendant
    from companion.web.kiosk.folder import check_folder
    from companion.web.kiosk.pages import prepare

    more = Path(texts) if texts else None
    for fault in check_folder(folder, more):
        click.echo(f"{fault}", err=True)
    attendant = Attendant(folder, table, texts=more)
    prepare(app, attendant)
    attendant.start()
    try:
        yield attendant
    finally:
        attendant.stop()
