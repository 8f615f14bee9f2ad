"""All faults of a position that somebody set up by hand, reported at once."""

from collections.abc import Iterator

from companion.language.sentence import Sentence, player
from companion.rules.ludix import ending
from companion.rules.ludix.numerals import DICE, dice, formed_by, is_sum, numerals, shown_by, sorted_symbols
from companion.rules.ludix.state import LudixState


def faults(state: LudixState) -> tuple[Sentence, ...]:
    """Return one sentence for each fault; a position that play can reach has none."""
    return (*_turn(state), *_points(state), *_running_turn(state), *_cast(state), *_end(state))


def _turn(state: LudixState) -> Iterator[Sentence]:
    if state.turns < 0:
        yield Sentence("The number of finished turns cannot be below zero, but is {turns}.", turns=state.turns)
        return
    expected = state.turns % state.seats + 1
    if state.turn != expected:
        yield Sentence(
            "After {turns} turns it is the turn of {expected}, not of {turn}.",
            turns=state.turns,
            expected=player(expected),
            turn=player(state.turn),
        )


def _points(state: LudixState) -> Iterator[Sentence]:
    best_only = state.options["numeral"] == "best"
    for number, points in state.scores().items():
        if points < 0:
            yield Sentence(
                "The points of {player} cannot be below zero, but are {points}.", player=player(number), points=points
            )
        elif not is_sum(points, best_only=best_only):
            yield Sentence(
                "No numerals add up to the {points} points of {player}.", points=points, player=player(number)
            )
        elif points and state.turns < number:
            yield Sentence("{player} has points, but has not had a turn yet.", player=player(number))


def _running_turn(state: LudixState) -> Iterator[Sentence]:
    known = numerals()
    for text in state.formed:
        if text not in known:
            yield Sentence("{numeral} is at risk, but the four dice form no such numeral.", numeral=text)
        elif state.options["numeral"] == "best" and formed_by(text)[0].text != text:
            best = formed_by(text)[0].text
            yield Sentence("{numeral} is at risk, but only the highest, {best}, counts here.", numeral=text, best=best)
    if ending.must_stop(state, state.stake):
        yield Sentence(
            "{player} has thrown again with enough points for the target of {target}, but must stop then.",
            player=player(state.turn),
            target=ending.target(state),
        )


def _cast(state: LudixState) -> Iterator[Sentence]:
    cast = state.cast
    if cast is None:
        return
    if cast.set_name != DICE or [name for name, _ in cast.shown] != list(dice()):
        yield Sentence("The throw {throw} that waits for a choice is not a throw of the four dice.", throw=str(cast))
    elif not formed_by(shown_by(cast)):
        yield Sentence(
            "The throw {throw} waits for a choice, but makes no numeral: the turn was over.",
            throw=" ".join(sorted_symbols(str(cast))),
        )


def _end(state: LudixState) -> Iterator[Sentence]:
    if not ending.reached(state):
        return
    target = ending.target(state)
    there = [number for number, points in state.scores().items() if points >= target]
    if ending.over(state) and (state.formed or state.cast is not None):
        yield Sentence("The game is over, but a turn has been begun.")
    if state.options["ending"] == "round" and not ending.over(state):
        for number in there:
            if number >= state.turn:
                yield Sentence(
                    "{player} reached the target of {target} in an earlier round: the game ended with it.",
                    player=player(number),
                    target=target,
                )
    if state.options["ending"] == "at-once":
        last = (state.turn - 2) % state.seats + 1
        for number in there:
            if number != last:
                yield Sentence(
                    "{player} reached the target of {target} in an earlier turn: the game ended there.",
                    player=player(number),
                    target=target,
                )
