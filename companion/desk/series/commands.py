"""The commands that a page or program can give the laboratory: each checks its data, acts at the desk and answers."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.desk.pictures import PhotographStore, PictureStore
from companion.desk.series.series_desk import SeriesDesk
from companion.desk.series.throw_rests import Rests, answers
from companion.desk.sight import Sight
from companion.desk.table.match_desk import Reply
from companion.fairness.reader_errors import Reader, ReaderError
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
from companion.fairness.series.fold import Series, Throw
from companion.language.sentence import Sentence, why_of
from companion.referee.match import RefusedError

Data = Mapping[str, Any]
LONGEST = 300  # characters of a reason or a note
LONGEST_TITLE = 80
MOST_DICE = 24
MOST_FIXED = 1_000_000
LARGEST_BIAS = 0.5
LEAST_BIAS = 0.001


@dataclass(frozen=True)
class Known:
    """What the program knows of how it looks: ``about`` it for the report, and a reader's measurement by die's name.

    ``reader`` is as `companion.fairness.reader_file` has it, under ``""`` for any die.
    """

    about: Mapping[str, str]
    reader: Mapping[str, Any]


class Commands:
    """Everything that can be asked of the laboratory. Used by the one writer only."""

    def __init__(
        self,
        desk: SeriesDesk,
        rests: Rests,
        sight: Callable[[], Sight],
        *,
        seed: Callable[[], int],
        known: Known,
        pictures: PictureStore,
        photographs: PhotographStore,
    ) -> None:
        """``sight``: how it looks now; ``seed``: draws the number that draws the throws to be audited."""
        self._desk = desk
        self._rests = rests
        self._sight = sight
        self._seed = seed
        self._known = known
        self._pictures = pictures
        self._photographs = photographs
        self._commands: dict[str, Callable[[Data, str], Reply]] = {
            "begin": self._begin,
            "resume": self._resume,
            "end": self._end,
            "delete": self._delete,
            "throw": self._throw,
            "answer": self._answer,
            "dismiss": self._dismiss,
            "correct": self._correct,
            "audit": self._audit,
            "session": self._session,
            "photograph": self._photograph,
        }

    def do(self, name: str, data: Data, actor: str) -> Reply:
        """Carry out a command; whatever is wrong with it is said in the reply."""
        command = self._commands.get(name)
        if command is None:
            known = ", ".join(self._commands)
            return Reply(ok=False, sentence=Sentence("The commands are {known}, not {name}.", known=known, name=name))
        try:
            return command(data, actor)
        except (RefusedError, SeriesDiceError) as why:
            return Reply(ok=False, sentence=why.sentence)

    def _begin(self, data: Data, actor: str) -> Reply:
        asked = data.get("dice")
        if not isinstance(asked, list) or not all(isinstance(one, dict) for one in asked) or len(asked) > MOST_DICE:
            raise RefusedError(
                Sentence("Expected the dice as a list of at most {most}, each with its set.", most=MOST_DICE)
            )
        dice = named_dice(asked)
        title = _text(data, "title", LONGEST_TITLE) or ", ".join(die.name for die in dice)
        started = SeriesStarted(
            title,
            tuple(die.to_json() for die in dice),
            _smallest(data.get("smallest")),
            _fixed(data.get("fixed")),
            _about(data.get("about")),
            dict(self._known.about) | {"camera": self._sight().source or ""},
            self._seed(),
            {die.name: known for die in dice if (known := self._measured(die)) is not None},
        )
        series = self._desk.begin(started, actor)
        self._rests.forget(self._sight())
        return Reply(ok=True, sentence=Sentence("The series begins: throw."), data={"series": series.id})

    def _measured(self, die: SeriesDie) -> Mapping[str, Any] | None:
        known = self._known.reader.get(die.name, self._known.reader.get(""))
        if known is None:
            return None
        try:
            Reader(seen_of(known, die.outcomes))
        except ReaderError as why:
            raise RefusedError(why_of(why)) from why
        return dict(known)

    def _resume(self, data: Data, actor: str) -> Reply:
        series = self._desk.open(_whole(data, "series"), actor)
        self._rests.forget(self._sight())
        said = Sentence("The series {title} goes on.", title=series.started.title)
        return Reply(ok=True, sentence=said, data={"series": series.id})

    def _end(self, _: Data, actor: str) -> Reply:
        self._desk.require_series()
        self._desk.put_away(actor)
        return Reply(ok=True, sentence=Sentence("The series is laid aside; it can be taken up on any day."))

    def _delete(self, data: Data, _: str) -> Reply:
        series, done = self._desk.delete(_whole(data, "series"))
        self._pictures.remove({throw.picture for throw in series.throws if throw.picture})
        self._photographs.remove(series.photographs.values())
        said = Sentence("The series {title} is deleted, with its pictures.", title=series.started.title)
        left = Sentence("{done} What is left of it on the disk goes when the program ends.", done=said)
        return Reply(ok=True, sentence=said if done else left)

    def _throw(self, data: Data, actor: str) -> Reply:
        series = self._desk.require_series()
        die = _die(series, data)
        label = _label(die, data.get("face"))
        if label is None:
            raise RefusedError(Sentence("Expected what the die shows."))
        if series.question is not None:
            raise RefusedError(Sentence("A throw is asked about: answer that first."))
        self._desk.record([Thrown(die.name, label, "typed")], actor)
        self._rests.forget(self._sight())
        number = len(series.throws)
        return Reply(
            ok=True, sentence=Sentence("Throw {number}: {face}.", number=number, face=label), data=_number(series)
        )

    def _answer(self, data: Data, actor: str) -> Reply:
        series = self._desk.require_series()
        question = series.question
        number, faces = _whole(data, "number"), data.get("faces")
        if question is None or question.number != number:
            raise RefusedError(Sentence("That question is no longer open."))
        if not isinstance(faces, dict):
            raise RefusedError(Sentence("Expected what each die shows under its name."))
        asked = {die["key"]: die for die in question.asked.asked}
        if unknown := sorted(set(faces) - set(asked)):
            raise RefusedError(
                Sentence(
                    "The question is about {known}, not about {name}.",
                    known=", ".join(asked),
                    name=", ".join(one_line(one, 40) for one in unknown),
                )
            )
        said = {key: _label(series.dice[series.by_name[asked[key]["die"]]], face) for key, face in faces.items()}
        open_ = [key for key, die in asked.items() if not (key in said or die.get("face") or die.get("missing"))]
        if open_:
            raise RefusedError(
                Sentence("Say of each die what it shows, or that it cannot be told: {open}.", open=", ".join(open_))
            )
        self._desk.record([Answered(number, "answered", said), *answers(question, said)], actor)
        self._rests.settled(question)
        return Reply(ok=True, sentence=Sentence("The throw is counted."), data=_number(series))

    def _dismiss(self, data: Data, actor: str) -> Reply:
        series = self._desk.require_series()
        question = series.question
        if question is None or question.number != _whole(data, "number"):
            raise RefusedError(Sentence("That question is no longer open."))
        reason = _text(data, "reason", LONGEST)
        self._desk.record([Answered(question.number, "dismissed", {}, reason)], actor)
        self._rests.settled(question)
        return Reply(ok=True, sentence=Sentence("That was no throw; throw again."))

    def _correct(self, data: Data, actor: str) -> Reply:
        series = self._desk.require_series()
        throw = _thrown(series, data)
        withdrawn = data.get("withdrawn", False)
        if not isinstance(withdrawn, bool):
            raise RefusedError(Sentence("Expected true or false for whether it was no throw."))
        label = None if withdrawn else _label(series.dice[throw.die], data.get("face"))
        reason = _text(data, "reason", LONGEST)
        if not reason:
            raise RefusedError(Sentence("A correction needs a reason that the others can read."))
        self._desk.record([Corrected(throw.number, label, reason, withdrawn)], actor)
        return Reply(
            ok=True, sentence=Sentence("Throw {number} is corrected.", number=throw.number), data=_number(series)
        )

    def _audit(self, data: Data, actor: str) -> Reply:
        series = self._desk.require_series()
        throw = _thrown(series, data)
        label = _label(series.dice[throw.die], data.get("face"))
        if not throw.due or throw.withdrawn:
            raise RefusedError(
                Sentence("Throw {number} was not drawn to be looked at again: correct it.", number=throw.number)
            )
        if throw.audited:
            raise RefusedError(Sentence("Throw {number} was looked at already.", number=throw.number))
        self._desk.record([Audited(throw.number, label)], actor)
        read = series.dice[throw.die].outcomes.labels[throw.read or 0]
        if label is None:
            said = Sentence("It was read as {face}; that cannot be told any more.", face=read)
        elif label == read:
            said = Sentence("It was read as {face} too.", face=read)
        else:
            said = Sentence("It was read as {face}; {truth} is counted now.", face=read, truth=label)
        return Reply(ok=True, sentence=said, data={"read": read, "face": label})

    def _session(self, data: Data, actor: str) -> Reply:
        self._desk.require_series()
        name, hand = _text(data, "name", LONGEST_TITLE), _text(data, "hand", LONGEST_TITLE)
        self._desk.record([SessionBegan(name, hand)], actor)
        return Reply(ok=True, sentence=Sentence("The throws from here on belong to it."))

    def _photograph(self, data: Data, actor: str) -> Reply:
        series = self._desk.require_series()
        die = _die(series, data)
        label = _label(die, data.get("face"))
        if label is None:
            raise RefusedError(Sentence("Expected which face lies up."))
        digest = self._photographs.take(self._sight())
        self._desk.record([Photographed(die.name, label, digest)], actor)
        said = Sentence("The picture of {face} is kept.", face=label)
        return Reply(ok=True, sentence=said, data={"picture": digest})


def _number(series: Series) -> dict[str, Any]:
    return {"number": len(series.throws)}


def _text(data: Data, name: str, longest: int) -> str:
    value = data.get(name) or ""
    if not isinstance(value, str):
        raise RefusedError(Sentence("Expected {name} as a text, but got {value}.", name=name, value=repr(value)[:60]))
    return one_line(value, longest)


def _whole(data: Data, name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(
            Sentence("Expected {name} as a whole number, but got {value}.", name=name, value=repr(value)[:60])
        )
    return value


def _thrown(series: Series, data: Data) -> Throw:
    number = _whole(data, "number")
    try:
        return series.throw(number)
    except IndexError as why:
        raise RefusedError(
            Sentence("Expected a throw from 1 to {most}, but got {number}.", most=len(series.throws), number=number)
        ) from why


def _die(series: Series, data: Data) -> SeriesDie:
    name = data.get("die") or ""
    if not name and len(series.dice) == 1:
        return series.dice[0]
    if not isinstance(name, str) or name not in series.by_name:
        raise RefusedError(
            Sentence(
                "The dice of this series are {known}, but '{name}' was given.",
                known=", ".join(series.by_name),
                name=one_line(str(name), 40),
            )
        )
    return series.dice[series.by_name[name]]


def _label(die: SeriesDie, face: Any) -> str | None:
    """Return the label that somebody gave, or None where the face cannot be told."""
    if face is None:
        return None
    if not isinstance(face, str):
        raise RefusedError(Sentence("Expected a face as a text, but got {value}.", value=repr(face)[:60]))
    if face in die.outcomes.labels:
        return face
    labels = die.labels(face)
    if len(labels) == 1 and labels[0]:
        return labels[0]
    die.place(face)  # says what it shows
    return None


def _smallest(value: Any) -> float | None:
    if value is None:
        return None
    right = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not right or not LEAST_BIAS <= value <= LARGEST_BIAS:
        raise RefusedError(
            Sentence(
                "Expected the bias that matters from {least} to {most}, but got {value}.",
                least=LEAST_BIAS,
                most=LARGEST_BIAS,
                value=repr(value)[:60],
            )
        )
    return float(value)


def _fixed(value: Any) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MOST_FIXED:
        raise RefusedError(
            Sentence(
                "Expected a number of throws from 1 to {most}, but got {value}.",
                most=MOST_FIXED,
                value=repr(value)[:60],
            )
        )
    return value


def _about(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and isinstance(said, str) for name, said in value.items()
    ):
        raise RefusedError(Sentence("Expected what is to be written down as texts under their names."))
    return {one_line(name, LONGEST_TITLE): one_line(said, LONGEST) for name, said in list(value.items())[:MOST_DICE]}
