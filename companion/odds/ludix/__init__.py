"""The odds of Ludix: its throws, and the play that wins most often between two players."""

from companion.odds.ludix.race import PolicyError
from companion.odds.ludix.report import odds

__all__ = ["PolicyError", "odds"]
