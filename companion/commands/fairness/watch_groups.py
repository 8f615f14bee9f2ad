"""``companion fairness watch --group``: count a die by likeness, after a person named the rows of its throws once."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.learn import NO_DIE, typed_face

if TYPE_CHECKING:
    from companion.desk.series.series_desk import SeriesDesk
    from companion.fairness.series.dice import SeriesDie
    from companion.live.keeping import PictureFolder
    from companion.vision.dice.atlas.method import Sorted
    from companion.vision.dice.groups.named import Verdict
    from companion.vision.readings import Image

LEARN_EACH = 8
"""The rows are made of so many throws for each face of the die, unless the person asks for another number."""

MOST_THROWS = 1_000_000
IN_A_ROW = "named by a person in a row of throws that look alike"


@dataclass(frozen=True)
class Wanted:
    """What a person asks for.

    ``journal``, ``sheet``: where the series and the picture of the rows go; ``about``: title, smallest, fixed and seed
    of the series; ``die``: as SET[/DIE] or a shape; ``camera``: where throws are seen; ``throws``: after how many of
    them the rows are named, None for the usual number; ``apart``: whether twin faces are told apart.
    """

    journal: Path
    sheet: Path
    about: dict[str, Any]
    die: str
    camera: str
    throws: int | None
    apart: bool


def count_by_groups(wanted: Wanted) -> None:
    """Keep the throws, ask what the rows show, and count each further throw that is surely of one of them.

    Raises:
        click.ClickException: die, camera or journal cannot be used, or there are too few throws.
    """
    from companion.desk.series.series_desk import SeriesDesk
    from companion.desk.table.match_desk import UnwrittenError
    from companion.fairness.series.ledger import open_series_ledger
    from companion.ledger.entries import JournalError
    from companion.live.keeping import LONGEST, Keeping, PictureFolder
    from companion.vision.dice.groups.course import TooFewThrowsError
    from companion.vision.images import BadFrameError
    from companion.vision.sources import SourceError

    die = _die(wanted)
    # the crops stay with the series, as photographs of its faces do: somebody asked for them
    kept = PictureFolder(wanted.journal.with_suffix(".photographs"), Keeping("all", LONGEST))
    try:
        with open_series_ledger(wanted.journal) as ledger:
            _Counting(wanted, die, SeriesDesk(ledger, time.time), kept).run()
    except (SourceError, BadFrameError, TooFewThrowsError, UnwrittenError) as why:
        raise click.ClickException(str(why)) from why
    except (JournalError, OSError) as why:
        raise click.ClickException(f"The journal {wanted.journal} cannot be used: {why}") from why


def _die(wanted: Wanted) -> "SeriesDie":
    from companion.commands.fairness.options import set_and_die
    from companion.fairness.series.dice import SeriesDiceError, WantedDie, named_dice
    from companion.vision.dice.faces import CORNERS_OF

    of, which = set_and_die(wanted.die)
    try:
        (die,) = named_dice([WantedDie(of, which or None, twins_apart=wanted.apart)])
    except SeriesDiceError as why:
        raise click.ClickException(f"{why} Name a die without a set by its shape, such as icosahedron.") from why
    if die.die.shape not in CORNERS_OF:
        raise click.ClickException(
            f"Expected a die that comes to rest with a face up for --group ({', '.join(sorted(CORNERS_OF))}), but "
            f"{wanted.die} is a {die.die.shape}."
        )
    return die


class _Counting:
    """One die before the camera: from its first throw to the last doubtful one."""

    def __init__(self, wanted: Wanted, die: "SeriesDie", desk: "SeriesDesk", kept: "PictureFolder") -> None:
        from companion.vision.dice.atlas.method import method_for

        self._wanted = wanted
        self._die = die
        self._desk = desk
        self._kept = kept
        self._method = method_for(die.dice, die.die)
        self._doubtful: dict[int, tuple[Any, str | None]] = {}
        """By its number in the series, each throw that does not count yet, and what it shows at the likeliest."""

    def run(self) -> None:
        """Count until the camera ends or somebody stops."""
        from calibration.learning.gather import throws_of

        # a camera that is not there is told before anybody throws
        cuts = self._cuts(throws_of(self._wanted.camera, MOST_THROWS, at_once=True))
        first = self._first(cuts, self._wanted.throws or LEARN_EACH * len(self._die.die.faces))
        course = self._sorted([one for one, _ in first if one is not None])
        self._begin(course)
        verdicts = iter(course.verdicts)
        for one, picture in first:
            self._count(one, picture, None if one is None else next(verdicts))
        click.echo(f"{self._counted()} of {len(first)} throws count. Keep throwing.", err=True)
        try:
            for one, picture in cuts:
                self._count(one, picture, None if one is None else course.read(one))
        except KeyboardInterrupt:
            click.echo("Stopped; every throw is saved.", err=True)
        self._name_the_doubtful(course)
        throws = len(self._desk.require_series().throws)
        click.echo(
            f"{self._counted()} of {throws} throws count. companion fairness watch --journal "
            f"{self._wanted.journal} shows the series and its report.",
            err=True,
        )

    def _cuts(self, images: "Iterator[Image]") -> "Iterator[tuple[Any, str]]":
        """Yield the die cut out of each throw, None where that fails, with the name of the picture that is kept.

        A camera sees the empty table too, so there a picture without any die is no throw; in a folder it is one.
        """
        from companion.vision.dice.atlas.method import NotCut, cuts_of

        each_a_throw = Path(self._wanted.camera).is_dir()
        for image, one in cuts_of(self._method, images):
            if not isinstance(one, NotCut):
                yield one, self._keep(one.picture)
            elif one.seen or each_a_throw:
                click.echo(f"A throw stays unread: {one}", err=True)
                yield None, self._keep(image)
            else:
                click.echo(f"No throw is counted: {one}", err=True)

    def _keep(self, picture: "Image") -> str:
        from companion.live.pictures import digest, jpeg

        data = jpeg(picture)
        name = digest(data)
        self._kept.keep(name, data, asked=False)
        return name

    def _counted(self) -> int:
        return int(self._desk.require_series().counted[0].counts.sum())

    def _first(self, cuts: "Iterator[tuple[Any, str]]", number: int) -> list[tuple[Any, str]]:
        """Return the throws until so many of them could be cut out."""
        found: list[tuple[Any, str]] = []
        click.echo(f"Throw {number} times; then you name what the rows of throws show.", err=True)
        try:
            for one in cuts:
                found.append(one)
                if sum(cut is not None for cut, _ in found) == number:
                    break
        except KeyboardInterrupt:
            click.echo("Stopped; the throws so far are sorted.", err=True)
        return found

    def _sorted(self, cuts: "Sequence[Any]") -> "Sorted":
        """Sort the throws and ask what each row shows."""
        course = self._method.sort(cuts)
        self._draw([[course.picture(cuts[number]) for number in row.shown] for row in course.rows])
        names = {}
        for place, row in enumerate(course.rows):
            if row.mixed:
                click.echo(
                    f"Row {place + 1} shows two faces: it is left out, and questions about its throws come later."
                )
                continue
            said = self._asked(f"Row {place + 1} ({len(row.members)} throws) shows", row.guess)
            if said is not None:
                names[place] = said
        if not names:
            raise click.ClickException("Expected a name for at least one row: without a name nothing can be counted.")
        course.name(names)
        return course

    def _draw(self, rows: "Sequence[Sequence[Image]]") -> None:
        from calibration.learning.sheet import draw_sheet, write_sheet

        write_sheet(
            self._wanted.sheet, draw_sheet([(row[0], row[1:], f"Row {number}") for number, row in enumerate(rows, 1)])
        )
        click.echo(
            f"The rows are drawn in {self._wanted.sheet}. Press Enter to agree, or type {NO_DIE} to leave a row out."
        )

    def _asked(self, question: str, guess: str | None) -> str | None:
        """Return the label that a person types, None where they leave it out."""
        labels = self._die.outcomes.labels

        def meant(typed: str) -> tuple[str, ...] | None:
            known = () if typed == NO_DIE else self._die.labels(typed)
            return known if len(known) == 1 or typed == NO_DIE else None

        said = typed_face(question, guess if guess in labels else NO_DIE, meant, labels)
        return said[0] if said else None

    def _begin(self, course: "Sorted") -> None:
        from companion.desk.table.match_desk import PROGRAM
        from companion.fairness.series.events import SeriesStarted
        from companion.fairness.stakes import CURRENT
        from companion.program import program_version
        from companion.vision.dice.groups.named import pooled
        from companion.vision.sources import shown_address

        about = self._wanted.about
        unknown = [label for label in self._die.outcomes.labels if label not in course.separation]
        if unknown:
            click.echo(
                f"No row shows {', '.join(unknown)}: how well the groups separate is not taken into account, because "
                f"it is not known for every face.",
                err=True,
            )
        self._desk.begin(
            SeriesStarted(
                about.get("title") or self._die.name,
                (self._die.to_json(),),
                about.get("smallest"),
                about.get("fixed"),
                {},
                {
                    "software": f"alea-companion {program_version()}",
                    "camera": shown_address(self._wanted.camera),
                    "stakes": CURRENT,
                },
                about["seed"],
                {} if unknown else {self._die.name: pooled(course.separation)},
            ),
            PROGRAM,
        )

    def _count(self, cut: Any, picture: str, verdict: "Verdict | None") -> None:
        """Count a throw if it is sure; else keep it for the rows at the end, or as unread if it was not cut out."""
        from companion.desk.table.match_desk import PROGRAM
        from companion.fairness.series.events import Thrown

        name = None if verdict is None else verdict.name
        outcome = name if verdict is not None and verdict.sure else None
        suspected = name if outcome is None else None
        self._desk.record([Thrown(self._die.name, outcome, "camera", suspected, picture)], PROGRAM)
        number = len(self._desk.require_series().throws)
        if cut is not None and outcome is None:
            self._doubtful[number] = cut, name
        line = {"number": number, "die": self._die.name, "outcome": outcome, "suspected": suspected}
        click.echo(json.dumps(line, ensure_ascii=False))

    def _name_the_doubtful(self, course: "Sorted") -> None:
        """Ask about the doubtful throws in rows of likes; the series keeps who named them."""
        from companion.fairness.series.events import Corrected
        from companion.vision.dice.groups.course import SHOWN

        if not self._doubtful:
            return
        numbers = list(self._doubtful)
        rows = course.likes([self._doubtful[number][0] for number in numbers], numbers)
        self._draw([[course.picture(self._doubtful[number][0]) for number in row[:SHOWN]] for row in rows])
        try:
            for place, row in enumerate(rows, 1):
                said = self._asked(f"Row {place} ({len(row)} doubtful throws) shows", self._doubtful[row[0]][1])
                if said is not None:
                    self._desk.record([Corrected(number, said, IN_A_ROW) for number in row], "owner")
        except (click.Abort, KeyboardInterrupt):
            click.echo("Stopped; doubtful throws without a name stay unread.", err=True)
