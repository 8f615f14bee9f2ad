"""How to follow men of a tables game: a turn is played die by die, and no camera can see some of it."""

from collections.abc import Sequence

from companion.language.sentence import Sentence
from companion.referee.board.evidence import Evidence
from companion.referee.board.following import Following
from companion.referee.board.move_search import FoundMoves, Search
from companion.referee.board.standing import Stand, expected_board
from companion.referee.board.tables import search
from companion.referee.board.tables.illegal import why_not
from companion.rules.dice import Throw
from companion.rules.game import Choice
from companion.rules.tables import TablesPosition


class _TablesFollowing(Following[TablesPosition]):
    def search(self, position: TablesPosition, evidence: Evidence, then: Sequence[Throw]) -> Search:
        """Return what fits of this turn; only if nothing fits, of the turns and dice after it."""
        searched = search.search(position, evidence)
        if not searched.found and not searched.full and (then or position.rules.to_opponent):
            searched = search.search(position, evidence, then, beyond=True)
        return Search([FoundMoves(way.moves, way.position, way.whole) for way in searched.found], searched.full)

    def unseen_remainder(self, position: TablesPosition) -> Sequence[Choice] | None:
        """Return the rest of a turn if no camera can see it: for example dice turned that nobody can use."""
        return search.unseen(position) if position.dice else None

    def overtaken(self, position: TablesPosition, evidence: Evidence) -> Search:
        """Return the whole turns after which men of the other side went on by as many dice as a turn has."""
        if not position.dice:
            return Search()
        dice = len(position.rules.thrown) + 1
        searched = search.search(position, evidence, unknown=dice)
        if searched.full:
            return Search(full=True)
        other = 3 - position.side
        likely = [way for way in searched.found if way.whole and _went_on(way.position, evidence, other, dice)]
        return Search([FoundMoves(way.moves, way.position) for way in likely])

    def why_not(self, position: TablesPosition, evidence: Evidence) -> Sentence | None:
        """Name the rule that forbids what is seen, if one man's way explains it; else None."""
        return why_not(position, evidence)


FOLLOWING = _TablesFollowing()


def _went_on(position: TablesPosition, evidence: Evidence, side: int, dice: int) -> bool:
    """Whether men of the other side who have gone forward since can explain everything left after a turn."""
    after = expected_board(position)
    wrong = evidence.contradictions(after)
    if not wrong or position.over or position.rules.sides[position.turn] != side:
        return False
    course = position.rules.courses[side - 1]
    pips = 0
    for site in wrong:
        was, seen = after.get(site), evidence.seen(site)
        now = seen.count if seen is not None and evidence.seating.owners.get(seen.colour) == side else 0
        stood = was.count if isinstance(was, Stand) and was.owner == side else 0
        if now == stood or site not in course.places:
            return False
        pips += (now - stood) * course.places[site]
    return 0 < pips <= 6 * dice
