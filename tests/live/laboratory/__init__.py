"""The fairness laboratory as it runs."""
