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
    from companion.hall.settings import HallSettings

END_WAIT = 15.0
"""Seconds that the end waits for the collector: longer than connecting may take."""


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--book", metavar="WHERE", help="The book: a file, or postgresql://...; by default as FILE says.")
@click.option("--watch", is_flag=True, help="Only show a book that another `companion hall collect` writes.")
@desk_options
def serve(
    file: Path,
    *,
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

    FILE holds the settings: the hall, the broker, the book.
    """
    from companion.commands.serve.hall import hall_settings
    from companion.commands.serve.owners import owners

    place = hall_settings(file, of_table=False)
    assert place is not None
    # only now, because these need the extra
    from companion.hall.book.database import BookError, Database
    from companion.hall.collector import Collector
    from companion.hall.desk.watch import HallWatch
    from companion.hall.orders import ask_all
    from companion.web.hall.app import create_hall_app
    from companion.web.serving.server import serve as serve_app

    if book is not None:
        place = replace(place, book=book)
    with refusing(BookError), Database(place.book):
        pass  # what is wrong with the book is reported at once, not waited for
    known = owners(file, settings=settings_file, pin_file=pin_file, pin=pin)
    ending = threading.Event()
    collector = None if watch else Collector(place, ending)
    desk = HallWatch(place.book, place.hall, collector)
    asks = partial(ask_all, place) if collector is None else collector.ask
    app = create_hall_app(desk, asks=asks, **known.of_page(host, allow_host))
    try:
        with _collecting(collector, ending):
            desk.start()
            serve_app(app, host, port, lambda address: _announce(place, address), base_path)
    except KeyboardInterrupt:
        pass
    finally:
        desk.stop()
    click.echo("Stopped; everything received is in the book.")


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
