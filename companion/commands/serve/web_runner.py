"""Opening the page of a running table: where it listens, whom it admits, and what the console shows."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from flask import Flask

    from companion.commands.serve.owners import Owners
    from companion.hall.settings import HallSettings
    from companion.live.table import LiveTable


@dataclass(frozen=True)
class Where:
    """Where the page listens: host and port, further host ``names`` for requests, a phone's port.

    ``opens``: open this computer's browser on the start page, where there is a screen.
    """

    host: str
    port: int
    names: tuple[str, ...]
    phone_port: int | None
    opens: bool = False


def run(
    table: "LiveTable",
    known: "Owners",
    where: Where,
    *,
    slug: str | None,
    profile: str | None,
    kiosk: Path | None,
    hall: tuple[Path, "HallSettings | None"],
) -> None:
    """Serve the page until it is interrupted, then stop the table.

    ``slug``: the game that the form for a new match offers first; ``profile``: the learnt appearance of the dice in
    use; ``kiosk``: the curator's folder if the page is a kiosk's; ``hall``: the table's journal, and its place
    in a hall if it has one.

    Raises:
        click.ClickException: the server cannot listen there.
    """
    from companion.commands.kiosk.runner import looked_after
    from companion.commands.serve.browser import open_start
    from companion.commands.serve.hall import in_hall
    from companion.commands.serve.page_options import base_path, texts_folder
    from companion.web import create_app
    from companion.web.serving.recent_log import listen
    from companion.web.serving.server import ANYWHERE, is_loopback, serve, trusted_names
    from companion.web.serving.service import watched

    trusted = trusted_names(where.host, where.names)
    if where.phone_port is not None:
        trusted += trusted_names(ANYWHERE)
    app = create_app(
        table,
        trusted_hosts=trusted,
        owner_pin=known.announced(network=not is_loopback(where.host), hall=kiosk is not None),
        kept_pin=known.kept,
        pin_file=known.pin_file,
        settings=known.settings,
        log=listen(),
    )
    app.config["ALEA_TEXTS"] = texts_folder()
    app.config["ALEA_GAME"] = slug
    app.config["ALEA_DICE_PROFILE"] = profile
    table.upkeep.dim_lights(known.settings.now.lights)
    ready = watched(table)

    def announce(address: str) -> None:
        click.echo(f"The table is at {address}")  # scripts wait for this line, even through a pipe: echo flushes
        ready(address)
        if where.opens:
            open_start(address)

    try:
        with (
            looked_after(app, table, kiosk, texts_folder()) as attendant,
            in_hall(app, table, attendant, *hall),
            phone_listener(app, where.phone_port, where.names),
        ):
            serve(app, where.host, where.port, announce, base_path())
    except KeyboardInterrupt:
        pass
    finally:
        table.stop()
    click.echo("Stopped; the match is safe in the journal.")


def by_phone(camera: str | None, board_camera: str | None, sample: str | None) -> tuple[str | None, str | None]:
    """Return the table's cameras over dice and board if a phone is one of them."""
    if sample is not None:
        raise click.ClickException("Expected --phone or --sample, but got both: the sample table has its own pictures.")
    if camera == "push" or (camera is None and board_camera != "push"):
        return "phone", board_camera
    if board_camera == "push":
        return camera, "phone"
    raise click.ClickException(
        f"Expected --camera push or --board-camera push beside --phone, but got --camera {camera}: "
        "the phone is one of the cameras."
    )


@contextlib.contextmanager
def phone_listener(app: "Flask", port: int | None, names: tuple[str, ...]) -> Iterator[None]:
    """Let a phone reach the app while the block runs; without a port, do nothing."""
    if port is None:
        yield
        return
    from companion.web.camera import phone
    from companion.web.serving.certificate import Certificate, CertificateError, of_this_machine
    from companion.web.serving.clock import DateWatch
    from companion.web.serving.encrypted import EncryptedListener
    from companion.web.serving.server import ANYWHERE, outside_addresses, trusted_names

    def certificate() -> Certificate:
        return of_this_machine([name for name in trusted_names(ANYWHERE, names) if name.isascii()])

    try:
        first = certificate()
        listener = EncryptedListener(app, port, first)
        bound = listener.start()
    except (CertificateError, OSError) as error:
        raise click.ClickException(str(error)) from error
    addresses = [f"https://{address}:{bound}/" for address in (*names, *outside_addresses())]

    def show(shown: Certificate) -> None:
        listener.show(shown)
        phone.opened(app, phone.Opened(addresses, shown.fingerprint, shown.root))

    watch = DateWatch(lambda: show(certificate()))
    try:
        show(first)
        watch.start()
        click.echo(f"Use a phone as the camera: open {addresses[0]} with the code on the table's page, under Camera.")
        yield
    finally:
        watch.end()
        listener.stop()
