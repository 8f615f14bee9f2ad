"""Ludix, a modern game with Roman numerals: four dice L X X V I I, throw again or stop."""

from companion.rules.ludix.choices import Formed
from companion.rules.ludix.ludix import Ludix
from companion.rules.ludix.position import LudixPosition

GAMES = (Ludix(),)

__all__ = ["GAMES", "Formed", "Ludix", "LudixPosition"]
