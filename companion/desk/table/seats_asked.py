"""The seats that people ask for: what each is called, whose it is, how its dice come, and who moves its men."""

from collections.abc import Callable
from itertools import chain, count

from msgspec import UNSET

from companion.desk.sight import Sight
from companion.desk.table.command_types import JoinShared, NewMatch, Reseat
from companion.desk.table.match_desk import checked_names
from companion.language.sentence import Sentence, player
from companion.referee.events import DiceBy, MenBy, Reseated
from companion.referee.match import Match
from companion.referee.readable import dice_to_read
from companion.referee.refused import RefusedError
from companion.rules.errors import GameError
from companion.rules.game import Game
from companion.rules.registry import game as game_of

OWN_MATCH_ONLY = Sentence(
    "The camera of a sample table watches only the sample's match: choose to tap in the dice, or let the program throw."
)


def program_name(number: int = 1) -> str:
    """Return what a match calls the program in a seat, or the second or a later one that it has."""
    return "The program" if number == 1 else f"The program {number}"


def seat_names(asked: NewMatch | Reseat) -> list[str]:
    """Return a name for each player; an empty one becomes that of the program, or the player's number."""
    names = [name.strip() for name in asked.players]
    for seat, name in enumerate(names, start=1):
        if not name:
            machine = seat in asked.programs
            free = map(program_name, count(1)) if machine else (str(player(n)) for n in chain([seat], count(1)))
            names[seat - 1] = next(one for one in free if one not in names)
    return names


class Seats:
    """What of the asked seats this table can do."""

    def __init__(
        self, sight: Callable[[], Sight], follows: Callable[[Game], bool], *, sample: bool, strength: str
    ) -> None:
        """``follows``, ``sample`` and ``strength`` as in `Commands`; ``sight``: what the cameras see now."""
        self._sight = sight
        self._follows = follows
        self._sample = sample
        self._strength = strength

    def changes(self, match: Match, asked: Reseat) -> list[Reseated]:
        """Return the events that change a running match as it is asked, at least one.

        Raises:
            RefusedError: the match is not in play, a question is open, or the table cannot do it.
        """
        match.require_in_play()
        if match.question is not None or match.board.question is not None:
            raise RefusedError(Sentence("A question is open: answer it or dismiss it first."))
        dice = (asked.dice_by, match.started.dice_by)
        if match.shared is not None and (
            asked.players or "program" in dice or (match.shared.both_throw and asked.dice_by is not UNSET)
        ):
            raise RefusedError(Sentence("Another table plays this match with you: end that first."))
        now, found = match.started, list[Reseated]()
        if asked.dice_by is not UNSET and asked.dice_by != now.dice_by:
            found.append(Reseated(dice_by=self.dice_by(now.game, asked)))
        men_by = now.men_by if asked.men_by is UNSET else self.men_by(now.game, asked)
        if men_by != now.men_by:
            found.append(Reseated(men_by=men_by))
        if asked.players:
            names, programs = checked_names(seat_names(asked)), self.programs(now.game, asked, men_by)
            if len(names) != len(now.players):
                raise RefusedError(Sentence("This match has {count} players.", count=len(now.players)))
            if (names, programs) != (now.players, now.programs_strengths):
                found.append(Reseated(players=names, programs=tuple(programs), strengths=tuple(programs.values())))
        if not found:
            raise RefusedError(Sentence("The match is played so already."))
        return found

    def dice_by(self, slug: str, asked: NewMatch | Reseat | JoinShared) -> DiceBy:
        """Return where a game's throws come from: a camera that can read them, unless the command says otherwise.

        Raises:
            RefusedError: no camera here can read them.
        """
        read = _camera_reads(slug)
        there = self._sight().source is not None and not self._sample
        if asked.dice_by is UNSET:
            return "camera" if read and there else "tapped"
        if asked.dice_by == "camera" and self._sample:
            raise RefusedError(OWN_MATCH_ONLY)
        if asked.dice_by == "camera" and not read:
            raise RefusedError(
                Sentence(
                    "No camera can read the dice of this game yet: choose to tap them in, or let the program throw."
                )
            )
        return asked.dice_by

    def men_by(self, slug: str, asked: NewMatch | Reseat | JoinShared) -> MenBy:
        """Return who moves the men: the camera where one sees this game's board, unless the command says otherwise.

        Raises:
            RefusedError: no camera sees the board.
        """
        try:
            seen = self._follows(game_of(slug))
        except GameError:
            seen = False
        if asked.men_by is UNSET:
            return "camera" if seen else "tapped"
        if asked.men_by == "camera" and not seen:
            raise RefusedError(Sentence("No camera sees the board of this game: choose to tap in the moves."))
        return asked.men_by

    def programs(self, slug: str, asked: NewMatch | Reseat, men_by: MenBy) -> dict[int, str]:
        """Return the numbers of the players for whom the program plays, ascending, with its strength.

        Raises:
            RefusedError: the program cannot play this game, or cannot move its men.
        """
        if not asked.programs:
            return {}
        try:
            game = game_of(slug)
        except GameError:
            return {}  # another check refuses an unknown game
        if not game.program_plays:
            raise RefusedError(Sentence("The program cannot play {game}: nobody knows its rules.", game=game.title))
        if men_by == "camera" and game.chooses and game.board.sites:
            raise RefusedError(
                Sentence("The program cannot move wooden men: choose to tap in the moves, or play without the program.")
            )
        strengths = (strength or self._strength for strength in asked.strengths or [""] * len(asked.programs))
        return dict(sorted(zip(asked.programs, strengths, strict=True)))


def _camera_reads(slug: str) -> bool:
    """Whether a reader knows the first dice set of this game; other code refuses what is no game."""
    try:
        variant = game_of(slug)
    except GameError:
        return True
    return dice_to_read(variant.start(variant.least_players)) is not None
