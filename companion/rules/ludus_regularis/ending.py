"""How the game ends: when, who wins, who teaches whom, and which virtues each still lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.language.sentence import Listing, Sentence, player
from companion.rules.game import Outcome
from companion.rules.ludus_regularis.virtues import virtues

if TYPE_CHECKING:
    from companion.rules.ludus_regularis.position import LudusPosition


def scores(position: "LudusPosition") -> Mapping[int, int]:
    """Return each player's count of virtues; one that always counts double counts for two."""
    always = position.options["karitas"] == "always"
    counted = dict.fromkeys(range(1, position.players + 1), 0)
    for virtue in virtues():
        holder = position.holder(virtue)
        if holder in counted:
            counted[holder] += 2 if virtue.double and always else 1
    return counted


def reason(position: "LudusPosition") -> Sentence | None:
    """Say what ended the game, or return None while it goes on."""
    if position.called:
        return Sentence("The agreed time is up.")
    return reason_by_count(position)


def reason_by_count(position: "LudusPosition") -> Sentence | None:
    """Say which count of virtues or throws ends the game, or return None."""
    options = position.options
    obtainable = position.variant.obtainable(position.reading)
    if all(position.holder(virtue) for virtue in obtainable):
        if not position.variant.by_letters and not position.variant.by_sum:
            return Sentence("Every virtue is acquired.")
        return Sentence("The dice have given every virtue that they can give.")
    if options["ending"] == "first-to" and max(scores(position).values()) >= int(options["target"]):
        return Sentence("The agreed count of {target} virtues is reached.", target=options["target"])
    if options["ending"] == "throws" and position.thrown >= int(options["throws"]):
        return Sentence("The agreed {throws} throws are made.", throws=options["throws"])
    return None


def last_throw(position: "LudusPosition") -> int:
    """Return the number of the throw that ended a game which `reason_by_count` calls ended."""
    by_count = max(position.numbers)
    if position.options["ending"] != "throws":
        return by_count
    obtainable = position.variant.obtainable(position.reading)
    if all(position.holder(virtue) for virtue in obtainable):
        return by_count
    return int(position.options["throws"])


def outcome(position: "LudusPosition") -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    ended = reason(position)
    if ended is None:
        return None
    stands = standing(position)
    return replace(stands, why=Sentence("{ended} {why}", ended=ended, why=stands.why))


def standing(position: "LudusPosition") -> Outcome:
    """Return how the game ends if it ends here, whatever the reason."""
    winners, why = _decide(position)
    everybody = range(1, position.players + 1)
    lacks = {number: _lacked(position, number) for number in everybody}
    teachers = winners if len(winners) < position.players else ()
    pupils = [{"player": number, "lacks": lacks[number]} for number in everybody if teachers and number not in teachers]
    details: dict[str, Any] = {
        "teacher": list(teachers),
        "pupils": pupils,
        "lacks": {str(number): lots for number, lots in lacks.items()},
    }
    return Outcome(winners, why, details)


def _decide(position: "LudusPosition") -> tuple[tuple[int, ...], Sentence]:
    counted = scores(position)
    most = max(counted.values())
    level = tuple(number for number, count in counted.items() if count == most)
    if len(level) == 1:
        why = "{winner} holds most virtues, {count}, and is the teacher; everybody else is a pupil."
        return level, Sentence(why, winner=player(level[0]), count=most)
    comer, double = _comes_level(position, most)
    if comer in level:
        why = "{level} hold {count} virtues each; {virtue} counts double now, so {winner} is the teacher."
        return (comer,), Sentence(why, level=listed(level), count=most, virtue=double, winner=player(comer))
    if comer:
        return _shared_with_comer(position, level, comer, double)
    if len(level) == position.players:
        why = "{level} hold {count} virtues each: nobody stands above the other, and the win is shared."
    else:
        why = "{level} hold {count} virtues each and share the win; everybody else is a pupil."
    return level, Sentence(why, level=listed(level), count=most)


def _comes_level(position: "LudusPosition", most: int) -> tuple[int, str]:
    """Return who has at least the most virtues once a tie makes Karitas count double (0: nobody), and its name.

    The source adds one to the holder's total whoever is tied, and expects that the tie may then stand.
    """
    if position.options["karitas"] == "tie-break":
        counted = scores(position)
        for virtue in virtues():
            holder = position.holder(virtue)
            if virtue.double and holder and counted[holder] + 1 >= most:
                return holder, virtue.latin
    return 0, ""


def _shared_with_comer(
    position: "LudusPosition", level: tuple[int, ...], comer: int, double: str
) -> tuple[tuple[int, ...], Sentence]:
    """Share the win among those who were level and the one whom Karitas lifts to their count."""
    winners = tuple(sorted((*level, comer)))
    if len(winners) == position.players:
        why = (
            "{level} hold {count} virtues each; {virtue} counts double now, so {comer} comes level with them: "
            "nobody stands above the other, and the win is shared."
        )
    else:
        why = (
            "{level} hold {count} virtues each; {virtue} counts double now, so {comer} comes level with them: "
            "they share the win, and everybody else is a pupil."
        )
    count = scores(position)[level[0]]
    return winners, Sentence(why, level=listed(level), count=count, virtue=double, comer=player(comer))


def _lacked(position: "LudusPosition", number: int) -> list[str]:
    return [virtue.lot for virtue in virtues() if position.holder(virtue) != number]


def listed(numbers: Sequence[int]) -> Listing:
    """Return several players in one part of a sentence."""
    return Listing(map(player, numbers))
