"""What the laboratory's commands do: each acts at the desk and answers. Their data: `command_types`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import Any

from companion.desk.command import Command
from companion.desk.pictures import PhotographStore, PictureStore
from companion.desk.series.command_types import (
    MOST_DICE,
    NO_REASON,
    SERIES_COMMANDS,
    AnswerQuestion,
    AuditThrow,
    BeginSeries,
    BeginSession,
    CorrectThrow,
    DeleteSeries,
    DismissQuestion,
    EndSeries,
    EnterThrow,
    NameRow,
    PhotographFace,
    ResumeSeries,
    SortThrows,
)
from companion.desk.series.rows import UNSORTED, KeptRows, Rows
from companion.desk.series.series_desk import SeriesDesk
from companion.desk.series.throw_judge import ThrowJudge, answers
from companion.desk.sight import Sight
from companion.desk.table.match_desk import Reply
from companion.fairness.reader_errors import ReaderError, ReaderErrors
from companion.fairness.reader_file import seen_of
from companion.fairness.series.dice import SeriesDiceError, SeriesDie, named_dice, one_line
from companion.fairness.series.events import (
    Answered,
    Audited,
    Corrected,
    Photographed,
    SeriesStarted,
    SessionBegan,
    Thrown,
)
from companion.fairness.series.fold import Series, SeriesQuestion, SeriesThrow
from companion.fairness.stakes import StakesError, stakes_for
from companion.language.sentence import Sentence
from companion.referee.refused import RefusedError, refusing

LONGEST_NOTE = 300  # characters of a reason or a note
LONGEST_TITLE = 80


@dataclass(frozen=True)
class ReadingFacts:
    """Facts about the program's reading: ``about`` it for the report, and the reader's measurement for each die's name.

    ``reader`` has the form of `companion.fairness.reader_file`; the key ``""`` stands for any die.
    """

    about: Mapping[str, str]
    reader: Mapping[str, Any]


class SeriesCommands:
    """Everything that pages and programs can ask of the laboratory. Only the writer uses it."""

    def __init__(
        self,
        desk: SeriesDesk,
        judge: ThrowJudge,
        sight: Callable[[], Sight],
        *,
        seed: Callable[[], int],
        known: ReadingFacts,
        pictures: PictureStore,
        photographs: PhotographStore,
        row_store: KeptRows,
        rows: Rows = UNSORTED,
    ) -> None:
        """``sight``: what the cameras show now; ``seed``: draws the seed that decides which throws to audit.

        ``rows``: what counts series by likeness, if anything does; ``row_store``: where it keeps its rows.
        """
        self._desk = desk
        self._judge = judge
        self._sight = sight
        self._seed = seed
        self._known = known
        self._pictures = pictures
        self._photographs = photographs
        self._row_store = row_store
        self._rows = rows

    def do(self, name: str, data: Mapping[str, Any], actor: str) -> Reply:
        """Carry out a command; the reply says what is wrong with it."""
        try:
            return self._carry_out(SERIES_COMMANDS.read(name, data), actor)
        except (RefusedError, SeriesDiceError) as why:
            return Reply(ok=False, sentence=why.sentence)

    @singledispatchmethod
    def _carry_out(self, asked: Command, actor: str) -> Reply:
        raise NotImplementedError(f"{actor} asks for {type(asked).__name__}")

    @_carry_out.register
    def _begin(self, asked: BeginSeries, actor: str) -> Reply:
        dice = named_dice(asked.dice)
        title = one_line(asked.title or "", LONGEST_TITLE) or ", ".join(die.name for die in dice)
        fear = one_line(asked.fear or "", LONGEST_TITLE)
        with refusing(StakesError):  # each die must be able to have it; the stakes are the same
            (stakes,) = {stakes_for(fear, die.outcomes) for die in dice}
        started = SeriesStarted(
            title,
            tuple(die.to_json() for die in dice),
            asked.smallest,
            asked.fixed,
            _about(asked.about or {}),
            dict(self._known.about) | {"camera": self._sight().source or "", "stakes": stakes},
            self._seed(),
            {die.name: known for die in dice if (known := self._measured(die)) is not None},
        )
        series = self._desk.begin(started, actor)
        self._rows.begin(series)
        self._judge.forget(self._sight())
        return Reply(ok=True, sentence=Sentence("The series begins: throw."), data={"series": series.id})

    def _measured(self, die: SeriesDie) -> Mapping[str, Any] | None:
        known = self._known.reader.get(die.name, self._known.reader.get(""))
        if known is None:
            return None
        with refusing(ReaderError):
            ReaderErrors(seen_of(known, die.outcomes))
        return dict(known)

    @_carry_out.register
    def _resume(self, asked: ResumeSeries, actor: str) -> Reply:
        series = self._desk.open(asked.series, actor)
        self._rows.resume(series)
        self._judge.forget(self._sight())
        sentence = Sentence("The series {title} continues.", title=series.started.title)
        return Reply(ok=True, sentence=sentence, data={"series": series.id})

    @_carry_out.register
    def _end(self, _: EndSeries, actor: str) -> Reply:
        self._desk.require_series()
        self._desk.put_away(actor)
        return Reply(ok=True, sentence=Sentence("The series is set aside; you can continue it on any day."))

    @_carry_out.register
    def _delete(self, asked: DeleteSeries, _: str) -> Reply:
        series, done = self._desk.delete(asked.series)
        thrown = {throw.picture for throw in series.throws if throw.picture}
        self._pictures.remove(thrown)
        # of a series counted by likeness, the crops of the throws are kept as photographs are
        self._photographs.remove({*series.photographs.values(), *thrown})
        self._row_store.remove(series.id)
        sentence = Sentence("The series {title} is deleted, with its pictures.", title=series.started.title)
        left = Sentence("{done} What is left of it on the disk is deleted when the program ends.", done=sentence)
        return Reply(ok=True, sentence=sentence if done else left)

    @_carry_out.register
    def _throw(self, asked: EnterThrow, actor: str) -> Reply:
        series = self._desk.require_series()
        die = _die(series, asked.die)
        label = _label(die, asked.face)
        if series.question is not None:
            raise RefusedError(Sentence("There is a question about a throw: answer that first."))
        self._desk.record([Thrown(die.name, label, "typed")], actor)
        self._judge.forget(self._sight())
        number = len(series.throws)
        return Reply(
            ok=True, sentence=Sentence("Throw {number}: {face}.", number=number, face=label), data=_number(series)
        )

    def _asked(self, number: int) -> tuple[Series, SeriesQuestion]:
        series = self._desk.require_series()
        if series.question is None or series.question.number != number:
            raise RefusedError(Sentence("That question is no longer open."))
        return series, series.question

    @_carry_out.register
    def _answer(self, asked: AnswerQuestion, actor: str) -> Reply:
        series, question = self._asked(asked.number)
        dice = {die["key"]: die for die in question.asked.asked}
        if unknown := sorted(set(asked.faces) - set(dice)):
            raise RefusedError(
                Sentence(
                    "The question is about {known}, not about {name}.",
                    known=", ".join(dice),
                    name=", ".join(one_line(one, 40) for one in unknown),
                )
            )
        shown = {
            key: None if face is None else _label(series.dice[series.by_name[dice[key]["die"]]], face)
            for key, face in asked.faces.items()
        }
        open_ = [key for key, die in dice.items() if not (key in shown or die.get("face") or die.get("missing"))]
        if open_:
            raise RefusedError(
                Sentence("Say of each die what it shows, or that you cannot tell: {open}.", open=", ".join(open_))
            )
        self._desk.record([Answered(asked.number, "answered", shown), *answers(question, shown)], actor)
        self._judge.settled(question)
        return Reply(ok=True, sentence=Sentence("The throw is counted."), data=_number(series))

    @_carry_out.register
    def _dismiss(self, asked: DismissQuestion, actor: str) -> Reply:
        _, question = self._asked(asked.number)
        reason = one_line(asked.reason or "", LONGEST_NOTE)
        self._desk.record([Answered(question.number, "dismissed", {}, reason)], actor)
        self._judge.settled(question)
        return Reply(ok=True, sentence=Sentence("That was not a throw; throw again."))

    @_carry_out.register
    def _correct(self, asked: CorrectThrow, actor: str) -> Reply:
        series = self._desk.require_series()
        throw = _thrown(series, asked.number)
        label = None
        if not asked.withdrawn and asked.face is not None:
            label = _label(series.dice[throw.die], asked.face)
        reason = one_line(asked.reason, LONGEST_NOTE)
        if not reason:
            raise RefusedError(NO_REASON)
        self._desk.record([Corrected(throw.number, label, reason, asked.withdrawn)], actor)
        return Reply(
            ok=True, sentence=Sentence("Throw {number} is corrected.", number=throw.number), data=_number(series)
        )

    @_carry_out.register
    def _audit(self, asked: AuditThrow, actor: str) -> Reply:
        series = self._desk.require_series()
        throw = _thrown(series, asked.number)
        label = None if asked.face is None else _label(series.dice[throw.die], asked.face)
        if not throw.due or throw.withdrawn:
            raise RefusedError(
                Sentence("Throw {number} was not picked for a second look: correct it.", number=throw.number)
            )
        if throw.audited:
            raise RefusedError(Sentence("Throw {number} has already been checked.", number=throw.number))
        self._desk.record([Audited(throw.number, label)], actor)
        read = series.dice[throw.die].outcomes.labels[throw.read or 0]
        if label is None:
            sentence = Sentence("It was read as {face}; there is no way to check that any more.", face=read)
        elif label == read:
            sentence = Sentence("It was read as {face} too.", face=read)
        else:
            sentence = Sentence("It was read as {face}; {truth} is counted now.", face=read, truth=label)
        return Reply(ok=True, sentence=sentence, data={"read": read, "face": label})

    @_carry_out.register
    def _sort(self, _: SortThrows, __: str) -> Reply:
        series = self._desk.require_series()
        self._rows.sort(series)
        return Reply(ok=True, sentence=Sentence("The throws are being sorted."))

    @_carry_out.register
    def _name_row(self, asked: NameRow, actor: str) -> Reply:
        series = self._desk.require_series()
        label = None if asked.face is None else _label(series.dice[0], asked.face)
        events = self._rows.name(series, asked.row, label)
        if events:
            self._desk.record(events, actor)
        return Reply(ok=True, sentence=Sentence("Row {row} is named.", row=asked.row))

    @_carry_out.register
    def _session(self, asked: BeginSession, actor: str) -> Reply:
        self._desk.require_series()
        name, hand = (one_line(text or "", LONGEST_TITLE) for text in (asked.name, asked.hand))
        self._desk.record([SessionBegan(name, hand)], actor)
        return Reply(ok=True, sentence=Sentence("The throws from here on belong to it."))

    @_carry_out.register
    def _photograph(self, asked: PhotographFace, actor: str) -> Reply:
        series = self._desk.require_series()
        die = _die(series, asked.die)
        label = _label(die, asked.face)
        digest = self._photographs.take(self._sight())
        self._desk.record([Photographed(die.name, label, digest)], actor)
        sentence = Sentence("The picture of {face} is kept.", face=label)
        return Reply(ok=True, sentence=sentence, data={"picture": digest})


def _number(series: Series) -> dict[str, Any]:
    return {"number": len(series.throws)}


# importing this finds a command without a handler
SERIES_COMMANDS.require_handlers(SeriesCommands.__dict__["_carry_out"].dispatcher.registry)


def _thrown(series: Series, number: int) -> SeriesThrow:
    try:
        return series.throw(number)
    except IndexError as why:
        raise RefusedError(
            Sentence("Expected a throw from 1 to {most}, but got {number}.", most=len(series.throws), number=number)
        ) from why


def _die(series: Series, asked: str | None) -> SeriesDie:
    name = asked or ""
    if not name and len(series.dice) == 1:
        return series.dice[0]
    if name not in series.by_name:
        raise RefusedError(
            Sentence(
                "The dice of this series are {known}, but got '{name}'.",
                known=", ".join(series.by_name),
                name=one_line(name, 40),
            )
        )
    return series.dice[series.by_name[name]]


def _label(die: SeriesDie, face: str) -> str:
    """Return the label of a face that a person named."""
    labels = die.labels(face)
    if face not in die.outcomes.labels and len(labels) == 1 and labels[0]:
        return labels[0]
    return die.outcomes.labels[die.place(face)]  # raises with a sentence that says what the die shows


def _about(given: Mapping[str, str]) -> dict[str, str]:
    return {
        one_line(name, LONGEST_TITLE): one_line(text, LONGEST_NOTE) for name, text in list(given.items())[:MOST_DICE]
    }
