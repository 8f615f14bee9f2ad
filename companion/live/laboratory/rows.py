"""A die counted by likeness: its throws are kept, sorted into rows that a person names once, and read from then on."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from companion.desk.series.rows import IN_A_ROW, NO_ROWS, Rows
from companion.desk.shapes.series import RowShape, RowsShape
from companion.fairness.series.events import Corrected, Learnt, Thrown
from companion.fairness.series.fold import Series, SeriesThrow
from companion.language.sentence import Sentence
from companion.live.laboratory.likes import Likes
from companion.live.laboratory.photographs import Photographs
from companion.live.laboratory.row_store import RowsState, RowStore
from companion.live.pictures import digest, jpeg
from companion.referee.refused import RefusedError
from companion.rules.die import FACES
from companion.vision.dice.faces import CORNERS_OF

if TYPE_CHECKING:
    from companion.vision.dice.atlas.method import Sorted
    from companion.vision.dice.atlas.throws import DieCut
    from companion.vision.dice.groups.crops import Crop

    Cut = Crop | DieCut

log = logging.getLogger(__name__)

LEARN_EACH: Final = 8
"""The rows are made of so many throws for each face of the die, unless the person asks for another number."""


@dataclass
class _Row:
    """A row as a person sees it: the numbers of its throws, the pictures to show, and its answer."""

    throws: tuple[int, ...]
    pictures: tuple[str, ...]
    guess: str | None
    mixed: bool = False
    done: bool = False
    label: str | None = None


class SortedRows(Rows):
    """The rows of the open series. Only the writer uses it; what takes long runs in a thread of its own."""

    def __init__(
        self,
        likes: Likes,
        store: RowStore,
        photographs: Photographs,
        ready: Callable[[], None],
        learn: int | None = None,
    ) -> None:
        """Count by likeness what `begin` or `resume` then names.

        ``store`` and ``photographs`` outlive the program: the rows, and the JPEG of each throw. ``ready`` is called,
        from the other thread, when something is done; ``learn``: throws that make the rows.
        """
        self._likes, self._store, self._photographs, self._ready, self._learn = likes, store, photographs, ready, learn
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="rows of throws")
        self._series: int | None = None
        self._forget()

    def _forget(self) -> None:
        self._seen = 0  # throws of the series that were examined
        self._wanted = 0
        self._all_mixed = False  # whether the throws so far gave no row that can be named
        self._kept: dict[int, Cut] = {}  # by its number, each throw that was not read yet
        self._rows: list[_Row] = []
        self._learnt: list[int] = []  # the numbers of the throws that the course has
        self._before = RowsState()  # the rows as they were when the program last ran
        self._course: Sorted | None = None
        self._shown: Mapping[str, bytes] = {}  # the pictures of rows that are no pictures of throws, by their hash
        self._sorting: Future[_Made] | None = None
        self._reading: Future[list[dict[str, Any]]] | None = None
        self._doubted: Future[_Made] | None = None
        self._likes.begin()

    def begin(self, series: Series) -> None:
        """Count a series that has just begun by likeness, if it is of one die whose upper face a camera sees.

        The rows are made of at least as many throws as can be sorted, even if a person asked for fewer.
        """
        (die, *others) = series.dice
        fits = not others and die.together == 1 and die.die.shape in CORNERS_OF and not die.twins_apart
        self._count(series, by_likeness=fits)
        if fits:
            self._store.save(series.id, RowsState())

    def resume(self, series: Series) -> None:
        """Count a series on by likeness if it was counted so: its throws are sorted again, and keep their names."""
        if self.counts(series):
            return
        state = self._store.state(series.id)
        self._count(series, by_likeness=state is not None)
        if state is None:
            return
        from companion.vision.dice.atlas.throws import DieCut  # noqa: PLC0415  (nets load slowly)

        self._seen = len(series.throws)
        cuts = {
            throw.number: cut
            for throw in series.throws
            if (_open(throw) or throw.number in state.learnt) and (cut := self._cut(series, throw)) is not None
        }
        if cuts:
            self._likes.begin(by_surface=any(isinstance(cut, DieCut) for cut in cuts.values()))
        self._kept = {number: cut for number, cut in cuts.items() if _open(series.throw(number))}
        if state.learnt and all(number in cuts for number in state.learnt):
            self._before = state
            self._sort(series, {number: cuts[number] for number in state.learnt})

    def _cut(self, series: Series, throw: SeriesThrow) -> "Cut | None":
        if not throw.picture:
            return None
        return self._store.crop(series.id, throw.picture, self._photographs.get(throw.picture))

    def _count(self, series: Series, *, by_likeness: bool) -> None:
        from companion.vision.dice.groups.course import LEAST_EACH  # noqa: PLC0415  (nets load slowly)

        self._forget()
        self._series = series.id if by_likeness else None
        faces = len(series.dice[0].outcomes.labels)
        self._wanted = LEARN_EACH * faces if self._learn is None else max(self._learn, LEAST_EACH * faces)
        self._likes.counting = by_likeness

    def counts(self, series: Series | None) -> bool:
        """Whether this series is counted by likeness."""
        return series is not None and series.id == self._series

    def follow(self, series: Series | None) -> list[Thrown | Learnt]:
        """Take up what was thrown and what was sorted; return what is to be recorded."""
        self._likes.counting = self.counts(series)
        if series is None or not self.counts(series):
            return []
        if late := self._likes.late(series.dice[0].name, self._photographs.hold):
            return [*late]
        for throw in series.throws[self._seen :]:
            cut = self._likes.take(throw.picture)
            if cut is not None and throw.outcome is None:
                self._kept[throw.number] = cut
                self._store.keep(series.id, throw.picture, cut)
        self._seen = len(series.throws)
        self._kept = {number: cut for number, cut in self._kept.items() if _open(series.throw(number))}
        if self._course is None and self._sorting is None and len(self._kept) >= self._wanted:
            self._sort(series, self._kept)
        return self._done(series)

    def _sort(self, series: Series, throws: "Mapping[int, Cut]") -> None:
        from companion.vision.dice.atlas.method import sorted_throws  # noqa: PLC0415  (likewise)

        (die,) = series.dice
        self._learnt, cuts = list(throws), list(throws.values())

        def sort() -> _Made:
            course = sorted_throws(cuts, die.dice, die.die, len(die.outcomes.labels))
            return _Made(course, [], [_pictures(course, [cuts[one] for one in row.shown]) for row in course.rows])

        self._sorting = self._pool.submit(sort)
        self._sorting.add_done_callback(lambda _: self._ready())

    def _done(self, series: Series) -> list[Thrown | Learnt]:
        """Take what the other thread has finished."""
        if self._sorting is not None and self._sorting.done():
            sorting, self._sorting = self._sorting, None
            try:
                made = sorting.result()
                if all(row.mixed for row in made.course.rows):
                    self._gather_more(series)
                    self._all_mixed = True
                    return []
                self._course = made.course
                self._rows = [self._row(series, row) for row in made.course.rows]
                self._picture_rows(made)
                self._take_up(series)
            except Exception:
                log.exception("the throws could not be sorted; more throws may help")
                self._gather_more(series)
        if self._doubted is not None and self._doubted.done():
            doubted, self._doubted = self._doubted, None
            try:
                made = doubted.result()
                self._rows = [self._row_of_doubtful(series, row) for row in made.doubtful]
                self._picture_rows(made)
            except Exception:
                log.exception("the doubtful throws could not be sorted; they stay unread")
        if self._reading is not None and self._reading.done():
            try:
                return self._lessons(series, self._reading.result())
            except Exception:
                log.exception("the throws could not be read by their rows; more throws may help")
                self._reading = self._course = None
                self._gather_more(series)
        return []

    def _picture_rows(self, made: "_Made") -> None:
        """Show what the course draws of the throws in place of the throws' own pictures."""
        shown: dict[str, bytes] = {}
        for row, pictures in zip(self._rows, made.pictures, strict=True):
            if pictures:
                row.pictures = tuple(map(digest, pictures))
                shown |= dict(zip(row.pictures, pictures, strict=True))
        self._shown = shown

    def picture(self, name: str) -> bytes | None:
        """Return the JPEG of a throw as a row shows it, by its hash, or None. Any thread may call it."""
        return self._shown.get(name)

    def _take_up(self, series: Series) -> None:
        """Give the rows the names that they had when the program last ran, if they are the same rows."""
        before, self._before = self._before, RowsState()
        if before.rows != tuple(row.throws for row in self._rows):
            self._save(series)
            return
        for place, label in before.answers.items():
            self._rows[place].done, self._rows[place].label = True, label
        if all(row.done for row in self._rows) and any(row.label is not None for row in self._rows):
            self._read()

    def _save(self, series: Series) -> None:
        answers = {place: row.label for place, row in enumerate(self._rows) if row.done and not row.mixed}
        self._store.save(series.id, RowsState(tuple(self._learnt), tuple(row.throws for row in self._rows), answers))

    def _gather_more(self, series: Series) -> None:
        """Let the person go on throwing before the throws are sorted again."""
        self._wanted, self._all_mixed = len(self._kept) + len(series.dice[0].outcomes.labels), False

    def recorded(self) -> None:
        """Read further throws by the rows, now that the series has what they taught."""
        self._reading = None
        self._likes.course = self._course

    def _row(self, series: Series, row: Any) -> _Row:
        numbers = tuple(self._learnt[place] for place in row.members)
        pictures = tuple(series.throw(self._learnt[place]).picture for place in row.shown)
        # what the general reader makes of symbols of its own says nothing about their names
        unknown = row.guess is None or series.dice[0].dice.name in FACES
        named = () if unknown else series.dice[0].labels(row.guess)
        return _Row(numbers, pictures, named[0] if len(named) == 1 else None, row.mixed, done=row.mixed)

    def _row_of_doubtful(self, series: Series, numbers: tuple[int, ...]) -> _Row:
        from companion.vision.dice.groups.course import CROPS_SHOWN  # noqa: PLC0415

        first = series.throw(numbers[0]).suspected
        guess = None if first is None else series.dice[0].outcomes.labels[first]
        return _Row(numbers, tuple(series.throw(number).picture for number in numbers[:CROPS_SHOWN]), guess)

    def _lessons(self, series: Series, read: Sequence[Mapping[str, Any]]) -> list[Thrown | Learnt]:
        """Return what the named rows teach."""
        from companion.vision.dice.groups.named import pooled  # noqa: PLC0415

        assert self._course is not None
        die, found = series.dice[0], self._course.separation
        throws = tuple(dict(one) for one in read if _open(series.throw(one["throw"])))
        known = any(series.throw(number).read is not None for number in self._learnt)
        if known and all(one["outcome"] is None for one in throws):
            self.recorded()  # the series has it all since before the program's start
            return []
        return [Learnt(die.name, pooled(found, die.outcomes.labels), throws)]

    def sort(self, series: Series) -> None:
        """Sort now what was thrown so far: all throws before the rows have names, afterwards the doubtful ones.

        Raises:
            RefusedError: there are too few throws, or none that is doubtful.
        """
        from companion.vision.dice.groups.course import CROPS_SHOWN, LEAST_EACH  # noqa: PLC0415

        if not self.counts(series):
            raise RefusedError(NO_ROWS)
        if self._busy or self._rows:
            raise RefusedError(Sentence("The throws are already sorted: name the rows."))
        if self._course is not None:
            if not self._kept:
                raise RefusedError(Sentence("No throw is doubtful."))
            course, kept = self._course, dict(self._kept)

            def sort_doubtful() -> _Made:
                rows = course.likes(list(kept.values()), list(kept))
                return _Made(
                    course, rows, [_pictures(course, [kept[one] for one in row[:CROPS_SHOWN]]) for row in rows]
                )

            self._doubted = self._pool.submit(sort_doubtful)
            self._doubted.add_done_callback(lambda _: self._ready())
            return
        least = LEAST_EACH * len(series.dice[0].outcomes.labels)
        if len(self._kept) < least:
            raise RefusedError(
                Sentence(
                    "Expected at least {least} throws before they are sorted, but there are {count}: throw more often.",
                    least=least,
                    count=len(self._kept),
                )
            )
        self._sort(series, self._kept)

    def name(self, series: Series, row: int, label: str | None) -> list[Corrected | Learnt]:
        """Take what a person says that a row shows, None to leave it out; return what is to be recorded.

        Once each row has an answer, the throws are read in the other thread, and what they show comes later.

        Raises:
            RefusedError: there is no such row to be named, or no row at all has a name.
        """
        if not self.counts(series):
            raise RefusedError(NO_ROWS)
        if not 1 <= row <= len(self._rows) or self._rows[row - 1].mixed:
            raise RefusedError(Sentence("There is no row {row} to name now.", row=row))
        learns, asked = self._likes.course is None, self._rows[row - 1]
        left = [one for one in self._rows if not one.done and one is not asked]
        if learns and not left and label is None and all(one.label is None for one in self._rows if one is not asked):
            raise RefusedError(Sentence("Name at least one row: without a name nothing can be counted."))
        asked.done, asked.label = True, label
        if not learns:
            self._rows = [] if not left else self._rows
            throws = asked.throws if label is not None else ()
            return [Corrected(number, label, IN_A_ROW) for number in throws if _open(series.throw(number))]
        self._save(series)
        if not left:
            self._read()
        return []

    def _read(self) -> None:
        """Let the other thread read all throws by the rows that have names."""
        assert self._course is not None
        course, numbers = self._course, list(self._learnt)
        names = {place: row.label for place, row in enumerate(self._rows) if row.label is not None}
        late = {number: cut for number, cut in self._kept.items() if number not in set(numbers)}
        self._rows = []

        def read() -> list[dict[str, Any]]:
            course.name(names)
            verdicts = [*course.verdicts, *map(course.read, late.values())]
            return [
                {
                    "throw": number,
                    "outcome": verdict.name if verdict.sure else None,
                    "suspected": None if verdict.sure else verdict.name,
                }
                for number, verdict in zip([*numbers, *late], verdicts, strict=True)
            ]

        self._reading = self._pool.submit(read)
        self._reading.add_done_callback(lambda _: self._ready())

    @property
    def _busy(self) -> bool:
        return any(job is not None for job in (self._sorting, self._reading, self._doubted))

    def to_page(self, series: Series | None) -> RowsShape | None:
        """Return what the page shows of the rows; None for a series that is not counted by likeness."""
        if not self.counts(series):
            return None
        learns = self._likes.course is None
        phase: Literal["gather", "sort", "name", "count"]
        phase = "sort" if self._busy else "name" if self._rows else "gather" if learns else "count"
        rows: list[RowShape] = [
            {
                "number": number,
                "throws": len(row.throws),
                "pictures": list(row.pictures),
                "guess": row.guess,
                "mixed": row.mixed,
                "done": row.done,
                "face": row.label,
            }
            for number, row in enumerate(self._rows, 1)
        ]
        return {
            "phase": phase,
            "kept": len(self._kept),
            "wanted": self._wanted,
            "doubtful": not learns,
            "rows": rows,
        }

    def sentence(self, series: Series | None) -> Sentence | None:
        """Return what to say beside the throws, None where the usual sentence fits."""
        counting = self._likes.course is not None and not (self._rows or self._busy)
        if counting or self._likes.hindrance is not None or not self.counts(series):
            return self._likes.hindrance if self.counts(series) else None
        if self._busy:
            return Sentence("The throws are being sorted. You can keep throwing.")
        if self._rows:
            return Sentence("Say what each row of throws shows.")
        if self._all_mixed and len(self._kept) < self._wanted:
            return Sentence(
                "None of the rows shows one face of a thrown die: make sure that only the die moves in the picture, "
                "and throw {count} more times.",
                count=self._wanted - len(self._kept),
            )
        if not self._kept:
            return Sentence("Throw {count} times; then you name what the rows of throws show.", count=self._wanted)
        return Sentence("Throw {number} of {count} is kept. Throw again.", number=len(self._kept), count=self._wanted)

    def stop(self) -> None:
        """Start nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class _Made:
    """What the other thread made: the course, or rows of ``doubtful`` throws by their numbers, and the rows' pictures.

    ``pictures``: the JPEGs of each row; none where the throws' own pictures serve.
    """

    course: "Sorted"
    doubtful: list[tuple[int, ...]]
    pictures: list[list[bytes]]


def _pictures(course: "Sorted", cuts: "Sequence[Cut]") -> list[bytes]:
    """Return the JPEGs of throws as the course draws them; none where it draws nothing."""
    drawn = [course.picture(cut) for cut in cuts]
    return [] if all(one is cut.picture for one, cut in zip(drawn, cuts, strict=True)) else [*map(jpeg, drawn)]


def _open(throw: SeriesThrow) -> bool:
    """Whether nobody has said yet what a throw shows."""
    return throw.outcome is None and not throw.withdrawn and not throw.corrected
