"""Positions in few characters: a board of numbered men would otherwise fill a page."""

import re
from collections.abc import Mapping
from typing import Any, Final

COLOURS: Final = {"w": "white", "b": "black"}
SHAPES: Final = {"c": "circle", "t": "triangle", "s": "square", "p": "pyramid"}
MAN: Final = re.compile(r"([a-z]\d+)?([wb])([ctsp])(\d+)(?::([ctsp\d,]+))?")
PART: Final = re.compile(r"([cts])(\d+)")

NEEDED: Final = ("virtues", "turns", "throws")
"""What a position must say even where it is nothing."""


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a position's JSON without its game, with its men in short: ``"d2wt9 h16bp61:s49,c12"``, ``"1": "bc5"``."""
    kept = {name: value for name, value in data.items() if name != "game" and (name in NEEDED or value)}
    if any("colour" in man for man in kept.get("men", {}).values()):
        kept["men"] = " ".join(_short(man, site) for site, man in kept["men"].items())
        kept["captured"] = {
            player: " ".join(_short(man) for man in men) for player, men in kept.get("captured", {}).items() if men
        }
    elif "men" in kept:
        kept["men"] = {side: {at: count for at, count in men.items() if count} for side, men in kept["men"].items()}
    if "virtues" in kept:
        kept["virtues"] = " ".join(f"{lot}:{held['player']}:{held['throw']}" for lot, held in kept["virtues"].items())
    return kept


def unpacked(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `packed` was given, without the game."""
    found = dict(data)
    if isinstance(found.get("men"), str):
        found["men"] = dict(map(_man, found["men"].split()))
        found["captured"] = {player: [_man(man)[1] for man in men.split()] for player, men in found["captured"].items()}
    if isinstance(found.get("virtues"), str):
        held = [entry.split(":") for entry in found["virtues"].split()]
        found["virtues"] = {lot: {"player": int(player), "throw": int(throw)} for lot, player, throw in held}
    return found


def _short(man: Mapping[str, Any], site: str = "") -> str:
    parts = ",".join(f"{part['shape'][0]}{part['number']}" for part in man.get("parts", ()))
    return f"{site}{man['colour'][0]}{man['shape'][0]}{man['number']}" + (f":{parts}" if parts else "")


def _man(text: str) -> tuple[str, dict[str, Any]]:
    found = MAN.fullmatch(text)
    assert found is not None, "packed by this module"
    site, colour, shape, number, parts = found.groups()
    man: dict[str, Any] = {"colour": COLOURS[colour], "shape": SHAPES[shape], "number": int(number)}
    if parts:
        man["parts"] = [{"shape": SHAPES[part], "number": int(one)} for part, one in PART.findall(parts)]
    return site or "", man
