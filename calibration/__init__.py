"""Procedures that make what the reader needs: scenes with known truth, training, sample frames."""
