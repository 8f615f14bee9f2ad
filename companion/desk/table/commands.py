"""The commands that a page or program can give the table: each checks its data, acts at the desk and answers."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.desk.page.correction import effect, preview_json
from companion.desk.pictures import PictureStore
from companion.desk.sight import Sight
from companion.desk.table.autoplay import FASTEST, SLOWEST, USUAL, Autoplay
from companion.desk.table.board_rests import BoardRests, answer_board, dismiss_board
from companion.desk.table.deletion import delete_match
from companion.desk.table.dice_rests import Rests, answer, dismiss
from companion.desk.table.match_desk import PAGE, Desk, Reply
from companion.desk.table.program_turn import its_turn, plays_now
from companion.desk.table.seats_asked import program_seats
from companion.desk.table.weighing import weigh
from companion.language.sentence import N_, Sentence, why_of
from companion.referee.events import BoardSeated, Corrected, MenBy, Paused, Resumed
from companion.referee.match import Match, Preview, RefusedError
from companion.referee.readable import dice_to_read
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Game
from companion.rules.ludus_regularis.choices import TimeUp
from companion.rules.registry import game as game_of

Data = Mapping[str, Any]
DICE_BY = ("camera", "tapped", "program")
OWN_MATCH_ONLY = Sentence(
    "The camera of a sample table watches the sample's match only: let the dice be tapped in, or thrown by the program."
)
LONGEST_REASON = 300  # characters


class CommandDataError(RefusedError):
    """A command's data is not of the form that the command takes."""


class Commands:
    """Everything that can be asked of the table. Used by the one writer only."""

    def __init__(
        self,
        desk: Desk,
        rests: Rests,
        autoplay: Autoplay,
        sight: Callable[[], Sight],
        *,
        board: BoardRests | None = None,
        follows: Callable[[Game], bool] | None = None,
        pictures: PictureStore | None = None,
        sample: bool = False,
    ) -> None:
        """``board``: what judges the men; ``follows``: whether a camera can follow a game's men, None without one.

        ``pictures``: those of the table; None where none are taken. ``sample``: the camera is that of a sample, which
        watches its own match and no new one.
        """
        self._desk = desk
        self._rests = rests
        self._board = board or BoardRests(desk)
        self._follows = follows if follows is not None and not sample else (lambda _: False)
        self._sample = sample
        self._autoplay = autoplay
        self._sight = sight
        self._pictures = pictures
        self._shown: Preview | None = None  # the correction that was looked at last
        self._known: dict[str, Callable[[Data, str], Reply]] = {
            "new_match": self._new_match,
            "resume": self._resume,
            "delete_match": self._delete_match,
            "pause": self._pause,
            "unpause": self._unpause,
            "throw": self._throw,
            "choose": self._choose,
            "weigh": self._weigh,
            "take_back": self._take_back,
            "roll": self._roll,
            "autoplay": self._play_by_itself,
            "answer": self._answer,
            "dismiss": self._dismiss,
            "answer_board": self._answer_board,
            "dismiss_board": self._dismiss_board,
            "seat_board": self._seat_board,
            "preview_correction": self._preview,
            "correct": self._correct,
            "finish": self._finish,
            "reset": self._reset,
            "time_up": self._time_up,
        }

    def do(self, name: str, data: Data, actor: str) -> Reply:
        """Carry out a command; whatever is wrong with it is said in the reply."""
        command = self._known.get(name)
        if command is None:
            known = ", ".join(self._known)
            return Reply(ok=False, sentence=Sentence("The commands are {known}, not {name}.", known=known, name=name))
        try:
            reply = command(data, actor)
        except RefusedError as why:
            reply = Reply(ok=False, sentence=why.sentence)
        match = self._desk.match
        names = {} if match is None else dict(enumerate(match.started.players, start=1))
        return replace(reply, sentence=reply.sentence.named(names))

    def _new_match(self, data: Data, actor: str) -> Reply:
        players = _field(data, "players", list)
        if not all(isinstance(player, str) for player in players):
            raise CommandDataError(Sentence("Expected the players' names as texts."))
        game = _field(data, "game", str)
        read = _camera_reads(game)
        there = self._sight().source is not None and not self._sample
        dice_by = _field(data, "dice_by", str, "camera" if read and there else "tapped")
        if dice_by not in DICE_BY:
            raise CommandDataError(Sentence("The dice come by camera, tapped or program, not by {by}.", by=dice_by))
        if dice_by == "camera" and self._sample:
            raise RefusedError(OWN_MATCH_ONLY)
        if dice_by == "camera" and not read:
            raise RefusedError(
                Sentence("No camera reads the dice of this game yet: let them be tapped in, or thrown by the program.")
            )
        men_by = self._men_by(game, data)
        match = self._desk.begin(
            game,
            players,
            _field(data, "options", dict, {}),
            dice_by,
            actor,
            name=_field(data, "name", str, ""),
            men_by=men_by,
            programs=program_seats(data, game, len(players), men_by),
        )
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match begins."), data={"match": match.id})

    def _men_by(self, slug: str, data: Data) -> MenBy:
        """Return who moves the men: the camera where one sees the board of this game, unless it is said otherwise."""
        try:
            seen = self._follows(game_of(slug))
        except GameError:
            seen = False
        match _field(data, "men_by", str, "camera" if seen else "tapped"):
            case "tapped":
                return "tapped"
            case "camera" if seen:
                return "camera"
            case "camera":
                raise RefusedError(Sentence("No camera sees the board of this game: let the moves be tapped in."))
            case other:
                raise CommandDataError(Sentence("The men are moved by camera or tapped, not by {by}.", by=other))

    def _forget(self) -> None:
        """Judge anew what lies before the cameras: another match is open, or this one goes on."""
        self._rests.forget(self._sight())
        self._board.forget()

    def _resume(self, data: Data, actor: str) -> Reply:
        match = self._desk.open(_field(data, "match", int), actor)
        self._forget()
        said = match.rules_changed or Sentence("The match {name} goes on.", name=match.started.name)
        return Reply(ok=True, sentence=said, data={"match": match.id})

    def _delete_match(self, data: Data, _: str) -> Reply:
        match, last_hash = _field(data, "match", int), _field(data, "last_hash", str)
        return delete_match(self._desk, self._pictures, match, last_hash)

    def _pause(self, _: Data, actor: str) -> Reply:
        self._desk.require_match().require_in_play()
        self._autoplay.stop()
        self._desk.record([Paused()], actor)
        return Reply(ok=True, sentence=Sentence("The match is paused; it can be resumed on any day."))

    def _unpause(self, _: Data, actor: str) -> Reply:
        if not self._desk.require_match().paused:
            raise RefusedError(Sentence("The match is not paused."))
        self._desk.record([Resumed()], actor)
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match goes on."))

    def _throw(self, data: Data, actor: str) -> Reply:
        match = self._of_people()
        waits = match.position.awaits
        which = _field(data, "dice_set", str, waits.dice_sets[0] if waits.dice_sets else "wibold")
        throw = _throw(which, _faces(data))
        self._board.close_turn(throw)
        said = self._desk.play(throw, "tapped", actor, arrangement=self._rests.lying)
        self._rests.forget(self._sight())
        return self._played(said)

    def _choose(self, data: Data, actor: str) -> Reply:
        """Make a choice, given as JSON or as the text that a player would type."""
        position = self._of_people().position
        try:
            if "text" in data:
                choice = position.parse(_field(data, "text", str))
            else:
                choice = position.move_from_json(_field(data, "choice", dict))
        except (GameError, ThrowError) as why:
            raise RefusedError(why_of(why)) from why
        if isinstance(choice, Throw):
            raise RefusedError(Sentence("{throw} is a throw and no choice.", throw=str(choice)))
        if isinstance(choice, TimeUp) and actor == PAGE:
            raise RefusedError(Sentence("The end of the agreed time is called by its own button, not as a choice."))
        return self._played(self._desk.play(choice, "tapped", actor))

    def _weigh(self, data: Data, _: str) -> Reply:
        return weigh(self._desk.require_match(), _field(data, "text", str))

    def _of_people(self) -> Match:
        """Return the open match in which a person may throw or choose now."""
        match = self._desk.require_match()
        if plays_now(match):
            raise RefusedError(its_turn())
        return match

    def _take_back(self, data: Data, actor: str) -> Reply:
        self._autoplay.stop()
        return Reply(ok=True, sentence=self._desk.take_back(_field(data, "event", int), actor, _reason(data)))

    def _roll(self, _: Data, actor: str) -> Reply:
        return self._played(self._desk.throw(actor))

    def _played(self, said: Sentence) -> Reply:
        return Reply(ok=True, sentence=said, data={"event": self._desk.require_match().entries[-1].number})

    def _play_by_itself(self, data: Data, _: str) -> Reply:
        if not _field(data, "on", bool):
            self._autoplay.stop()
            return Reply(ok=True, sentence=self._autoplay.sentence())
        match = self._desk.require_match()
        match.require_in_play()
        if match.started.dice_by != "program":
            raise RefusedError(Sentence("The program throws only in a match that was begun with the program's dice."))
        pace = data.get("pace", USUAL)
        if isinstance(pace, bool) or not isinstance(pace, int | float) or not SLOWEST <= pace <= FASTEST:
            raise CommandDataError(
                Sentence(
                    "Expected {least} to {most} throws a second, but got {pace}.",
                    least=SLOWEST,
                    most=FASTEST,
                    pace=repr(pace)[:60],
                )
            )
        self._autoplay.start(match, pace, time.monotonic())
        return Reply(ok=True, sentence=self._autoplay.sentence())

    def _answer(self, data: Data, actor: str) -> Reply:
        return self._played(answer(self._desk, _field(data, "ask", int), _faces(data), actor))

    def _dismiss(self, data: Data, actor: str) -> Reply:
        dismiss(self._desk, _field(data, "ask", int), _reason(data), actor)
        return Reply(ok=True, sentence=Sentence("That was no throw; the dice may be thrown."))

    def _answer_board(self, data: Data, actor: str) -> Reply:
        ask, candidate = _field(data, "ask", int), _field(data, "candidate", int)
        return self._played(answer_board(self._desk, ask, candidate, actor))

    def _dismiss_board(self, data: Data, actor: str) -> Reply:
        dismiss_board(self._desk, _field(data, "ask", int), _reason(data), actor)
        return Reply(ok=True, sentence=Sentence("It was none of these: put the men right, or tap what was played."))

    def _seat_board(self, _: Data, actor: str) -> Reply:
        """Find out anew how the board lies: it was turned round, or seated wrongly."""
        match = self._desk.require_match()
        match.require_in_play()
        if match.started.men_by != "camera":
            raise RefusedError(Sentence("No camera follows the men of this match."))
        self._desk.record([BoardSeated({})], actor)
        self._board.forget()
        return Reply(ok=True, sentence=Sentence("It is looked anew how the board lies."))

    def _previewed(self, data: Data) -> Preview:
        """Return what a correction would do; of one that was looked at last, what was found then."""
        match = self._desk.require_match()
        number, move, reason = _field(data, "event", int), self._instead(match, data), _reason(data)
        shown = self._shown
        if shown is None or shown.token != match.token(number, move, reason):
            shown = self._shown = match.preview(number, move, reason)
        return shown

    @staticmethod
    def _instead(match: Match, data: Data) -> Data | None:
        """Return what a correction puts in the place of a commit, None where it voids it."""
        if data.get("choice") is not None:
            choice: Data = _field(data, "choice", dict)
            return choice
        if data.get("faces") is None:
            return None
        commit = match.commit_of(_field(data, "event", int))
        which = str(commit.move.get("set", "")) if commit is not None else ""
        return _throw(which or "wibold", _faces(data)).to_json()

    def _preview(self, data: Data, _: str) -> Reply:
        preview = self._previewed(data)
        return Reply(ok=True, sentence=effect(preview), data=preview_json(preview))

    def _correct(self, data: Data, actor: str) -> Reply:
        preview = self._previewed(data)
        if _field(data, "token", str) != preview.token:
            raise RefusedError(Sentence("The match has moved on since that preview: look at its effect again."))
        keep = _field(data, "keep", str, "")
        if keep not in ("all", "until_misfit") and (keep or preview.misfits):
            raise CommandDataError(
                Sentence("Later throws no longer fit: keep all the others, or stop before the first of them?")
            )
        if not preview.reason:
            raise CommandDataError(Sentence("A correction needs a reason that the others can read."))
        drops = preview.drops_stop if keep == "until_misfit" else preview.drops_all
        self._autoplay.stop()
        self._shown = None
        move = None if preview.move is None else dict(preview.move)
        self._desk.record([Corrected(preview.event, move, preview.reason, drops)], actor)
        return Reply(ok=True, sentence=Sentence("The throw was corrected."), data={"dropped": list(drops)})

    def _finish(self, data: Data, actor: str) -> Reply:
        self._autoplay.stop()
        self._desk.finish("agreement", _reason(data), actor)
        return Reply(ok=True, sentence=Sentence("The match is ended by agreement."))

    def _reset(self, _: Data, actor: str) -> Reply:
        match = self._desk.require_match()
        self._autoplay.stop()
        if not match.over:
            self._desk.finish("agreement", "reset", actor)
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
            programs=old.programs,
        )
        self._forget()
        return Reply(ok=True, sentence=Sentence("The match begins anew."), data={"match": new.id})

    def _time_up(self, _: Data, actor: str) -> Reply:
        match = self._desk.require_match()
        match.require_in_play()
        if match.position.options.get("ending") != "time":
            raise RefusedError(Sentence("No time was agreed for this game, so it cannot be up."))
        self._desk.play(TimeUp(), "tapped", actor)
        self._autoplay.stop()
        return Reply(ok=True, sentence=Sentence("The agreed time is up."))


_NAMES = {
    str: N_("a text"),
    int: N_("a whole number"),
    dict: N_("an object"),
    list: N_("a list"),
    bool: N_("true or false"),
}


def _field(data: Data, name: str, kind: type, default: Any = None) -> Any:
    value = data.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        expected = Sentence.of(_NAMES[kind])
        raise CommandDataError(
            Sentence("Expected {name} as {kind}, but got {value}.", name=name, kind=expected, value=repr(value)[:60])
        )
    return value


def _faces(data: Data) -> dict[str, str]:
    faces = _field(data, "faces", dict)
    if not all(isinstance(die, str) and isinstance(face, str) for die, face in faces.items()):
        raise CommandDataError(Sentence("Expected the faces as texts under the names of their dice."))
    return dict(faces)


def _throw(which: str, faces: dict[str, str]) -> Throw:
    try:
        return Throw.of(which, faces)
    except (ThrowError, GameError, ValueError) as why:
        raise CommandDataError(why_of(why)) from why


def _camera_reads(slug: str) -> bool:
    """Whether a reader knows the dice that this game is played with first; what is no game is refused elsewhere."""
    try:
        variant = game_of(slug)
    except GameError:
        return True
    return dice_to_read(variant.start(variant.least_players)) is not None


def _reason(data: Data) -> str:
    return str(_field(data, "reason", str, "")).strip()[:LONGEST_REASON]
