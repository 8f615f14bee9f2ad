"""``companion calibrate``: calibrate a board, measure the lens, and show what a profile contains."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from calibration.board.choices import GRIDS
from companion.commands.refusing import refusing
from companion.whole_file import write_whole

if TYPE_CHECKING:
    from calibration.board.procedure import BoardCalibration
    from companion.vision.boards.board_profile import BoardProfile
    from companion.vision.boards.lens import Lens
    from companion.vision.boards.pose import Points


@click.group(name="calibrate")
def command() -> None:
    """Show where the board lies under the camera, and how good the picture is.

    Lay the board under the camera and run 'companion calibrate board tables --from 0 --name oak-board'. For a printed
    board of the kit that is all; for other boards give the four corners of the playing field with --corners. If a
    wide-angle camera bends straight edges, measure it once with 'companion calibrate lens' first.
    """


@command.command(name="board")
@click.argument("board", type=click.Choice(list(GRIDS)))
@click.option("--from", "source", required=True, metavar="SOURCE|IMAGE", help="A camera (0, http://...) or a picture.")
@click.option("--name", required=True, help="A name for the profile, e.g. oak-board.")
@click.option("--kit", metavar="BOARD", help="The board is this printed one of the kit: its markers are enough.")
@click.option("--corners", metavar='"X,Y X,Y X,Y X,Y"', help="The field's corners in pixels, clockwise from top left.")
@click.option("--lens", "lens_name", metavar="NAME", help="A lens measured by 'companion calibrate lens'.")
@click.option(
    "--place", "given", multiple=True, metavar="SIDE=X,Y", help="A pixel on a man of a side, or on 'empty' board."
)
@click.option("--yes", is_flag=True, help="Accept the outline as found, without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; ask nothing.")
def board_command(  # noqa: PLR0917 (click hands them over by name)
    board: str,
    source: str,
    name: str,
    kit: str | None,
    corners: str | None,
    lens_name: str | None,
    given: tuple[str, ...],
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Find BOARD in a picture, judge the picture, and keep both as a profile."""
    from datetime import UTC, datetime

    from calibration.board.camera import take
    from calibration.board.colours import ColoursError
    from calibration.board.eye import eye
    from calibration.board.kept import profile_path
    from calibration.board.procedure import BoardCalibration
    from companion.vision.boards.board_profile import BoardProfileError, check_name, save
    from companion.vision.boards.kit import KitBoardError, kit_board
    from companion.vision.boards.lens import LensError
    from companion.vision.picture_header import BadFrameError
    from companion.vision.sources.source import SourceError

    with refusing(BadFrameError, BoardProfileError, ColoursError, KitBoardError, LensError, OSError, SourceError):
        check_name(name)
        lens = _lens(lens_name) if lens_name else None
        printed = kit_board(kit) if kit else None
        taken = take(source)
        settings = {} if taken.lock is None else taken.lock.settings()
        eye_of = eye(board)
        finder = None if eye_of is None else eye_of.propose
        run = BoardCalibration(board, GRIDS[board], kit=printed, lens=lens, finder=finder, camera=settings)
        for sentence in taken.lock.sentences if taken.lock is not None else ():
            _print(sentence)
        run.see(taken.image)
        if corners is not None:
            run.corners(_points(corners))
        _agreed(run, ask=not (yes or as_json))
        places = _start(given, run)
        if places:
            run.start_position(taken.image, places)
        else:
            run.skip_colours()
        run.call(name)
        profile = run.profile(datetime.now(UTC).astimezone())
        path = profile_path(name)
        save(path, profile)
    if as_json:
        click.echo(json.dumps({"profile": str(path), "taps": run.taps, **profile.to_json()}))
        return
    click.echo(f"{run.progress.sentence} It is saved as {name} in {path}.")


@command.command(name="lens")
@click.argument("pictures", nargs=-1, required=True, metavar="PICTURE|FOLDER...")
@click.option("--name", required=True, help="A name for the lens, e.g. webcam.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def lens_command(pictures: tuple[str, ...], name: str, *, as_json: bool) -> None:
    """Measure the lens from some pictures of the kit's ChArUco sheet, held in many ways; boards can do without."""
    from calibration.board.camera import take_all
    from calibration.board.kept import save_lens
    from calibration.board.lens import LensCalibration, LensCalibrationError
    from companion.vision.boards.board_profile import BoardProfileError, check_name
    from companion.vision.picture_header import BadFrameError
    from companion.vision.sources.source import SourceError

    views = LensCalibration()
    with refusing(BadFrameError, BoardProfileError, LensCalibrationError, OSError, SourceError):
        check_name(name)
        for picture, taken in take_all(pictures):
            try:
                _print(f"{picture}: {views.add(taken.image)}")
            except LensCalibrationError as refused:
                _print(f"{picture}: {refused}")
        measured = views.measure()
        path = save_lens(name, measured.lens)
    if as_json:
        click.echo(json.dumps({"file": str(path), **measured.to_json()}))
        return
    click.echo(f"{measured.sentence} It is saved as {name} in {path}.")


@command.command(name="show")
@click.argument("profile_name", metavar="NAME|FILE")
@click.option("--against", metavar="SOURCE|IMAGE", help="A picture of today: does the profile still fit?")
@click.option("--picture", type=click.Path(path_type=Path, dir_okay=False), help="Where to write its picture, as JPEG.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show_command(profile_name: str, against: str | None, picture: Path | None, *, as_json: bool) -> None:
    """Show what a profile contains, and whether it still fits."""
    from datetime import UTC, datetime

    from calibration.board.camera import take
    from calibration.board.kept import profile_path
    from companion.vision.boards.board_profile import BoardProfileError, load, stale
    from companion.vision.picture_header import BadFrameError
    from companion.vision.sources.source import SourceError

    given = Path(profile_name).expanduser()
    with refusing(BadFrameError, BoardProfileError, OSError, SourceError):
        profile = load(given if given.is_file() else profile_path(profile_name))
        image = take(against).image if against else None
        sentences = stale(profile, datetime.now(UTC), image)
        if picture is not None:
            _draw(profile, picture)
    if as_json:
        click.echo(json.dumps({**profile.to_json(), "stale": [one.to_json() for one in sentences]}))
        return
    lens = "with a measured lens" if profile.lens is not None else "without a measured lens"
    click.echo(f"{profile.name}: the board {profile.board}, calibrated {profile.made}, {lens}.")
    click.echo(f"Its place comes from {profile.how}; {len(profile.places)} markers are known.")
    for figure in profile.quality.get("figures", []):
        click.echo(f"{figure['grade']}: {figure['sentence']['text']}")
    for sentence in sentences:
        click.echo(str(sentence))


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def list_command(*, as_json: bool) -> None:
    """List the saved profiles of boards."""
    from calibration.board.kept import profile_names

    names = profile_names()
    click.echo(json.dumps(names) if as_json else "\n".join(names) or "No board has been calibrated yet.")


def _agreed(run: "BoardCalibration", *, ask: bool) -> None:
    """Print the result and ask for confirmation, or end the command with what is missing."""
    progress = run.progress
    for note in progress.missing:
        _print(note)
    if progress.step == "corners":
        if run.markers:
            _print(
                f"Markers {', '.join(map(str, run.markers))} are visible; they will be used once the field is known."
            )
        raise click.ClickException(f"{progress.sentence} Give them with --corners, or name a printed board with --kit.")
    if progress.step != "confirm" or run.pose is None:
        _refuse(progress.missing)
    _print(f"Corners of the field: {' '.join(f'{x:.0f},{y:.0f}' for x, y in run.pose.corners)}")
    if ask and not click.confirm(str(progress.sentence), default=True, err=True):
        raise click.ClickException("Give the right corners with --corners, then try again.")
    run.confirm()


def _refuse(missing: tuple[Any, ...]) -> NoReturn:
    raise click.ClickException(" ".join(map(str, missing)) or "The picture cannot be used: take another.")


def _print(what: Any) -> None:
    click.echo(str(what), err=True)


def _points(text: str) -> "Points":
    import numpy as np

    try:
        points = np.array([[float(value) for value in pair.split(",")] for pair in text.split()], np.float64)
    except ValueError:
        points = np.zeros((0, 2))
    if points.shape != (4, 2):
        raise click.ClickException(f'Expected four corners such as "10,20 600,25 610,440 5,430", but got {text!r}.')
    return points


def _start(given: tuple[str, ...], run: "BoardCalibration") -> dict[str, list[tuple[float, float]]]:
    """Return the places of men in the field, by side, from typed pixels SIDE=X,Y."""
    import numpy as np

    assert run.pose is not None
    places: dict[str, list[tuple[float, float]]] = {}
    for text in given:
        side, _, pixel = text.partition("=")
        try:
            x, y = (float(value) for value in pixel.split(","))
        except ValueError:
            raise click.ClickException(f"Expected a place such as light=640,200, but got {text!r}.") from None
        ((u, v),) = run.pose.places(np.array([[x, y]]))
        places.setdefault(side, []).append((float(u), float(v)))
    return places


def _lens(name: str) -> "Lens":
    from calibration.board.kept import lens_path, load_lens

    given = Path(name).expanduser()
    return load_lens(given if given.is_file() else lens_path(name))


def _draw(profile: "BoardProfile", path: Path) -> None:
    """Write the profile's picture with the field's outline and the markers."""
    import cv2
    import numpy as np

    image = profile.picture.copy()
    pose = profile.pose
    cv2.polylines(image, [np.round(pose.corners).astype(np.int32)], True, (0, 220, 0), 2, cv2.LINE_AA)  # noqa: FBT003
    for corners in profile.places.values():
        outline = np.round(pose.pixels(corners)).astype(np.int32)
        cv2.polylines(image, [outline], True, (0, 140, 255), 2, cv2.LINE_AA)  # noqa: FBT003  OpenCV takes it by place
    ok, jpeg = cv2.imencode(".jpg", image)
    assert ok
    write_whole(path, jpeg.tobytes())
