"""What ``companion serve`` adds for a kiosk in a hall: an attendant, and cameras that can be suspended."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from flask import Flask

    from companion.live.table import LiveTable
    from companion.vision.sources import FrameSource
    from companion.web.kiosk.attendant import Attendant


@contextlib.contextmanager
def looked_after(
    app: "Flask", table: "LiveTable", folder: Path | None, texts: Path | None
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

    for fault in check_folder(folder, texts):
        click.echo(f"{fault}", err=True)
    attendant = Attendant(folder, table, texts=texts)
    prepare(app, attendant)
    attendant.start()
    try:
        yield attendant
    finally:
        attendant.stop()


def source_of(spec: str, folder: Path | None, settings: Any, *, loop: bool = False) -> "FrameSource":
    """Return the source that ``spec`` names; in a kiosk a source that closes over night.

    A folder or video shows its first picture until a match begins, except in a kiosk; ``loop`` plays it again.

    Raises:
        UnknownSourceError: ``spec`` names no source.
    """
    from companion.vision.sources import PushedSource, SuspendableSource, open_source

    source = open_source(spec, loop=loop, waits=folder is None, settings=settings)
    if folder is None or isinstance(source, PushedSource):
        return source  # while the kiosk is closed, the server refuses a page that pushes
    return SuspendableSource(lambda: open_source(spec, loop=loop, settings=settings))
