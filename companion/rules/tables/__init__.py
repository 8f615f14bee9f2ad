"""The games of tables, ancestors of backgammon: one engine, variants as data (Lewins, Tabula at Rumwoldstow)."""

from companion.rules.tables.free.board import FreeBoard, FreePosition
from companion.rules.tables.position import TablesPosition
from companion.rules.tables.tables import Tables, tables_game
from companion.rules.tables.variants import variants

GAMES = (*(tables_game(name) for name in variants()), FreeBoard())

__all__ = ["GAMES", "FreeBoard", "FreePosition", "Tables", "TablesPosition"]
