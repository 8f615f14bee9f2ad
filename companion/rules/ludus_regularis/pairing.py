"""Pairs of virtues whose sums add up to 21: those that a player has completed and those half done."""

from collections.abc import Iterable

from companion.rules.ludus_regularis.boards import mates
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.virtues import Virtue, of_sum

PAIR_SUM = 21
"""Wibold joins the sums 3 with 18, 4 with 17 and so on (Pulskamp & Otero, Association of the Lots with Virtues)."""

Pair = tuple[Virtue, Virtue]


def partners(virtue: Virtue, *, rows_only: bool) -> tuple[Virtue, ...]:
    """Return the virtues that form a pair with this one, its partner of Table 6 first."""
    mate = mates()[virtue]
    if rows_only:
        return (mate,)
    return (mate, *(other for other in of_sum(PAIR_SUM - virtue.sum) if other != mate))


def completed(held: Iterable[Virtue], *, rows_only: bool) -> tuple[Pair, ...]:
    """Return a player's pairs; ``held`` are the player's virtues in the order of winning.

    Each new virtue joins its partner of Table 6 if that partner is still single. Otherwise it joins the partner that
    has been single for longest. So a completed pair stays, and no other matching makes more pairs.
    """
    single: list[Virtue] = []
    pairs: list[Pair] = []
    for virtue in held:
        fitting = partners(virtue, rows_only=rows_only)
        waiting = [other for other in single if other in fitting]
        if not waiting:
            single.append(virtue)
            continue
        mate = mates()[virtue] if mates()[virtue] in waiting else waiting[0]
        single.remove(mate)
        pairs.append((mate, virtue))
    return tuple(pairs)


def pairs_of(state: LudusState, number: int) -> tuple[Pair, ...]:
    """Return a player's completed pairs of 21 in the order of their completion."""
    return completed(state.held(number), rows_only=state.options["pairs"] == "rows")
