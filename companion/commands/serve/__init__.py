"""``companion serve``: the running table with its page."""

import secrets
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.common_options import strength
from companion.commands.leds.session import chosen_board, current_option
from companion.commands.serve.hall import hall_settings
from companion.commands.serve.journal_file import journal_file
from companion.commands.serve.owners import owners
from companion.commands.serve.page_options import chosen_lamps, lamps_option, mat_option, page_options, profile_option
from companion.commands.serve.web_runner import Where, by_phone, run

if TYPE_CHECKING:
    from companion.live.audits.auditing import Auditing
    from companion.live.board_watch import BoardWatchSettings
    from companion.live.dice_memory.learning import Learning
    from companion.live.led_board import Lights
    from companion.live.table import LiveTable
    from companion.vision.boards.board_profile import BoardProfile
    from companion.vision.dice.own_appearance import OwnAppearance
    from companion.web.owner.settings import Settings
    from firmware_bridge.lamps import Lamps
    from firmware_bridge.transport import Transport


@dataclass(frozen=True)
class Sights:
    """What the table sees, as the options name it: cameras or a sample table, and profiles for reading them."""

    camera: str | None
    sample: str | None
    pace: float
    board: str | None
    board_camera: str | None
    board_profile: str | None
    profile: str | None
    whole: bool
    kiosk: Path | None = None
    loop: bool = False
    learns: bool = True

    def check(self) -> None:
        """Refuse options that exclude each other.

        Raises:
            click.ClickException: the text says what was expected instead.
        """
        if self.sample is not None:
            for option, named in (("--camera", self.camera), ("--board-camera", self.board_camera)):
                if named is not None:
                    raise click.ClickException(
                        f"Expected {option} or --sample, but got both: the sample table has its own pictures."
                    )
        looked_at = self.camera is not None or self.board_camera is not None
        if self.board is not None and not looked_at:
            raise click.ClickException("Expected --camera or --board-camera beside --board: no camera sees the board.")
        if self.board_profile is not None and self.board is None and self.board_camera is None:
            raise click.ClickException(
                "Expected --board or --board-camera beside --board-profile: no camera sees the board."
            )
        if self.board_camera is not None and self.board_camera == self.camera:
            raise click.ClickException(
                "Expected two cameras, but got the same one twice: if one camera sees both, name --camera and --board."
            )
        if self.loop and not any(_is_recording(spec) for spec in (self.camera, self.board_camera)):
            raise click.ClickException(
                "Expected a folder or a video as --camera or --board-camera together with --loop: nothing else ends."
            )
        if self.pace != 1 and self.sample is None:
            raise click.ClickException("Expected --sample beside --pace: only a sample table has its own pace.")


def _is_recording(spec: str | None) -> bool:
    from companion.vision.sources import local_path

    return spec is not None and not spec.startswith("/dev/") and local_path(spec) is not None


@click.command()
@click.option("--camera", metavar="SOURCE", help="0, /dev/video0, http://..., rtsp://..., a video, a folder, or push.")
@click.option(
    "--sample",
    metavar="NAME",
    help="Play the sample table of this name, again and again: ludus-regularis, zeno or rithmomachia.",
)
@click.option(
    "--pace",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0.25, 4),
    help="How many times faster than normal the sample table is played.",
)
@click.option(
    "--loop", is_flag=True, help="Play a folder or video again when it ends; otherwise its last picture stays."
)
@click.option(
    "--board",
    type=click.Choice(["auto", "tables", "rithmomachia", "8x14", "8x9", "rim", "pairs", "wheel"]),
    help="The camera also sees this board and follows the men on it; auto means the board of the game being played.",
)
@click.option(
    "--board-camera",
    metavar="SOURCE",
    help="A separate camera over the board, named like that of --camera; without --camera, the dice are tapped in.",
)
@click.option(
    "--board-profile",
    metavar="NAME",
    help="A profile made by `companion calibrate board`: the camera follows the board from there and notices knocks.",
)
@click.option(
    "--open/--no-open", "opens", default=False, help="Open the start page in the browser, if there is a screen."
)
@mat_option
@lamps_option
@click.option(
    "--no-learn", is_flag=True, help="Learn nothing about the dice during play, and use nothing learnt before."
)
@click.option("--game", "slug", metavar="SLUG", help="The game that the form for a new match offers first.")
@strength
@click.option(
    "--program-pause",
    type=click.FloatRange(0, 60),
    default=1.6,
    show_default=True,
    metavar="SECONDS",
    help="How long the program waits before each throw and turn of its own; within a turn it goes on sooner.",
)
@profile_option
@page_options
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
    help="Join a hall of tables, as set up in FILE; `companion hall init FILE` makes one.",
)
@click.option(
    "--leds",
    default="none",
    show_default=True,
    metavar="BOARD",
    help="LEDs on the board: auto, none, simulated, a serial port, wled://HOST or ddp://HOST.",
)
@current_option
@click.option("--leds-map", metavar="NAME", help="Which LED lights which site, as recorded by `companion leds map`.")
@click.option(
    "--leds-theme",
    default="standard",
    show_default=True,
    metavar="NAME",
    help="Colours of the LEDs: standard, colour-blind, dim or bright.",
)
def command(
    *,
    camera: str | None,
    sample: str | None,
    pace: float,
    loop: bool,
    board: str | None,
    board_camera: str | None,
    board_profile: str | None,
    opens: bool,
    mat: str,
    lamps: str | None,
    no_learn: bool,
    slug: str | None,
    strength: str,
    program_pause: float,
    profile: str | None,
    host: str,
    phone: bool,
    phone_port: int,
    port: int,
    allow_host: tuple[str, ...],
    journal: Path | None,
    kiosk: Path | None,
    hall: Path | None,
    pin: str | None,
    pin_file: Path | None,
    settings: Path | None,
    leds: str,
    most_ma: float,
    leds_map: str | None,
    leds_theme: str,
) -> None:
    """Run the table: camera, rules, journal and page."""
    from companion.commands.leds.kept import lights

    leds_board = None if leds == "none" else chosen_board(leds, most_ma)
    shown = lights(leds_map, leds_theme)
    if phone:
        camera, board_camera = by_phone(camera, board_camera, sample)
    whole, learns = mat == "whole", not no_learn
    sights = Sights(camera, sample, pace, board, board_camera, board_profile, profile, whole, kiosk, loop, learns)
    sights.check()
    switched = chosen_lamps(lamps, camera)
    member = hall_settings(hall)
    if pin is not None and pin_file is not None:
        raise click.ClickException("Expected --pin or --pin-file, but got both: name one.")
    _check_game(slug)
    with journal_file(journal, sample, "journal.db") as path:
        known = owners(path, default=journal is None and sample is None, settings=settings, pin_file=pin_file, pin=pin)
        table = _table(
            path, sights, leds_board, shown, known.settings.now, lamps=switched, plays=(strength, program_pause)
        )
        where = Where(host, port, allow_host, phone_port if phone else None, opens)
        run(table, known, where, slug=slug, profile=profile, kiosk=kiosk, hall=(path, member))


def _table(
    path: Path,
    sights: Sights,
    leds_board: "Transport | None" = None,
    shown: "Lights | None" = None,
    settings: "Settings | None" = None,
    *,
    lamps: "Lamps | None" = None,
    plays: tuple[str, float],
) -> "LiveTable":
    """Start the table; without a named camera, people tap the faces in. ``plays``: the program's strength and pause."""
    from companion.commands.kiosk.runner import source_of
    from companion.live.led_board import AS_USUAL
    from companion.live.table import LiveTable
    from companion.live.watch import dice_reader
    from companion.referee.journal import JournalError
    from companion.vision.mat import Mat
    from companion.vision.sources import SourceError

    known = _board_profile(sights.board_profile)
    held = None if known is None else known.camera
    try:
        over_dice, over_board = sights.camera, sights.board_camera
        kiosk, loop = sights.kiosk, sights.loop
        source = None if over_dice is None else source_of(over_dice, kiosk, None if over_board else held, loop=loop)
        board_source = None if over_board is None else source_of(over_board, kiosk, held, loop=loop)
        learning = None if source is None else _learning(path, source.name, sights, settings)
        warm = sights.kiosk is not None and source is not None
        table = LiveTable(
            path,
            source=source,
            sample=sights.sample,
            sample_pace=sights.pace,
            mat=Mat() if sights.whole else None,
            # in a kiosk the first visitor must not wait for the reader
            reader=dice_reader(looks_of(sights.profile), warm=warm, learning=learning),
            board=sights.board,
            board_looks=_board_looks(known),
            board_source=board_source,
            leds=leds_board,
            lights=shown or AS_USUAL,
            keeping=None if settings is None else settings.keeping,
            learning=learning,
            auditing=None if source is None else _auditing(path, source.name, learning, settings),
            lamps=lamps,
            program_strength=plays[0],
            program_pause=plays[1],
        )
    except SourceError as error:
        raise click.ClickException(str(error)) from error
    try:
        table.start()
    except (JournalError, OSError) as error:
        raise click.ClickException(f"The journal {path} cannot be used: {error}") from error
    return table


def _learning(journal: Path, camera: str, sights: Sights, settings: "Settings | None") -> "Learning | None":
    """Return what the table remembers of its dice; None where it learns nothing: the owner taught it their looks."""
    from companion.live.dice_memory.folder import MemoryFolder
    from companion.live.dice_memory.learning import Learning

    if not sights.learns or sights.profile is not None:
        return None
    folder = MemoryFolder(journal.with_suffix(".memory"))
    return Learning(folder, camera, on=settings is None or settings.learning)


def _auditing(journal: Path, camera: str, learning: "Learning | None", settings: "Settings | None") -> "Auditing":
    """Return what draws dice that were read without a question, for the owner to look at."""
    from companion.live.audits.auditing import Auditing

    seed = partial(secrets.randbits, 48)
    return Auditing(journal, camera, time.time, seed, learning=learning, on=settings is None or settings.audits)


def looks_of(profile: str | None) -> "OwnAppearance | None":
    """Return the learnt appearance of dice by the name of its profile, or None without a name.

    Raises:
        click.ClickException: the profile does not exist or cannot be read.
    """
    if profile is None:
        return None
    from companion.commands.learn import profile_path
    from companion.vision.dice.own_appearance import OwnAppearance
    from companion.vision.dice.profile import ProfileError

    try:
        return OwnAppearance.load(profile_path(profile))
    except ProfileError as error:
        raise click.ClickException(str(error)) from error


def _board_profile(profile: str | None) -> "BoardProfile | None":
    """Return the profile of this name; print a warning if it is stale."""
    if profile is None:
        return None
    from datetime import UTC, datetime

    from calibration.board.kept import profile_path
    from companion.vision.boards.board_profile import BoardProfileError, load, stale

    try:
        known = load(profile_path(profile))
    except (BoardProfileError, OSError) as error:
        raise click.ClickException(str(error)) from error
    for sentence in stale(known, datetime.now(UTC)):
        click.echo(str(sentence), err=True)
    return known


def _board_looks(known: "BoardProfile | None") -> "BoardWatchSettings | None":
    if known is None:
        return None
    from companion.live.board_watch import BoardWatchSettings, board_reader
    from companion.vision.boards.places import CalibratedPlaces

    return BoardWatchSettings(board_reader, lambda board, reader: CalibratedPlaces(known, board, reader))


def _check_game(slug: str | None) -> None:
    from companion.rules.errors import UnknownGameError
    from companion.rules.registry import game

    if slug is not None:
        try:
            game(slug)
        except UnknownGameError as error:
            raise click.ClickException(str(error)) from error
