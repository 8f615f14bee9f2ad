"""Wibold's game of virtues, tenth century: three letter cubes, a tetrahedron of consonants and 56 virtues.

This package also has the wheel that its editor drew in 1615, and the riddle in which its author hid his name.
"""

import tomllib
from importlib.resources import files

from companion.rules.ludus_regularis.ludus import LudusRegularis
from companion.rules.ludus_regularis.position import LudusPosition

_DATA = tomllib.loads((files(__package__) / "games.toml").read_text(encoding="utf-8"))
GAMES = tuple(LudusRegularis(game["slug"], game["title"], game["story"], game["kind"]) for game in _DATA["game"])

__all__ = ["GAMES", "LudusPosition", "LudusRegularis"]
