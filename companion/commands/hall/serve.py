"""``companion hall serve``: the organiser's desk, which keeps the book and shows all tables on one page."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing
from companion.commands.serve.page_options import desk_options

if TYPE_CHECKING:
    from companion.hall.collector import Collector
    from companion.hall.direct.exchange import Exchange
    from companion.hall.direct.members import Members
    from companion.hall.settings import HallSettings
    from companion.web.hall.tables_server import TablesServer

END_WAIT = 15.0
"""Seconds that the end waits for the collector: longer than connecting may take."""


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--name", default="hall", show_default=True, help="The name of a hall without FILE.")
@click.option("--join-port", type=click.IntRange(0, 65535), help="Where tables reach a hall without a broker.")
@click.option("--book", metavar="WHERE", help="The book: a file, or postgresql://...; by default as FILE says.")
@click.option("--watch", is_flag=True, help="Only show a book that another `companion hall collect` writes.")
@desk_options
def serve(
    file: Path | None,
    *,
    name: str,
    join_port: int | None,
    book: str | None,
    watch: bool,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    base_path: str,
    pin: str | None,
    pin_file: Path | None,
    settings_file: Path | None,
) -> None:
    """Show all tables of a hall on one page, and keep the hall's book, until interrupted.

    Without FILE it begins a hall that tables join by a code, which the page Join and the console show, and keeps its
    book with this account's matches. FILE holds other settings: the hall, a broker, the book.
    """
    from companion.commands.serve.owners import owners

    file, place = own_hall(name, join_port) if file is None else _of_file(file, join_port)
    from companion.hall.book.database import BookError, Database
    from companion.hall.collector import Collector
    from companion.hall.desk.watch import HallWatch
    from companion.hall.direct.exchange import Exchange
    from companion.hall.orders import ask_all
    from companion.web.hall.app import create_hall_app
    from companion.web.serving.server import keep_small
    from companion.web.serving.server import serve as serve_app

    if book is not None:
        place = replace(place, book=book)
    with refusing(BookError), Database(place.book):
        pass  # what is wrong with the book is reported at once, not waited for
    known = owners(file, settings=settings_file, pin_file=pin_file, pin=pin)
    ending = threading.Event()
    exchange = Exchange(place.hall)
    if watch and place.join_port is not None:
        raise click.ClickException(
            "Expected a hall with a broker beside --watch: tables that join by a code reach one desk."
        )
    by_code = None if place.join_port is None else _by_code(place, file.parent, exchange)
    collector = None if watch else Collector(place, ending, None if by_code is None else exchange.open)
    desk = HallWatch(place.book, place.hall, collector)
    asks = partial(ask_all, place) if collector is None else collector.ask
    app = create_hall_app(desk, asks=asks, by_code=by_code, **known.of_page(host, allow_host))
    try:
        with _collecting(collector, ending), _listening(by_code):
            desk.start()
            keep_small()
            serve_app(app, host, port, lambda address: _announce(place, address), base_path)
    except KeyboardInterrupt:
        pass
    finally:
        desk.stop()
    click.echo("Stopped; everything received is in the book.")


def own_hall(name: str, join_port: int | None) -> "tuple[Path, HallSettings]":
    """Return the file beside which this account's own hall of this name is kept, and its settings."""
    from companion.commands.serve.owners import own_journal
    from companion.hall.settings import JOIN_PORT, NAME, HallSettings
    from companion.whole_file import make_folder

    if not NAME.fullmatch(name):
        raise click.ClickException(f"Expected 1 to 40 small letters, digits, - and _ as --name, but got {name!r}.")
    folder = own_journal(f"hall-{name}")
    make_folder(folder)
    port = JOIN_PORT if join_port is None else join_port
    return folder / "hall", HallSettings(name, "book", book=str(folder / "hall.db"), join_port=port)


def _of_file(file: Path, join_port: int | None) -> "tuple[Path, HallSettings]":
    from companion.commands.serve.hall import hall_settings

    settings = hall_settings(file, of_table=False)
    assert settings is not None
    if join_port is None:
        return file, settings
    if settings.join_port is None:
        raise click.ClickException(
            "Expected [code] in FILE beside --join-port: its tables reach the hall over a broker."
        )
    return file, replace(settings, join_port=join_port)


def _by_code(place: "HallSettings", folder: Path, exchange: "Exchange") -> "tuple[Members, TablesServer]":
    """Return the tables that joined the hall by its code, and their server; both keep their files in ``folder``."""
    from companion.certificate import CertificateError
    from companion.hall.direct.members import Members, MembersError
    from companion.web.hall.tables_server import TablesServer

    assert place.join_port is not None
    with refusing(MembersError, CertificateError):
        members = Members(folder / f"{place.hall}-tables.json")
        return members, TablesServer(place.hall, exchange, members, folder / f"{place.hall}-server", place.join_port)


@contextlib.contextmanager
def _listening(by_code: "tuple[Members, TablesServer] | None") -> Iterator[None]:
    """Let tables reach the hall while the block runs, and say how they join."""
    if by_code is None:
        yield
        return
    members, server = by_code
    with refusing(OSError):
        server.start()
    click.echo(f"A table joins with the address {server.address} and the code {members.code}")
    try:
        yield
    finally:
        server.stop()


def _announce(place: "HallSettings", address: str) -> None:
    click.echo(f"The desk of {place.hall} is at {address}")


@contextlib.contextmanager
def _collecting(collector: "Collector | None", ending: threading.Event) -> Iterator[None]:
    """Let the collector work in a thread of its own while the block runs."""
    if collector is None:
        yield
        return
    thread = threading.Thread(target=collector.run, name="hall's collector", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(END_WAIT)
