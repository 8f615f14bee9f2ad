"""What a table sees, as its settings name it: cameras, profiles for reading, and what does not fit together."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.refusing import refusing
from companion.settings.record import TableSettings

if TYPE_CHECKING:
    from companion.live.watching.board_steps import BoardWatchSettings
    from companion.vision.boards.board_profile import BoardProfile
    from companion.vision.dice.memory.table import TableMemory
    from companion.vision.sources.source import FrameSource
    from firmware_bridge.lamps import Lamps


def refuse_with_sample(sample: str | None, given: Mapping[str, Any], *, phone: bool) -> None:
    """Refuse cameras that are named beside a sample table.

    Raises:
        click.ClickException: one is named.
    """
    if sample is None:
        return
    cameras = {"--camera": given.get("camera"), "--board-camera": given.get("board_camera"), "--phone": phone or None}
    for option, named in cameras.items():
        if named is not None:
            raise click.ClickException(
                f"Expected {option} or --sample, but got both: the sample table has its own pictures."
            )


def by_phone(settings: TableSettings) -> dict[str, Any]:
    """Return the settings in which a phone is the camera that pushes its pictures."""
    if settings.camera == "push" or (settings.camera is None and settings.board_camera != "push"):
        return {"camera": "phone"}
    if settings.board_camera == "push":
        return {"board_camera": "phone"}
    raise click.ClickException(
        f"Expected --camera push or --board-camera push beside --phone, but got --camera {settings.camera}: "
        "the phone is one of the cameras."
    )


def check(settings: TableSettings, given: Collection[str]) -> None:
    """Refuse options that exclude each other, or that lack another; a kept setting that fits no more is left alone.

    ``given``: the settings that options name at this start.

    Raises:
        click.ClickException: the text says what was expected instead.
    """
    camera, board_camera = settings.camera, settings.board_camera
    if "board" in given and camera is None and board_camera is None:
        raise click.ClickException("Expected --camera or --board-camera beside --board: no camera sees the board.")
    if "board_profile" in given and settings.board is None and board_camera is None:
        raise click.ClickException(
            "Expected --board or --board-camera beside --board-profile: no camera sees the board."
        )
    if board_camera is not None and board_camera == camera and {"camera", "board_camera"} <= {*given}:
        raise click.ClickException(
            "Expected two cameras, but got the same one twice: if one camera sees both, name --camera and --board."
        )
    if "lamps" in given and camera is None:
        raise click.ClickException("Expected --camera beside --lamps: no camera sees the dice.")
    if "loop" in given and not any(_is_recording(spec) for spec in (camera, board_camera)):
        raise click.ClickException(
            "Expected a folder or a video as --camera or --board-camera together with --loop: nothing else ends."
        )


def _is_recording(spec: str | None) -> bool:
    from companion.vision.sources import local_path, names_device

    return spec is not None and not names_device(spec) and local_path(spec) is not None


def source_of(spec: str, kiosk: Path | None, held: Any, *, loop: bool = False) -> "FrameSource":
    """Return the source that ``spec`` names.

    A folder or video shows its first picture until a match begins, except in a kiosk; ``loop`` plays it again.
    ``held``: exposure, white balance and focus, as a profile keeps them.

    Raises:
        UnknownSourceError: ``spec`` names no source.
    """
    from companion.vision.sources import open_source

    return open_source(spec, loop=loop, waits=kiosk is None, settings=held)


def known_dice(profile: str | None) -> "TableMemory | None":
    """Return what was learnt of somebody's dice by the name of its profile, or None without a name.

    Raises:
        click.ClickException: the profile does not exist or cannot be read.
    """
    if profile is None:
        return None
    from calibration.learning.kept import profile_path
    from companion.vision.dice.memory.profile import ProfileError, open_profile

    with refusing(ProfileError):
        return open_profile(profile_path(profile))


def board_profile_of(profile: str | None) -> "BoardProfile | None":
    """Return the profile of this name; print a warning if it is stale."""
    if profile is None:
        return None
    from datetime import UTC, datetime

    from calibration.board.kept import profile_path
    from companion.vision.boards.board_profile import BoardProfileError, load, stale

    with refusing(BoardProfileError, OSError):
        known = load(profile_path(profile))
    for sentence in stale(known, datetime.now(UTC)):
        click.echo(str(sentence), err=True)
    return known


def board_settings_of(known: "BoardProfile | None") -> "BoardWatchSettings | None":
    """Return how a board is watched from its place in a profile; None without one."""
    if known is None:
        return None
    from companion.live.watching.board_steps import BoardWatchSettings, board_reader
    from companion.vision.boards.places import CalibratedPlaces

    return BoardWatchSettings(board_reader, lambda board, reader: CalibratedPlaces(known, board, reader))


def chosen_lamps(words: str | None) -> "Lamps | None":
    """Return the lamps that ``words`` name; None without words.

    Raises:
        click.ClickException: they name no pair of lamps.
    """
    if words is None:
        return None
    from firmware_bridge.lamps import UnknownLampsError, lamps_of

    with refusing(UnknownLampsError):
        return lamps_of(words)
