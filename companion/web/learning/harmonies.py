"""The table of harmonies as a page: every progression of three of the game's numbers, and which of them are at hand."""

from collections.abc import Mapping

from flask import Blueprint, render_template

from companion.rules.rithmomachia.men import COLOURS
from companion.rules.rithmomachia.numbers import EXAMPLES, triples, written
from companion.web.streams import WATCHED

blueprint = Blueprint("harmonies", __name__)


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
