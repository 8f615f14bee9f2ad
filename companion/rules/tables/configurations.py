"""The special configurations of Ludus Anglicorum and Emperador: lympolded, lurched, both baratas and the tie.

Lewins, "Special configurations", takes them as great advantages rather than endings; an option says which they are.
"""

from companion.language.sentence import Sentence
from companion.rules.tables.courses.course import DICE, LARGEST_COUNT, TABLE_POINTS, bit_at
from companion.rules.tables.rulings import Men, TablesRules

MANY_HIT = 4
"""The number of hit men with which barata counts as certainly won (Lewins, quoting Alfonso)."""

PATTERN_POINTS = (3, 5)
"""The numbers of points for fifteen men in even piles; one ruling for Lewins's "nice arrangements"."""


def lympolded(rules: TablesRules, men: Men, side: int) -> bool:
    """Whether a side has a hit man to enter, but no point of its entry table to enter him on."""
    course, own, foe = rules.courses[side - 1], men[side - 1], men[2 - side]
    if not course.hit(own):
        return False
    shut = course.shut(foe)
    return all((shut | course.entry_shut) >> 4 * die & 1 or course.at(own, die) for die in DICE)


def shut_out(rules: TablesRules, men: Men, side: int) -> bool:
    """Whether only this side has a man to enter and no point for him: the barata of King Alfonso's introduction.

    If both sides do, it is the tie of Emperador.
    """
    return lympolded(rules, men, side) and not lympolded(rules, men, 3 - side)


def lurched(rules: TablesRules, men: Men, side: int) -> bool:
    """Whether six held points shut in a side that has all its men at home or on the other side's start."""
    course, own, foe = rules.courses[side - 1], men[side - 1], men[2 - side]
    start = sum(bit_at(place) for place in range(1, TABLE_POINTS + 1))
    if course.count(own, start) + course.count(own, course.last) < course.men:
        return False
    shut = course.shut(foe)
    held = (shut & course.on_track).bit_count()
    return held >= TABLE_POINTS and not any(course.origins(own, shut, die) for die in DICE)


def in_full(rules: TablesRules, men: Men, side: int, in_hand: int) -> bool:
    """Whether a side has one man on each first-table point, ``in_hand`` men in hand, all others on its last point."""
    course, own = rules.courses[side - 1], men[side - 1]
    alone = all(course.at(own, place) == 1 for place in range(1, TABLE_POINTS + 1))
    return (
        alone
        and course.in_hand(own) == in_hand
        and course.count(own, course.last) == course.men - TABLE_POINTS - in_hand
    )


def barata(rules: TablesRules, men: Men, side: int) -> bool:
    """Whether a side holds six points in a row before a man of the other side, on the board or in hand."""
    course, foe = rules.courses[2 - side], men[2 - side]
    shut = course.shut(men[side - 1])
    run = 0
    for place in range(1, course.length + 1):
        run = run + 1 if shut & bit_at(place) else 0
        if run >= TABLE_POINTS and any(course.at(foe, behind) for behind in range(place - TABLE_POINTS + 1)):
            return True
    return False


def pattern(rules: TablesRules, men: Men, side: int) -> bool:
    """Whether all men of a side stand in its last table in even piles, five on three points or three on five."""
    course, own = rules.courses[side - 1], men[side - 1]
    piles = sorted(course.unpack(own & course.home * LARGEST_COUNT).values())
    return piles in ([course.men // count] * count for count in PATTERN_POINTS)


def configuration_sentences(rules: TablesRules, men: Men) -> list[Sentence]:
    """Return a sentence for each configuration of this variant that the men form."""
    found = []
    for side in (1, 2):
        who = rules.named(side)
        if "lympolded" in rules.options and lympolded(rules, men, side):
            found.append(Sentence("{side} is lympolded: a man must enter but has no open point.", side=who))
        if "lurched" in rules.options and lurched(rules, men, side):
            found.append(Sentence("{side} is lurched: shut in behind six points, no man can move.", side=who))
        if "barata" in rules.options and barata(rules, men, side):
            found.append(Sentence("Barata: {side} holds six points in a row in front of the other side.", side=who))
        if "shut_out" in rules.options and shut_out(rules, men, side):
            found.append(Sentence("Barata: {side} has a man to enter but no open point for him.", side=who))
        if rules.options.get("patterns", "none") != "none" and pattern(rules, men, side):
            found.append(Sentence("{side} has made a pattern: all men at home in even piles.", side=who))
    if "emperador_tie" in rules.options and all(lympolded(rules, men, side) for side in (1, 2)):
        found.append(Sentence("Both sides have a man to enter but no open point for him: the tie of Emperador."))
    return found


def ended(rules: TablesRules, men: Men) -> tuple[int, Sentence] | None:
    """Return the side that wins (0: a tie) and why, if a configuration here ends the game under its option."""
    if rules.options.get("emperador_tie") == "ends" and all(lympolded(rules, men, side) for side in (1, 2)):
        return 0, Sentence("Both sides have a man to enter but no open point for him: the game is a tie.")
    return _ended_by(rules, men, 1) or _ended_by(rules, men, 2)


def _ended_by(rules: TablesRules, men: Men, side: int) -> tuple[int, Sentence] | None:
    """Return the side that wins and why, if a configuration of this side ends the game under its option."""
    options, who = rules.options, rules.named(side)
    if _loses(rules, men, side, "lympolded") and lympolded(rules, men, side):
        return 3 - side, Sentence("{side} is lympolded and loses.", side=who)
    if _loses(rules, men, side, "lurched") and lurched(rules, men, side):
        return 3 - side, Sentence("{side} is lurched and loses.", side=who)
    if options.get("shut_out") == "ends" and shut_out(rules, men, side):
        return 3 - side, Sentence("Barata: {side} has a man to enter but no open point for him, and loses.", side=who)
    if options.get("patterns") == "wins" and pattern(rules, men, side):
        return side, Sentence("{side} wins by a pattern: all men at home in even piles.", side=who)
    if _barata_ends(rules, men, side):
        return side, Sentence("Barata: {side} holds six points in a row and wins.", side=who)
    return None


def _loses(rules: TablesRules, men: Men, side: int, name: str) -> bool:
    """Whether a configuration's option makes a side that is in it lose the game."""
    asked = rules.options.get(name)
    return asked == "ends" or (asked == "ends-in-full" and in_full(rules, men, side, int(name == "lympolded")))


def _barata_ends(rules: TablesRules, men: Men, side: int) -> bool:
    asked = rules.options.get("barata", "announce")
    if asked == "announce" or not barata(rules, men, side):
        return False
    return asked == "ends" or rules.courses[2 - side].hit(men[2 - side]) >= MANY_HIT
