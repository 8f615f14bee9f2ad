"""What happens at the desk when the dice are at rest before the camera: commit, ask, or leave them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.desk.kept import UnwrittenError
from companion.desk.shapes.match import AskShape
from companion.desk.sight import DiceSeen, NextThrow, Sight
from companion.desk.table.match_desk import PROGRAM, Desk
from companion.language.sentence import Sentence
from companion.ledger.codec import sentence_from_json
from companion.referee.arrangement import Arrangement, LyingDie, SeenSizes, arranged, compare
from companion.referee.decision import Ask, Before, Commit, Ignore, decide
from companion.referee.events import Observed, Proposed, Rejected
from companion.referee.match import Match, Question
from companion.referee.refused import RefusedError, refusing
from companion.referee.shared_log import waits_for_remote
from companion.rules.dice import Throw, ThrowError
from companion.vision.readings import ReadDie

MOVED_WHILE_ASKED = Sentence("The dice were moved while a question was open: do they show this throw now?")


@dataclass(frozen=True)
class IntervalResult:
    """The result of a still interval: the ``event`` that it committed or asked, or why it did neither."""

    event: int | None = None
    mismatch: Sentence | None = None


class DiceJudge:
    """Keeps what was last seen; writes only through the desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lying: Arrangement = ()  # the dice on the table now, no matter who threw them
        self._trusted_after = 0  # count of motions when the table was last known
        self._interval: int | None = None
        self._match: tuple[int, bool] | None = None  # the match it was judged for, and whether a throw was awaited
        self._seen: DiceSeen | None = None
        self._live = False  # whether the camera works
        self._sizes = SeenSizes()
        self.mismatch: Sentence | None = None

    def forget(self, sight: Sight) -> None:
        """Trust nothing that lies there until motion is seen: a match began or resumed, or a throw was tapped in."""
        self._trusted_after = sight.motion
        self._interval = None
        self.mismatch = None

    def see(self, sight: Sight) -> IntervalResult:
        """Judge a still interval once; one that was judged already, or that no match waits for, changes nothing."""
        seen = self._seen = sight.seen
        self._live = sight.status == "LIVE"
        match = self._desk.match
        if seen is None:
            if sight.source is None:
                self._lying = ()  # no camera watches this match; the dice it saw were another's
            return IntervalResult()
        self._lying = arranged(die for die in seen.reading.dice if die.status != "ignored")
        if match is not None:
            asked = () if match.question is None else lying_of(match.question)
            self._sizes.see(seen.width, match.lying, asked)
        if match is None or not _waits_for_camera(match):
            self.mismatch = None
            return IntervalResult()
        # dice thrown before the choice ahead of them is made are judged once a throw is awaited
        judged = (match.id, match.position.awaits.kind != "choice")
        if (self._interval, self._match) == (seen.interval, judged):
            return IntervalResult(mismatch=self.mismatch)
        finding = self._judge_once(match, seen, judged)
        self.mismatch = finding.mismatch
        return finding

    def _judge_once(self, match: Match, seen: DiceSeen, judged: tuple[int, bool]) -> IntervalResult:
        self._interval, self._match = seen.interval, judged
        try:
            return self._judge(match, seen)
        except UnwrittenError:
            self._interval = None  # the dice still lie there and count once the journal can be written
            raise

    def _judge(self, match: Match, seen: DiceSeen) -> IntervalResult:
        question = match.question
        if question is not None and self._lying and compare(self._sizes.now(lying_of(question)), self._lying).same:
            return IntervalResult()
        watched = seen.watched and seen.motion > self._trusted_after
        before = Before(self._sizes.now(match.lying), match.last_throw, watched)
        decision = decide(match.position, seen.reading, before)
        if isinstance(decision, Ignore):
            return IntervalResult(mismatch=decision.sentence if decision.mismatch else None)
        evidence = _observed(seen)
        if isinstance(decision, Commit) and question is None:
            self._desk.play(decision.throw, "camera", PROGRAM, arrangement=decision.arrangement, seen=evidence)
            return IntervalResult(event=self._desk.require_match().entries[-1].number)
        if isinstance(decision, Commit):
            dice = tuple(die for die in seen.reading.dice if decision.throw.face(die.die or ""))
            faces = dict(decision.throw.shown)
            decision = Ask(MOVED_WHILE_ASKED, dice, decision.arrangement, faces)
        return IntervalResult(event=self._desk.ask(_proposed(match, decision), evidence, PROGRAM))

    def coming(self) -> NextThrow:
        """Return the throw already on the table before the turn ahead of it is committed.

        Only with every die in another place than at the throw before; otherwise its dice may not all be thrown yet.
        """
        match, seen = self._desk.match, self._seen
        if match is None or not _waits_for_camera(match) or match.position.awaits.kind != "choice":
            return NextThrow()
        before, change = match.last_throw, compare(self._sizes.now(match.lying), self._lying)
        moved = seen is not None and seen.watched and seen.motion > self._trusted_after
        if seen is None or before is None or not (moved and change.moved) or change.pushed:
            return NextThrow(expected=self._live)
        dice = seen.reading.dice
        if seen.reading.status != "read" or len(dice) != len(before.shown) or change.kept:
            return NextThrow()
        throws = all_read(dice, before)
        return NextThrow(throws, self._lying, expected=bool(throws))

    def crops(self, seen: DiceSeen) -> tuple[bytes, ...]:
        """Return the crops of the dice in the open question, in its order; of all dice if no question is open."""
        match = self._desk.match
        if match is None or match.question is None:
            return seen.crops
        outlines = [die.to_json()["polygon"] for die in seen.reading.dice]
        asked = [die["polygon"] for die in match.question.asked.dice]
        return tuple(seen.crops[outlines.index(outline)] for outline in asked if outline in outlines)

    @property
    def lying(self) -> Arrangement:
        """The dice on the table now, as far as a camera saw them."""
        return self._lying


def all_read(dice: Sequence[ReadDie], before: Throw) -> tuple[Throw, ...]:
    """Return the throw that these dice show if they are the dice of an earlier throw, else nothing."""
    names = [name for name, _ in before.shown]
    faces = dict(zip(names, (die.face or "" for die in dice), strict=False))
    if any(die.die for die in dice):
        faces = {die.die or "": die.face or "" for die in dice}
    try:
        throw = Throw.of(before.set_name, faces)
    except ThrowError:
        return ()
    return (throw,) if {name for name, _ in throw.shown} == set(names) else ()


def _waits_for_camera(match: Match) -> bool:
    waits = match.started.dice_by == "camera" and not (match.paused or match.over or match.misfit)
    return waits and not waits_for_remote(match)


def _observed(seen: DiceSeen) -> Observed:
    reading = seen.reading
    dice = tuple(die.to_json() for die in reading.dice)
    took = round(reading.milliseconds, 1)
    return Observed(dice, reading.status, reading.reason, took, reading.frames, seen.digest)


def _proposed(match: Match, ask: Ask) -> Proposed:
    return Proposed(
        match.position.awaits.player,
        ask.sentence.to_json(),
        tuple(die.to_json() for die in ask.dice),
        dict(ask.suggestion),
        tuple(die.to_json() for die in ask.arrangement),
    )


def lying_of(question: Question) -> Arrangement:
    """Return where the dice of a question lay."""
    return tuple(LyingDie.from_json(die) for die in question.asked.arrangement)


def require_question(match: Match, ask: int) -> Question:
    """Return the open question if it has this number.

    Raises:
        RefusedError: another question is open by now, or none.
    """
    question = match.question
    if question is None:
        raise RefusedError(Sentence("That question is no longer open."))
    if question.number != ask:
        raise RefusedError(Sentence("The dice have moved since that question: look at the new one."))
    return question


def answer(desk: Desk, ask: int, faces: Mapping[str, str], actor: str) -> Sentence:
    """Commit the throw in question with the faces that people gave, or as suggested if they gave none.

    Dice that they left out count as read if the reading was certain; otherwise they are missing from the throw.

    Raises:
        RefusedError: the question is no longer open, or the faces are no throw that is awaited.
    """
    match = desk.require_match()
    question = require_question(match, ask)
    waits = match.position.awaits
    given = dict(faces)
    if waits.kind == "throw":
        sure = {die["die"]: die["face"] for die in question.asked.dice if die["status"] == "read" and die.get("die")}
        # the suggestion counts whole or not at all: a doubtful die is never filled in silently
        given = {**sure, **given} if given else {**question.asked.suggestion, **sure}
    elif not given:
        given = dict(question.asked.suggestion)
    sets = [str(die["set"]) for die in question.asked.dice] or list(waits.dice_sets)
    with refusing(ThrowError):
        throw = Throw.of(sets[0], given)
    arrangement = _named(lying_of(question), throw)
    return desk.play(throw, "camera", actor, arrangement=arrangement, proposed=ask)


def _named(lying: Arrangement, throw: Throw) -> Arrangement:
    """Write the answered faces beside the dice; a die that could not be identified gets the name that is left."""
    known = {die.die for die in lying}
    left = [name for name, _ in throw.shown if name not in known]
    nameless = [place for place, die in enumerate(lying) if not die.die]
    named = list(lying)
    if len(left) == len(nameless) == 1:
        named[nameless[0]] = replace(named[nameless[0]], die=left[0])
    return tuple(replace(die, face=throw.face(die.die) or die.face) for die in named)


def dismiss(desk: Desk, ask: int, reason: str, actor: str) -> None:
    """Put a question aside: the dice on the table are no throw that counts.

    Raises:
        RefusedError: the question is no longer open.
    """
    require_question(desk.require_match(), ask)
    desk.record([Rejected(ask, reason)], actor)


def asked_json(question: Question) -> AskShape:
    """Return an open question as the page shows it, with the names of its dice's crops."""
    asked = question.asked
    return {
        "id": question.number,
        "sentence": sentence_from_json(asked.sentence).to_json(),
        "dice": [
            {
                "die": die.get("die"),
                "candidates": die["candidates"],
                "status": die["status"],
                "crop": f"crop-{question.number}-{place}",
            }
            for place, die in enumerate(asked.dice)
        ],
        "suggestion": dict(asked.suggestion) or None,
    }
