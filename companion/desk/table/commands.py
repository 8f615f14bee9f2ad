"""What the table's commands do: each acts at the desk and answers. Their data: `command_types`."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import singledispatchmethod
from typing import Any

from msgspec import UNSET

from companion.desk.command import Command, CommandDataError
from companion.desk.pictures import PictureStore
from companion.desk.sight import Sight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.board_judge import NONE_OF_THESE, BoardJudge, answer_board, dismiss_board
from companion.desk.table.command_types import (
    KEEP_WHAT,
    NO_REASON,
    TABLE_COMMANDS,
    AnswerBoard,
    AnswerDice,
    CallTimeUp,
    Choose,
    Correct,
    Correction,
    DeleteMatch,
    DismissBoard,
    DismissDice,
    EndSharing,
    EnterThrow,
    ExplainChoice,
    FinishMatch,
    JoinShared,
    NewMatch,
    PauseMatch,
    PlayByItself,
    PreviewCorrection,
    Reseat,
    ResetMatch,
    ResumeMatch,
    Roll,
    SeatBoard,
    ShareMatch,
    StopDemo,
    TakeBack,
    UnpauseMatch,
)
from companion.desk.table.correction import effect, explain_choice, preview_json
from companion.desk.table.deletion import delete_match
from companion.desk.table.dice_judge import DiceJudge, answer, dismiss
from companion.desk.table.match_desk import PAGE, Desk, Reply
from companion.desk.table.program_turn import its_turn, plays_now
from companion.desk.table.remote_seats import OTHER_RULES, check_remote, end_sharing, share
from companion.desk.table.seats_asked import Seats, seat_names
from companion.language.sentence import Sentence, why_of
from companion.players.strengths import USUAL
from companion.referee.events import DEMO, BoardSeated, Corrected, Paused, Resumed
from companion.referee.match import Match, Preview
from companion.referee.refused import RefusedError, refusing
from companion.referee.shared_log import thrown_together
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Game
from companion.rules.ludus_regularis.choices import TimeUp
from companion.rules.registry import game as game_of

LONGEST_REASON = 300  # characters


class TableCommands:
    """Everything that pages and programs can ask of the table. Only the writer uses it."""

    def __init__(
        self,
        desk: Desk,
        dice_judge: DiceJudge,
        autoplay: Autoplay,
        sight: Callable[[], Sight],
        *,
        board_judge: BoardJudge | None = None,
        follows: Callable[[Game], bool] = lambda _: False,
        pictures: PictureStore | None = None,
        sample: bool = False,
        strength: str = USUAL,
    ) -> None:
        """``dice_judge`` and ``board_judge``: the judges of the dice and of the men.

        ``follows``: whether a camera can follow a game's men. ``pictures``: the table's pictures,
        None where nobody takes any. ``sample``: the camera is a sample's, which watches its own match and no new one.
        ``strength``: how well the program plays where nobody says.
        """
        self._desk = desk
        self._dice_judge = dice_judge
        self._board_judge = board_judge or BoardJudge(desk)
        self._seats = Seats(sight, (lambda _: False) if sample else follows, sample=sample, strength=strength)
        self._autoplay = autoplay
        self._sight = sight
        self._pictures = pictures
        self._shown: Preview | None = None  # the last correction that somebody previewed

    def do(self, name: str, data: Mapping[str, Any], actor: str) -> Reply:
        """Carry out a command; the reply says what is wrong with it."""
        try:
            reply = self._carry_out(TABLE_COMMANDS.read(name, data), actor)
        except RefusedError as why:
            reply = Reply(ok=False, sentence=why.sentence)
        match = self._desk.match
        names = {} if match is None else dict(enumerate(match.started.players, start=1))
        return replace(reply, sentence=reply.sentence.named(names))

    @singledispatchmethod
    def _carry_out(self, asked: Command, actor: str) -> Reply:
        raise NotImplementedError(f"{actor} asks for {type(asked).__name__}")

    @_carry_out.register
    def _new_match(self, asked: NewMatch, actor: str) -> Reply:
        left = self._desk.match
        men_by = self._seats.men_by(asked.game, asked)
        match = self._desk.begin(
            asked.game,
            seat_names(asked),
            asked.options,
            self._seats.dice_by(asked.game, asked),
            actor,
            sample=DEMO if asked.demo else "",
            name=asked.name,
            men_by=men_by,
            programs=self._seats.programs(asked.game, asked, men_by),
            invitation=asked.invitation,
            position=asked.position,
        )
        self._delete_demo(left)
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match begins."), data={"match": match.id})

    @_carry_out.register
    def _reseat(self, asked: Reseat, actor: str) -> Reply:
        changes = self._seats.changes(self._desk.require_match(), asked)
        self._autoplay.stop()
        self._desk.record(changes, actor)
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match continues with this change."))

    def _forget(self) -> None:
        """Judge again what lies before the cameras: another match is open, or this one goes on."""
        self._dice_judge.forget(self._sight())
        self._board_judge.forget()

    @_carry_out.register
    def _resume(self, asked: ResumeMatch, actor: str) -> Reply:
        left = self._desk.match
        match = self._desk.open(asked.match, actor)
        if match is not left:
            self._delete_demo(left)
        self._forget()
        sentence = match.rules_changed or Sentence("The match {name} continues.", name=match.started.name)
        return Reply(ok=True, sentence=sentence, data={"match": match.id})

    @_carry_out.register
    def _delete_match(self, asked: DeleteMatch, _: str) -> Reply:
        return delete_match(self._desk, self._pictures, asked.match, asked.last_hash)

    @_carry_out.register
    def _stop_demo(self, _: StopDemo, __: str) -> Reply:
        match = self._desk.require_match()
        if match.started.sample != DEMO:
            raise RefusedError(Sentence("This match is not a demonstration."))
        self._desk.match = None
        self._delete_demo(match)
        return Reply(ok=True, sentence=Sentence("The demonstration is over."))

    def _delete_demo(self, left: Match | None) -> None:
        """Delete the match that the table has left if it was a demonstration: it is nobody's."""
        if left is not None and left.started.sample == DEMO:
            last = self._desk.journal.events(left.id)[-1]
            delete_match(self._desk, self._pictures, left.id, last.hash)

    @_carry_out.register
    def _pause(self, _: PauseMatch, actor: str) -> Reply:
        self._desk.require_match().require_in_play()
        self._autoplay.stop()
        self._desk.record([Paused()], actor)
        return Reply(ok=True, sentence=Sentence("The match is paused; you can resume it on any day."))

    @_carry_out.register
    def _unpause(self, _: UnpauseMatch, actor: str) -> Reply:
        if not self._desk.require_match().paused:
            raise RefusedError(Sentence("The match is not paused."))
        if (why := self._desk.held()) is not None:
            raise RefusedError(why)
        self._desk.record([Resumed()], actor)
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match continues."))

    @_carry_out.register
    def _throw(self, asked: EnterThrow, actor: str) -> Reply:
        match = self._of_people()
        waits = match.position.awaits
        awaited = waits.dice_sets[0] if waits.dice_sets else "wibold"
        throw = _throw(awaited if asked.dice_set is UNSET else asked.dice_set, asked.faces)
        if thrown_together(match) and match.started.dice_by == "tapped":
            return self._played(self._desk.throw_real(throw, actor))
        self._board_judge.close_turn(throw)
        sentence = self._desk.play(throw, "tapped", actor, arrangement=self._dice_judge.lying)
        self._dice_judge.forget(self._sight())
        return self._played(sentence)

    @_carry_out.register
    def _choose(self, asked: Choose, actor: str) -> Reply:
        """Make a choice, given as JSON or as the text that a player types."""
        position = self._of_people().position
        with refusing(GameError, ThrowError):
            if asked.text is not UNSET:
                choice = position.parse(asked.text)
            else:
                choice = position.move_from_json({} if asked.choice is UNSET else asked.choice)
        if isinstance(choice, Throw):
            raise RefusedError(Sentence("{throw} is a throw, not a choice.", throw=str(choice)))
        if isinstance(choice, TimeUp) and actor == PAGE:
            raise RefusedError(Sentence("Time up has its own button; it cannot be played as a choice."))
        return self._played(self._desk.play(choice, "tapped", actor))

    @_carry_out.register
    def _explain_choice(self, asked: ExplainChoice, _: str) -> Reply:
        return explain_choice(self._desk.require_match(), asked.text)

    def _of_people(self) -> Match:
        """Return the open match in which a person may throw or choose now."""
        match = self._desk.require_match()
        if plays_now(match):
            raise RefusedError(its_turn())
        return match

    @_carry_out.register
    def _take_back(self, asked: TakeBack, actor: str) -> Reply:
        self._autoplay.stop()
        return Reply(ok=True, sentence=self._desk.take_back(asked.event, actor, _cut(asked.reason)))

    @_carry_out.register
    def _roll(self, _: Roll, actor: str) -> Reply:
        sentence = self._desk.throw(actor, arrangement=self._dice_judge.lying)
        self._dice_judge.forget(self._sight())
        return self._played(sentence)

    def _played(self, sentence: Sentence) -> Reply:
        return Reply(ok=True, sentence=sentence, data={"event": self._desk.require_match().entries[-1].number})

    @_carry_out.register
    def _play_by_itself(self, asked: PlayByItself, _: str) -> Reply:
        if not asked.on:
            self._autoplay.stop()
            return Reply(ok=True, sentence=self._autoplay.sentence())
        match = self._desk.require_match()
        match.require_in_play()
        if match.started.dice_by != "program":
            raise RefusedError(Sentence("The program throws only in a match that was begun with the program's dice."))
        self._autoplay.start(match, asked.pace, time.monotonic())
        return Reply(ok=True, sentence=self._autoplay.sentence())

    @_carry_out.register
    def _answer(self, asked: AnswerDice, actor: str) -> Reply:
        return self._played(answer(self._desk, asked.ask, asked.faces, actor))

    @_carry_out.register
    def _dismiss(self, asked: DismissDice, actor: str) -> Reply:
        dismiss(self._desk, asked.ask, _cut(asked.reason), actor)
        return Reply(ok=True, sentence=Sentence("That was not a throw; throw the dice."))

    @_carry_out.register
    def _answer_board(self, asked: AnswerBoard, actor: str) -> Reply:
        return self._played(answer_board(self._desk, asked.ask, asked.candidate, actor))

    @_carry_out.register
    def _dismiss_board(self, asked: DismissBoard, actor: str) -> Reply:
        dismiss_board(self._desk, asked.ask, _cut(asked.reason), actor)
        return Reply(ok=True, sentence=NONE_OF_THESE)

    @_carry_out.register
    def _seat_board(self, _: SeatBoard, actor: str) -> Reply:
        """Find out again how the board lies: somebody turned it round, or the seating is wrong."""
        match = self._desk.require_match()
        match.require_in_play()
        if match.started.men_by != "camera":
            raise RefusedError(Sentence("No camera follows the men of this match."))
        self._desk.record([BoardSeated({})], actor)
        self._board_judge.forget()
        return Reply(ok=True, sentence=Sentence("The program looks again where the board lies."))

    def _previewed(self, asked: Correction) -> Preview:
        """Return what a correction would do, from the last preview if that is still right."""
        match = self._desk.require_match()
        number, move, reason = asked.event, self._instead(match, asked), _cut(asked.reason)
        shown = self._shown
        if shown is None or shown.token != match.token(number, move, reason):
            shown = self._shown = match.preview(number, move, reason)
        return shown

    @staticmethod
    def _instead(match: Match, asked: Correction) -> Mapping[str, Any] | None:
        """Return what a correction puts in place of a commit, None where it voids it."""
        if asked.choice is not None or asked.faces is None:
            return asked.choice
        commit = match.commit_of(asked.event)
        which = str(commit.move.get("set", "")) if commit is not None else ""
        return _throw(which or "wibold", asked.faces).to_json()

    @_carry_out.register
    def _preview(self, asked: PreviewCorrection, _: str) -> Reply:
        preview = self._previewed(asked)
        return Reply(ok=True, sentence=effect(preview), data=preview_json(preview))

    @_carry_out.register
    def _correct(self, asked: Correct, actor: str) -> Reply:
        preview = self._previewed(asked)
        if asked.token != preview.token:
            raise RefusedError(Sentence("The match has moved on since that preview: preview the correction again."))
        if preview.misfits and not asked.keep:
            raise RefusedError(KEEP_WHAT)
        if not preview.reason:
            raise RefusedError(NO_REASON)
        drops = preview.drops_stop if asked.keep == "until_misfit" else preview.drops_all
        self._autoplay.stop()
        self._shown = None
        move = None if preview.move is None else dict(preview.move)
        self._desk.record([Corrected(preview.event, move, preview.reason, drops)], actor)
        return Reply(ok=True, sentence=Sentence("The throw was corrected."), data={"dropped": list(drops)})

    @_carry_out.register
    def _share(self, asked: ShareMatch, actor: str) -> Reply:
        share(self._desk, secrets.token_hex(16), tuple(asked.remote), actor, both_throw=asked.both_throw)
        return Reply(ok=True, sentence=Sentence("Another table can join this match now."))

    @_carry_out.register
    def _join_shared(self, asked: JoinShared, actor: str) -> Reply:
        left = self._desk.match
        with refusing(GameError):
            if game_of(asked.game).rules_hash != asked.rules:
                raise RefusedError(OTHER_RULES)
        check_remote(asked.remote, len(asked.players))
        match = self._desk.begin(
            asked.game,
            asked.players,
            asked.options,
            self._seats.dice_by(asked.game, asked),
            actor,
            name=asked.name,
            men_by=self._seats.men_by(asked.game, asked),
            position=asked.position,
        )
        share(self._desk, asked.match, tuple(asked.remote), actor, since=asked.since, both_throw=asked.both_throw)
        self._delete_demo(left)
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match begins."), data={"match": match.id})

    @_carry_out.register
    def _end_sharing(self, _: EndSharing, actor: str) -> Reply:
        end_sharing(self._desk, actor)
        return Reply(ok=True, sentence=Sentence("The match goes on at this table alone."))

    @_carry_out.register
    def _finish(self, asked: FinishMatch, actor: str) -> Reply:
        self._autoplay.stop()
        self._desk.finish(_cut(asked.reason), actor)
        return Reply(ok=True, sentence=Sentence("The match is ended by agreement."))

    @_carry_out.register
    def _reset(self, _: ResetMatch, actor: str) -> Reply:
        match = self._desk.require_match()
        if match.shared is not None:
            raise RefusedError(Sentence("Another table plays this match with you: end that first."))
        self._autoplay.stop()
        if not match.over:
            self._desk.finish("reset", actor)
        old = match.started
        new = self._desk.begin(
            old.game,
            old.players,
            old.options,
            old.dice_by,
            actor,
            sample=old.sample,
            name=old.name,
            men_by=old.men_by,
            programs=old.programs_strengths,
            invitation=old.invitation,
            position=old.position,
        )
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match starts again."), data={"match": new.id})

    @_carry_out.register
    def _time_up(self, _: CallTimeUp, actor: str) -> Reply:
        match = self._desk.require_match()
        match.require_in_play()
        if match.position.options.get("ending") != "time":
            raise RefusedError(Sentence("No time limit was agreed for this game, so time cannot be up."))
        self._desk.play(TimeUp(), "tapped", actor)
        self._autoplay.stop()
        return Reply(ok=True, sentence=Sentence("The agreed time is up."))


# importing this finds a command without a handler
TABLE_COMMANDS.require_handlers(TableCommands.__dict__["_carry_out"].dispatcher.registry)


def _throw(which: str, faces: dict[str, str]) -> Throw:
    try:
        return Throw.of(which, faces)
    except (ThrowError, GameError, ValueError) as why:
        raise CommandDataError(why_of(why)) from why


def _cut(reason: str) -> str:
    return reason.strip()[:LONGEST_REASON]
