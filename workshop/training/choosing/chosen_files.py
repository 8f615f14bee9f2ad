"""The files that the program ships of what was chosen here: when a face is read, and whether a table shows dice."""

from collections.abc import Mapping, Sequence

from companion.vision.dice.asking import clutter as clutters
from companion.vision.dice.asking.clutter import Clutter
from companion.vision.dice.asking.selector import AGAIN_NAMES, NAMES, Selector


def selector_to_toml(selector: Selector) -> str:
    """Return a selector as the text of its file, with the proof of each threshold."""
    names = ", ".join(f'"{name}"' for name in NAMES + AGAIN_NAMES)
    lines = [
        "# When the dice reader reads an upper face without asking: companion/vision/dice/asking/selector.py.",
        "# Chosen by companion train --step choose, for the weights beside it.",
        "",
        f"features = [{names}]",
        "",
        f"[weights]  # of the first {len(NAMES)} features, and last the constant",
        *_weights_to_toml(selector.weights),
        "",
        "[again]  # at a second pass: of all features, and last the constant",
        *_weights_to_toml(selector.again),
    ]
    for bar in selector.bars:
        lines += [
            "",
            "[[bar]]",
            f'family = "{bar.family}"',
            f"again = {str(bar.again).lower()}",
            f"tilt = [{bar.tilt[0]:g}, {bar.tilt[1]:g}]",
            f"marks = [{bar.marks[0]}, {bar.marks[1]}]",
            *([] if bar.turned is None else [f"turned = {str(bar.turned).lower()}"]),
            f"least = {bar.least:.4f}",
            f"dice = {bar.dice}",
            f"wrong = {bar.wrong}",
            f"bound = {bar.bound:.5f}",
        ]
    return "\n".join(lines) + "\n"


def _weights_to_toml(weights: Mapping[str, Sequence[float]]) -> list[str]:
    return [f"{family} = [{', '.join(f'{one:.4f}' for one in known)}]" for family, known in weights.items()]


def clutter_to_toml(clutter: Clutter) -> str:
    """Return the text of the file, with the proof of each border."""
    names = ", ".join(f'"{name}"' for name in clutters.NAMES)
    lines = [
        "# Whether a table shows dice: companion/vision/dice/asking/clutter.py. Learnt for the nets in weights, by",
        "# python -m workshop.training.choosing.things",
        "# The figures are of drawn dice. Of 137 photographs of one die with twenty faces on a plain ground, 9 = 6.6 %",
        "# (3.5 to 12.0) had no find that reaches its border: so what has the outline of a die is asked about, too.",
        "",
        f"names = [{names}]",
        "",
        "[weights]  # of what is named, and last the constant",
        *(f"{family} = [{', '.join(f'{one:.4f}' for one in known)}]" for family, known in clutter.weights.items()),
    ]
    for family, one in clutter.borders.items():
        lines += [
            "",
            f"[border.{family}]",
            f"least = {one.least:.4f}",
            f"dice = {one.dice}",
            f"lost = {one.lost}",
            f"bound = {one.bound:.5f}",
            f"tables = {one.tables}",
            f"left = {one.left}",
        ]
    return "\n".join(lines) + "\n"
