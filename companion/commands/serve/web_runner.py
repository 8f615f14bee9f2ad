"""Opening the page of a running table: where it listens, whom it admits, and what the console shows."""

import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing
from companion.commands.serve.hall import in_hall
from companion.web.app import create_app, move_to
from companion.web.app_state import ADDRESS
from companion.web.camera import phone as phones
from companion.web.owner.other_table import LINE
from companion.web.remote.place import OtherTable
from companion.web.serving.encrypted import PhoneDoor
from companion.web.serving.server import serve
from companion.web.serving.service import watched

if TYPE_CHECKING:
    from flask import Flask

    from companion.commands.serve.host import TableHost
    from companion.commands.serve.owners import Owners
    from companion.hall.settings import HallSettings
    from companion.live.table import LiveTable
    from companion.web.kiosk.attendant import Attendant
    from companion.web.owner.hall_place import HallPlace

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def run(
    host: "TableHost",
    known: "Owners",
    *,
    opens: bool,
    phone: bool,
    kiosk: Path | None,
    hall: tuple[Path, "HallSettings | None"],
) -> None:
    """Serve the page until it is interrupted, then stop the table.

    ``opens``: open this computer's browser on the start page, where there is a screen; ``phone``: let phones in from
    the start; ``kiosk``: the curator's folder if the page is a kiosk's; ``hall``: the table's journal, and its place
    in a hall if it has one.

    Raises:
        click.ClickException: the server cannot listen there.
    """
    settings = known.settings.now
    owner = known.of_page(settings.host, settings.allow_host, kiosk=kiosk is not None)
    app = create_app(host.table, apply=host.apply, **owner)
    ready = watched(lambda: host.table)

    def announce(address: str) -> None:
        gc.enable()
        host.start_cameras()
        click.echo(f"The table is at {address}")  # scripts wait for this line, even through a pipe: echo flushes
        ready(address)
        ADDRESS.put(app, address)
        if opens:
            open_start(address)

    try:
        with (
            attended(app, host.table, kiosk, settings.texts) as attendant,
            in_hall(app, host.table, attendant, *hall, sample=host.plays_sample) as place,
            with_other_tables(app, host.table, hall[0], place) as other,
            phone_door(app, settings.phone_port, settings.allow_host, opens=phone),
        ):
            if kiosk is None and hall[1] is None:
                host.moved = partial(_move, app, place, other)
            serve(app, settings.host, settings.port, announce, settings.base_path)
    except KeyboardInterrupt:
        pass
    finally:
        host.table.stop()
    click.echo("Stopped; the match is safe in the journal.")


def _move(app: "Flask", place: "HallPlace", other: OtherTable, table: "LiveTable", journal: Path) -> None:
    """Show the table that follows a sample's, and let it take part in its hall and in shared matches."""
    move_to(app, table)
    place.move(table, journal)
    other.move(table)


@contextlib.contextmanager
def with_other_tables(app: "Flask", table: "LiveTable", journal: Path, place: "HallPlace") -> Iterator[OtherTable]:
    """Let other tables play the matches that this one shares with them while the block runs."""
    other = OtherTable(table, journal.with_name(f"{journal.name}-line"), lambda: place.matches)
    LINE.put(app, other)
    other.start()
    try:
        yield other
    finally:
        other.stop()


@contextlib.contextmanager
def phone_door(app: "Flask", port: int, names: tuple[str, ...], *, opens: bool) -> Iterator[None]:
    """Let the owner of a page open it to phones while the block runs; ``opens``: at once."""
    door = PhoneDoor(app, port, names)
    phones.DOOR.put(app, door)
    if opens:
        from companion.certificate import CertificateError

        with refusing(CertificateError, OSError):
            address = door.open().addresses[0]
        click.echo(f"Use a phone as the camera: open {address} with the code on the table's page, under Camera.")
    try:
        yield
    finally:
        door.close()


def has_screen(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> bool:
    """Tell whether a person may sit before this computer.

    Nobody does in continuous integration or over SSH. Without a display a text browser would take the console.
    """
    if environment.get("CI") or environment.get("SSH_CONNECTION"):
        return False
    return system in {"darwin", "win32"} or any(environment.get(name) for name in SCREENS)


def open_start(address: str) -> bool:
    """Open the start page of the table at ``address``, if there is a screen; tell whether a browser was asked to."""
    import webbrowser

    return has_screen() and webbrowser.open(f"{address}start")


@contextlib.contextmanager
def attended(app: "Flask", table: "LiveTable", folder: Path | None, texts: str | None) -> Iterator["Attendant | None"]:
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
