"""The model card: hashes and chosen figures for the program (TOML), and the same in words for people (Markdown)."""

import hashlib
import json
import re
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.vision.dice import nets
from companion.vision.dice.asking.selector import Selector
from companion.vision.dice.nets import CARD, CORNERS, FACES, LOCATOR, ROWS, SECOND, SELECTOR, Settings
from workshop.training.choosing.chosen_files import selector_to_toml


def read_recipe(weights: Path) -> dict[str, Any]:
    """Return the recipe in a card, empty where there is no card yet."""
    place = weights / CARD
    if not place.is_file():
        return {}
    recipe: dict[str, Any] = tomllib.loads(place.read_text(encoding="utf-8"))["recipe"]["reader"]
    return recipe


def renew_hashes(weights: Path) -> None:
    """Write the weights' hashes and sizes into the card beside them; leave everything else in the card unchanged."""
    place = weights / CARD
    text = place.read_text(encoding="utf-8")
    for name in (LOCATOR, CORNERS, FACES, ROWS, SECOND):
        data = (weights / name).read_bytes()
        before = rf'(\[files\."{re.escape(name)}"\]\nsha256 = ")[0-9a-f]*("\nbytes = ")[0-9]*'
        text = re.sub(before, rf"\g<1>{hashlib.sha256(data).hexdigest()}\g<2>{len(data)}", text)
    place.write_text(text, encoding="utf-8")
    nets.read_card_again()


@dataclass(frozen=True)
class Card:
    """Facts about a set of weights. ``recipe`` and ``measured`` are flat tables of names and figures."""

    chosen: Settings
    selector: Selector
    recipe: dict[str, Any]
    measured: dict[str, Any]

    def write(self, weights: Path) -> None:
        """Write the card and the selector beside the weights, with hashes and sizes."""
        (weights / SELECTOR).write_text(selector_to_toml(self.selector), encoding="utf-8")
        lines = ["# Model card of the dice reader, for the program; README.md beside it says the same in words.", ""]
        for name in (LOCATOR, CORNERS, FACES, ROWS, SECOND, SELECTOR):
            data = (weights / name).read_bytes()
            lines += [
                f'[files."{name}"]',
                f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
                f'bytes = "{len(data)}"',
                "",
            ]
        lines += ["[chosen.reader]", *(f'{key} = "{value}"' for key, value in asdict(self.chosen).items()), ""]
        for title, table in (("recipe", self.recipe), ("measured", self.measured)):
            lines += [f"[{title}.reader]", *(f"{key} = {json.dumps(str(value))}" for key, value in table.items()), ""]
        (weights / CARD).write_text("\n".join(lines), encoding="utf-8")
        nets.read_card_again()
