"""What the lights of a board mean, site by site: from the match and its agreement with the table, without colours."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from companion.desk.finding import BoardFinding
from companion.desk.last_moves import last_moves
from companion.desk.shapes.common import MarkJson, State
from companion.referee.board.results import Candidate
from companion.referee.board.standing import Stand, expected_board, has_board
from companion.referee.match import Match
from companion.rules.board import HAND
from companion.rules.dice import Throw
from companion.rules.game import Position

SEAT: Final = "player-{}"
"""A light beside the board for each player, where a map has one: ``player-1`` shows whose turn it is in every game."""


class Meaning(StrEnum):
    """What a lit site means."""

    TURN = "turn"
    """A man of the player whose turn it is, or a virtue that this player holds."""
    ACQUIRED = "acquired"
    """A virtue that another player holds, or a site where the last play took a man."""
    LAST = "last"
    """What was moved or won last."""
    HIT = "hit"
    """Where the last play hit a lone man."""
    TO = "to"
    """A man may be moved there now."""
    FROM = "from"
    """A man may be moved from there now."""
    ASKED = "asked"
    """A question about this site is open, or the camera must see the site first."""
    MISMATCH = "mismatch"
    """What stands there differs from the match."""


@dataclass(frozen=True)
class Mark:
    """What one site means; ``player``: whom it concerns, 0 where that does not matter."""

    meaning: Meaning
    player: int = 0

    def to_json(self) -> MarkJson:
        """Return ``{"meaning": "turn", "player": 1}``."""
        return {"meaning": str(self.meaning), "player": self.player}


@dataclass(frozen=True)
class LightMarks:
    """What a whole board shows: the marked sites, by the game's names, and `SEAT` lights.

    ``dimmed``: the match waits for a person, so everything is dimmed except what needs that person.
    """

    sites: Mapping[str, Mark] = field(default_factory=dict)
    dimmed: bool = False


DARKNESS: Final = LightMarks()
"""No marks: no match is open."""

WAITING: Final[frozenset[State]] = frozenset(("PROPOSED", "MISMATCH", "BLIND"))
"""States in which the match waits for a person; the lights then show no playable moves."""


class LightMarker:
    """Marks a match on its board; keeps the marks that depend on the match alone until the match changes."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._standing: Mapping[str, Mark] = {}
        self._reached: Position | None = None
        self._playable: Mapping[str, Mark] = {}

    def marks(self, match: Match | None, state: State, finding: BoardFinding | None = None) -> LightMarks:
        """Return the marks of a match in this state with the table. A stronger meaning hides a weaker one.

        ``finding``: what the board judge found, where a camera watches the board.
        """
        if match is None:
            return DARKNESS
        if match is not self._match:
            self._match, self._standing = match, standing(match)
        dimmed = state in WAITING or match.paused or match.misfit is not None
        sites = dict(self._standing)
        if not (dimmed or match.over):
            sites |= self._playable_from(_reached(match, finding))
        sites |= _needed(match, state, finding)
        return LightMarks(sites, dimmed)

    def _playable_from(self, position: Position) -> Mapping[str, Mark]:
        if position is not self._reached:
            self._reached, self._playable = position, playable(position)
        return self._playable


def standing(match: Match) -> dict[str, Mark]:
    """Return the marks of the match alone: whose turn it is, who holds what, what was last played, taken and hit."""
    position = match.position
    sites = _held(position, over=match.over) | _last(match)
    winners = () if match.outcome is None else match.outcome.winners
    if match.over:
        return sites | {SEAT.format(winner): Mark(Meaning.ACQUIRED, winner) for winner in winners}
    return sites | {SEAT.format(position.awaits.player): Mark(Meaning.TURN, position.awaits.player)}


def _held(position: Position, *, over: bool) -> dict[str, Mark]:
    """Mark what the player whose turn it is has on the board; in games of virtues, also what the others hold."""
    if not has_board(position.game):
        return {}
    whose = 0 if over else position.awaits.player
    side, tokens = position.side, position.game.board.holds_tokens
    found: dict[str, Mark] = {}
    for site, stand in expected_board(position).items():
        if not isinstance(stand, Stand):
            continue
        if tokens:
            found[site] = Mark(Meaning.TURN if stand.owner == whose else Meaning.ACQUIRED, stand.owner)
        elif whose and (stand.owner == side or stand.beside):
            found[site] = Mark(Meaning.TURN, whose)
    in_hand = position.occupancy().get(HAND, {})
    if whose and str(side) in in_hand:
        found[HAND] = Mark(Meaning.TURN, whose)
    return found


def _last(match: Match) -> dict[str, Mark]:
    """Mark what one player played last, and above it what was taken and hit."""
    found: dict[str, Mark] = {}
    if match.game.board.holds_tokens:
        last = match.last
        account = None if last is None else last.account
        if last is not None and account is not None:
            found = {site: Mark(Meaning.LAST, last.player) for site in account.sites}
        return found
    moves = last_moves(match)
    if not moves:
        return found
    by = moves[0].player
    choices = [turn.move for turn in moves if turn.move is not None and not isinstance(turn.move, Throw)]
    for site in _ends(Candidate(tuple(choices), match.position, 0.0)):
        found[site] = Mark(Meaning.LAST, by)
    for turn in moves:
        details = {} if turn.account is None else turn.account.details
        for taken in details.get("taken", ()):
            site = str(taken.get("takes", "")).partition("/")[0]
            if site and site not in match.position.occupancy():
                found[site] = Mark(Meaning.ACQUIRED, by)
        if details.get("hit") and turn.move is not None:
            found[str(turn.move.to_json()["to"])] = Mark(Meaning.HIT, by)
    return found


def _ends(candidate: Candidate) -> Iterator[str]:
    for arrow in candidate.arrows:
        yield from (site for site in (arrow.start, arrow.end) if site)


def playable(position: Position) -> dict[str, Mark]:
    """Mark where men may move from and to, as far as everybody may be shown it; nothing while dice are awaited."""
    waits = position.awaits
    if waits.kind != "choice" or position.outcome is not None:
        return {}
    origins, targets = [], []
    for choice in position.open_choices():
        match choice.to_json():
            case {"takes": str(target), "from": list(takers)}:
                origins += [str(taker).partition("/")[0] for taker in takers]
                targets.append(target.partition("/")[0])
            case {"from": str(start), "to": str(end)}:
                origins.append(start)
                targets.append(end)
            case {"to": str(end)}:
                targets.append(end)
    return _marked(targets, Meaning.TO, waits.player) | _marked(origins, Meaning.FROM, waits.player)


def _marked(sites: Iterable[str], meaning: Meaning, player: int = 0) -> dict[str, Mark]:
    return {site: Mark(meaning, player) for site in sites if site}


def _reached(match: Match, finding: BoardFinding | None) -> Position:
    """Return the position on the board: the match's, or one further into an unfinished turn."""
    ahead = None if finding is None else finding.ahead
    return match.position if ahead is None or ahead.begun != match.position else ahead.reached


def _needed(match: Match, state: State, finding: BoardFinding | None) -> dict[str, Mark]:
    """Mark what a person at the table should look at: what is asked, hidden, or does not fit."""
    found: dict[str, Mark] = {}
    if match.question is not None:
        found |= _marked([SEAT.format(match.position.awaits.player)], Meaning.ASKED)
    question = match.board.question
    if question is not None:
        asked = question.asked
        arrows = [arrow for candidate in asked.candidates for arrow in candidate.get("arrows", ())]
        ends = [str(arrow[end]) for arrow in arrows for end in ("from", "to")]
        found |= _marked([*ends, *(str(entry.get("site", "")) for entry in asked.differences)], Meaning.ASKED)
    if finding is None or state not in ("BLIND", "MISMATCH"):
        return found
    wrong = [difference.site for difference in finding.differences]
    if finding.kind == "blind":
        return found | _marked(wrong, Meaning.ASKED)
    if finding.kind == "mismatch":
        ends = [site for _, arrow in finding.orders for site in (arrow.start, arrow.end)]
        return found | _marked([*wrong, *ends], Meaning.MISMATCH)
    return found
