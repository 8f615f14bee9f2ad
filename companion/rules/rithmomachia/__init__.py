"""Rithmomachia, the battle of numbers: three games with the same men, which take each other by arithmetic."""

from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rithmomachia import Rithmomachia
from companion.rules.rithmomachia.rule_set import game_data

GAMES = tuple(Rithmomachia(entry) for entry in game_data())

__all__ = ["GAMES", "RithmoPosition", "Rithmomachia"]
