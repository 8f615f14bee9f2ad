"""``companion fairness watch --group --no-page``: the rows of throws that look alike, named at the prompt."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.commands.learn import NO_DIE, typed_face
from companion.commands.refusing import refusing

if TYPE_CHECKING:
    from companion.commands.fairness.lines import SeriesPrinter
    from companion.desk.table.match_desk import Reply
    from companion.live.laboratory.laboratory import Laboratory
    from companion.vision.sources.source import FrameSource

SETTLED_SECONDS: Final = 1.0
"""A recording has ended when its last picture has rested for so many seconds."""


def refuse_ungrouped(die: str) -> None:
    """Refuse a die whose throws cannot be compared.

    Raises:
        click.ClickException: there is no such die, or it does not come to rest with a face up.
    """
    from companion.fairness.library import set_and_die
    from companion.fairness.series.dice import SeriesDiceError, WantedDie, named_dice
    from companion.vision.dice.faces import CORNERS_OF

    of, which = set_and_die(die)
    try:
        (named,) = named_dice([WantedDie(of, which or None)])
    except SeriesDiceError as why:
        raise click.ClickException(f"{why} Name a die without a set by its shape, such as icosahedron.") from why
    if named.die.shape not in CORNERS_OF:
        raise click.ClickException(
            f"Expected a die that comes to rest with a face up for --group ({', '.join(sorted(CORNERS_OF))}), but "
            f"{die} is a {named.die.shape}."
        )


def folder_of_throws(camera: str | None) -> Path | None:
    """Return the folder of pictures that a camera's name is, each of them a throw; None for any other camera."""
    from companion.vision.sources import local_path

    folder = None if camera is None else local_path(camera)
    return folder if folder is not None and folder.is_dir() and not (folder / "script.json").is_file() else None


class Prompt:
    """Follows a laboratory that counts by likeness, and asks what its rows show.

    Args:
        laboratory: it has an open series.
        lines: prints its throws.
        sheet: where the rows are drawn, as a PNG.
        again: the command that goes on with the series.
    """

    def __init__(self, laboratory: "Laboratory", lines: "SeriesPrinter", sheet: Path, again: str) -> None:
        if laboratory.snapshot().data["rows"] is None:
            raise click.ClickException("Expected --die beside --group: the open series is not counted in rows.")
        self._laboratory, self._lines, self._sheet, self._again = laboratory, lines, sheet, again

    def run(self, source: "FrameSource | None", folder: Path | None) -> None:
        """Count until the camera's recording or the folder ends, or somebody stops; then name what is left."""
        try:
            if folder is not None:
                self._count(folder)
            else:
                self._watch(source)
        except KeyboardInterrupt:
            click.echo("Stopped; the throws so far are sorted.", err=True)
        try:
            self._finish()
        except (click.Abort, KeyboardInterrupt):
            click.echo("Stopped; throws without a name stay unread.", err=True)
        series = self._laboratory.snapshot().data["series"]
        for sentence in series["dice"][0]["verdict"]["sentences"]:
            click.echo(sentence["text"], err=True)
        click.echo(
            f"{sum(series['dice'][0]['counts'])} of {series['throws']} throws count. {self._again} goes on with the "
            f"series; without --no-page it shows the series and its report.",
            err=True,
        )

    def _watch(self, source: "FrameSource | None") -> None:
        over = self._over(source)
        while not over():
            self._lines.follow(lambda: self._phase() == "name" or over())
            self._name_rows()

    def _over(self, source: "FrameSource | None") -> Callable[[], bool]:
        """Return what tells whether a recording has ended; a camera never does."""
        import time

        seen: tuple[Any, float] = None, 0.0

        def over() -> bool:
            nonlocal seen
            if not getattr(source, "ended", False):
                return False
            now = self._laboratory.snapshot()
            if now.version != seen[0] or now.data["rows"]["phase"] == "sort" or now.data["camera"]["phase"] != "still":
                seen = now.version, time.monotonic()
            return time.monotonic() - seen[1] > SETTLED_SECONDS

        return over

    def _count(self, folder: Path) -> None:
        """Count each picture of a folder that was not counted in an earlier run."""
        from companion.vision.images import load_image
        from companion.vision.picture_header import BadFrameError
        from companion.vision.sources.folder import PICTURES

        session = str(folder.resolve())[-80:]
        known = sum(throw["session"] == session for throw in self._laboratory.throws(self._lines.series) or [])
        self._laboratory.command("session", {"name": session}, "owner")
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        if known:
            click.echo(f"The first {known} pictures of this folder are counted already.", err=True)
        self._lines.tell(self._laboratory.snapshot().data)
        with refusing(BadFrameError):
            for missed in self._laboratory.count(map(load_image, paths[known:])):
                self._lines.throws(self._laboratory.snapshot().data["series"])
                if missed is not None:
                    click.echo(f"A throw stays unread: {missed}", err=True)
                self._settle()
                self._name_rows()

    def _finish(self) -> None:
        """Sort and name what has no name yet: all throws, and then the doubtful ones."""
        for _ in range(2):
            self._settle()
            if self._phase() in ("gather", "count") and self._laboratory.snapshot().data["rows"]["kept"]:
                reply = self._laboratory.command("sort", {}, "owner")
                if not reply.ok:
                    click.echo(str(reply.sentence), err=True)
                    return
            self._settle()
            self._name_rows()

    def _phase(self) -> str:
        return str(self._laboratory.snapshot().data["rows"]["phase"])

    def _settle(self) -> None:
        """Wait until nothing is being sorted or read."""
        self._lines.follow(lambda: self._phase() != "sort")
        self._lines.throws(self._laboratory.snapshot().data["series"])

    def _name_rows(self) -> None:
        """Ask what each row shows that has no name yet."""
        data = self._laboratory.snapshot().data
        rows, labels = data["rows"]["rows"], data["series"]["dice"][0]["labels"]
        if data["rows"]["phase"] != "name":
            return
        self._draw([row["pictures"] for row in rows])
        for row in rows:
            number = row["number"]
            if row["mixed"]:
                click.echo(
                    f"Row {number} shows two faces, or a thing that never moves: it is left out, and questions about "
                    "its throws come later."
                )
            elif not row["done"]:
                which = "doubtful throws" if data["rows"]["doubtful"] else "throws"
                self._ask(number, f"Row {number} ({row['throws']} {which}) shows", row["guess"], labels)
        self._settle()

    def _ask(self, row: int, question: str, guess: str | None, labels: list[str]) -> None:
        def named(typed: str) -> "Reply | None":
            face = None if typed == NO_DIE else typed
            reply = self._laboratory.command("name_row", {"row": row, "face": face}, "owner")
            return reply if reply.ok or typed == NO_DIE else None

        while not (reply := typed_face(question, guess if guess in labels else NO_DIE, named, labels)).ok:
            click.echo(str(reply.sentence))

    def _draw(self, rows: list[list[str]]) -> None:
        from calibration.learning.sheet import draw_sheet, write_sheet
        from companion.vision.images import decode_image

        shown = [[decode_image(data) for one in row if (data := self._laboratory.picture(one))] for row in rows]
        drawn = [(row[0], row[1:], f"Row {number}") for number, row in enumerate(shown, 1) if row]
        write_sheet(self._sheet, draw_sheet(drawn))
        click.echo(f"The rows are drawn in {self._sheet}. Press Enter to agree, or type {NO_DIE} to leave a row out.")
