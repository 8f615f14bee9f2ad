"""``companion serve``: the running table with its page."""

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from companion.commands.refusing import refusing
from companion.commands.serve.hall import hall_settings, refuse_code
from companion.commands.serve.owners import journal_file, own_journal, owners
from companion.commands.serve.page_options import owner_options
from companion.commands.setting_options import given, setting_options
from companion.settings.record import DECLARED, TableSettings


@contextlib.contextmanager
def collecting_later() -> Iterator[None]:
    """Look for no garbage until the block ends or the page answers: among modules that load, it took an eighth."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@click.command()
@setting_options("camera", kept=True)
@click.option(
    "--sample",
    metavar="NAME",
    help="Play the sample table of this name, again and again: ludus-regularis, zeno or rithmomachia.",
)
@click.option(
    "--demo", metavar="NAME", help="Play this sample table until a camera is chosen on the page; then that one is used."
)
@click.option(
    "--pace",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0.25, 4),
    help="How many times faster than normal the sample table is played.",
)
@click.option(
    "--open/--no-open", "opens", default=False, help="Open the start page in the browser, if there is a screen."
)
@click.option("--phone", is_flag=True, help="Use a phone in the same network as the camera: see the page /camera.")
@setting_options(*[name for name in DECLARED if name != "camera"], kept=True)
@owner_options
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="The file that stores the matches.")
@click.option(
    "--kiosk",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Run as a museum kiosk, as set up in FOLDER; `companion kiosk init FOLDER` makes one.",
)
@click.option(
    "--hall",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Join a hall of tables, as set up in FILE; `companion hall init` makes one.",
)
@collecting_later()
def command(
    *,
    sample: str | None,
    demo: str | None,
    pace: float,
    opens: bool,
    phone: bool,
    journal: Path | None,
    kiosk: Path | None,
    hall: Path | None,
    pin: str | None,
    pin_file: Path | None,
    settings_file: Path | None,
    **options: Any,
) -> None:
    """Run the table: camera, rules, journal and page."""
    # all before the table begins: its cameras see next to nothing while modules load
    from companion.commands.serve.host import Start, TableHost
    from companion.commands.serve.sights import by_phone, check, refuse_with_sample
    from companion.commands.serve.web_runner import run
    from companion.web.serving.server import keep_small

    keep_small()
    chosen = given(options)
    refuse_with_sample(sample, chosen, phone=phone)
    member = hall_settings(hall)
    refuse_code(member)
    if pin is not None and pin_file is not None:
        raise click.ClickException("Expected --pin or --pin-file, but got both: name one.")
    if sample is not None and demo is not None:
        raise click.ClickException("Expected --sample or --demo, but got both: name one.")
    known = owners(journal, settings=settings_file, pin_file=pin_file, pin=pin)
    known.settings.give(_of_kiosk(kiosk, known.settings.now))
    settings = known.settings.give(chosen)
    if phone:
        settings = known.settings.give(by_phone(settings))
    if settings.camera is None and settings.board_camera is None:
        sample = sample or demo
    if pace != 1 and sample is None:
        raise click.ClickException("Expected --sample beside --pace: only a sample table has its own pace.")
    check(settings, chosen)
    _check_game(settings)
    if settings.texts is not None and not Path(settings.texts).is_dir():
        raise click.ClickException(f"Expected a folder as --texts, but got {settings.texts}.")
    with journal_file(journal, sample, "journal.db") as path:
        host = TableHost(settings, Start(path, lambda: journal or own_journal("journal.db"), sample, pace, kiosk))
        run(host, known, opens=opens, phone=phone, kiosk=kiosk, hall=(path, member))


def _of_kiosk(folder: Path | None, now: TableSettings) -> dict[str, Any]:
    """Return the settings that the curator's file names and the owner has not chosen; without a folder, none."""
    if folder is None:
        return {}
    from companion.web.kiosk.folder import table_settings

    named = table_settings(folder)
    return {name: value for name, value in named.items() if getattr(now, name) == DECLARED[name].default}


def _check_game(settings: TableSettings) -> None:
    from companion.rules.errors import UnknownGameError
    from companion.rules.registry import game

    if settings.game is not None:
        with refusing(UnknownGameError):
            game(settings.game)
