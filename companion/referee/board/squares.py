"""What squares with sensors say: whether something stands on a site, never whose or how many. Evidence, not proof.

Reeds err: a man lies off the centre, or has no magnet. So the squares count together with the camera, and alone they
commit a play only if no other comes near.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from companion.language.sentence import Sentence
from companion.referee.board.decide import MOST_ASKED, accounts
from companion.referee.board.results import AskMove, Candidate, CommitPlay, Decision, Difference, GoOn, Unchanged
from companion.referee.board.seating import Seating
from companion.referee.board.standing import ExpectedBoard, Stand, expected_board
from companion.rules.game import Play, Position
from companion.vision.board_readings import EMPTY, BoardReading, SiteReading

SQUARE_ERROR_RATE: Final = 0.03
"""How often a square says the opposite of what is there: an assumption, because no board was measured."""

LEAST_DIFFERING_SQUARES: Final = 2
"""Squares on which every other play must differ before the squares alone commit one."""

MOST_TRIED: Final = 3000
"""Most plays that are compared with the squares; if there are more, the squares alone decide nothing."""

Occupied = Mapping[str, bool]
"""For each site with a believed square, by the game's name: whether something stands there."""


def joined(reading: BoardReading, seating: Seating, occupied: Occupied) -> BoardReading:
    """Return a camera's reading combined with what the squares say.

    If the camera cannot see a site, its square can say that it is empty, but not what stands on it.
    """
    sites = {name: _weighed(site, occupied.get(seating.site(name))) for name, site in reading.sites.items()}
    return replace(reading, sites=sites)


def _weighed(site: SiteReading, occupied: bool | None) -> SiteReading:  # noqa: FBT001  (what one square says)
    if occupied is None or (occupied and not site.candidates):
        return site
    if not site.candidates:
        return SiteReading(site.site, ((EMPTY, 1 - SQUARE_ERROR_RATE),), "ask")
    weights = [
        (standing, chance * (SQUARE_ERROR_RATE if (standing is not EMPTY) is not occupied else 1 - SQUARE_ERROR_RATE))
        for standing, chance in site.candidates
    ]
    whole = sum(weight for _, weight in weights)
    if not whole:
        return site
    ordered = sorted(((standing, weight / whole) for standing, weight in weights), key=lambda entry: -entry[1])
    return replace(site, candidates=tuple(ordered))


def against(shown: ExpectedBoard, occupied_sites: Occupied) -> tuple[str, ...]:
    """Return the sites on which the squares contradict an expected board."""
    return tuple(
        site for site, occupied in occupied_sites.items() if isinstance(shown.get(site), Stand) is not occupied
    )


def checked(decision: Decision, occupied: Occupied) -> Decision:
    """Return the camera's decision, but ask if the squares contradict what would be committed."""
    if not isinstance(decision, CommitPlay):
        return decision
    wrong = against(expected_board(decision.play.position), occupied)
    if not wrong:
        return decision
    asked = Sentence("The squares of the board disagree on {sites}: is this what was played?", sites=_list(wrong))
    return AskMove(asked, (decision.play,), _differences(wrong))


def explain_alone(position: Position, occupied: Occupied) -> Decision:
    """Return what the squares mean without a camera over the board: one play that fits, a question, or nothing yet.

    An unfinished turn, or a man in the hand, fits no whole play: the referee waits.
    """
    if not against(expected_board(position), occupied) or position.awaits.kind != "choice":
        return Unchanged()
    nearest = _nearest(position, occupied)
    if nearest is None:
        return GoOn(Sentence("There are too many possible plays: tap in what is played."), Candidate((), position, 0.0))
    fitting = [candidate for far, candidate in nearest if far == 0]
    if not fitting:
        incomplete = Sentence("The squares of the board show no whole play yet.")
        return GoOn(incomplete, Candidate((), position, 0.0, whole=False))
    near = [candidate for far, candidate in nearest if far < LEAST_DIFFERING_SQUARES]
    if len(near) > 1:
        return AskMove(Sentence("The squares of the board cannot tell which it was:"), tuple(near[:MOST_ASKED]))
    if len(against(expected_board(position), occupied)) < LEAST_DIFFERING_SQUARES:
        return AskMove(Sentence("Is this what was played? Only one square says so."), (fitting[0],))
    return CommitPlay(fitting[0], accounts(position, fitting[0].moves))


def _nearest(position: Position, occupied: Occupied) -> list[tuple[int, Candidate]] | None:
    """Return the plays with the number of squares against each, the nearest first; None if there are too many."""
    now = expected_board(position)
    found: dict[Position, tuple[int, Candidate]] = {}
    for tried, play in enumerate(_plays(position)):
        if tried == MOST_TRIED:
            return None
        after = expected_board(play.position)
        if after != now:
            far = len(against(after, occupied))
            found.setdefault(play.position, (far, Candidate(tuple(play.choices), play.position, -float(far))))
    return sorted(found.values(), key=lambda entry: entry[0])


def _plays(position: Position) -> Iterable[Play]:
    """Yield what can be played; where players must find captures themselves, only what everybody may be shown.

    There a player may be done without saying so: the other one has moved.
    """
    if not position.conceals:
        yield from position.plays()
        return
    for choice in position.open_choices():
        after = position.after(choice)
        yield Play((choice,), after)
        if after.awaits.player != position.awaits.player and expected_board(after) == expected_board(position):
            yield from (Play((choice, further), after.after(further)) for further in after.open_choices())


def _differences(sites: Sequence[str]) -> tuple[Difference, ...]:
    return tuple(Difference(site, None, None) for site in sites)


def _list(sites: Sequence[str]) -> str:
    return ", ".join(sites)
