"""What the papers tabulate: exact where it can be, simulated where not."""
