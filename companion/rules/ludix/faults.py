"""Everything that can be wrong with a position that somebody set up by hand, all of it at once."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.language.sentence import Sentence, player
from companion.rules.ludix import ending
from companion.rules.ludix.numerals import DICE, dice, formed_by, is_sum, numerals, shown_by, sorted_symbols

if TYPE_CHECKING:
    from companion.rules.ludix.position import LudixPosition


def faults(position: "LudixPosition") -> tuple[Sentence, ...]:
    """Return one sentence for each fault; none for every position that play can reach."""
    return (*_turn(position), *_points(position), *_running_turn(position), *_cast(position), *_end(position))


def _turn(position: "LudixPosition") -> Iterator[Sentence]:
    if position.turns < 0:
        yield Sentence("Fewer than no turns have been finished: {turns}.", turns=position.turns)
        return
    expected = position.turns % position.players + 1
    if position.turn != expected:
        yield Sentence(
            "After {turns} turns it is the turn of {expected}, not of {turn}.",
            turns=position.turns,
            expected=player(expected),
            turn=player(position.turn),
        )


def _points(position: "LudixPosition") -> Iterator[Sentence]:
    best_only = position.options["numeral"] == "best"
    for number, points in position.scores().items():
        if points < 0:
            yield Sentence("{player} has fewer than no points: {points}.", player=player(number), points=points)
        elif not is_sum(points, best_only=best_only):
            yield Sentence(
                "No numerals add up to the {points} points of {player}.", points=points, player=player(number)
            )
        elif points and position.turns < number:
            yield Sentence("{player} has points, but has not had a turn yet.", player=player(number))


def _running_turn(position: "LudixPosition") -> Iterator[Sentence]:
    known = numerals()
    for text in position.formed:
        if text not in known:
            yield Sentence("{numeral} is at stake, but the four dice form no such numeral.", numeral=text)
        elif position.options["numeral"] == "best" and formed_by(text)[0].text != text:
            best = formed_by(text)[0].text
            yield Sentence("{numeral} is at stake, but only the highest, {best}, counts here.", numeral=text, best=best)
    if ending.must_stop(position, position.stake):
        yield Sentence(
            "{player} has thrown again with enough for the target of {target}, where a player must stop.",
            player=player(position.turn),
            target=ending.target(position),
        )


def _cast(position: "LudixPosition") -> Iterator[Sentence]:
    cast = position.cast
    if cast is None:
        return
    if cast.set_name != DICE or [name for name, _ in cast.shown] != list(dice()):
        yield Sentence("The throw {throw} that waits for a choice is not one of the four dice.", throw=str(cast))
    elif not formed_by(shown_by(cast)):
        yield Sentence(
            "The throw {throw} waits for a choice, but makes no numeral: the turn was over.",
            throw=" ".join(sorted_symbols(str(cast))),
        )


def _end(position: "LudixPosition") -> Iterator[Sentence]:
    if not ending.reached(position):
        return
    target = ending.target(position)
    there = [number for number, points in position.scores().items() if points >= target]
    if ending.over(position) and (position.formed or position.cast is not None):
        yield Sentence("The game is over, but a turn has been begun.")
    if position.options["ending"] == "round" and not ending.over(position):
        for number in there:
            if number >= position.turn:
                yield Sentence(
                    "{player} reached the target of {target} in a round before: the game ended with it.",
                    player=player(number),
                    target=target,
                )
    if position.options["ending"] == "at-once":
        last = (position.turn - 2) % position.players + 1
        for number in there:
            if number != last:
                yield Sentence(
                    "{player} reached the target of {target} in a turn before the last: the game ended there.",
                    player=player(number),
                    target=target,
                )
