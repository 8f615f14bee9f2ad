"""The referee's sentences: what a throw or choice results in, why it is refused, and the score pad as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.language.sentence import N_, Sentence, player
from companion.rules.dice import Throw
from companion.rules.ludix import ending
from companion.rules.ludix.chances import chance_of_null, mean_of_best
from companion.rules.ludix.choices import AGAIN, STOP, Formed
from companion.rules.ludix.numerals import DICE, Numeral, dice, formed_by, numerals, shown_by, symbols, total, write
from companion.rules.ludix.state import LudixState
from companion.rules.results import Account


def awaited(state: LudixState) -> Sentence:
    """Say who must do what next."""
    who = player(state.turn)
    if state.cast is not None:
        sentence = Sentence(
            "{player} forms a numeral from {symbols}, and stops or throws again.",
            player=who,
            symbols=spaced(shown_by(state.cast)),
        )
    elif state.formed:
        sentence = Sentence("{player} throws again, with {stake} points at risk.", player=who, stake=state.stake)
    else:
        sentence = Sentence("{player} throws the four dice.", player=who)
    if not ending.last_turn(state):
        return sentence
    return Sentence(
        "{said} It is the last turn of {player}: the score to beat is {points} points, {lacking} more than {player} "
        "has banked.",
        said=sentence,
        player=who,
        points=max(state.points),
        lacking=max(state.points) - state.own,
    )


def account_of_throw(state: LudixState, throw: Throw) -> Account:
    """Return the account of an allowed throw: its numerals, or the lost points."""
    shown = shown_by(throw)
    formed = formed_by(shown)
    details: dict[str, Any] = {
        "kind": "throw",
        "player": state.turn,
        "number": len(state.formed) + 1,
        "symbols": shown,
        "numerals": [{"numeral": numeral.text, "value": numeral.value} for numeral in formed],
    }
    if not formed:
        lost = {"result": "null", "stake": 0, "lost": state.stake, "rightful": write(total(shown))}
        template = N_("{player} makes no numeral and loses {stake} points.")
        parts = {"player": player(state.turn), "stake": state.stake}
        if not state.stake:
            template = N_("{player} makes no numeral.")
            del parts["stake"]
        return Account(_null_sentence(state, shown), (), details | lost, Sentence.of(template, **parts))
    at_stake = {"result": "numeral", "stake": state.stake + formed[0].value, "lost": 0}
    best = formed[0]
    news = Sentence(
        "{player} throws {numeral}: {value} points.", player=player(state.turn), numeral=best.text, value=best.value
    )
    return Account(_numerals_sentence(state, shown, formed), (), details | at_stake, news)


def _null_sentence(state: LudixState, shown: str) -> Sentence:
    sentence = Sentence(
        "{symbols} make no numeral: {sum} is written {rightful}.",
        symbols=spaced(shown),
        sum=total(shown),
        rightful=write(total(shown)),
    )
    if state.stake:
        return Sentence(
            "{said} {player} loses the {stake} points of this turn.",
            said=sentence,
            player=player(state.turn),
            stake=state.stake,
        )
    return Sentence("{said} The turn of {player} ends without points.", said=sentence, player=player(state.turn))


def _numerals_sentence(state: LudixState, shown: str, formed: Sequence[Numeral]) -> Sentence:
    best, others = formed[0], formed[1:]
    sentence = Sentence(
        "{symbols} make {numeral}, {value} points.", symbols=spaced(shown), numeral=best.text, value=best.value
    )
    if others and state.options["numeral"] == "any":
        named = ", ".join(f"{numeral.text} = {numeral.value}" for numeral in others)
        sentence = Sentence("{said} For less, they also make {others}.", said=sentence, others=named)
    if state.stake:
        stake = state.stake + best.value
        sentence = Sentence(
            "{said} Together with the points at risk that is {stake} points.", said=sentence, stake=stake
        )
    return sentence


def account_of_choice(state: LudixState, choice: Formed) -> Account:
    """Return the account of an allowed choice: the points that are noted or at stake."""
    numeral = numerals()[choice.numeral]
    formed = (*state.formed, numeral.text)
    stake = state.stake + numeral.value
    details: dict[str, Any] = {
        "kind": "choice",
        "result": "stopped" if choice.then == STOP else "again",
        "player": state.turn,
        "numeral": numeral.text,
        "value": numeral.value,
        "formed": list(formed),
        "stake": 0 if choice.then == STOP else stake,
        "noted": stake if choice.then == STOP else 0,
        "points": state.own + (stake if choice.then == STOP else 0),
    }
    if choice.then == AGAIN:
        sentence = Sentence(
            "{player} takes {formed} and throws again: {stake} points are at risk.",
            player=player(state.turn),
            formed=numeral.text,
            stake=stake,
        )
        news = Sentence("{player} risks {stake} points.", player=player(state.turn), stake=stake)
    else:
        news = Sentence("{player} banks {stake} points.", player=player(state.turn), stake=stake)
        added = " + ".join(formed)
        points = details["points"]
        sentence = Sentence(
            "{player} stops with {formed}, banks {stake} points and has {points}.",
            player=player(state.turn),
            formed=added,
            stake=stake,
            points=points,
        )
        sentence = _with_end(state, sentence, points)
    return Account(sentence, (), details, news)


def _with_end(state: LudixState, sentence: Sentence, points: int) -> Sentence:
    """Add the consequence of reaching the target, if this choice is the first to reach it."""
    target = ending.target(state)
    if points < target or ending.reached(state):
        return sentence
    last = state.turn == state.seats
    match state.options["ending"]:
        case "round":
            if last:
                return Sentence(
                    "{said} The target of {target} is reached; the round will be finished.",
                    said=sentence,
                    target=target,
                )
            return Sentence(
                "{said} The target of {target} is reached: the round is played to its end.",
                said=sentence,
                target=target,
            )
        case "others":
            return Sentence(
                "{said} The target of {target} is reached: everybody else has one more turn.",
                said=sentence,
                target=target,
            )
    return Sentence("{said} The target of {target} is reached, and the game is over.", said=sentence, target=target)


def refusal_of_choice(state: LudixState, choice: Formed) -> Sentence | None:
    """Say which rule forbids a choice while one is awaited, or return None."""
    assert state.cast is not None, "asked only while a choice is awaited"
    shown = shown_by(state.cast)
    numeral = numerals().get(choice.numeral)
    if sorted(choice.numeral) != sorted(shown):
        return Sentence(
            "{numeral} does not use each of the four symbols {symbols} once.",
            numeral=choice.numeral,
            symbols=spaced(shown),
        )
    if numeral is None:
        known = ", ".join(formed.text for formed in formed_by(shown))
        return Sentence(
            "{numeral} is not a Roman numeral; {symbols} make {known}.",
            numeral=choice.numeral,
            symbols=spaced(shown),
            known=known,
        )
    if state.options["numeral"] == "best" and numeral != state.best:
        return Sentence(
            "Only the highest numeral counts here: {best}, not {numeral}.", best=state.best.text, numeral=numeral.text
        )
    if choice.then == AGAIN and ending.must_stop(state, state.stake + numeral.value):
        parts = {"numeral": numeral.text, "player": player(state.turn), "target": ending.target(state)}
        return Sentence("With {numeral} {player} has enough for the target of {target} and must stop.", **parts)
    return None


def refusal_of_throw(state: LudixState, throw: Throw) -> Sentence | None:
    """Say what is wrong with a throw, or return None."""
    if state.cast is not None:
        return Sentence(
            "{player} has thrown {symbols} and must first form a numeral and stop, or throw again.",
            player=player(state.turn),
            symbols=spaced(shown_by(state.cast)),
        )
    if throw.set_name != DICE:
        return Sentence("Expected the dice of Ludix, but got dice of the set {name}.", name=throw.set_name)
    names = [name for name, _ in throw.shown]
    if sorted(names) != sorted(dice()):
        return Sentence("Expected all four dice thrown together, but got {count}.", count=len(names))
    strange = sorted({face for _, face in throw.shown} - symbols().keys())
    if strange:
        known = ", ".join(symbols())
        return Sentence("Expected faces from {known}, but got {strange}.", known=known, strange=", ".join(strange))
    return None


def taught(state: LudixState) -> tuple[Sentence, ...]:
    """Tell a learner how likely the next throw is to fail, and what it then costs."""
    if ending.over(state):
        return ()
    chance = chance_of_null()
    parts = {
        "times": chance.numerator,
        "of": chance.denominator,
        "percent": round(100 * chance),
        "mean": round(float(mean_of_best()), 1),
    }
    sentence = Sentence(
        "A throw makes no numeral {times} times in {of}, about {percent} times in 100; counting those as zero, a "
        "throw brings {mean} points on average.",
        **parts,
    )
    stake = state.stake + (state.best.value if state.cast is not None else 0)
    if not stake:
        return (sentence,)
    risk = Sentence(
        "With {stake} points at risk, the next throw loses {loss} on average.",
        stake=stake,
        loss=round(float(stake * chance), 1),
    )
    return sentence, risk


def spaced(shown: str) -> str:
    """Return symbols as they lie on the table, ``"L X V I"``, so that nobody takes them for a numeral."""
    return " ".join(shown)


def pad(state: LudixState, names: Mapping[int, str]) -> str:
    """Return the score pad in plain text: it marks the awaited player and shows the turn's numerals and dice."""
    called = {number: names.get(number, str(player(number))) for number in state.scores()}
    width = max(len(str(points)) for points in (*state.points, ending.target(state)))
    wide = max(len("Target"), *map(len, called.values()))
    over = ending.over(state)
    lines = [f"  {'Target':<{wide}} {ending.target(state):>{width}}"]
    for number, points in state.scores().items():
        turn = number == state.turn and not over
        lines.append(f"{'>' if turn else ' '} {called[number]:<{wide}} {points:>{width}}")
        if turn and state.formed:
            lines[-1] += f"  at stake {' + '.join(state.formed)} = {state.stake}"
    if state.cast is not None:
        lines.append(f"  On the table: {spaced(shown_by(state.cast))}")
    return "\n".join(lines)
