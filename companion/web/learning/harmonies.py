"""The table of harmonies as a page: every progression of three of the game's numbers, and which of them are at hand."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations

from flask import Blueprint, render_template

from companion.rules.rithmomachia.men import COLOURS, array
from companion.rules.rithmomachia.numbers import KINDS, progression, written
from companion.web.api import WATCHED

EXAMPLES: Mapping[str, tuple[int, int, int]] = {"arithmetic": (2, 4, 6), "geometric": (4, 6, 9), "harmonic": (3, 4, 6)}
"""A progression of each kind with small numbers, for the sentence that says what it is."""

Triple = tuple[int, int, int]

blueprint = Blueprint("harmonies", __name__)


@cache
def triples() -> Mapping[str, Sequence[Triple]]:
    """Return the progressions of three different numbers with which the two armies begin, by kind, in rising order.

    The pyramids' own numbers count, as in the tables of the sources (004, appendix III).
    """
    numbers = {man.number for side in COLOURS for rank in array(side) for man in rank if man is not None}
    found: dict[str, list[Triple]] = {kind: [] for kind in KINDS}
    for low, middle, high in combinations(sorted(numbers), 3):
        kind = progression((low, middle, high))
        if kind is not None:
            found[kind].append((low, middle, high))
    return found


@blueprint.get("/harmonies")
def page() -> str:
    """Show the table; in a match of Rithmomachia, it marks what each side can still make of the men that it has."""
    state = WATCHED.get().snapshot().data
    return render_template(
        "learning/harmonies.html",
        triples=triples(),
        proofs={kind: written(example) for kind, example in EXAMPLES.items()},
        sides=_numbers_now(state.get("board") or {}),
        state=state,
    )


def _numbers_now(board: Mapping[str, object]) -> Mapping[str, frozenset[int]]:
    """Return the numbers of the men that each side has on the board or holds; empty without such a match."""
    men = board.get("men")
    found: dict[str, set[int]] = {}
    for man in men.values() if isinstance(men, dict) else ():
        if "number" in man:
            found.setdefault(man["colour"], set()).add(man["number"])
    held = board.get("held")
    for number, hand in held.items() if isinstance(held, dict) and found else ():
        found.setdefault(COLOURS[int(number)], set()).update(man["number"] for man in hand)
    return {colour: frozenset(numbers) for colour, numbers in found.items()}
