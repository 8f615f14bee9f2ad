"""All faults of a position that somebody set up by hand, reported at once."""

from collections import defaultdict
from collections.abc import Iterator

from companion.language.sentence import Sentence, player
from companion.rules.ludus_regularis import ending
from companion.rules.ludus_regularis.rulings import CONSONANTS, CUBES, judge
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.virtues import Virtue, of_sum, virtues


def faults(state: LudusState) -> tuple[Sentence, ...]:
    """Return one sentence for each fault; a position that play can reach has none."""
    return (*_turn(state), *_holdings(state), *_same_throw(state), *_second_cast(state), *_end(state))


def _turn(state: LudusState) -> Iterator[Sentence]:
    if state.thrown < 0:
        yield Sentence("The number of throws cannot be below zero, but is {throws}.", throws=state.thrown)
        return
    expected = state.thrown % state.seats + 1
    if state.turn != expected:
        yield Sentence(
            "After {throws} throws it is the turn of {expected}, not of {turn}.",
            throws=state.thrown,
            expected=player(expected),
            turn=player(state.turn),
        )


def _holdings(state: LudusState) -> Iterator[Sentence]:
    obtainable = state.variant.obtainable(state.rule_set)
    for virtue in virtues():
        holder, number = state.holder(virtue), state.numbers[virtue.index]
        if not holder:
            if number:
                yield Sentence("{virtue} was won by throw {throw} but by nobody.", virtue=virtue.latin, throw=number)
            continue
        if not 1 <= holder <= state.seats:
            yield Sentence(
                "{virtue} is held by {holder}, who does not play.", virtue=virtue.latin, holder=player(holder)
            )
        elif not 1 <= number <= state.thrown:
            yield Sentence("{virtue} was won by throw {throw}, which was not made.", virtue=virtue.latin, throw=number)
        elif (number - 1) % state.seats + 1 != holder:
            yield Sentence(
                "{virtue} is held by {holder}, but {holder} did not make throw {throw}.",
                virtue=virtue.latin,
                holder=player(holder),
                throw=number,
            )
        if virtue not in obtainable:
            yield Sentence("{virtue} is held, but by the chosen reading no throw can give it.", virtue=virtue.latin)


def _same_throw(state: LudusState) -> Iterator[Sentence]:
    by_throw: dict[int, list[Virtue]] = defaultdict(list)
    for virtue in virtues():
        if state.holder(virtue):
            by_throw[state.numbers[virtue.index]].append(virtue)
    for number, won in sorted(by_throw.items()):
        named = ", ".join(virtue.latin for virtue in won)
        if not state.variant.by_sum:
            if len(won) > 1:
                yield Sentence("Throw {throw} won more than one virtue: {virtues}.", throw=number, virtues=named)
        elif len({virtue.sum for virtue in won}) > 1:
            yield Sentence("Throw {throw} won virtues of different sums: {virtues}.", throw=number, virtues=named)
        elif len(won) < len(of_sum(won[0].sum)):
            yield Sentence("Throw {throw} won only some of its sum: {virtues}.", throw=number, virtues=named)


def _second_cast(state: LudusState) -> Iterator[Sentence]:
    cast = state.first_cast
    if cast is None:
        return
    if state.variant.by_sum:
        yield Sentence("The game by sums has no second cast.")
        return
    if not state.variant.by_letters:
        yield Sentence("The wheel has no second cast.")
        return
    if cast.set_name != "wibold" or {name for name, _ in cast.shown} != {*CUBES, CONSONANTS}:
        yield Sentence(
            "The throw {throw} that waits for a second cast is not a throw of all four dice.", throw=str(cast)
        )
        return
    judged = judge(cast, state.rule_set)
    if state.holder(judged.virtue):
        yield Sentence("A second cast is due for {virtue}, which is already held.", virtue=judged.virtue.latin)
    if not judged.recast:
        yield Sentence("The throw {throw} does not allow a second cast.", throw=str(cast))


def _end(state: LudusState) -> Iterator[Sentence]:
    if state.called and state.options["ending"] != "time":
        yield Sentence("The time is up, but none was agreed.")
    if state.called and state.first_cast is not None:
        yield Sentence("The time is up while a second cast is still due.")
    reason = ending.reason_by_count(state)
    if reason is not None and state.first_cast is not None:
        yield Sentence("The game is over, but a second cast is still due. {reason}", reason=reason)
    if reason is not None and state.thrown > ending.last_throw(state):
        yield Sentence(
            "The game was over after throw {last}, but {throws} throws are given. {reason}",
            last=ending.last_throw(state),
            throws=state.thrown,
            reason=reason,
        )
