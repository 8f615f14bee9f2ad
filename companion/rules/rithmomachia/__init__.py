"""Rithmomachia, the battle of numbers: three games of the same men, who are taken by arithmetic."""

from companion.rules.rithmomachia.law import game_data
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rithmomachia import Rithmomachia

GAMES = tuple(Rithmomachia(entry) for entry in game_data())

__all__ = ["GAMES", "RithmoPosition", "Rithmomachia"]
