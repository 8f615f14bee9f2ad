"""Wibold's game of virtues, tenth century: three letter cubes, a tetrahedron of consonants and 56 virtues.

This package also has the wheel that its editor drew in 1615, and the riddle in which its author hid his name.
"""

from companion.data_file import data_of
from companion.rules.ludus_regularis.ludus import LudusRegularis
from companion.rules.ludus_regularis.position import LudusPosition

GAMES = tuple(LudusRegularis(**game) for game in data_of(__package__, "games.toml")["game"])

__all__ = ["GAMES", "LudusPosition", "LudusRegularis"]
