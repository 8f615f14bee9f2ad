"""Which move was made: from the last agreed position and a reading of the board to one decision. Never a guess.

A play is committed if it stands out among everything that can be played, explains every site that changed, and no
visible site contradicts it. Everything else leads to a question, a mismatch or waiting.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Sentence, player, sentence_of
from companion.referee.board.evidence import EXPLAINED_CHANCE, Evidence
from companion.referee.board.following import following
from companion.referee.board.results import (
    AskMove,
    Blind,
    Candidate,
    CommitPlay,
    Decision,
    Difference,
    GoOn,
    Mismatch,
    Unchanged,
)
from companion.referee.board.seating import Seating
from companion.referee.board.standing import BAR, ExpectedBoard, Stand, expected_board, sites_of
from companion.referee.board.tokens import tokens
from companion.referee.board.words import differences, mismatch_sentence, to_play
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.vision.board_readings import BoardReading

MARGIN_LOG_ODDS: Final = math.log(50)
"""By how much a play must explain the reading better than any other play.

One clearly read site on which two plays differ is worth 6.2; this asks for 3.9, odds of 50 to 1.
"""

ENOUGH_LOG_ODDS: Final = math.log(20)
"""By how much a play must explain the reading better than no play, or than a part of a turn: odds of 20 to 1.

It may be less than between two plays, because one site already contradicts the agreed position. If one of two `pooled`
readings is wrong but sure, no such odds remain.
"""

UNCLEAR_LOG_ODDS: Final = math.log(9)
"""By how much, over all sites that a play changes, something else may look likelier than what the play leaves there.

No legal play leaves that something else, and people rarely do what is not legal: odds of 9 to 1 in its favour on the
sites that the play explains leave the play likelier by far.
"""

LIKELIER_THAN_NOT: Final = 0.5

MOST_HIDDEN: Final = 1 / 3
"""If a larger share of the board is hidden, nothing is decided about it."""

MOST_ASKED: Final = 6
"""Most candidates in a question."""

IS_IT_OVER: Final = Sentence("Is the turn over? The rest of it may have been played out of sight.")
MAY_BE_OVER: Final = Sentence("The turn may be over: the next throw ends it.")


@dataclass(frozen=True)
class AgreedPosition:
    """What referee and players last agreed on.

    ``before``: the reading of that agreement, or None. A site may have been read differently even then, because of a
    misread man or a man who was hit and not lifted yet. Such a site counts as unchanged while it is read the same.
    """

    position: Position
    seating: Seating
    before: BoardReading | None = None


def explain(
    agreed: AgreedPosition, reading: BoardReading, then: Sequence[Throw] = (), *, dice_follow: bool = False
) -> Decision:
    """Return what a reading of the board means.

    ``then``: throws known from the dice but not committed yet, in order. Only with them can a turn after this one be
    explained; and the turns before them are over, whatever could still be played in them. ``dice_follow``: whether
    the next throw will be known before this turn is committed, because a camera reads the dice; then nobody is asked
    whether a turn is over, because that throw will tell.
    """
    if reading.status != "read":
        sentence = sentence_of(reading.reason) if reading.reason else Sentence("The camera does not see the board.")
        return Blind(sentence)
    position = agreed.position
    if position.outcome is not None:
        return Unchanged(Sentence("The game is over: the camera no longer follows the board."))
    evidence = Evidence(reading, agreed.seating, expected_board(position), sites_of(position.game), agreed.before)
    if len(evidence.hidden) > MOST_HIDDEN * len(evidence.sites):
        return Blind(Sentence("Too much of the board is covered."), tuple(sorted(evidence.hidden)))
    decision = _followed(position, evidence, tuple(then))
    return _wait_for_dice(decision) if dice_follow else decision


def _followed(position: Position, evidence: Evidence, then: tuple[Throw, ...]) -> Decision:
    """Decide while the game goes on and enough of the board is seen."""
    if position.game.board.holds_tokens:
        return tokens(position, evidence)
    if not evidence.contradictions(evidence.agreed):
        return _as_agreed(position, evidence, then)
    candidates, full = _candidates(position, evidence, then)
    if full:
        return _too_many(evidence, candidates)
    good = [play for play in candidates if play.gain > 0 and _explains(evidence, expected_board(play.position))]
    if not good:
        return _unclear(evidence, candidates) or _unexplained(position, evidence, candidates)
    close = [play for play in candidates if play.gain >= good[0].gain - MARGIN_LOG_ODDS]
    whole = [play for play in good if play.whole and play in close]
    if not whole:
        return GoOn(to_play(good[0].position), good[0])
    return _judged(position, evidence, whole, close)


def _as_agreed(position: Position, evidence: Evidence, then: tuple[Throw, ...]) -> Decision:
    """Decide where nothing contradicts the agreed position; some sites may still look more like something else."""
    doubtful = tuple(
        site for site in evidence.sites if evidence.chance(site, evidence.agreed.get(site)) < LIKELIER_THAN_NOT
    )
    if doubtful:
        return Unchanged(doubtful=doubtful)
    return _forced(position) or (_unseen_turn(position, evidence, then) if then else None) or Unchanged()


def _forced(position: Position) -> Decision | None:
    """Return the only turn that can be played, if no camera can see it: for example dice turned that nobody can use."""
    moves = following(position.game).unseen_remainder(position)
    if moves is None:
        return None
    return CommitPlay(Candidate(tuple(moves), _after(position, moves), 0.0), accounts(position, moves))


def _unseen_turn(position: Position, evidence: Evidence, then: tuple[Throw, ...]) -> Decision | None:
    """Ask what was played from pile to pile, once the next dice show that something was."""
    candidates, full = _candidates(position, evidence, then)
    played = [play for play in candidates if play.whole and _explains(evidence, expected_board(play.position))]
    if not played or full:
        return None
    return AskMove(Sentence("The camera could not see the play: which was it?"), tuple(played[:MOST_ASKED]))


def _candidates(position: Position, evidence: Evidence, then: tuple[Throw, ...]) -> tuple[list[Candidate], bool]:
    """Return what can have been played, the best first, and whether there was more than the search could follow."""
    found: dict[Position, Candidate] = {}
    searched = following(position.game).search(position, evidence, then)
    for way in searched.found:
        if then and not way.whole:
            continue  # once the next dice are thrown, the turn before them is over
        gain = evidence.gain(expected_board(way.position))
        found.setdefault(way.position, Candidate(way.moves, way.position, gain, way.whole))
    return sorted(found.values(), key=lambda candidate: (-candidate.gain, not candidate.whole)), searched.full


def _judged(position: Position, evidence: Evidence, whole: Sequence[Candidate], close: Sequence[Candidate]) -> Decision:
    """Decide between the whole plays that explain everything; ``close``: every play that explains about as much."""
    best = whole[0]
    after = expected_board(best.position)
    covered = tuple(site for site in evidence.changed(after) if site in evidence.hidden and site != BAR)
    if covered:
        return Blind(Sentence("The camera must see {sites} first.", sites=", ".join(covered)), covered)
    rivals = [
        play
        for play in close
        if play is not best
        and (play.whole or play.gain >= best.gain - ENOUGH_LOG_ODDS)
        and not _leads_to(play, best.position)
        and not _only_ended(play, best)
    ]
    if rivals:
        return _between(evidence, whole, [best, *rivals])
    if best.gain < ENOUGH_LOG_ODDS:
        return AskMove(Sentence("Is this what was played? The camera cannot see it well."), (best,))
    lift = tuple(site for site in evidence.changed(after) if evidence.unlifted(site, after.get(site)))
    return CommitPlay(best, accounts(position, best.moves), lift)


def _leads_to(play: Candidate, end: Position) -> bool:
    """Whether an unfinished turn can only go on, unseen, to exactly this end."""
    return (
        not play.whole
        and (moves := following(play.position.game).unseen_remainder(play.position)) is not None
        and _after(play.position, moves) == end
    )


def _only_ended(play: Candidate, best: Candidate) -> bool:
    """Whether a play is the best one and then choices that no camera sees, such as that a player is done."""
    begun = best.moves == play.moves[: len(best.moves)]
    return begun and play.whole and expected_board(play.position) == expected_board(best.position)


def _after(position: Position, moves: Sequence[Throw | Choice]) -> Position:
    for move in moves:
        position = position.after(move)
    return position


def _doubtful(evidence: Evidence, after: ExpectedBoard) -> tuple[str, ...]:
    """Return the sites that an expected board leaves in doubt: changes not clearly seen, and contradictions."""
    changed = {
        site
        for site in evidence.changed(after)
        if site not in evidence.hidden and evidence.chance(site, after.get(site)) < EXPLAINED_CHANCE
    }
    return tuple(sorted(changed | evidence.contradictions(after)))


def _explains(evidence: Evidence, after: ExpectedBoard) -> bool:
    """Whether an expected board explains every change.

    Nothing contradicts it where it changes nothing; where it does, its result is seen clearly, or nothing else is seen
    much better.
    """
    doubtful = set(_doubtful(evidence, after))
    if not doubtful:
        return True
    changed = set(evidence.changed(after))
    return doubtful <= changed and sum(evidence.unlikelier(site, after.get(site)) for site in changed) <= (
        UNCLEAR_LOG_ODDS
    )


def _unclear(evidence: Evidence, candidates: Sequence[Candidate]) -> Decision | None:
    """Decide where no play explains all that is seen, but something else does not explain it clearly better.

    While a hand covers sites nobody is asked: without it, the next reading may show the play clearly.
    """
    near = [
        play
        for play in candidates
        if play.gain > 0
        and sum(evidence.unlikelier(site, expected_board(play.position).get(site)) for site in evidence.sites)
        <= MARGIN_LOG_ODDS
    ]
    if not near:
        return None
    whole = [play for play in near if play.whole]
    if not whole:
        return GoOn(to_play(near[0].position), near[0])
    if (blind := _covered(evidence)) is not None:
        return blind
    whole = [whole[0], *(play for play in whole[1:] if not _only_ended(play, whole[0]))]
    if len(whole) > 1:
        return AskMove(Sentence("Several plays lead to this picture: which was it?"), tuple(whole[:2]))
    return AskMove(Sentence("Is this what was played? The camera cannot see it well."), tuple(whole))


def _wait_for_dice(decision: Decision) -> Decision:
    """Wait for the next throw instead of asking whether the turn is over, unless the turn ends the game."""
    if not isinstance(decision, AskMove) or decision.sentence != IS_IT_OVER:
        return decision
    (play,) = decision.candidates
    return decision if play.position.outcome is not None else GoOn(MAY_BE_OVER, play)


def _between(evidence: Evidence, whole: Sequence[Candidate], close: Sequence[Candidate]) -> Decision:
    """Decide between several plays that explain the reading equally well."""
    boards = [expected_board(candidate.position) for candidate in close]
    differ = {site for found in boards[1:] for site in evidence.sites if found.get(site) != boards[0].get(site)}
    covered = tuple(sorted(differ & evidence.hidden))
    if covered:
        return Blind(Sentence("The camera must see {sites} first.", sites=", ".join(covered)), covered)
    if len(whole) == 1 and all(not play.whole for play in close[1:]):
        sentence = IS_IT_OVER
    else:
        sentence = Sentence("Several plays lead to this picture: which was it?")
    return AskMove(sentence, tuple(whole[:MOST_ASKED]))


def _too_many(evidence: Evidence, candidates: Sequence[Candidate]) -> Decision:
    hidden = tuple(sorted(evidence.hidden))
    if hidden:
        return Blind(Sentence("Too much of the board is covered."), hidden)
    whole = [candidate for candidate in candidates if candidate.whole]
    return AskMove(Sentence("Too many plays could lead to this picture: which was it?"), tuple(whole[:MOST_ASKED]))


def accounts(position: Position, moves: Sequence[Throw | Choice]) -> tuple[Sentence, ...]:
    """Return the sentences of moves that follow each other from a position on."""
    sentences = []
    for move in moves:
        sentences.append(position.account(move).sentence)
        position = position.after(move)
    return tuple(sentences)


def _unexplained(position: Position, evidence: Evidence, candidates: Sequence[Candidate]) -> Decision:
    """Decide on a board that no legal play explains; under a hand, what is seen beside it is not believed so far."""
    if (blind := _covered(evidence) or _across(evidence)) is not None:
        return blind
    for find_turns in (_lifted_first, _two_turns, _misread):
        if (decision := find_turns(position, evidence)) is not None:
            return decision
    wrong = _wrong(evidence, candidates)
    contradictions = sorted(evidence.contradictions(evidence.agreed))
    why_not = following(position.game).why_not(position, evidence)
    return Mismatch(mismatch_sentence(position, evidence, contradictions), wrong, why_not)


def _covered(evidence: Evidence) -> Blind | None:
    """Return that covered sites must be seen first, if there are any besides the bar."""
    covered = tuple(sorted(evidence.hidden - {BAR}))
    return Blind(Sentence("The camera must see {sites} first.", sites=", ".join(covered)), covered) if covered else None


def _across(evidence: Evidence) -> Blind | None:
    """Return that a man must be set straight first, if one lies across the edge of a site that seems changed."""
    for site in sorted(evidence.contradictions(evidence.agreed) & evidence.across.keys()):
        both = tuple(sorted((site, evidence.across[site])))
        return Blind(
            Sentence("A man lies between {one} and {other}: set him straight.", one=both[0], other=both[1]), both
        )
    return None


def _wrong(evidence: Evidence, candidates: Sequence[Candidate]) -> tuple[Difference, ...]:
    """Return the sites that do not fit: after the nearest play, or after none if no play comes near."""
    nearest = expected_board(candidates[0].position) if candidates else evidence.agreed
    return differences(evidence, nearest, _doubtful(evidence, nearest) or sorted(evidence.contradictions(nearest)))


def _lifted_first(position: Position, evidence: Evidence) -> Decision | None:
    """Look for a man whom a hand has lifted before it makes the move that takes him."""
    if not following(position.game).lifted(position, evidence):
        return None
    sentence = Sentence(
        "Go on: {player} has lifted a man who can be taken, and now makes the move that takes him.",
        player=player(position.awaits.player),
    )
    return GoOn(sentence, Candidate((), position, 0.0, whole=False))


def _two_turns(position: Position, evidence: Evidence) -> Decision | None:
    """Look for a whole turn after which the other side has also moved, with unknown dice."""
    searched = following(position.game).overtaken(position, evidence)
    every = [Candidate(way.moves, way.position, evidence.gain(expected_board(way.position))) for way in searched.found]
    plays = {play.position: play for play in every if play.gain >= ENOUGH_LOG_ODDS}
    if not plays or searched.full:
        return None
    who = next(iter(plays)).awaits.player
    sentence = Sentence(
        "{player} has moved too, before the dice were known: what did {player} throw?", player=player(who)
    )
    ordered = sorted(plays.values(), key=lambda play: -play.gain)
    return AskMove(sentence, tuple(ordered[:MOST_ASKED]))


def _misread(position: Position, evidence: Evidence) -> Decision | None:
    """Ask about men with numbers that are read as other men of their side while they may stand as agreed."""
    del position
    wrong = sorted(evidence.contradictions(evidence.agreed))
    for site in wrong:
        was, seen = evidence.agreed.get(site), evidence.seen(site)
        if not isinstance(was, Stand) or not was.shape or seen is None:
            return None
        if evidence.seating.owners.get(seen.colour) != was.owner:
            return None
    if len(wrong) != 1:
        return None
    return AskMove(
        Sentence("Does {site} still have its own man? The camera reads a different one.", site=wrong[0]),
        (),
        differences(evidence, evidence.agreed, wrong),
    )
