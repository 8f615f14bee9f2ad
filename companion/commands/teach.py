"""``companion teach``: say once what each face of your dice is, and the table knows it from then on."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.learn import NO_DIE, typed_face
from companion.commands.refusing import refusing
from companion.program import own_folder

if TYPE_CHECKING:
    from companion.live.dice_memory.folder import MemoryFolder
    from companion.rules.dice import DiceSet
    from companion.vision.dice.memory.course import FaceKey, TeachingQuestion
    from companion.vision.dice.memory.table import TableMemory
    from companion.vision.dice.reader import DiceReader
    from companion.vision.readings import DiceReading

HOW: Final = (
    "Throw the dice. Press Enter if the program is right about a face; otherwise type what it shows, '-' for not a "
    "die, 'back' to take back the last answer. Ctrl-C ends."
)
BACK: Final = "back"


@click.command(name="teach")
@click.argument("dice_set", metavar="SET|FILE.toml")
@click.option(
    "--camera",
    required=True,
    metavar="SOURCE",
    help="As for 'companion serve'; or a folder with one picture per throw.",
)
@click.option(
    "--throws", type=click.IntRange(1, 200), default=100, show_default=True, help="The largest number of throws."
)
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file that stores the table's matches: what it learns is stored beside it.",
)
@click.option(
    "--again",
    is_flag=True,
    help="Throw nothing: learn again from the matches in the journal whose pictures were kept.",
)
def command(dice_set: str, camera: str, throws: int, journal: Path | None, *, again: bool) -> None:
    """Teach the table how your own dice of SET look, or those of a file: throw, and say once what each face is."""
    from companion.ledger.entries import JournalError
    from companion.live.dice_memory.folder import MemoryFolder
    from companion.rules.dice import DiceSetFileError, UnknownDiceSetError, find_dice_set
    from companion.vision.dice.memory.store import MemoryFileError
    from companion.vision.dice.nets import WeightsError
    from companion.vision.dice.reader import DiceSetNotReadError
    from companion.vision.picture_header import BadFrameError
    from companion.vision.sources import open_source
    from companion.vision.sources.source import SourceError

    with (
        refusing(DiceSetFileError, DiceSetNotReadError, UnknownDiceSetError),
        refusing(BadFrameError, JournalError, MemoryFileError, SourceError, WeightsError, OSError),
    ):
        dice = find_dice_set(dice_set)
        path = journal or usual_journal()
        folder = MemoryFolder(path.with_suffix(".memory"))
        if again:
            _learn_again(dice.name, open_source(camera).name, folder, path)
        else:
            _teach(dice, camera, open_source(camera).name, folder, throws)


def usual_journal() -> Path:
    """Return the file in which a table keeps its matches if nobody names another one."""
    return own_folder() / "journal.db"


def _teach(dice: "DiceSet", spec: str, camera: str, folder: "MemoryFolder", most: int) -> None:
    from calibration.learning.gather import throws_of
    from companion.vision.dice.reader import DiceReader
    from companion.vision.ground import Ground

    memory, trouble = folder.load(dice.name, camera)
    if trouble is not None:
        click.echo(str(trouble), err=True)
    lesson = _Lesson(dice, memory, DiceReader(dice, memory=memory))
    ground = lesson.reader.ground = Ground()
    click.echo(HOW)
    try:
        for image in throws_of(spec, most, at_once=True):
            reading = lesson.reader.read(image)
            ground.rest(image, reading)
            lesson.throw(reading)
            if lesson.changed:
                folder.save(dice.name, camera, memory)
            click.echo(lesson.progress())
            if not lesson.missing():
                break
    except (click.Abort, KeyboardInterrupt):
        if lesson.changed:
            folder.save(dice.name, camera, memory)
        click.echo("\nStopped.")
    click.echo(lesson.progress() + (" They are saved." if lesson.changed else ""))


def _learn_again(set_name: str, camera: str, folder: "MemoryFolder", journal: Path) -> None:
    """Teach the table again what its matches taught it, as far as journal and kept pictures show it."""
    from functools import cache

    from companion.live.dice_memory.kept_throws import answers_in
    from companion.live.dice_memory.relearning import Relearning
    from companion.live.keeping import Keeping, PictureFolder
    from companion.referee.journal import Journal
    from companion.referee.match import Match, NoMatchError
    from companion.vision.dice.nets import Nets
    from companion.vision.dice.reader import DiceReader

    memory, trouble = folder.load(set_name, camera)
    if trouble is not None:
        click.echo(str(trouble), err=True)
    pictures, nets = PictureFolder(journal.with_suffix(".pictures"), Keeping("all")), Nets()
    reader = cache(lambda names: DiceReader(set_name, names, memory=memory, nets=nets))
    learning = Relearning(memory, set_name, pictures.read, reader)
    answers = answers_in(journal.with_suffix(".audits.db"))
    with Journal(journal, writable=False) as kept:
        for number in sorted(line.id for line in kept.matches()):
            try:
                learning.match(Match.of(kept.events(number)), answers)
            except NoMatchError as why:
                click.echo(f"Match {number} teaches nothing: {why}", err=True)
    if learning.throws:
        folder.save(set_name, camera, memory)
    click.echo(f"Throws learnt again: {learning.throws}; without a kept picture: {learning.without}.")


class _Lesson:
    """One course of teaching at the prompt."""

    def __init__(self, dice: "DiceSet", memory: "TableMemory", reader: "DiceReader") -> None:
        import time

        from companion.vision.dice.memory.course import TeachingCourse, faces_of

        self.reader = reader
        self.changed = False
        self._dice = dice
        self._memory = memory
        self._begun = time.time()
        self._course = TeachingCourse(dice)
        self._faces = faces_of(dice)

    def throw(self, reading: "DiceReading") -> None:
        """Ask about whatever is new in a throw, until nothing is.

        Raises:
            click.Abort: nobody answers any more.
        """
        number = self._course.throws + 1
        there = [die for die in reading.dice if die.status != "ignored"]
        self._course.see(number, sorted(there, key=lambda die: min(x for x, _ in die.polygon)))
        while asked := next((one for one in self._course.questions(self._known()) if one.throw == number), None):
            self._answer(asked, len(there))

    def missing(self) -> "list[FaceKey]":
        """Return the faces that are not known yet."""
        return self._course.missing(self._known())

    def progress(self) -> str:
        """Return how many faces are known, and after some throws which ones are missing."""
        from companion.vision.dice.memory.course import HINT_AFTER

        missing = self.missing()
        message = f"{len(self._faces) - len(missing)} of {len(self._faces)} faces are known."
        if missing and self._course.throws >= HINT_AFTER:
            named = ", ".join(self._text(key) for key in missing)
            message += f" Still missing: {named}. You may turn these faces up by hand."
        return message

    def _answer(self, asked: "TeachingQuestion", of: int) -> None:
        from companion.live.dice_memory.known import source_taught
        from companion.vision.dice.memory.glimpses import FaceLesson

        typed = self._typed(asked, of)
        if typed == BACK:
            self._take_back(asked.throw)
            return
        key = None if typed == NO_DIE else self._key(asked, typed)
        given = self._course.answer(asked.throw, asked.find, key)
        text = None if key is None else self._faces[key][0]
        self.reader.learn([FaceLesson(given.place, text, named=True)], source_taught(self._begun, given.number))
        self.changed = True

    def _take_back(self, throw: int) -> None:
        from companion.live.dice_memory.known import source_taught

        last = self._course.last
        if last is None or last.throw != throw:
            click.echo("There is no answer about this throw to take back.")
            return
        self._course.take_back()
        self._memory.forget(source_taught(self._begun, last.number))

    def _typed(self, asked: "TeachingQuestion", of: int) -> str:
        """Return what somebody types: a face that the find may show, `NO_DIE` or `BACK`."""
        what = "lies on" if asked.lies_on else "shows"
        question = f"Throw {asked.throw}: die {asked.find + 1} of {of} from the left {what}"

        def meant(text: str) -> str | None:
            typed = text.lower()
            return typed if typed in (NO_DIE, BACK) or self._key(asked, typed) is not None else None

        return typed_face(question, self._text(asked.guess), meant, [self._text(key) for key in asked.choices])

    def _key(self, asked: "TeachingQuestion", typed: str) -> "FaceKey | None":
        for key in asked.choices:
            if typed in {text.lower() for text in (self._text(key), *self._faces[key])}:
                return key
        return None

    def _text(self, key: "FaceKey") -> str:
        return " / ".join(self._faces[key])

    def _known(self) -> "set[FaceKey]":
        """Return the faces that a person named."""
        from companion.live.dice_memory.known import dice_remembered

        return {face.key for face in dice_remembered(self._dice, self._memory.exemplars).faces if face.named}
