"""How the game ends: when, who wins, who teaches whom, and which virtues each player still lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.language.sentence import N_, Listing, Sentence, player
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.results import Outcome


def scores(state: LudusState) -> Mapping[int, int]:
    """Return each player's count of virtues; a virtue that always counts double counts as two."""
    always = state.options["karitas"] == "always"
    counted = dict.fromkeys(range(1, state.seats + 1), 0)
    for virtue in virtues():
        holder = state.holder(virtue)
        if holder in counted:
            counted[holder] += 2 if virtue.double and always else 1
    return counted


def reason(state: LudusState) -> Sentence | None:
    """Say what ended the game, or return None while it goes on."""
    if state.called:
        return Sentence("The agreed time is up.")
    return reason_by_count(state)


def reason_by_count(state: LudusState) -> Sentence | None:
    """Say which count of virtues or throws ends the game, or return None."""
    options = state.options
    obtainable = state.variant.obtainable(state.rule_set)
    if all(state.holder(virtue) for virtue in obtainable):
        if not state.variant.by_letters and not state.variant.by_sum:
            return Sentence("Every virtue is acquired.")
        return Sentence("The dice have given every virtue they can.")
    if options["ending"] == "first-to" and max(scores(state).values()) >= int(options["target"]):
        return Sentence("The agreed number of {target} virtues is reached.", target=options["target"])
    if options["ending"] == "throws" and state.thrown >= int(options["throws"]):
        return Sentence("The agreed {throws} throws have been made.", throws=options["throws"])
    return None


def last_throw(state: LudusState) -> int:
    """Return the number of the throw that ended the game; call this only if `reason_by_count` returns a reason."""
    by_count = max(state.numbers)
    if state.options["ending"] != "throws":
        return by_count
    obtainable = state.variant.obtainable(state.rule_set)
    if all(state.holder(virtue) for virtue in obtainable):
        return by_count
    return int(state.options["throws"])


def outcome(state: LudusState) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    ended = reason(state)
    if ended is None:
        return None
    stands = standing(state)
    return replace(stands, why=Sentence("{ended} {why}", ended=ended, why=stands.why))


def standing(state: LudusState) -> Outcome:
    """Return the outcome if the game ends here, whatever the reason."""
    winners, why = _decide(state)
    everybody = range(1, state.seats + 1)
    lacks = {number: _lacked(state, number) for number in everybody}
    teachers = winners if len(winners) < state.seats else ()
    pupils = [{"player": number, "lacks": lacks[number]} for number in everybody if teachers and number not in teachers]
    details: dict[str, Any] = {
        "teacher": list(teachers),
        "pupils": pupils,
        "lacks": {str(number): lots for number, lots in lacks.items()},
    }
    return Outcome(winners, why, details)


def _decide(state: LudusState) -> tuple[tuple[int, ...], Sentence]:
    counted = scores(state)
    most = max(counted.values())
    level = tuple(number for number, count in counted.items() if count == most)
    if len(level) == 1:
        return level, Sentence(
            "{winner} holds the most virtues, {count}, and is the teacher; everybody else is a pupil.",
            winner=player(level[0]),
            count=most,
        )
    lifted = _comes_level(state, most)
    if lifted is not None and lifted[0] not in level:
        return _shared_with_comer(state, level, *lifted)
    if lifted is not None:
        comer, double = lifted
        return (comer,), Sentence(
            "{level} hold {count} virtues each; {virtue} counts double now, so {winner} is the teacher.",
            level=listed(level),
            count=most,
            virtue=double,
            winner=player(comer),
        )
    if len(level) == state.seats:
        return level, Sentence(
            "{level} hold {count} virtues each: nobody is ahead, and the win is shared.",
            level=listed(level),
            count=most,
        )
    return level, Sentence(
        "{level} hold {count} virtues each and share the win; everybody else is a pupil.",
        level=listed(level),
        count=most,
    )


def _comes_level(state: LudusState, most: int) -> tuple[int, Sentence] | None:
    """Return who has at least ``most`` virtues when a tie makes Karitas count double and its name; None if nobody.

    The source adds one to the holder's total no matter who is tied, and expects that the tie may then remain.
    """
    if state.options["karitas"] == "tie-break":
        counted = scores(state)
        for virtue in virtues():
            holder = state.holder(virtue)
            if virtue.double and holder and counted[holder] + 1 >= most:
                return holder, virtue.called
    return None


def _shared_with_comer(
    state: LudusState, level: tuple[int, ...], comer: int, double: Sentence
) -> tuple[tuple[int, ...], Sentence]:
    """Share the win among the players who were level and the player whom Karitas lifts to their count."""
    winners = tuple(sorted((*level, comer)))
    if len(winners) == state.seats:
        why = N_(
            "{level} hold {count} virtues each; {virtue} counts double now, so {comer} draws level with them: nobody "
            "is ahead, and the win is shared."
        )
    else:
        why = N_(
            "{level} hold {count} virtues each; {virtue} counts double now, so {comer} draws level with them: they "
            "share the win, and everybody else is a pupil."
        )
    count = scores(state)[level[0]]
    return winners, Sentence.of(why, level=listed(level), count=count, virtue=double, comer=player(comer))


def _lacked(state: LudusState, number: int) -> list[str]:
    return [virtue.lot for virtue in virtues() if state.holder(virtue) != number]


def listed(numbers: Sequence[int]) -> Listing:
    """Return several players as one part of a sentence."""
    return Listing(map(player, numbers))
