"""Why a turn of a tables game is good: what it hits, closes, leaves open and brings home, counted on the board."""

from collections.abc import Iterator, Sequence

from companion.language.sentence import Listing, Sentence
from companion.players.player import Reason, Weighed
from companion.players.tables.losses import hitting_throws
from companion.rules.game import Choice
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Leave

PAIR_OF_MEN = 2
TURNS_COMPARED = 6
"""Other turns, the best first, that are asked whether they leave more throws that hit."""


def reasons(position: TablesPosition, weighed: Sequence[Weighed], picked: Weighed) -> tuple[Reason, ...]:
    """Return what is true of the position after a turn, the strongest reason first."""
    if position.aside.won or isinstance(picked.choices[0], Leave):
        return ()
    after = played(position, picked.choices)
    if after.over:
        assert after.outcome is not None, "the game is over"
        if position.turn in after.outcome.winners and not after.outcome.tie:
            return (Reason("wins", Sentence("It wins the game."), ()),)
        return ()
    return (
        *_hits(position, after),
        *_closes(position, after),
        *_open(position, after, weighed, picked),
        *_counts(position, after),
    )


def played(position: TablesPosition, choices: Sequence[Choice]) -> TablesPosition:
    """Return the position after these choices."""
    for choice in choices:
        position = position.applied(choice)
    return position


def men_on(position: TablesPosition, side: int) -> dict[str, int]:
    """Return the men of a side by point."""
    return position.rules.courses[side - 1].unpack(position.men[side - 1])


def _hits(before: TablesPosition, after: TablesPosition) -> Iterator[Reason]:
    course = before.rules.courses[2 - before.side]
    hit = course.in_hand(after.men[2 - before.side]) - course.in_hand(before.men[2 - before.side])
    if hit > 0:
        there = men_on(after, 3 - before.side)
        points = tuple(point for point in men_on(before, 3 - before.side) if point not in there)
        sentence = Sentence("It hits on {points}.", points=Listing(points, "and"))
        yield Reason("hits", sentence, (("men", hit), ("points", "".join(points))))


def _closes(before: TablesPosition, after: TablesPosition) -> Iterator[Reason]:
    were, are = men_on(before, before.side), men_on(after, before.side)
    if not before.rules.courses[2 - before.side].facing:
        return  # the sides never meet
    closed = tuple(point for point, count in are.items() if count >= PAIR_OF_MEN > were.get(point, 0))
    if closed:
        sentence = Sentence("It closes {points}.", points=Listing(closed, "and"))
        yield Reason("closes", sentence, (("points", "".join(closed)),))


def _open(
    before: TablesPosition, after: TablesPosition, weighed: Sequence[Weighed], picked: Weighed
) -> Iterator[Reason]:
    found = _hit_after(before, after)
    if found is None:
        return
    ways, total = found
    for other in weighed[:TURNS_COMPARED]:
        more = None if other is picked else _hit_after(before, played(before, other.choices))
        if more is not None and more[0] > ways:
            sentence = Sentence(
                "{ways} of {total} throws can then hit, instead of {more} after {turn}.",
                ways=ways,
                total=total,
                more=more[0],
                turn=", ".join(map(str, other.choices)),
            )
            yield Reason("open", sentence, (("ways", ways), ("total", total), ("more", more[0])))
            return
    if ways:
        sentence = Sentence("{ways} of {total} throws can then hit.", ways=ways, total=total)
        yield Reason("open", sentence, (("ways", ways), ("total", total)))


def _hit_after(before: TablesPosition, after: TablesPosition) -> tuple[int, int] | None:
    """Count the throws that hit the side that has played, if the other side throws next."""
    found = None if after.side == before.side else hitting_throws(after)
    return None if found is None else (found.any, found.total)


def _counts(before: TablesPosition, after: TablesPosition) -> Iterator[Reason]:
    course = before.course
    men, were = after.men[before.side - 1], before.own
    off, home = course.off(men) - course.off(were), course.count(men, course.home) - course.count(were, course.home)
    if off > 0:
        yield Reason("off", Sentence("It bears off {count}.", count=off), (("count", off),))
    elif home > 0:
        yield Reason("home", Sentence("It brings home {count}.", count=home), (("count", home),))
    if before.rules.goal == "places" or not course.counts_pips:
        return
    other = before.rules.courses[2 - before.side]
    own, foe = course.pips(men), other.pips(after.men[2 - before.side])
    sentence = Sentence("Then you have {own} pips to go, and the other side {foe}.", own=own, foe=foe)
    yield Reason("race", sentence, (("own", own), ("foe", foe)))
