"""The board in plain text: w before White's men, b before Black's; (circle), <triangle>, [square], {pyramid}."""

from collections.abc import Mapping

from companion.rules.rithmomachia.men import COLOURS, Man
from companion.rules.rithmomachia.squares import FILES
from companion.rules.rithmomachia.state import RithmoState

BRACKETS = {"circle": ("(", ")"), "triangle": ("<", ">"), "square": ("[", "]"), "pyramid": ("{", "}")}
MAN_CHARACTERS = 6
"""The widest man is ``b{190}``."""


def marked(man: Man) -> str:
    """Return a man in characters: ``w(16)``, ``b{190}``."""
    left, right = BRACKETS.get(man.shape, ("?", "?"))
    return f"{COLOURS[man.owner][0]}{left}{man.number}{right}"


def legend(names: Mapping[int, str]) -> str:
    """Return what the signs of a drawn board mean: the sides, with their players' names if known, and the shapes."""
    sides = (
        f"{colour[0]} {colour.capitalize()}" + (f" ({names[number]})" if number in names else "")
        for number, colour in COLOURS.items()
    )
    shapes = (f"{left}{shape}{right}" for shape, (left, right) in BRACKETS.items())
    return f"{', '.join(sides)}; {', '.join(shapes)}; the number is the man's own"


def drawn(position: RithmoState, names: Mapping[int, str]) -> str:
    """Return the board, file a on top and rank 1 at the left, with its legend and what both players hold below."""
    board = position.rules.board
    head = "   " + " ".join(str(rank + 1).center(MAN_CHARACTERS) for rank in range(board.ranks))
    lines = [head.rstrip()]
    for file, name in enumerate(FILES):
        row = position.men[file * board.ranks : (file + 1) * board.ranks]
        cells = (marked(man).center(MAN_CHARACTERS) if man is not None else ".".center(MAN_CHARACTERS) for man in row)
        lines.append(f"{name}  " + " ".join(cells).rstrip())
    pyramids = (man for man in position.men if man is not None and man.is_pyramid)
    lines += [f"{marked(man)} is {' + '.join(str(part.number) for part in man.parts)}" for man in pyramids]
    lines.append(legend(names))
    for number in COLOURS:
        if held := position.held(number):
            lines.append(f"{COLOURS[number].capitalize()} holds {' '.join(marked(man) for man in held)}")
        if removed := position.removed[number - 1]:
            lines.append(f"{COLOURS[number].capitalize()} put aside {' '.join(marked(man) for man in removed)}")
    return "\n".join(lines)
