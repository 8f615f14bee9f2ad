"""What a game's papers tabulate: exact where it can be, simulated where not."""

from companion.odds.ludus_regularis import expected_curve

__all__ = ["expected_curve"]
