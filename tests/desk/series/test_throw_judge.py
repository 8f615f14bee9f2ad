"""Whatever dice, hands and camera do in whatever order: every throw is counted once, and nothing else is."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.desk.series.throw_judge import ThrowJudge, answers
from companion.desk.sight import DiceSeen, Sight
from companion.fairness.series.dice import WantedDie, named_dice
from companion.fairness.series.events import Answered, SeriesEvent, SeriesStarted
from companion.fairness.series.fold import Series
from companion.language.sentence import Sentence
from companion.ledger.entries import Entry
from companion.live.pictures import Pictures
from companion.rules.dice import dice_set
from companion.vision.readings import DiceReading, ReadDie
from tests.fairness.folded import folded
from tests.referee.build import square

NAMES = ("1", "2", "3")
FACES = {name: [face.text for face in dice_set("wibold").die(name).faces] for name in NAMES}
WIDTH = 60.0


class Desk:
    """A desk without a file: what is recorded is folded in."""

    def __init__(self) -> None:
        dice = named_dice([WantedDie("wibold", name) for name in NAMES])
        started = SeriesStarted("s", tuple(die.to_json() for die in dice), None, None, {}, {}, 1, {})
        self.events: list[SeriesEvent] = []
        self.series = Series([Entry(1, 1, 1.0, "tests", started, "", "")])
        self.started = started

    def record(self, events: Sequence[SeriesEvent], actor: str) -> list[int]:
        for event in events:
            self.events.append(event)
            self.series.take(Entry(1, len(self.events) + 1, 2.0, actor, event, "", ""))
        return []

    def opened_anew(self) -> "Desk":
        again = Desk()
        again.record(self.events, "tests")
        assert folded(again.series) == folded(self.series) or self.series.last != again.series.last
        return again


@dataclass
class Lies:
    """A die on the table: where, turned how far, showing what, and whether that can be read."""

    x: float
    y: float
    angle: float
    face: str
    sure: bool


@dataclass
class Model:
    """A table and what ought to have been counted."""

    desk: Desk = field(default_factory=Desk)
    table: dict[str, Lies] = field(default_factory=dict)
    counted: list[tuple[str, str | None]] = field(default_factory=list)
    open: dict[str, Lies] = field(default_factory=dict)
    motion: int = 0
    interval: int = 0
    used: int = 0
    zoom: int = 1  # the camera's picture is so many times as large as at first

    def __post_init__(self) -> None:
        self.judge = ThrowJudge(self.desk, Pictures())  # type: ignore[arg-type]  # a desk without a file
        self.rest()
        self.motion += 1  # an empty table

    def rest(self, *, watched: bool = True, rolled_on: bool = False) -> None:
        self.interval += 1
        dice = tuple(
            ReadDie(
                "wibold",
                name,
                lies.face,
                "read" if lies.sure else "ask",
                0.99 if lies.sure else 0.5,
                ((lies.face, 0.99 if lies.sure else 0.5),),
                square(
                    self.zoom * (lies.x + self.interval % 3),
                    self.zoom * (lies.y - self.interval % 2),
                    angle=lies.angle,
                    size=self.zoom * WIDTH,
                ),
            )
            for name, lies in self.table.items()
        )
        read = bool(dice) and all(die.status == "read" for die in dice) and len(dice) == len(NAMES)
        reading = DiceReading(dice, "read" if read else "ask" if dice else "ignored")
        crops = tuple(f"{self.interval} {number}".encode() for number in range(len(dice)))
        picture = f"{self.interval}".encode()
        seen = DiceSeen(
            self.interval,
            reading,
            picture,
            crops,
            "",
            self.motion,
            watched,
            rolled_on=rolled_on,
            width=1280 * self.zoom,
        )
        sight = Sight("a table", "LIVE", Sentence("It sees."), "still", motion=self.motion, seen=seen)
        self.judge.see(sight)
        self.judge.see(replace(sight, picture=self.interval))

    def throw(self, which: Sequence[str], faces: Sequence[int], unsure: Sequence[str]) -> None:
        """Throw some dice; those that lay nowhere are thrown with them, so that all lie there."""
        thrown = [name for name in NAMES if name in which or name not in self.table]
        self.motion += 1
        for name, face in zip(NAMES, faces, strict=True):
            if name in thrown:
                # a place of its own on a large table; the same pattern may come again, but nowhere near
                self.used += 1
                x = 90.0 + 250 * (self.used % 5) + self.used**3 * 17 % 97
                y = 90.0 + 250 * (self.used // 5 % 7) + self.used**2 * 29 % 101
                self.table[name] = Lies(x, y, 0.4 * (self.used % 3), FACES[name][face], name not in unsure)
        if self.open:
            self.end_question({})
        order = [name for name in self.table if name in thrown]
        if all(self.table[name].sure for name in thrown):
            self.counted += [(name, self.table[name].face) for name in order]
        else:
            self.open = {name: replace(self.table[name]) for name in order}
        self.rest()

    def end_question(self, faces: dict[str, str | None]) -> None:
        self.counted += [(name, faces.get(name, lies.face if lies.sure else None)) for name, lies in self.open.items()]
        self.open = {}

    def hand(self) -> None:
        self.motion += 1
        self.rest()

    def resize(self) -> None:
        """The camera sends larger pictures, or smaller ones again."""
        self.zoom = 4 - self.zoom
        self.hand()

    def take_up(self, which: Sequence[str]) -> None:
        self.motion += 1
        for name in which:
            self.table.pop(name, None)
        self.rest()

    def answer(self, face: int) -> None:
        question = self.desk.series.question
        assert (question is not None) == bool(self.open)
        if question is None:
            return
        stated: dict[str, Any] = {name: FACES[name][face] for name, lies in self.open.items() if not lies.sure}
        self.desk.record([Answered(question.number, "answered", stated), *answers(question, stated)], "tests")
        self.judge.settled(question)
        self.end_question(stated)

    def restart(self) -> None:
        """The program ends and begins again: what lies there then was not watched."""
        self.desk = self.desk.opened_anew()
        self.judge = ThrowJudge(self.desk, Pictures())  # type: ignore[arg-type]  # likewise
        self.motion = 0
        self.rest(watched=False)

    def check(self) -> None:
        series = self.desk.series
        shown = [
            (series.dice[throw.die].name, None if throw.outcome is None else self._label(throw.die, throw.outcome))
            for throw in series.throws
        ]
        assert shown == self.counted
        assert (series.question is not None) == bool(self.open)

    def _label(self, die: int, outcome: int) -> str:
        return self.desk.series.dice[die].outcomes.labels[outcome]


SOME = st.lists(st.sampled_from(NAMES), max_size=3)
FACE = st.tuples(*[st.integers(0, 5)] * 3)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("throw"), SOME.filter(bool), FACE, st.just(())),
        st.tuples(st.just("throw"), SOME.filter(bool), FACE, SOME),
        st.tuples(st.just("hand")),
        st.tuples(st.just("take_up"), SOME),
        st.tuples(st.just("answer"), st.integers(0, 5)),
        st.tuples(st.sampled_from(["restart", "resize"])),
    ),
    max_size=25,
)


@settings(max_examples=150)
@given(STEPS)
def test_every_throw_is_counted_once_and_nothing_else_is(steps: Any) -> None:
    model = Model()
    for step in steps:
        if step[0] == "take_up" and len(model.table) < len(NAMES):
            continue  # dice that are put down one by one are another test's
        if step[0] == "restart" and model.zoom != 1:
            continue  # what was seen before is known in that picture's pixels alone
        getattr(model, step[0])(*step[1:])
        model.check()


def test_a_table_that_is_pushed_with_its_dice_is_no_throw() -> None:
    model = Model()
    model.throw(NAMES, (0, 1, 2), ())
    for lies in model.table.values():
        lies.x += 40
        lies.y += 25
    model.hand()
    model.check()
    model.throw(["2"], (0, 1, 2), ())
    model.check()


def test_a_die_that_lies_nearly_where_it_lay_is_asked_about_and_not_guessed() -> None:
    for away, turn, face in ((9.0, 0.0, "E"), (0.0, 0.2, "E"), (0.0, 0.0, "IO")):
        model = Model()
        model.throw(NAMES, (0, 0, 2), ())
        die = model.table["2"]
        die.x, die.angle, die.face = die.x + away, die.angle + turn, face
        model.hand()
        question = model.desk.series.question
        assert question is not None
        assert "nearly where it was" in question.asked.sentence["text"]
        assert [(one["die"], one["face"], one["candidates"][0][0]) for one in question.asked.asked] == [
            ("2", None, face)
        ]
        model.open = {"2": replace(die, sure=False)}
        model.answer(0)
        model.hand()
        model.check()


def test_dice_that_had_not_come_to_rest_are_no_throw_of_their_own() -> None:
    model = Model()
    model.throw(NAMES, (0, 1, 2), ["2"])  # a picture from the middle of the roll, in which one die cannot be read
    assert model.desk.series.question is not None
    for lies in model.table.values():
        lies.x, lies.sure = lies.x + 160, True
    model.motion += 1
    model.open = {}
    model.counted = [(name, model.table[name].face) for name in model.table]
    model.rest(rolled_on=True)
    model.check()
    (dropped,) = [event for event in model.desk.events if isinstance(event, Answered)]
    assert (dropped.way, dropped.reason) == ("replaced", "The dice had not come to rest yet.")


def test_dice_that_were_thrown_again_before_anybody_answered_are_two_throws() -> None:
    model = Model()
    model.throw(NAMES, (0, 1, 2), ["2"])
    model.throw(NAMES, (3, 4, 5), ())
    model.check()
    assert len(model.desk.series.throws) == 6
