"""Audits at a live table: chance draws dice that were read without a question, and the owner says what they show.

Nothing waits for an answer. The answers measure how often this table reads a die wrongly, and teach like any answer.
"""

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from companion.desk.sight import DiceSeen
from companion.desk.table.match_desk import Reply
from companion.fairness.audits.events import Audited, AuditEvent, AuditsBegan, Drawn, Settled
from companion.fairness.audits.ledger import AuditLedger
from companion.fairness.audits.table_audits import NoAuditsError, TableAudits
from companion.language.sentence import Sentence, why_of
from companion.ledger.entries import JournalError
from companion.ledger.rescue import open_ledger
from companion.live.audits.audits_now import MOST_OPEN, AuditAsked, AuditsNow, audits_now, choices
from companion.live.camera_throws import Die, Event, NewEntries, camera_throw, middle, near
from companion.live.dice_memory.known import source_of
from companion.live.dice_memory.learning import READINGS_HELD, DiceLesson, Learning
from companion.live.dice_memory.match_lessons import lessons_after_audit, lessons_of
from companion.live.following import Follower
from companion.live.keeping import Keeping, PictureFolder
from companion.live.pictures import digest
from companion.referee.events import Committed, Corrected, Observed
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.rules.dice import dice_sets
from companion.vision.dice.decode import bag_of
from companion.vision.dice.memory.glimpses import FaceLesson

log = logging.getLogger(__name__)

KEPT_DAYS: Final = 90
"""How long the picture of a die waits for an answer."""

ACTOR: Final = "table"
NAMED_BY: Final = 16

NOT_ASKED: Final = Sentence("This question is no longer open: reload the page.")


@dataclass
class _Pinned:
    """A throw of this run of which a die was drawn: the reading, and what it teaches as far as that is known.

    ``corrected``: somebody corrected it since, which taught everything already.
    """

    interval: int
    lessons: tuple[FaceLesson, ...]
    corrected: bool = False


class Auditing(Follower):
    """The audits of one table. The writer's thread calls everything below the line; the rest, any thread."""

    def __init__(
        self,
        journal: Path,
        clock: Callable[[], float],
        seed: Callable[[], int],
        *,
        learning: Learning | None = None,
        on: bool = True,
    ) -> None:
        """``seed``: draws the seed of new audits; ``on``: whether dice are drawn."""
        self._path = journal.with_suffix(".audits.db")
        self._folder = PictureFolder(journal.with_suffix(".audits"), Keeping("all", KEPT_DAYS), clock)
        self._camera = ""
        self._clock = clock
        self._seed = seed
        self._learning = learning
        self._on = on
        self._lock = threading.Lock()
        self._now: tuple[AuditsNow, ...] = ()
        self._trouble: Sentence | None = None
        self._ledger: AuditLedger | None = None
        self._audits: dict[str, TableAudits] = {}
        self._new = NewEntries()
        self._seen_dice: OrderedDict[Event, DiceSeen] = OrderedDict()
        self._pinned: OrderedDict[Event, _Pinned] = OrderedDict()

    @property
    def on(self) -> bool:
        """Whether dice are drawn."""
        return self._on

    def use(self, *, on: bool) -> None:
        """Draw dice from now on, or none; those that were drawn can still be checked."""
        self._on = on

    @property
    def now(self) -> tuple[AuditsNow, ...]:
        """The audits of each set of dice."""
        with self._lock:
            return self._now

    @property
    def trouble(self) -> Sentence | None:
        """What is wrong with the file of audits, or was when it was opened."""
        return self._trouble

    def picture(self, dice: str, number: int) -> bytes | None:
        """Return the JPEG of a drawn die that is asked about or contradicted."""
        if number not in self._open_numbers(dice):
            return None
        return self._folder.read(self._audits[dice].drawn[number].picture)

    def again(self, named: str) -> tuple[str, AuditAsked] | None:
        """Return a contradicted die, named by its set and number (``wibold-12``), to be checked."""
        dice, _, number = named.rpartition("-")
        for one in self.now:
            for die in one.contradicted:
                if one.dice == dice and str(die.number) == number:
                    return dice, AuditAsked(die.number, *choices(dice, die.die))
        return None

    def _open_numbers(self, dice: str) -> set[int]:
        shown = [one for one in self.now if one.dice == dice]
        return {die.number for one in shown for die in one.asked} | {
            die.number for one in shown for die in one.contradicted
        }

    def clear_pictures(self) -> int:
        """Delete the pictures of all drawn dice, which nobody can be asked about then; return how many there were."""
        gone = self._folder.clear()
        with self._lock:
            self._now = tuple(replace(one, asked=()) for one in self._now)
        return gone

    # From here on everything is called by the writer's thread.

    def watch(self, camera: str | None) -> None:
        """Open what was kept of the camera of this name; close the file and draw nothing where there is none.

        No error ends this: without audits the table plays on.
        """
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None
        if camera is None:
            return
        self._camera = hashlib.sha256(camera.encode()).hexdigest()[:NAMED_BY]
        for followed in (self._audits, self._seen_dice, self._pinned):
            followed.clear()
        if self._path.exists():
            self._open()
        self._folder.prune()
        self._publish()

    def begin(self, match: Match | None) -> None:
        """Follow this match from here on. Another match that had its number once was deleted."""
        self._new.begin(match)
        if match is not None:
            first = match.entries[0].hash
            self._let_go(lambda die: die.match == match.id and die.first != first)

    def deleted(self, match: int) -> None:
        """Ask nothing more about the dice of a match that was deleted, and delete their pictures."""
        self._let_go(lambda die: die.match == match)

    def go_on(self, now: float) -> None:
        """Draw from the new throws of the match. No error ends this."""
        del now
        match, seen = self._table.desk.match, self._table.sight().seen
        if match is None:
            return
        try:
            for entry in self._new.of(match):
                self._follow(match, entry, seen)
        except JournalError as why:
            self._trouble = why_of(why)
            log.warning("no die could be drawn for an audit: %s", why)
        except Exception:
            log.exception("no die could be drawn for an audit")

    def answer(self, dice: str, number: int, face: str | None) -> Reply:
        """Say what a drawn die shows: its text, "" if it is no die, None where nobody can tell."""
        audits = self._audits.get(dice)
        if audits is None or number not in self._open_numbers(dice):
            return Reply(ok=False, sentence=NOT_ASKED)
        die = audits.drawn[number]
        texts = {text for text, _ in choices(dice, die.die)[0]}
        if face and face not in texts:
            return Reply(ok=False, sentence=Sentence("This die has no face {face}.", face=face[:20]))
        right = None if face is None else bool(face) and bag_of(face) == bag_of(die.read)
        pinned = self._pinned.get((die.match, die.event))
        audited = Audited(number, face, right)
        events: list[AuditEvent] = [audited]
        if right is False and pinned is not None and pinned.corrected:
            events.append(Settled(number))
        try:
            self._record(audits, events)
        except JournalError as why:
            return Reply(ok=False, sentence=why_of(why))
        self._teach(die, audited, pinned)
        if right is not False:
            self._folder.remove([die.picture])
        self._publish()
        if right is None:
            sentence = Sentence("It was read as {face}; there is no way to check that any more.", face=die.read)
        elif right:
            sentence = Sentence("It was read as {face} too.", face=die.read)
        else:
            sentence = Sentence("It was read as {face}: correct its throw.", face=die.read)
        return Reply(ok=True, sentence=sentence, data={"right": right})

    def settle(self, dice: str, number: int) -> Reply:
        """Leave a throw as it is although a person read a die otherwise."""
        audits = self._audits.get(dice)
        if audits is None or number not in audits.contradicted:
            return Reply(ok=False, sentence=NOT_ASKED)
        try:
            self._settle(audits, number)
        except JournalError as why:
            return Reply(ok=False, sentence=why_of(why))
        self._publish()
        return Reply(ok=True, sentence=Sentence("The throw stays as it is."))

    def _follow(self, match: Match, entry: Entry, seen: DiceSeen | None) -> None:
        match entry.event:
            case Observed() as picture_of if seen is not None and picture_of.picture == seen.digest:
                self._seen_dice[match.id, entry.number] = seen
                while len(self._seen_dice) > READINGS_HELD:
                    self._seen_dice.popitem(last=False)
            case Committed() if self._on:
                self._committed(match, entry.number)
            case Corrected(event=event):
                self._corrected(match, event)
            case _:
                pass

    def _committed(self, match: Match, number: int) -> None:
        read = camera_throw(match.entries, number)
        observed = None if read is None else self._seen_dice.get((match.id, read.observation))
        if read is None or observed is None or read.asked:
            return
        first, taken = match.entries[0].hash, False
        for die in read.dice:
            audits = self._of(read.throw.set_name)
            share = audits.draws(first, number, str(die["die"]))
            picture = _crop(observed, die)
            if share is None or picture is None:
                continue
            at = middle(die)
            event = Drawn(
                match.id,
                first,
                number,
                die["die"],
                (round(at[0], 1), round(at[1], 1)),
                die["face"],
                share,
                digest(picture),
            )
            self._folder.try_to_keep(event.picture, picture, asked=False)
            self._record(audits, [event])
            taken = True
        if taken:
            self._pin((match.id, number), _Pinned(observed.interval, lessons_of(read.dice, read.throw, named=False)))
            self._publish()

    def _pin(self, throw: Event, pinned: _Pinned) -> None:
        self._pinned[throw] = pinned
        while len(self._pinned) > MOST_OPEN:
            self._pinned.popitem(last=False)
        if self._learning is not None:
            self._learning.keep(pinned.interval)

    def _corrected(self, match: Match, event: int) -> None:
        """Note that somebody corrected a throw: nothing is left to do about dice of it that were read otherwise."""
        pinned = self._pinned.get((match.id, event))
        if pinned is not None:
            pinned.corrected = True
        settled = False
        for audits in self._audits.values():
            for number in audits.contradicted:
                die = audits.drawn[number]
                if (die.first, die.event) == (match.entries[0].hash, event):
                    self._settle(audits, number)
                    settled = True
        if settled:
            self._publish()

    def _let_go(self, gone: Callable[[Drawn], bool]) -> None:
        """Ask nothing more about these dice; what was answered about them stays counted."""
        try:
            for audits in self._audits.values():
                numbers = [number for number, die in audits.drawn.items() if gone(die)]
                self._folder.remove(audits.drawn[number].picture for number in numbers)
                for number in set(numbers) & set(audits.contradicted):
                    self._settle(audits, number)
        except JournalError as why:
            log.warning("dice of a match that is gone are still asked about: %s", why)
        self._publish()

    def _settle(self, audits: TableAudits, number: int) -> None:
        self._record(audits, [Settled(number)])
        self._folder.remove([audits.drawn[number].picture])

    def _teach(self, die: Drawn, audited: Audited, pinned: _Pinned | None) -> None:
        """Let the table learn what a person answered, unless the throw was corrected since, which taught it already."""
        if self._learning is None or audited.right is None or (pinned is not None and pinned.corrected):
            return
        source = source_of(die.match, die.event)
        if pinned is not None:
            pinned.lessons = lessons_after_audit(pinned.lessons, die.at, audited.face or None)
            self._learning.tell(DiceLesson(source, pinned.interval, pinned.lessons))
        elif not audited.right:
            self._learning.forget(source)

    def _of(self, dice: str) -> TableAudits:
        """Return the audits of a set of dice; begin them if there are none."""
        if dice not in self._audits:
            if self._ledger is None:
                self._open()
            if self._ledger is None:
                raise JournalError(self._trouble or NOT_ASKED)
            if dice not in self._audits:
                began = AuditsBegan(dice, self._camera, self._seed())
                chain = self._ledger.open_chain(began, self._clock(), ACTOR)
                self._audits[dice] = TableAudits(self._ledger.events(chain))
        return self._audits[dice]

    def _open(self) -> None:
        try:
            self._ledger = open_ledger(self._path, AuditLedger)
            self._trouble = self._ledger.notice
            for first, _, _, _ in self._ledger.ends():
                began = first.event
                if isinstance(began, AuditsBegan) and began.camera == self._camera and began.dice in dice_sets():
                    self._audits[began.dice] = TableAudits(self._ledger.events(first.chain))
        except (JournalError, NoAuditsError) as why:
            log.warning("there are no audits: %s", why)
            self._trouble = why_of(why)

    def _record(self, audits: TableAudits, events: Sequence[AuditEvent]) -> None:
        if self._ledger is None:
            raise JournalError(self._trouble or NOT_ASKED)
        for entry in self._ledger.append(audits.id, events, self._clock(), ACTOR):
            audits.take(entry)
        self._trouble = self._ledger.notice

    def _publish(self) -> None:
        for audits in self._audits.values():
            self._folder.remove(audits.drawn[number].picture for number in audits.open[:-MOST_OPEN])
        now = tuple(audits_now(audits, self._folder.holds) for audits in self._audits.values())
        with self._lock:
            self._now = now


def _crop(picture_of: DiceSeen, die: Die) -> bytes | None:
    """Return the picture of a die of an observation."""
    at = middle(die)
    for seen, crop in zip(picture_of.reading.dice, picture_of.crops, strict=True):
        if seen.polygon and near(middle(seen.to_json()), at):
            return crop
    return None
