"""How a tables game ends: the goal reached, a tie, a loss by agreement, and who is ahead before the end."""

from collections.abc import Mapping
from typing import Literal

from companion.language.sentence import N_, Sentence, player
from companion.rules.results import Outcome
from companion.rules.tables import configurations
from companion.rules.tables.courses.course import TABLE_POINTS
from companion.rules.tables.rulings import TablesRules
from companion.rules.tables.state import TablesState


def outcome(position: TablesState) -> Outcome:
    """Return the outcome of a game that is over."""
    aside, rules = position.aside, position.rules
    if aside.tied:
        return _tie(rules, Sentence("No throw can move a man of either side: the game is a tie."))
    if aside.lost:
        why = Sentence("Ad fallum: {loser} cannot use all the dice and loses.", loser=player(position.turn))
        return Outcome(rules.team(3 - aside.lost), why)
    if aside.won:
        why = Sentence(
            "{winner} has borne off all men and wins, and then bears off {slaps} of the other side: a slap for each.",
            winner=rules.named(aside.won),
            slaps=aside.slaps,
        )
        return Outcome(rules.team(aside.won), why, {"slaps": aside.slaps})
    if rules.goal == "places":
        return _by_points(position)
    for side in (1, 2):
        if rules.reached(position.men, side):
            return _reached(position, side)
    special = configurations.ended(rules, position.men)
    assert special is not None, "only a game that is over has an outcome"
    winner, why = special
    return _tie(rules, why) if not winner else Outcome(rules.team(winner), why)


def _tie(rules: TablesRules, why: Sentence) -> Outcome:
    return Outcome(tuple(range(1, rules.players + 1)), why)


def _reached(position: TablesState, side: int) -> Outcome:
    rules = position.rules
    winner = rules.named(side)
    if rules.goal == "home":
        return Outcome(rules.team(side), Sentence("{side} has all men in the last table.", side=winner))
    if not rules.counts_gammons:
        return Outcome(rules.team(side), Sentence("{side} has borne off all men.", side=winner))
    points = points_won(position, side)
    why = {
        1: N_("{side} has borne off all men."),
        2: N_("{side} has borne off all men before the other side bore off one: a gammon, which counts twice."),
        3: N_("{side} has borne off all men, and the other side has one at the very back: a backgammon, three times."),
    }[points]
    return Outcome(rules.team(side), Sentence.of(why, side=winner), {"points": points})


def points_won(position: TablesState, side: int) -> int:
    """Return how often a side's win counts: 1; 2 if the losers have borne off no man; 3 if one is still at the back.

    At the back is in hand or in the winners' last table.
    """
    course, foe = position.rules.courses[side - 1], position.rules.courses[2 - side]
    men = position.men[2 - side]
    if foe.off(men):
        return 1
    last_table = course.track[-TABLE_POINTS:]
    return 3 if foe.in_hand(men) or any(foe.unpack(men).get(point) for point in last_table) else 2


def _by_points(position: TablesState) -> Outcome:
    rules = position.rules
    ours, theirs = (points_held(position, side) for side in (1, 2))
    if ours == theirs:
        return _tie(rules, Sentence("Each side holds {count} points: the game is a tie.", count=ours))
    winner = 1 if ours > theirs else 2
    why = Sentence(
        "{side} holds {more} of the six points, the other side {fewer}.",
        side=rules.named(winner),
        more=max(ours, theirs),
        fewer=min(ours, theirs),
    )
    return Outcome(rules.team(winner), why)


def points_held(position: TablesState, side: int) -> int:
    """Return how many points a side holds with two men or more."""
    course = position.rules.courses[side - 1]
    return sum(count > 1 for count in course.unpack(position.men[side - 1]).values())


def counted(rules: TablesRules) -> Literal["off", "home", "held"]:
    """Return what `side_score` counts by these rules: men borne off, men home, or points held."""
    if rules.goal == "places":
        return "held"
    return "off" if rules.goal == "bear" else "home"


def side_score(position: TablesState, side: int) -> int:
    """Return a side's score: its men borne off, its men home in games without bearing off, or its points.

    Men that the winners bore off for a slap do not count for the side that lost.
    """
    rules = position.rules
    course, men = rules.courses[side - 1], position.men[side - 1]
    what = counted(rules)
    if what == "held":
        return points_held(position, side)
    if what == "home":
        return course.count(men, course.home)
    lost = position.aside.won == 3 - side
    return course.off(men) - (position.aside.slaps if lost else 0)


def scores(position: TablesState) -> Mapping[int, int]:
    """Return the score of each player, which is that of the player's side."""
    return {
        number: side_score(position, position.rules.sides[number]) for number in range(1, position.rules.players + 1)
    }


def standing(position: TablesState) -> Outcome:
    """Return the outcome if the game ends here: `scores` decide, then the pips still to go."""
    if position.over:
        return outcome(position)
    rules = position.rules
    ours, theirs = (
        (side_score(position, side), -rules.courses[side - 1].pips(position.men[side - 1])) for side in (1, 2)
    )
    if ours == theirs:
        return _tie(rules, Sentence("The sides are level with {count} each and the same pips to go.", count=ours[0]))
    winner = 1 if ours > theirs else 2
    (more, ahead), (fewer, behind) = max(ours, theirs), min(ours, theirs)
    if more != fewer:
        template = {
            "bear": N_("{side} has borne off {more} men, the other side {fewer}."),
            "home": N_("{side} has {more} men home, the other side {fewer}."),
            "places": N_("{side} holds {more} points, the other side {fewer}."),
        }[rules.goal]
        return Outcome(rules.team(winner), Sentence.of(template, side=rules.named(winner), more=more, fewer=fewer))
    why = Sentence(
        "Both sides have {count}, but {side} has {pips} pips to go and the other side {more}.",
        count=more,
        side=rules.named(winner),
        pips=-ahead,
        more=-behind,
    )
    return Outcome(rules.team(winner), why)
