"""How the game ends: the value of the men taken, minor victories, harmonies and triumphs, a stuck player."""

from collections.abc import Callable, Mapping, Sequence

from companion.language.sentence import Sentence, player
from companion.rules.results import Outcome
from companion.rules.rithmomachia import harmonies, legal
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.rule_set import RithmoRules
from companion.rules.rithmomachia.squares import enemy
from companion.rules.rithmomachia.state import RithmoState
from companion.rules.rithmomachia.words import grade_sentence, victory_sentence

PLAYERS = (1, 2)
BY_POINTS = ("de-bonis", "points")
"""The names of the minor victory by points alone."""


def counted(position: RithmoState, number: int) -> tuple[Man, ...]:
    """Return the men taken that count for a player: those held, put aside, and brought back if they still count."""
    return (*position.hands[number - 1], *position.removed[number - 1], *position.returned[number - 1])


def scores(position: RithmoState) -> Mapping[int, int]:
    """Return the value of the men that each player has taken."""
    return {number: sum(man.number for man in counted(position, number)) for number in PLAYERS}


def agreed_points(rules: RithmoRules) -> int | None:
    """Return the value of taken men that wins, or None where it does not or not alone."""
    return int(rules["points"]) if rules["minor"] in BY_POINTS else None


def best_sum(men: Sequence[Man], most_men: int | None, most_digits: int | None) -> int:
    """Return the greatest sum of some of the men within a limit of men, of digits, or both."""
    best = {(0, 0): 0}
    for man in men:
        for (used, digits), total in list(best.items()):
            state = used + (most_men is not None), digits + (len(str(man.number)) if most_digits is not None else 0)
            if (most_men is not None and state[0] > most_men) or (most_digits is not None and state[1] > most_digits):
                continue
            best[state] = max(best.get(state, 0), total + man.number)
    return max(best.values())


def _minor(rules: RithmoRules, men: Sequence[Man]) -> Sentence | None:
    """Say which minor victory these men win, or return None."""
    points = int(rules["points"])
    name = str(rules["minor"])
    total = sum(man.number for man in men)
    if name in BY_POINTS and total >= points:
        return Sentence("the men taken add up to {total}, and {points} were agreed", total=total, points=points)
    if name in ("de-corpore", "men") and len(men) >= int(rules["men_to_take"]):
        return Sentence("{count} men have been taken, as agreed", count=len(men))
    if name == "digits":
        digits = sum(len(str(man.number)) for man in men)
        if digits >= int(rules["digits_to_take"]):
            return Sentence("the men taken have {digits} digits, as agreed", digits=digits)
    limits: Mapping[str, Callable[[], tuple[int | None, int | None]]] = {
        "de-lite": lambda: (None, int(rules["most_digits"])),
        "de-honore": lambda: (int(rules["most_men"]), None),
        "de-honore-litique": lambda: (int(rules["most_men"]), int(rules["most_digits"])),
    }
    if name in limits and total >= points:
        most_men, most_digits = limits[name]()
        best = best_sum(men, most_men, most_digits)
        if best >= points:
            limit = _limit(most_men, most_digits)
            return Sentence(
                "men taken with {limit} add up to {best}, and {points} were agreed",
                limit=limit,
                best=best,
                points=points,
            )
    return None


def _limit(most_men: int | None, most_digits: int | None) -> Sentence:
    if most_digits is None:
        return Sentence("at most {men} of them", men=most_men)
    if most_men is None:
        return Sentence("at most {digits} digits", digits=most_digits)
    return Sentence("at most {digits} digits and {men} of them", digits=most_digits, men=most_men)


def outcome(position: RithmoState) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return _by_minor(position) or _by_harmony(position) or _by_triumph(position) or _stuck(position)


def _by_minor(position: RithmoState) -> Outcome | None:
    if position.rules["minor"] == "none":
        return None
    for number in (position.actor, enemy(position.actor)):
        why = _minor(position.rules, counted(position, number))
        if why is not None:
            sentence = Sentence(
                "{winner} wins {victory}: {why}.",
                winner=player(number),
                victory=victory_sentence(str(position.rules["minor"])),
                why=why,
            )
            return Outcome((number,), sentence, {"victory": position.rules["minor"]})
    return None


def _by_harmony(position: RithmoState) -> Outcome | None:
    rules = position.rules
    if rules.has_kings:
        return None
    wanted = str(rules["goal"] if "goal" in rules.rulings else rules["major"])
    if wanted == "none":
        return None
    found = harmonies.completed(position, rules.grades.index(wanted))
    if not found:
        return None
    best = found[0]
    names = [rules.board.names[square] for square in best.squares]
    sentence = Sentence(
        "{winner} wins, {victory} victory: {numbers} stand in harmony on {squares}.",
        winner=player(position.actor),
        victory=grade_sentence(rules.grades[best.grade]),
        numbers=", ".join(map(str, best.numbers)),
        squares=", ".join(names),
    )
    details = {"victory": rules.grades[best.grade], "numbers": list(best.numbers), "squares": names}
    return Outcome((position.actor,), sentence, details)


def _by_triumph(position: RithmoState) -> Outcome | None:
    rules = position.rules
    for triumph in position.triumphs:
        if rules.grades.index(triumph.grade) >= rules.grades.index(str(rules["ends"])):
            sentence = Sentence(
                "{winner} wins by triumph, {grade}: {numbers}.",
                winner=player(triumph.player),
                grade=grade_sentence(triumph.grade),
                numbers=", ".join(map(str, triumph.numbers)),
            )
            details = {"victory": triumph.grade, "numbers": list(triumph.numbers)}
            return Outcome((triumph.player,), sentence, details)
    return None


def _stuck(position: RithmoState) -> Outcome | None:
    if position.phase == "claims" or legal.any_at_all(position):
        return None
    who = player(position.turn)
    if position.rules["stuck"] == "loses":
        other = enemy(position.turn)
        return Outcome((other,), Sentence("{loser} can do nothing and has lost.", loser=who), {"victory": "stuck"})
    stands = standing(position)
    sentence = Sentence("{player} can do nothing, and the game ends. {why}", player=who, why=stands.why)
    return Outcome(stands.winners, sentence, {"victory": "stuck"})


def standing(position: RithmoState) -> Outcome:
    """Return the outcome if the game ends here: the better triumph wins, then the greater value of men taken."""
    grades = position.rules.grades
    best = {
        number: max(
            (grades.index(triumph.grade) for triumph in position.triumphs if triumph.player == number), default=-1
        )
        for number in PLAYERS
    }
    if best[1] != best[2]:
        winner = 1 if best[1] > best[2] else 2
        sentence = Sentence(
            "{winner} has the better triumph, {grade}.",
            winner=player(winner),
            grade=grade_sentence(grades[best[winner]]),
        )
        return Outcome((winner,), sentence)
    values = scores(position)
    if values[1] == values[2]:
        return Outcome(PLAYERS, Sentence("Both have taken men worth {value}, and the win is shared.", value=values[1]))
    winner = 1 if values[1] > values[2] else 2
    return Outcome(
        (winner,),
        Sentence(
            "{winner} has taken men worth {value}, the other {other}.",
            winner=player(winner),
            value=values[winner],
            other=values[enemy(winner)],
        ),
    )
