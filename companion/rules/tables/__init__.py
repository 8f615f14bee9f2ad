"""The games of tables, forebears of backgammon: one engine, the variants as data (Lewins, Tabula at Rumwoldstow)."""

from companion.rules.tables.position import TablesPosition
from companion.rules.tables.tables import Tables, tables_game
from companion.rules.tables.variants import variants

GAMES = tuple(tables_game(name) for name in variants())

__all__ = ["GAMES", "Tables", "TablesPosition"]
