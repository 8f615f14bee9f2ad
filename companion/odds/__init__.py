"""What the literature on a game tabulates: exact where possible, else simulated."""

from companion.odds.ludus_regularis import expected_curve

__all__ = ["expected_curve"]
