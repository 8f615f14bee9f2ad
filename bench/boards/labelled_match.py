"""A match in labelled pictures: each reading is judged as at a table, and the labels answer whatever it asks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.evidence import Evidence
from companion.referee.board.results import (
    AskMove,
    Blind,
    Candidate,
    CommitPlay,
    Decision,
    GoOn,
    Mismatch,
    Seated,
    Unchanged,
)
from companion.referee.board.seating import Seating, seatings
from companion.referee.board.standing import expected_board, sites_of
from companion.referee.board.start import find_seating
from companion.rules.dice import Throw
from companion.rules.game import Game, Position
from companion.vision.board_readings import EMPTY, BoardReading, Men, SiteReading, Standing

Sites = Mapping[str, Standing]
"""What stands on each occupied site, by the picture's names."""

READ_AHEAD: Final = 4
"""How many pictures after the first tell how the board lies."""

MOST_PASSED: Final = 2
"""Most turns in a row in which no man can move: nothing on the board shows their throws."""


class LabelledMatchError(ValueError):
    """The labels do not show a match of this game from its start position on."""


@dataclass(frozen=True)
class JudgedPicture:
    """What became of one picture.

    ``committed``: the moves of the turn that was committed, as text; ``asked``: whether a person had to say what was
    played, or how the board lies; ``illegal``: what was said against an illegal move. ``right``: whether what was said
    is as labelled; None where nothing was said. ``played``: whether the picture shows a whole turn that was not
    committed before; ``forbidden``: whether it shows something illegal; ``named``: whether the rule was said that
    forbids it. ``missed``: how many turns before this picture were never committed nor asked about; ``unexplained``:
    whether no turn explains the labels, although they do not say that the picture shows something illegal.
    """

    committed: tuple[str, ...] = ()
    asked: bool = False
    illegal: str | None = None
    right: bool | None = None
    played: bool = False
    forbidden: bool = False
    named: bool = False
    missed: int = 0
    unexplained: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the form of ``companion bench board``."""
        return {
            "committed": list(self.committed),
            "asked": self.asked,
            "illegal": self.illegal,
            "right": self.right,
        }


@dataclass(frozen=True)
class _Shown:
    """The labels of a picture: as a reading, the position to judge from, what they mean there, and a turn missed.

    ``thrown``: whether the labels say what the dice show; ``next_faces``: the throw after this picture's, if any;
    ``unexplained``: as in `JudgedPicture`.
    """

    read: BoardReading
    played: Position
    meant: Decision
    missed: bool
    thrown: bool
    next_faces: Sequence[str] | None
    unexplained: bool


def men_of(sites: Mapping[str, Mapping[str, Any]]) -> dict[str, Standing]:
    """Return what a label file says of the occupied sites.

    Raises:
        LabelledMatchError: a site is in no form of label files.
    """
    found: dict[str, Standing] = {}
    for name, what in sites.items():
        match what:
            case {"shape": str(shape), "colour": str(colour), "number": int(number)}:
                found[name] = Men(colour, 1, shape, number)
                continue
        men: Standing = EMPTY
        for colour, count in reversed([(key, value) for key, value in what.items() if key != "legible"]):
            if type(count) is not int or count < 1:
                raise LabelledMatchError(f'Expected men like {{"light": 2}} on {name}, but got {what!r}.')
            men = Men(colour, count, also=men)
        found[name] = men
    return found


def seating_of_labels(start: Position, labelled: Sequence[Sites], faces: Sequence[Sequence[str] | None]) -> Seating:
    """Return how the labelled board lies: the start may look alike in several ways, of which the first turns tell one.

    ``labelled`` and ``faces``: of each picture in order, as `LabelledMatch.observe` takes them.

    Raises:
        LabelledMatchError: the first picture does not show the start of the game.
    """
    read = [reading_of(start.game, sites) for sites in labelled[: READ_AHEAD + 1]]
    possible = [one for one in seatings(start.game) if not _wrong(start, one, read[0])]
    if not possible:
        raise LabelledMatchError(
            f"Expected the first picture to show how {start.game.slug} begins, but the labels show other men: name the "
            "position with --start, or choose another game."
        )
    if len(possible) == 1:
        return possible[0]
    return max(possible, key=lambda one: _turns_explained(LabelledMatch(start, one), read, labelled, faces))


def _turns_explained(
    match: "LabelledMatch",
    read: Sequence[BoardReading],
    labelled: Sequence[Sites],
    faces: Sequence[Sequence[str] | None],
) -> int:
    judged = [match.observe(*picture) for picture in zip(read, labelled, faces, strict=False)]
    return sum(judged.played for judged in judged)


class LabelledMatch:
    """Follows one match through its pictures, from a position that awaits a throw or a choice."""

    def __init__(self, start: Position, seating: Seating) -> None:
        """``seating``: how the labelled board lies, as `seating_of_labels` tells."""
        self.position = start
        self.seating = seating
        self._seated = False
        self._before: BoardReading | None = None
        self._behind: Position | None = None  # where the labels were in a picture of which nothing was said
        self._agreed = False  # whether the newest picture shows the position
        self._shown: _Shown | None = None  # the labels of the newest picture

    @property
    def men(self) -> dict[str, Men] | None:
        """The men who stand in the newest picture, by its names of the sites; None if nothing is agreed about it."""
        return self.seating.board(expected_board(self.position)) if self._agreed else None

    @property
    def behind(self) -> bool:
        """Whether the newest picture shows a whole turn about which nothing was said."""
        return self._behind is not None

    def observe(
        self,
        reading: BoardReading,
        labelled: Sites,
        faces: Sequence[str] | None = None,
        next_faces: Sequence[str] | None = None,
    ) -> JudgedPicture:
        """Judge a reading, and go on from where the labels are: `show` and `judge` at once."""
        self.show(labelled, faces, next_faces)
        return self.judge(reading)

    def show(
        self,
        labelled: Sites,
        faces: Sequence[str] | None = None,
        next_faces: Sequence[str] | None = None,
        *,
        illegal: bool | None = None,
    ) -> None:
        """Take what the labels say of the next picture, before its reading is judged.

        ``illegal``: whether they say that it shows something illegal; None if they say of no picture of the match.

        ``faces``: what the dice show, in any order; without them, they are such as explain the labels. ``next_faces``:
        what they show in the picture after it; at a table the next throw tells that the turn before it is over. The
        same faces are taken for the same throw.

        Raises:
            LabelledMatchError: no throw of this turn shows these faces.
        """
        self._agreed, self._shown = False, None
        if not self._seated:
            return
        read = reading_of(self.position.game, labelled)
        played, meant = self._meant(read, faces)
        missed = self._behind is not None and (self._turn(meant, read) is None or _players(played, meant) > 1)
        if self._behind is not None and missed:
            self._go_on(self._behind, None)
            played, meant = self._meant(read, faces)
        unexplained = illegal is False and isinstance(meant, Mismatch)
        coming = None if faces is None or sorted(faces) == sorted(next_faces or faces) else next_faces
        self._shown = _Shown(read, played, meant, missed, faces is not None, coming, unexplained)

    def judge(self, reading: BoardReading) -> JudgedPicture:
        """Judge a reading of the picture whose labels were shown last, and go on from where they are."""
        shown = self._shown
        if shown is None:
            return self._seat(reading)
        agreed = AgreedPosition(shown.played, self.seating, self._before)
        decision = explain(agreed, reading, dice_follow=shown.thrown)
        if isinstance(decision, GoOn) and decision.play.whole and shown.next_faces is not None:
            throws = decision.play.position.throws()
            then = [throw for throw in throws if _shows(throw, shown.next_faces)][:1]
            decision = explain(agreed, reading, then) if then else decision
        judged = self._judged(decision, shown.meant, reading, shown.read)
        named = isinstance(decision, Mismatch) and decision.why_not is not None
        forbidden = isinstance(shown.meant, Mismatch) and not shown.unexplained
        if shown.unexplained and not judged.committed:
            judged = replace(judged, right=None)  # the labels cannot say what is right
        return replace(
            judged, forbidden=forbidden, named=named, missed=int(shown.missed), unexplained=shown.unexplained
        )

    def _seat(self, reading: BoardReading) -> JudgedPicture:
        """Find out how the board lies, as a table does; the labels answer if it cannot be told."""
        self._seated = True
        found = find_seating(self.position, reading)
        if isinstance(found, Blind):
            return JudgedPicture()
        self._agreed, self._before = True, reading
        if not isinstance(found, Seated):
            return JudgedPicture(asked=True)
        return JudgedPicture(right=found.seating == self.seating)

    def _meant(self, read: BoardReading, faces: Sequence[str] | None) -> tuple[Position, Decision]:
        """Return the position to judge from, after the throw of this turn, and what the labels mean there."""
        here = self.position
        meant = explain(AgreedPosition(here, self.seating), read)
        if here.awaits.kind != "throw" or here.outcome is not None:
            return here, meant
        if not _wrong(here, self.seating, read):
            return here, meant  # nothing has changed: nothing needs to be known of the dice
        if faces is not None and not any(_shows(throw, faces) for throw in here.throws()):
            raise LabelledMatchError(
                f"Expected what the {len(here.awaits.dice)} dice of a throw show, but the labels say "
                f"{' '.join(map(str, faces))}: correct them, or leave them out."
            )
        best = here, meant
        for thrown in _thrown(here, faces, MOST_PASSED):
            decision = explain(AgreedPosition(thrown, self.seating), read)
            if self._turn(decision, read) is not None:
                return thrown, decision
            if best[0] is here or (isinstance(decision, GoOn) and not isinstance(best[1], GoOn)):
                best = thrown, decision
        return best

    def _turn(self, meant: Decision, read: BoardReading) -> Position | None:
        """Return where the one turn leads that the labels show; None if they show none, or more than one."""
        after = _after(meant)
        return None if after is None or _wrong(after, self.seating, read) else after

    def _judged(self, decision: Decision, meant: Decision, reading: BoardReading, read: BoardReading) -> JudgedPicture:
        after = self._turn(meant, read)
        if isinstance(decision, CommitPlay):
            right = not _wrong(decision.play.position, self.seating, read)
            self._go_on(decision.play.position if right else after or self.position, reading)
            return JudgedPicture(tuple(map(str, decision.play.moves)), right=right, played=after is not None)
        if isinstance(decision, Blind):
            self._behind = after
            return JudgedPicture()
        if after is None:
            return self._between_turns(decision, meant, reading)
        if isinstance(decision, Unchanged | GoOn):
            self._behind = after  # nobody is asked: a table looks again, and may commit the turn then
            return JudgedPicture()
        self._go_on(after, reading)
        illegal = _marked_illegal(decision)
        return JudgedPicture(asked=True, illegal=illegal, right=None if illegal is None else False, played=True)

    def _between_turns(self, decision: Decision, meant: Decision, reading: BoardReading) -> JudgedPicture:
        """Judge a picture that shows no whole turn: an unchanged board, a turn in pieces, or something illegal."""
        illegal = _marked_illegal(decision)
        if isinstance(decision, Unchanged) and isinstance(meant, Unchanged):
            self._before, self._agreed = reading, True
        if type(decision) is type(meant):
            return JudgedPicture(illegal=illegal, right=True)
        unseen = isinstance(decision, Unchanged) and isinstance(meant, Mismatch)
        return JudgedPicture(
            asked=isinstance(decision, AskMove | Mismatch),
            illegal=illegal,
            right=False if unseen or illegal is not None else None,
        )

    def _go_on(self, position: Position, reading: BoardReading | None) -> None:
        self.position, self._behind, self._agreed = position, None, reading is not None
        self._before = reading or self._before


def _wrong(position: Position, seating: Seating, read: BoardReading) -> frozenset[str]:
    """Return the sites on which the labels contradict a position."""
    board = expected_board(position)
    return Evidence(read, seating, board, sites_of(position.game), None).contradictions(board)


def _marked_illegal(decision: Decision) -> str | None:
    """Return what the referee says against a move, by its rule if one forbids it."""
    return str(decision.why_not or decision.sentence) if isinstance(decision, Mismatch) else None


def _after(meant: Decision) -> Position | None:
    """Return where a whole turn on the labelled board leads; None if it shows none."""
    play = _play(meant)
    return None if play is None else play.position


def _play(meant: Decision) -> Candidate | None:
    if isinstance(meant, CommitPlay):
        return meant.play
    return meant.candidates[0] if isinstance(meant, AskMove) and meant.candidates else None


def _players(position: Position, meant: Decision) -> int:
    """Return how many players one after the other have changed the labelled board."""
    play, movers = _play(meant), list[int]()
    for move in play.moves if play is not None else ():
        after = position.after(move)
        if expected_board(after) != expected_board(position) and movers[-1:] != [position.awaits.player]:
            movers.append(position.awaits.player)
        position = after
    return len(movers)


def reading_of(game: Game, labelled: Sites) -> BoardReading:
    """Return the labels as a reading that is sure of everything."""
    sites = {name: SiteReading(name, ((labelled.get(name, EMPTY), 1.0),), "read") for name in sites_of(game)}
    return BoardReading(game.board.name, sites, (), "read")


def _shows(throw: Throw, faces: Sequence[str]) -> bool:
    return sorted(face for _, face in throw.shown) == sorted(faces)


def _thrown(position: Position, faces: Sequence[str] | None, passes: int) -> Iterator[Position]:
    """Yield the positions after a throw with these faces, or after any; also where turns before it are passed."""
    passed: dict[Position, None] = {}
    for throw in position.throws():
        after = position.after(throw)
        if after.outcome is not None:
            continue
        if after.awaits.kind == "throw":
            passed[after] = None
        elif faces is None or _shows(throw, faces):
            yield after
    for after in passed if passes else ():
        yield from _thrown(after, faces, passes - 1)
